import type { FetchOptions } from '@app/contracts';

/** Headers that say how to respond and do not identify the caller. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'dnt',
  'pragma',
  'referer',
  'sec-gpc',
  'upgrade-insecure-requests',
  'user-agent',
]);

/**
 * Whether the page depends on the caller's identity: cookies, Authorization, a header of the caller's own making.
 * A third party that may not have these would return the page of an anonymous visitor, so it gets no request.
 */
export function carriesIdentity({ cookies, headers }: FetchOptions): boolean {
  return cookies !== null || Object.keys(headers).some((name) => !HARMLESS.has(name.toLowerCase()));
}
