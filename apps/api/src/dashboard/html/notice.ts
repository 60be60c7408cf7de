import { html, type Html, type Piece } from './html.js';

/** What was done by the form before: named in the address by a word, never by a text. */
const NOTICES = {
  revoked: 'The key was revoked. Requests with it are refused from now on.',
  cancelled: 'The job was cancelled.',
  ended: 'The job had ended already; nothing was cancelled.',
  redelivered: 'The webhook is on its way again.',
  paid: 'Thank you. The plan changes as soon as the payment is confirmed, usually at once.',
} as const;

export type NoticeName = keyof typeof NOTICES;

export function noticeIn(query: unknown): Html | null {
  const name = (query as { readonly done?: unknown } | null)?.done;
  const known = typeof name === 'string' && Object.hasOwn(NOTICES, name);
  return known ? notice(NOTICES[name as NoticeName]) : null;
}

/** Told at once by screen readers, without taking the focus. */
export function notice(text: Piece): Html {
  return html`<p class="notice" role="status">${text}</p>`;
}

/** What went wrong with what was asked for. */
export function problem(text: Piece): Html {
  return html`<p class="problem" role="alert">${text}</p>`;
}
