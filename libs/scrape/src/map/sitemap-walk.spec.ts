import type { SitemapPlaces } from '@app/crawl';
import { type MapTerms, MAX_LINK_BYTES, termsOf } from './map-terms.js';
import type { SitemapFetcher, SitemapOutcome } from './sitemap-fetcher.js';
import { linkBytes, type ReadingCut } from './sitemap-task.js';
import { SitemapWalk, type WalkedSitemaps } from './sitemap-walk.js';

const MIB = 1024 * 1024;

interface File {
  readonly links?: readonly string[];
  readonly children?: readonly string[];
  readonly cuts?: readonly ReadingCut[];
}

/**
 * A site as its files; other URLs do not exist. Files named `slow` arrive last, those named `held` on a signal.
 */
class FakeFetcher implements Pick<SitemapFetcher, 'fetch'> {
  readonly asked: string[] = [];
  readonly aborted: string[] = [];
  readonly held = Promise.withResolvers<void>();
  inFlight = 0;
  peak = 0;

  constructor(private readonly files: Readonly<Record<string, File | 'failed' | 'late'>>) {}

  async fetch(url: string, terms: MapTerms): Promise<SitemapOutcome> {
    this.asked.push(url);
    this.peak = Math.max(this.peak, ++this.inFlight);
    const turns = url.includes('slow') ? 50 : 1;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    if (url.includes('held')) await this.held.promise;
    terms.signal.addEventListener('abort', () => this.aborted.push(url));
    if (url.includes('endless')) return new Promise(() => {});
    this.inFlight--;
    const file = this.files[url];
    if (file === undefined) return { kind: 'none' };
    if (typeof file === 'string') return { kind: 'failed', problem: file, isLate: file === 'late' };
    const { links = [], children = [], cuts = [] } = file;
    const found = links.map((link) => ({ url: link, key: null }));
    const reading = {
      kind: 'urlset' as const,
      links: found,
      bytes: found.reduce((sum, link) => sum + linkBytes(link), 0),
      siteLinks: links.length,
      folderLinks: links.length,
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
    plan: 'pro',
    url: 'https://a.example/',
    limit: 100,
    search: null,
    deadlineAtMs: Date.now() + 3_600_000,
  },
  new AbortController().signal,
);

type Walked = Omit<WalkedSitemaps, 'links'> & { readonly links: readonly string[] };

async function walk(
  fetcher: FakeFetcher,
  places: Partial<SitemapPlaces>,
  limit = 100,
): Promise<Walked> {
  const asked = { own: [], declared: [], guessed: [], isCut: false, ...places };
  const terms = { ...TERMS, filter: { ...TERMS.filter, maxLinks: limit + 1 } };
  const walked = await new SitemapWalk(fetcher as unknown as SitemapFetcher, terms).run(asked);
  return { ...walked, links: walked.links.map(({ url }) => url) };
}

const names = (count: number, prefix = 'c'): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('the walk over the sitemaps of a site', () => {
  it('returns links in the order of the tree, whichever file arrives first', async () => {
    const fetcher = new FakeFetcher({
      slow: { children: ['slow-child', 'child'], links: ['1'] },
      'slow-child': { links: ['2'] },
      child: { links: ['3'] },
      fast: { links: ['4'] },
    });
    const walked = await walk(fetcher, { declared: ['slow'], guessed: ['fast'] });
    expect(walked.links).toEqual(['1', '2', '3', '4']);
    expect(fetcher.asked[0]).toBe('slow');
  });

  it('begins with the sitemap of the given page', async () => {
    const fetcher = new FakeFetcher({
      'slow-own': { links: ['1', '2'] },
      declared: { links: ['3', '1'] },
      guess: { links: ['4'] },
    });
    const places = { own: ['slow-own'], declared: ['declared'], guessed: ['guess'] };
    const walked = await walk(fetcher, places);
    expect(walked).toMatchObject({ links: ['1', '2', '3', '4'], folderLinks: 5 });
  });

  it('requests each file once, and four at a time', async () => {
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

  it('follows indexes three levels deep', async () => {
    const fetcher = new FakeFetcher({
      d0: { children: ['d1'] },
      d1: { children: ['d2'] },
      d2: { children: ['d3'] },
      d3: { children: ['d4'], links: ['1'] },
      d4: { links: ['2'] },
    });
    const walked = await walk(fetcher, { guessed: ['d0'] });
    expect([walked.links, walked.cuts]).toEqual([['1'], ['depth']]);
  });

  it.each([
    ['a guess that is not there', { guessed: ['gone'] }, [], false],
    ['one of the given page that is not there', { own: ['gone'] }, [], false],
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

  it('ends when the first files hold one link more than is wanted, and begins no other', async () => {
    const fetcher = new FakeFetcher({
      a: { links: names(60) },
      b: { links: [...names(40), ...names(41, 'd')], cuts: ['incomplete'] },
      c: 'late',
    });
    const others = ['c', 'endless1', 'endless2', 'd', 'e', 'f'];
    const walked = await walk(fetcher, { declared: ['a', 'b', ...others] });
    expect(walked.links).toEqual([...names(60), ...names(40, 'd')]);
    expect([walked.cuts, walked.isLate]).toEqual([['incomplete', 'limit'], false]);
    expect(fetcher.asked.length).toBeLessThan(8);
    expect(fetcher.aborted).toContain('endless1');
  });

  it('continues where the first files have exactly the limit', async () => {
    const fetcher = new FakeFetcher({ a: { links: names(100) }, b: { links: names(100) }, c: {} });
    const walked = await walk(fetcher, { declared: ['a', 'b', 'c'] });
    expect([walked.links.length, walked.cuts, fetcher.asked]).toEqual([100, [], ['a', 'b', 'c']]);
  });

  describe('over many large files', () => {
    const FILE_BYTES = 8 * MIB;
    /** Eight URLs, the smallest number of this total size. */
    const fileOf = (name: string): File => ({
      links: names(8, `${name}-`).map((link) => link.padEnd(FILE_BYTES / 8, 'x')),
    });
    const files = names(30, 'held').map((name, n) => (n === 0 ? name : name.replace('held', 'f')));
    const site = (): FakeFetcher =>
      new FakeFetcher(Object.fromEntries(files.map((name) => [name, fileOf(name)])));

    it('keeps no more than a budget of links while the first file is waited for', async () => {
      const fetcher = site();
      const walked = walk(fetcher, { declared: files }, 10_000);
      for (let turn = 0; turn < 2_000; turn++) await Promise.resolve();
      const begun = fetcher.asked.length;
      expect(begun).toBeGreaterThan(4);
      // The first has not arrived; the budget is exceeded only by running fetches.
      expect((begun - 1) * FILE_BYTES).toBeLessThanOrEqual(MAX_LINK_BYTES + 3 * FILE_BYTES);
      fetcher.held.resolve();
      const { links, cuts } = await walked;
      expect(links.reduce((sum, link) => sum + link.length, 0)).toBe(MAX_LINK_BYTES);
      expect(cuts).toEqual(['link_bytes']);
    });

    it('returns the same when the first file arrives first', async () => {
      const [late, early] = [site(), site()];
      early.held.resolve();
      const waiting = walk(late, { declared: files }, 10_000);
      for (let turn = 0; turn < 2_000; turn++) await Promise.resolve();
      late.held.resolve();
      const [one, other] = [await waiting, await walk(early, { declared: files }, 10_000)];
      expect(one).toEqual(other);
      expect(one.links.slice(0, 8)).toEqual(fileOf('held0').links);
    });

    it('ends at a file that alone exceeds the budget', async () => {
      const fetcher = new FakeFetcher({
        a: { links: ['1'], cuts: ['link_bytes'] },
        b: { links: ['2'] },
      });
      const { links, cuts } = await walk(fetcher, { declared: ['a', 'b'] });
      expect([links, cuts]).toEqual([['1'], ['link_bytes']]);
    });
  });
});
