/** What happens to the key when its request is answered with a status. */
export type AnswerFate =
  /** The response is the result of work: every later request gets it. */
  | 'keep'
  /** Nothing was begun: the key is free, also for a corrected request. */
  | 'drop'
  /** Nobody knows how far it came: free for the same request, which continues under the same id. */
  | 'release';

const UNPROCESSABLE = 422;

/**
 * 2xx and 422 (the page was fetched but gave no data) are results. Other errors (400, 401, 402, 404,
 * 409, 413, 415, 429) are returned before any work. A 499 or 5xx is never kept: a retry must be able to succeed.
 */
export function fateOf(status: number): AnswerFate {
  if (status < 400 || status === UNPROCESSABLE) return 'keep';
  return status < 499 ? 'drop' : 'release';
}
