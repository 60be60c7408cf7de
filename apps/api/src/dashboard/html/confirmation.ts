import type { SignedIn } from '../http/signed-in.js';
import { html, type Html, type Piece } from './html.js';
import { formToken } from './page.js';

export interface Confirmation {
  readonly session: SignedIn | undefined;
  readonly action: string;
  /** Describes an action before it is done. */
  readonly text: Piece;
  readonly fields?: Html;
  readonly button: string;
  readonly isDangerous: boolean;
  /** Link to cancel. */
  readonly back: string;
}

/** A separate page confirms the action: it works without a script, by keyboard and with a screen reader. */
export function confirmation(details: Confirmation): Html {
  return html`<form class="panel narrow" method="post" action="${details.action}">
    ${formToken(details.session)}
    <p>${details.text}</p>
    ${details.fields}
    <p class="actions">
      <button class="${details.isDangerous ? 'danger' : 'primary'}">${details.button}</button>
      <a class="button quiet" href="${details.back}">Keep it as it is</a>
    </p>
  </form>`;
}
