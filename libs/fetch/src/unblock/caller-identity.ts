import type { FetchOptions } from '@app/contracts';

/** Headers that say how to answer, not who asks. */
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
 * Whether the page depends on who asks: cookies, Authorization, a header of the caller's own making.
 * A third party that may not have these would bring a stranger's page, so it is not asked at all.
 */
export function carriesIdentity({ cookies, headers }: FetchOptions): boolean {
  return cookies !== null || Object.keys(headers).some((name) => !HARMLESS.has(name.toLowerCase()));
}
