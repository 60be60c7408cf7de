import { html } from '../html/html.js';
import { notice, problem } from '../html/notice.js';
import type { Page } from '../html/page.js';

export type SignInProblem = 'key' | 'ended' | 'signed-out';

const PROBLEMS = {
  key: problem('This key is unknown, revoked or at its end.'),
  ended: notice('You were signed out: the session or its key has ended.'),
  'signed-out': notice('You are signed out.'),
} as const;

/** @param status @default 200 */
export function signInPage(why: SignInProblem | null, status = 200): Page {
  return {
    title: 'Sign in',
    section: null,
    status,
    content: html`${why && PROBLEMS[why]}
      <form class="panel narrow" method="post" action="/dashboard/sign-in">
        <p class="field">
          <label for="key">API key</label>
          <input
            id="key"
            name="key"
            type="password"
            required
            maxlength="256"
            autocomplete="current-password"
            spellcheck="false"
            aria-describedby="key-hint"
            ${why === 'key' && html`aria-invalid="true"`}
          />
          <span class="hint" id="key-hint">
            It begins with <code>trawl_live_</code>. It is not stored in the browser, and the
            session ends when the key is revoked.
          </span>
        </p>
        <p class="actions"><button class="primary">Sign in</button></p>
      </form>
      <p class="aside">
        No key yet? The service printed one at its first start and keeps it in
        <code>dev-key</code> of its data folder; elsewhere its operator makes you one.
      </p>`,
  };
}
