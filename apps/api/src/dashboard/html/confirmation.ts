import type { SignedIn } from '../http/signed-in.js';
import { html, type Html, type Piece } from './html.js';
import { formToken } from './page.js';

export interface Confirmation {
  readonly session: SignedIn | undefined;
  readonly action: string;
  /** What will happen, before anything does. */
  readonly text: Piece;
  readonly fields?: Html;
  readonly button: string;
  readonly isDangerous: boolean;
  /** Where one goes who does not want it. */
  readonly back: string;
}

/** A page of its own asks: it works without a script, by keyboard and by ear. */
export function confirmation(asked: Confirmation): Html {
  return html`<form class="panel narrow" method="post" action="${asked.action}">
    ${formToken(asked.session)}
    <p>${asked.text}</p>
    ${asked.fields}
    <p class="actions">
      <button class="${asked.isDangerous ? 'danger' : 'primary'}">${asked.button}</button>
      <a class="button quiet" href="${asked.back}">Keep it as it is</a>
    </p>
  </form>`;
}
