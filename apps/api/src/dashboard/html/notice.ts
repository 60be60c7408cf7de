import { html, type Html, type Piece } from './html.js';

/** Result of the previous form: the URL contains its name, never its text. */
const NOTICES = {
  revoked:
    'The key was revoked. Requests with it now fail, and sessions that it opened have ended; others go on.',
  cancelled: 'The job was cancelled.',
  ended: 'The job had already ended; nothing was cancelled.',
  'sessions-ended': 'All other sessions were ended.',
  'session-ended': 'That session was ended.',
  paused: 'The feed is paused. A run in progress ends.',
  resumed: 'The feed runs again at its next time.',
  started: 'A run begins now.',
  renewed: 'The feed has new addresses; the former ones are good no more.',
  deleted: 'The feed was deleted with its rows.',
  'schema-deleted': 'The schema was deleted.',
  redelivered: 'The webhook is being sent again.',
  paid: 'Thank you. The plan changes as soon as the payment is confirmed, usually at once.',
} as const;

export type NoticeName = keyof typeof NOTICES;

export function noticeIn(query: unknown): Html | null {
  const name = (query as { readonly done?: unknown } | null)?.done;
  const known = typeof name === 'string' && Object.hasOwn(NOTICES, name);
  return known ? notice(NOTICES[name as NoticeName]) : null;
}

/** Screen readers announce it at once, without moving the focus. */
export function notice(text: Piece): Html {
  return html`<p class="notice" role="status">${text}</p>`;
}

/** The problem of a request. */
export function problem(text: Piece): Html {
  return html`<p class="problem" role="alert">${text}</p>`;
}
