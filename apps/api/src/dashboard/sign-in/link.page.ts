import { html } from '../html/html.js';
import type { Page } from '../html/page.js';
import { LINK_MINUTES, LINK_PATH, type SignInMail } from '@app/accounts';

/** Shown after a link was requested, whether or not the address is known. */
export function linkRequestedPage(mail: SignInMail): Page {
  return {
    title: 'Check your mail',
    section: null,
    back: { title: 'Sign in', path: '/dashboard/sign-in' },
    content: html`<section class="panel narrow" aria-label="What happens now">
      <p>
        If an account has this address, a link is on its way to it. It works once, for
        ${LINK_MINUTES} minutes, in this browser.
      </p>
      ${
        mail.kind === 'logged' &&
        html`<p>No mail server is set up here: the link is printed in the log of the service.</p>`
      }
      <p>
        Nothing arrived? Check your spam folder. An account without an e-mail address is signed in
        to with one of its API keys.
      </p>
    </section>`,
  };
}

/** The page that a link opens. Opening it changes nothing: mail scanners open every link. */
export function linkPage(token: string): Page {
  return {
    title: 'Sign in',
    section: null,
    content: html`<form class="panel narrow" method="post" action="${LINK_PATH}">
      <input type="hidden" name="token" value="${token}" />
      <p>Press the button if you asked for this link yourself. It works once.</p>
      <p class="actions"><button class="primary">Sign in</button></p>
    </form>`,
  };
}
