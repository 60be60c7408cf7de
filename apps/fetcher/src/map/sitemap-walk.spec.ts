import type { SitemapPlaces } from '@app/crawl';
import type { MapTerms } from './map-terms.js';
import { termsOf } from './map-terms.js';
import type { SitemapFetcher, SitemapOutcome } from './sitemap-fetcher.js';
import { SitemapWalk, type WalkedSitemaps } from './sitemap-walk.js';

interface File {
  readonly links?: readonly string[];
  readonly children?: readonly string[];
  readonly cuts?: readonly ['incomplete'];
}

/** A site as its files; what is not there is none. Files named `slow` come last. */
class FakeFetcher implements Pick<SitemapFetcher, 'fetch'> {
  readonly asked: string[] = [];
  inFlight = 0;
  peak = 0;

  constructor(private readonly files: Readonly<Record<string, File | 'failed' | 'late'>>) {}

  async fetch(url: string): Promise<SitemapOutcome> {
    this.asked.push(url);
    this.peak = Math.max(this.peak, ++this.inFlight);
    const turns = url.includes('slow') ? 50 : 1;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    this.inFlight--;
    const file = this.files[url];
    if (file === undefined) return { kind: 'none' };
    if (typeof file === 'string') return { kind: 'failed', problem: file, isLate: file === 'late' };
    const { links = [], children = [], cuts = [] } = file;
    const reading = {
      kind: 'urlset' as const,
      links: links.map((link) => ({ url: link, key: null })),
      siteLinks: links.length,
      children,
      cuts,
    };
    return { kind: 'read', reading, isLate: false };
  }
}

const TERMS: MapTerms = termsOf(
  {
    requestId: 'r',
    tenantId: 't',
    url: 'https://a.example/',
    limit: 100,
    search: null,
    deadlineAtMs: Date.now() + 60_000,
  },
  new AbortController().signal,
);

function walk(fetcher: FakeFetcher, places: Partial<SitemapPlaces>): Promise<WalkedSitemaps> {
  const asked = { declared: [], guessed: [], isCut: false, ...places };
  return new SitemapWalk(fetcher as unknown as SitemapFetcher, TERMS).run(asked);
}

const linksOf = ({ links }: WalkedSitemaps): string[] => links.flat().map(({ url }) => url);
const names = (count: number, prefix = 'c'): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('the walk over the sitemaps of a site', () => {
  it('gives links in the order of the tree, whichever file comes first', async () => {
    const fetcher = new FakeFetcher({
      slow: { children: ['slow-child', 'child'], links: ['1'] },
      'slow-child': { links: ['2'] },
      child: { links: ['3'] },
      fast: { links: ['4'] },
    });
    const walked = await walk(fetcher, { declared: ['slow'], guessed: ['fast'] });
    expect(linksOf(walked)).toEqual(['1', '2', '3', '4']);
    expect(fetcher.asked[0]).toBe('slow');
  });

  it('asks for each file once, and for four at a time', async () => {
    const children = names(12);
    const fetcher = new FakeFetcher({
      a: { children: [...children, 'a', 'b'] },
      b: { children: [...children, 'a'] },
    });
    await walk(fetcher, { declared: ['a', 'b'], guessed: [] });
    expect(fetcher.asked.toSorted()).toEqual(['a', 'b', ...children].toSorted());
    expect(fetcher.peak).toBe(4);
  });

  it.each([
    [15, []],
    [16, ['children']],
  ])('reads 15 children of %i, over all indexes together', async (count, cuts) => {
    const children = names(count);
    const files = Object.fromEntries(children.map((name) => [name, {}]));
    const half = Math.floor(count / 2);
    const fetcher = new FakeFetcher({
      ...files,
      a: { children: children.slice(0, half) },
      b: { children: children.slice(half) },
    });
    const walked = await walk(fetcher, { declared: ['a', 'b'] });
    expect([fetcher.asked.length, walked.cuts]).toEqual([17, cuts]);
  });

  it('goes three indexes deep', async () => {
    const fetcher = new FakeFetcher({
      d0: { children: ['d1'] },
      d1: { children: ['d2'] },
      d2: { children: ['d3'] },
      d3: { children: ['d4'], links: ['1'] },
      d4: { links: ['2'] },
    });
    const walked = await walk(fetcher, { guessed: ['d0'] });
    expect([linksOf(walked), walked.cuts]).toEqual([['1'], ['depth']]);
  });

  it.each([
    ['a guess that is not there', { guessed: ['gone'] }, [], false],
    ['a guess that fails', { guessed: ['failed'] }, ['unread'], false],
    ['a declared one that is not there', { declared: ['gone'] }, ['unread'], false],
    ['a child that is not there', { guessed: ['parent'] }, ['unread'], false],
    ['one that comes too late', { guessed: ['late'] }, ['unread'], true],
    ['one that broke off', { guessed: ['half'] }, ['incomplete'], false],
    ['more lines of robots.txt than are read', { isCut: true }, ['declared'], false],
  ])('names what is missing: %s', async (_name, places, cuts, isLate) => {
    const fetcher = new FakeFetcher({
      failed: 'failed',
      late: 'late',
      parent: { children: ['gone'] },
      half: { cuts: ['incomplete'] },
    });
    const walked = await walk(fetcher, places);
    expect([walked.cuts, walked.isLate]).toEqual([cuts, isLate]);
  });
});
