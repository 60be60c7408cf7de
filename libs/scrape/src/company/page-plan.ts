import { choosePages, FIXED_PATHS, type CompanyPage } from '@app/company';
import type { EnrichTask } from '@app/contracts';
import { canonicalUrl } from '@app/crawl';

/**
 * The pages to read beside the homepage, in the order of what they are likely to say. A site that moved
 * as a whole is where its homepage is now.
 */
export function planPages(
  home: CompanyPage,
  { pages, maxPages }: Pick<EnrichTask, 'pages' | 'maxPages'>,
): readonly string[] {
  const wanted =
    pages === 'fixed'
      ? FIXED_PATHS.map((path) => new URL(path, home.url).href)
      : choosePages(home, maxPages);
  return withoutTwins([home.url, ...wanted]).slice(1, maxPages);
}

/** Of the addresses of one page, the first. */
function withoutTwins(urls: readonly string[]): readonly string[] {
  const known = new Set<string>();
  return urls.filter((url) => known.size < known.add(samePageKey(url)).size);
}

/** What addresses of one page have in common: a slash at the end makes a page of its own hardly anywhere. */
export function samePageKey(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = parsed.pathname.replace(/(?<=[^/])\/+$/, '') || '/';
  return canonicalUrl(parsed);
}
