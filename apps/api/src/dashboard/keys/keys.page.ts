import type { KeyView } from '../../accounts/keys/key.dto.js';
import type { SignedIn } from '../http/signed-in.js';
import { dataTable, type Column } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import { formToken, type Page } from '../html/page.js';
import { stateBadge } from '../html/state-badge.js';
import { timeText } from '../html/time-text.js';

export const MAX_KEY_LABEL_CHARS = 100;

export interface KeysPageParts {
  readonly session: SignedIn | undefined;
  readonly keys: readonly KeyView[];
  /** @default now */
  readonly now?: Date;
  /** Shown at the top. */
  readonly message?: Piece;
}

export function keysPage({ session, keys, now = new Date(), message }: KeysPageParts): Page {
  const isLive = (key: KeyView): boolean => stateOf(key, now) !== 'ended';
  const live = keys.filter(isLive);
  const ended = keys.filter((key) => !isLive(key));
  return {
    title: 'API keys',
    lead: 'A key is shown only once, when it is created. The service stores only its hash.',
    section: 'keys',
    content: html`${message} ${createForm(session)}
      <section aria-labelledby="live-keys">
        <h2 id="live-keys">Active</h2>
        ${dataTable({
          caption: 'Active keys, newest first',
          columns: [...columns(now), ACTIONS],
          rows: live,
          empty: 'No active keys.',
        })}
      </section>
      ${ended.length > 0 && endedKeys(ended, now)}
      <p class="aside"><a href="/dashboard/sessions">Who is signed in to this account</a></p>`,
  };
}

function createForm(session: SignedIn | undefined): Html {
  return html`<form class="panel inline" method="post" action="/dashboard/keys">
    ${formToken(session)}
    <p class="field">
      <label for="label">Name of a new key</label>
      <input
        id="label"
        name="label"
        required
        maxlength="${MAX_KEY_LABEL_CHARS}"
        autocomplete="off"
        placeholder="Where it is used"
      />
    </p>
    <p class="actions"><button class="primary">Create key</button></p>
  </form>`;
}

function endedKeys(ended: readonly KeyView[], now: Date): Html {
  return html`<details>
    <summary>Ended keys (${ended.length})</summary>
    ${dataTable({
      caption: 'Ended keys, newest first',
      columns: columns(now),
      rows: ended,
      empty: '',
    })}
  </details>`;
}

function columns(now: Date): readonly Column<KeyView>[] {
  return [
    {
      title: 'Name',
      cell: ({ label, current }) =>
        html`<strong>${label}</strong>${current && html` <span class="tag">signed in with</span>`}`,
      kind: 'address',
    },
    { title: 'Key', cell: (key) => html`<code>${key.prefix}</code>` },
    { title: 'State', cell: (key) => stateCell(key, now) },
    { title: 'Created', cell: (key) => timeText(key.createdAt) },
    { title: 'Last used', cell: (key) => timeText(key.lastUsedAt, 'never') },
  ];
}

const ACTIONS: Column<KeyView> = {
  title: 'Actions',
  cell: ({ id, label }) =>
    html`<a href="/dashboard/keys/${id}/rotate" aria-label="Rotate the key ${label}">Rotate</a>
      <a href="/dashboard/keys/${id}/revoke" aria-label="Revoke the key ${label}">Revoke</a>`,
};

type KeyState = 'active' | 'expiring' | 'ended';

export function stateOf({ revokedAt, expiresAt }: KeyView, now: Date): KeyState {
  if (revokedAt !== null) return 'ended';
  if (expiresAt === null) return 'active';
  return new Date(expiresAt) <= now ? 'ended' : 'expiring';
}

function stateCell(key: KeyView, now: Date): Html {
  const { revokedAt, expiresAt } = key;
  if (revokedAt !== null) return html`${stateBadge('revoked')} ${timeText(revokedAt)}`;
  const state = stateOf(key, now);
  if (expiresAt === null) return stateBadge(state);
  return html`${stateBadge(state)} ${state === 'expiring' && 'until '}${timeText(expiresAt)}`;
}

/** The only time a key is shown. */
export function shownKey(key: string, text: Piece): Html {
  return html`<section class="panel shown-key" aria-labelledby="shown-key-title">
    <h2 id="shown-key-title">Your new key</h2>
    <p>${text} Copy it now: it is not shown again.</p>
    <p class="copyable"><code id="new-key" data-copy>${key}</code></p>
  </section>`;
}
