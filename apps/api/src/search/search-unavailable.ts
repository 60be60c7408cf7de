import { ApiError } from '@app/contracts';
import type { SearchReply } from '@app/search';
import { presentAttempts } from './present-search.js';

/** No backend completed: each refused the query, or could not search. Without a configured backend only the operator can end it; otherwise a retry may succeed. */
export function searchUnavailable({
  attempts,
  retryAfterMs,
  isOfQuery = false,
}: Extract<SearchReply, { kind: 'failed' }>): ApiError {
  if (isOfQuery)
    return new ApiError('search_refused', {}, { body: { attempts: presentAttempts(attempts) } });
  const isUnset = attempts.length === 0;
  const message = isUnset
    ? 'No search backend is configured: the operator sets SEARCH_SERP, SEARCH_SEARXNG_URL or SEARCH_HTML.'
    : 'No search backend completed. Nothing was charged.';
  const details: Record<string, number> =
    retryAfterMs === null ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
  return new ApiError('search_unavailable', details, {
    body: { source: null, message, attempts: presentAttempts(attempts) },
    isPermanent: isUnset,
  });
}
