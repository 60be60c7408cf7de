import type { ErrorClass, SkipReason } from '@app/contracts';

/** Why an address was left out, said of that address. */
const SKIPPED: Readonly<Record<SkipReason, string>> = {
  external: 'on another host',
  backward: 'not below the path of the start page',
  not_included: 'matches no included path',
  excluded: 'matches an excluded path',
  depth: 'deeper than the greatest depth',
  robots: 'forbidden by robots.txt',
  content_use: 'its site does not allow this use',
  not_modified: 'older than `modifiedSince`, by the date that its site names',
  duplicate: 'leads to a page that is already in the crawl',
  duplicate_content: 'has the text of another page',
  limit: 'still waiting when the page limit was reached',
  deadline: 'still waiting when the time was over',
  storage: 'no room in the storage of the plan',
  blocked: 'an address that must not be fetched',
  not_a_page: 'an image, an archive or another file',
  nofollow: 'only linked with “nofollow”',
  noindex: 'asks not to be kept (noindex)',
  trap: 'one of an endless series of addresses',
  sitemap: 'a sitemap or another list of pages',
};

/** Why an attempt at a page failed. */
const FAILED: Readonly<Record<ErrorClass | 'gone' | 'auth_expired', string>> = {
  gone: 'not there any more',
  auth_expired: 'asks for a login again',
  timeout: 'took too long',
  http_error: 'answered with an error',
  network: 'no connection',
  blocked: 'refused the visit',
  robots: 'its robots.txt could not be read',
  provider_error: 'failed at the provider',
  parse_error: 'could not be read',
  js_shell: 'empty without scripts',
  empty: 'no content',
  cost_ceiling: 'would cost more than allowed',
  unknown: 'failed for another reason',
};

/** How a page differs from that of the crawl before. */
const SCRAPED: Readonly<Record<string, string>> = {
  new: 'new',
  changed: 'has changed',
  same: 'is the same',
};

const WORDS: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>> = {
  skipped: SKIPPED,
  failed: FAILED,
  scraped: SCRAPED,
};

/** Why a page is missing. A reason without words, such as those of jobs over stored pages, stays as it is. */
export function reasonText(state: string, reason: string): string {
  return WORDS[state]?.[reason] ?? reason.replaceAll('_', ' ');
}
