import { Scope, type FoundLink } from '@app/crawl';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import { claimedPage, documentResult, type DocumentResult } from '../../test/claimed-page.js';
import { endPage } from './page-ending.js';

const scope = new Scope({
  seed: 'http://site.example/docs/',
  maxDepth: null,
  includePaths: [],
  excludePaths: ['/docs/old'],
  allowBackwardLinks: false,
});
const end = (page: ClaimedPage, result: ReturnType<typeof documentResult>) =>
  endPage(page, result, { scope, maxAttempts: 3 });

const link = (skip: FoundLink['skip']): FoundLink => ({
  urlKey: 'ab',
  url: 'http://site.example/docs/b',
  host: 'site.example',
  depth: 2,
  skip,
  bound: { shape: 's', most: 1 },
});

describe('directives of a page', () => {
  const NOINDEX = { noindex: true, nofollow: false };
  const NOFOLLOW = { noindex: false, nofollow: true };

  it('noindex: it is not kept nor charged, and its links are followed', () => {
    const ended = end(claimedPage(), documentResult({}, { robots: NOINDEX, found: [link(null)] }));
    expect(ended).toMatchObject({
      outcome: { state: 'skipped', reason: 'noindex', credits: 0 },
      document: null,
      found: [{ skip: null }],
    });
  });

  it('nofollow: it is kept, and its links are recorded as such', () => {
    const found = [link(null), link('external')];
    const ended = end(claimedPage(), documentResult({}, { robots: NOFOLLOW, found }));
    expect(ended.outcome.state).toBe('scraped');
    expect(ended.found).toMatchObject([{ skip: 'nofollow', bound: null }, { skip: 'external' }]);
  });

  it.each<[string, Parameters<typeof claimedPage>[0]]>([
    ['a crawl that ignores robots', { options: { ignoreRobotsTxt: true } }],
    ['a listed URL', { jobType: 'batch' }],
  ])('is nothing to %s', (_, over) => {
    const robots = { noindex: true, nofollow: true };
    expect(end(claimedPage(over), documentResult({}, { robots })).outcome.state).toBe('scraped');
  });

  it.each<[string, Parameters<typeof claimedPage>[0], number]>([
    ['of a crawl', {}, 1],
    ['of a crawl of sitemaps alone', { options: { sitemap: 'only' } }, 0],
    ['of a batch', { jobType: 'batch' }, 0],
  ])('leads to its links: %s', (_, over, links) => {
    const ended = end(claimedPage(over), documentResult({}, { found: [link(null)] }));
    expect(ended.found).toHaveLength(links);
  });

  describe('of its address', () => {
    const canonicalOf = (canonical: string, over: Parameters<typeof claimedPage>[0] = {}) =>
      end(claimedPage(over), documentResult({ url: over.url, metadata: { canonical } })).outcome
        .canonical;

    it('counts when it is another of the crawl', () => {
      expect(canonicalOf('http://site.example/docs/b#top')).toEqual({
        urlKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        url: 'http://site.example/docs/b',
        host: 'site.example',
        isVariant: false,
      });
      expect(
        canonicalOf('http://site.example/docs/a', { url: 'http://site.example/docs/a?x=1' }),
      ).toMatchObject({ isVariant: true });
    });

    it.each([
      ['its own', 'http://site.example/docs/a#x'],
      ['its own but for a campaign', 'http://site.example/docs/a?utm_source=x'],
      ['above the crawl', 'http://site.example/other'],
      ['excluded', 'http://site.example/docs/old'],
      ['of another site', 'http://other.example/docs/a'],
      ['the front page', 'http://site.example/'],
      ['none', 'nowhere'],
    ])('counts for nothing when it is %s', (_, canonical) => {
      expect(canonicalOf(canonical)).toBeNull();
    });

    it('are ignored for a listed URL, as a redirect is', () => {
      const canonical = 'http://site.example/docs/b';
      expect(canonicalOf(canonical, { jobType: 'batch' })).toBeNull();
      const moved = documentResult({ url: 'http://elsewhere.example/' });
      expect(end(claimedPage({ jobType: 'batch' }), moved).outcome).toMatchObject({
        state: 'scraped',
        alias: null,
      });
    });
  });

  describe('and shows: pages of equal content have one hash', () => {
    const hashOf = (
      document: Parameters<typeof documentResult>[0],
      over: Parameters<typeof claimedPage>[0] = {},
      contentKey: Partial<DocumentResult> = { contentKey: 'ab'.repeat(16) },
    ) => end(claimedPage(over), documentResult(document, contentKey)).outcome.contentHash;

    it('whatever their addresses', () => {
      const other = { url: 'http://site.example/docs/b' };
      expect([hashOf({}), hashOf(other)]).toEqual(['ab'.repeat(16), 'ab'.repeat(16)]);
    });

    it.each<[string, ...Parameters<typeof hashOf>]>([
      ['is blank', {}, {}, {}],
      ['did not come through', { partialReason: 'js_shell' }],
      ['was listed', {}, { jobType: 'batch' }],
    ])('and none for a page that %s', (_, ...page) => {
      expect(hashOf(...page)).toBeNull();
    });
  });
});
