import { MAX_EMAIL_CHARS, LINK_MINUTES, type SignInMail } from '@app/accounts';
import { html, type Html } from '../html/html.js';
import { notice, problem } from '../html/notice.js';
import type { Page } from '../html/page.js';

export type SignInProblem =
  'key' | 'email' | 'asked-often' | 'link' | 'ended' | 'signed-out' | 'fresh';

const PROBLEMS = {
  key: problem('This key is unknown, revoked or expired.'),
  email: problem('This is not an e-mail address.'),
  'asked-often': problem(
    'Too many links were requested. Try again in an hour, or sign in with a key.',
  ),
  link: problem(
    `This link was already used, or is older than ${LINK_MINUTES} minutes, or was requested in another browser. Request another one here.`,
  ),
  ended: notice('You were signed out: the session or its key ended.'),
  fresh: notice('Sign in once more: keys and secrets are made soon after a sign-in only.'),
  'signed-out': notice('You are signed out.'),
} as const satisfies Record<SignInProblem, Html>;

export interface SignInParts {
  readonly why: SignInProblem | null;
  readonly mail: SignInMail;
  /** @default 200 */
  readonly status?: number;
}

export function signInPage({ why, mail, status = 200 }: SignInParts): Page {
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
      ${mail.kind === 'off' ? mailIsOff(mail.missing) : mailForm(why)}
      <p class="aside">
        No key yet? The service printed one at its first start and keeps it in
        <code>dev-key</code> of its data folder; elsewhere its operator makes you one.
      </p>`,
  };
}

function mailForm(why: SignInProblem | null): Html {
  return html`<form class="panel narrow" method="post" action="/dashboard/sign-in/mail">
    <p class="field">
      <label for="email">E-mail address of the account</label>
      <input
        id="email"
        name="email"
        type="email"
        required
        maxlength="${MAX_EMAIL_CHARS}"
        autocomplete="email"
        spellcheck="false"
        aria-describedby="email-hint"
        ${why === 'email' && html`aria-invalid="true"`}
      />
      <span class="hint" id="email-hint">
        A link to sign in is sent there. It works once, for ${LINK_MINUTES} minutes.
      </span>
    </p>
    <p class="actions"><button>Send me a link</button></p>
  </form>`;
}

function mailIsOff(missing: readonly string[]): Html {
  return html`<p class="aside">
    Links to sign in by e-mail are off here: the operator of this service has not set
    ${missing.map((name, n) => html`${n > 0 && ' and '}<code>${name}</code>`)}.
  </p>`;
}
