import { type Element } from 'domhandler';
import { collapse, textOf } from '../dom/walk.js';
import { withoutFragment } from '../links/url-resolver.js';
import { type ReadablePage } from '../readable-page.js';
import { likelyCountry, type PageIdentity } from './entity/page-identity.js';
import { siteOf } from './values/web-address.js';

const MAX_HEADING_CHARS = 500;

/** What a page says about which page it is. */
export function identifyPage({ parsed, url, resolver }: ReadablePage): PageIdentity {
  const { described } = parsed;
  const text = (name: string): string => {
    const element = described.find((candidate) => candidate.name === name);
    return element === undefined ? '' : collapse(textOf(element, MAX_HEADING_CHARS));
  };
  const html = described.find(({ name }) => name === 'html')?.attribs;
  const language = (html?.lang ?? html?.['xml:lang'] ?? '').slice(0, 20);
  return {
    url: withoutFragment(url),
    canonical: canonicalOf(described, url, resolver),
    title: text('title'),
    h1: text('h1'),
    language,
    country: likelyCountry(url, language),
    resolver,
  };
}

/** The canonical address, where it is of the same site: others name a copy's original. */
function canonicalOf(
  described: readonly Element[],
  url: string,
  resolver: ReadablePage['resolver'],
): string | undefined {
  const link = described.find(
    ({ name, attribs }) => name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attribs.rel ?? ''),
  );
  const href = link?.attribs.href?.trim() ?? '';
  const address = href === '' ? undefined : resolver.resolveWeb(href);
  return address !== undefined && siteOf(address) === siteOf(url)
    ? withoutFragment(address)
    : undefined;
}
