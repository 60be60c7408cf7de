import { Scope, sitemapKey, type SitemapKind, urlKey } from '@app/crawl';
import { claimedPage } from '../../../test/claimed-page.js';
import {
  firstLists,
  isLeadingSeed,
  listedLinks,
  nextGuess,
  wantsSitemaps,
} from './sitemap-links.js';

const ORIGIN = 'http://site.example';
const seed = (over: Parameters<typeof claimedPage>[0] = {}) =>
  claimedPage({ url: `${ORIGIN}/`, seed: `${ORIGIN}/`, depth: 0, ...over });
const sitemap = (url: string, depth = 0) =>
  claimedPage({
    url,
    seed: `${ORIGIN}/`,
    depth,
    kind: 'sitemap',
    urlKey: sitemapKey(new URL(url)),
  });
const scope = new Scope({
  seed: `${ORIGIN}/`,
  maxDepth: null,
  includePaths: [],
  excludePaths: ['/no'],
  allowBackwardLinks: false,
});
const entries = (...locs: string[]) => locs.map((loc) => ({ loc }));
/** The lists of a crawl whose seed ended at a page of HTML. */
const firstSitemaps = (page: ReturnType<typeof seed>, { href: url }: URL, lines: string[]) =>
  firstLists(page, { url, contentType: 'text/html', metadata: {} }, lines);
const urls = (links: readonly { readonly url: string }[]) => links.map(({ url }) => url);

describe('sitemaps of a crawl', () => {
  it.each<[string, Parameters<typeof claimedPage>[0], boolean]>([
    ['of the seed', {}, true],
    ['with `only`', { options: { sitemap: 'only' } }, true],
    ['with `skip`', { options: { sitemap: 'skip' } }, false],
    ['of a single page', { pageLimit: 1 }, false],
    ['where nothing is followed', { options: { maxDepth: 0 } }, false],
    ['of a batch', { jobType: 'batch' }, false],
    ['of another page', { depth: 1 }, false],
    ['of a sitemap', { kind: 'sitemap' }, false],
  ])('are searched at the end %s: %j is %s', (_, over, expected) => {
    expect(wantsSitemaps(seed(over))).toBe(expected);
  });

  it('are not the only lists of a crawl', () => {
    const page = seed({ options: { sitemap: 'skip' } });
    expect([isLeadingSeed(page), wantsSitemaps(page)]).toEqual([true, false]);
  });

  it('begin with those robots.txt names', () => {
    const lines = ['/a.xml', 'https://cdn.example/b.xml', 'ftp://site.example/c.xml', '/a.xml'];
    const links = firstSitemaps(seed(), new URL(`${ORIGIN}/`), lines);
    expect(links).toMatchObject([
      { url: `${ORIGIN}/a.xml`, kind: 'sitemap', depth: 0, bound: { most: 15 } },
      { url: 'https://cdn.example/b.xml', host: 'cdn.example', parentKey: seed().urlKey },
    ]);
    expect(links[0]?.urlKey).not.toBe(urlKey(new URL(`${ORIGIN}/a.xml`)));
  });

  it('begin with the usual place of the site the seed led to', () => {
    const links = firstSitemaps(seed(), new URL('https://www.site.example/en/'), []);
    expect(urls(links)).toEqual(['https://www.site.example/sitemap.xml']);
  });

  it.each([
    ['/docs/intro.html', '/en/', '/docs/sitemap.xml'],
    ['/maps/posts.xml', '/maps/posts.xml', '/maps/posts.xml'],
  ])('begin with that of the folder of the seed %s, which led to %s', (path, final, own) => {
    const links = firstSitemaps(seed({ seed: ORIGIN + path }), new URL(ORIGIN + final), []);
    expect(urls(links)).toEqual([ORIGIN + own, `${ORIGIN}/sitemap.xml`]);
  });

  it('leave out that of the folder where robots.txt names others', () => {
    const links = firstSitemaps(seed({ seed: `${ORIGIN}/docs/` }), new URL(ORIGIN), ['/a.xml']);
    expect(urls(links)).toEqual([`${ORIGIN}/a.xml`]);
  });

  it('of another site, to which the seed redirected, add nothing to a crawl that stays', () => {
    expect(firstSitemaps(seed(), new URL('http://other.example/'), ['/a.xml'])).toEqual([]);
  });

  it('are those of the other site for a crawl that goes on there', () => {
    const final = 'http://other.example/en/';
    const links = firstSitemaps(seed({ scopeUrl: final }), new URL(final), []);
    expect(urls(links)).toEqual([`${final}sitemap.xml`, 'http://other.example/sitemap.xml']);
  });

  describe('beside other lists of pages', () => {
    const FEEDS = ['/feed', 'https://feeds.example/site'].map((url) => ({
      ...{ url: new URL(url, ORIGIN).href, type: 'application/rss+xml' },
    }));
    const lists = (
      over: Parameters<typeof claimedPage>[0],
      document: Partial<Parameters<typeof firstLists>[1]> = {},
    ) => {
      const html = { url: `${ORIGIN}/`, contentType: 'text/html', metadata: { feeds: FEEDS } };
      return urls(firstLists(seed(over), { ...html, ...document }, []));
    };

    it.each<[string, Parameters<typeof claimedPage>[0], readonly string[]]>([
      ['none', {}, ['/sitemap.xml']],
      ['the feeds of the seed', { options: { sources: ['feeds'] } }, ['/sitemap.xml', '/feed', 'https://feeds.example/site']],
      ['llms.txt', { options: { sources: ['llms.txt'], sitemap: 'only' } }, ['/sitemap.xml', '/llms.txt']],
      ['both, without sitemaps', { options: { sources: ['feeds', 'llms.txt'], sitemap: 'skip' } }, ['/llms.txt', '/feed', 'https://feeds.example/site']],
    ])('are %s', (_, over, expected) => {
      expect(lists(over)).toEqual(expected.map((url) => new URL(url, ORIGIN).href));
    }); // prettier-ignore

    it.each<[string, string]>([
      ['/llms.txt', 'text/plain'],
      ['/feed/', 'application/rss+xml'],
      ['/blogs.opml', 'text/x-opml'],
      ['/sitemap-2.xml', 'text/xml'],
    ])('are the seed itself where it is one: %s', (path, contentType) => {
      const document = { url: ORIGIN + path, contentType, metadata: {} };
      const over = { url: document.url, seed: document.url, options: { sitemap: 'skip' } } as const;
      expect(lists(over, document)).toEqual([document.url]);
    });

    it('are named once', () => {
      const url = `${ORIGIN}/sitemap.xml`;
      const document = { url, contentType: 'application/xml' };
      const over = { url, seed: url, options: { sources: ['llms.txt'] } } as const;
      expect(lists(over, document)).toEqual([url, `${ORIGIN}/llms.txt`]);
    });

    it('are none of another site, to which the seed redirected', () => {
      const document = { url: 'http://other.example/feed', contentType: 'application/rss+xml' };
      expect(lists({ options: { sources: ['feeds', 'llms.txt'] } }, document)).toEqual([]);
    });
  });

  it.each([
    [`${ORIGIN}/sitemap.xml`, 0, [`${ORIGIN}/sitemap_index.xml`]],
    [`${ORIGIN}/sitemap.xml`, 1, []],
    [`${ORIGIN}/sitemap_index.xml`, 0, []],
    [`${ORIGIN}/de/sitemap.xml`, 0, []],
  ])('after %s at depth %i: %j', (url, depth, next) => {
    expect(urls(nextGuess(sitemap(url, depth)))).toEqual(next);
  });

  describe('list', () => {
    const listed = (links: string[], children: string[] = [], over = sitemap(`${ORIGIN}/s.xml`)) =>
      listedLinks(
        over,
        { kind: 'urlset', links: entries(...links), children: entries(...children) },
        scope,
      );

    it('pages of the crawl, once each, at depth 1', async () => {
      const links = await listed([
        `${ORIGIN}/a`,
        `${ORIGIN}/a#top`,
        `${ORIGIN}/no/b`,
        'http://other.example/',
      ]);
      expect(links).toEqual([
        {
          urlKey: urlKey(new URL(`${ORIGIN}/a`)),
          url: `${ORIGIN}/a`,
          host: 'site.example',
          depth: 1,
          skip: null,
          parentKey: sitemapKey(new URL(`${ORIGIN}/s.xml`)),
        },
      ]);
    });

    describe('with `modifiedSince`', () => {
      const modifiedSince = '2026-11-02T10:00:00.000Z';
      const skipsOf = async (
        links: readonly { readonly loc: string; readonly lastmod?: string }[],
        {
          kind = 'urlset',
          options = { modifiedSince },
        }: {
          readonly kind?: SitemapKind;
          readonly options?: { readonly modifiedSince?: string };
        } = {},
      ) => {
        const over = claimedPage({ ...sitemap(`${ORIGIN}/s.xml`), options });
        const found = await listedLinks(over, { kind, links, children: [] }, scope);
        return found.map(({ skip }) => skip);
      };
      const a = { loc: `${ORIGIN}/a` };
      const old = { ...a, lastmod: '2026-11-02T09:59:59Z' };
      const young = { ...a, lastmod: '2026-11-02T10:00:00Z' };

      it.each<[string, Parameters<typeof skipsOf>, readonly (string | null)[]]>([
        ['older pages are left out', [[old]], ['not_modified']],
        ['pages of that instant are followed', [[young]], [null]],
        ['pages without a date are followed', [[a]], [null]],
        ['pages with a date that is none are followed', [[{ ...a, lastmod: 'x' }]], [null]],
        ['the younger of two dates counts', [[old, young]], [null]],
        ['the younger of two dates counts in any order', [[young, old]], [null]],
        ['a page without a date is not older', [[old, a]], [null]],
        ['an Atom feed says when pages were updated', [[old], { kind: 'atom' }], ['not_modified']],
        ['an RSS feed says when they were published', [[old], { kind: 'rss' }], [null]],
        ['so may a JSON feed', [[old], { kind: 'json' }], [null]],
        ['without it all are followed', [[old], { options: {} }], [null]],
      ])('%s', async (_, args, expected) => {
        expect(await skipsOf(...args)).toEqual(expected);
      });
    });

    it('no more pages than the job may discover', async () => {
      const many = Array.from({ length: 5_000 }, (_, n) => `${ORIGIN}/${n}`);
      const page = { ...sitemap(`${ORIGIN}/s.xml`), maxDiscovered: 1_500 };
      expect(await listed(many, [], page)).toHaveLength(1_500);
    });

    it('sitemaps of the site, one deeper, fifteen at most', async () => {
      const children = Array.from({ length: 20 }, (_, n) => `${ORIGIN}/${n}.xml`);
      const links = await listed([], ['http://other.example/x.xml', ...children]);
      expect(links).toHaveLength(15);
      expect(links[0]).toMatchObject({ url: `${ORIGIN}/0.xml`, kind: 'sitemap', depth: 1 });
    });

    it.each([
      [2, 1],
      [3, 0],
    ])('an index at depth %i leads to %i more', async (depth, expected) => {
      const links = await listed([], [`${ORIGIN}/x.xml`], sitemap(`${ORIGIN}/s.xml`, depth));
      expect(links).toHaveLength(expected);
    });
  });
});
