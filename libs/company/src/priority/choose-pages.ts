import { type CompanyPage, type PageLinkText } from '../company-page.js';
import { siteHost } from './find-priority-links.js';
import { priorityOf, type Ranked, PRIORITIES } from './priority-of.js';

/**
 * The pages of a site to read beside its homepage: by what links call them and where they lead. The
 * best page of each kind comes first, kinds in the order of {@link PRIORITIES}; then the second
 * best of each, and so on. Of one kind the better named is first, then the shorter path, then the
 * one linked first. Deterministic; the same site only; each page once, never the homepage.
 * @param max pages with the homepage: at most `max - 1` are given
 */
export function choosePages(homepage: Pick<CompanyPage, 'url' | 'links'>, max: number): string[] {
  const candidates = rankedPages(homepage);
  const rounds = PRIORITIES.map((kind) => candidates.filter((page) => page.priority === kind));
  const chosen: string[] = [];
  const deepest = Math.max(0, ...rounds.map((pages) => pages.length));
  for (let round = 0; round < deepest; round++)
    for (const pages of rounds) {
      const page = pages[round];
      if (page !== undefined && chosen.length < max - 1) chosen.push(page.url);
    }
  return chosen;
}

interface RankedPage extends Ranked {
  readonly url: string;
}

function rankedPages({ url, links }: Pick<CompanyPage, 'url' | 'links'>): readonly RankedPage[] {
  const own = siteHost(url);
  const home = pageKey(url);
  const pages = new Map<string, RankedPage>();
  for (const link of links) {
    const ranked = siteHost(link.url) === own ? priorityOf(link.url, link.text) : undefined;
    const key = pageKey(link.url);
    if (ranked === undefined || key === home) continue;
    const known = pages.get(key);
    if (known === undefined || ranked.strength > known.strength)
      pages.set(key, { ...ranked, url: known?.url ?? link.url });
  }
  // The sort is stable: equals stay in document order.
  return [...pages.values()].sort((a, b) => b.strength - a.strength || depthOf(a) - depthOf(b));
}

const depthOf = ({ url }: PageLinkText | RankedPage): number =>
  (URL.parse(url)?.pathname ?? '').split('/').filter((segment) => segment !== '').length;

/** One page under several spellings: a last slash, an index file and capitals apart. */
function pageKey(address: string): string {
  const url = URL.parse(address);
  const path = (url?.pathname ?? '').replace(/(?:index|default)\.(?:html?|php|aspx?)$/i, '');
  return `${path.replace(/(?<!\/)\/+$/, '').toLowerCase()}${url?.search ?? ''}`;
}
