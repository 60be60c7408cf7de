import type { KeyView } from '../../accounts/keys/key.dto.js';
import type { SignedIn } from '../http/signed-in.js';
import { confirmation } from '../html/confirmation.js';
import { html } from '../html/html.js';
import type { Page } from '../html/page.js';

const KEYS = { title: 'API keys', path: '/dashboard/keys' } as const;

/** How long the old key may keep working. */
export const OVERLAPS = [
  { seconds: 0, title: 'Not at all' },
  { seconds: 3_600, title: '1 hour' },
  { seconds: 86_400, title: '1 day' },
  { seconds: 604_800, title: '7 days' },
] as const;
const USUAL_SECONDS = 86_400;

export function revokePage(session: SignedIn | undefined, key: KeyView): Page {
  return {
    title: 'Revoke a key',
    section: 'keys',
    back: KEYS,
    content: confirmation({
      session,
      action: `/dashboard/keys/${key.id}/revoke`,
      text: html`<strong>${key.label}</strong> (<code>${key.prefix}</code>) stops working with the
        next request on. This cannot be undone.
        ${key.current && 'You are signed in with it: this session ends, too.'}`,
      button: 'Revoke the key',
      isDangerous: true,
      back: KEYS.path,
    }),
  };
}

export function rotatePage(session: SignedIn | undefined, key: KeyView): Page {
  const options = OVERLAPS.map(
    ({ seconds, title }) =>
      html`<option value="${seconds}" ${seconds === USUAL_SECONDS && html`selected`}>
        ${title}
      </option>`,
  );
  return {
    title: 'Rotate a key',
    section: 'keys',
    back: KEYS,
    content: confirmation({
      session,
      action: `/dashboard/keys/${key.id}/rotate`,
      text: html`A new key replaces <strong>${key.label}</strong> (<code>${key.prefix}</code>). The
        old one keeps working for a while, so that you can replace it everywhere first.`,
      fields: html`<p class="field">
        <label for="overlap">The old key keeps working</label>
        <select id="overlap" name="overlap">
          ${options}
        </select>
      </p>`,
      button: 'Rotate the key',
      isDangerous: false,
      back: KEYS.path,
    }),
  };
}
