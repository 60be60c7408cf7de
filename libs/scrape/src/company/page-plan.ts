import { choosePages, FIXED_PATHS, type CompanyPage, type EnrichTask } from '@app/company';
import { canonicalUrl } from '@app/crawl';

/**
 * The pages to read besides the homepage, the most informative first. For a site that moved as a whole, they are
 * on the homepage's new host.
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

/** The first URL of each page. */
function withoutTwins(urls: readonly string[]): readonly string[] {
  const known = new Set<string>();
  return urls.filter((url) => known.size < known.add(samePageKey(url)).size);
}

/** Equal for URLs of one page: on nearly all sites a trailing slash makes no difference. */
export function samePageKey(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = parsed.pathname.replace(/(?<=[^/])\/+$/, '') || '/';
  return canonicalUrl(parsed);
}
