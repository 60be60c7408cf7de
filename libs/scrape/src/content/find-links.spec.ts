import type { CrawlContext } from './crawl-context.js';
import { findLinks } from './find-links.js';

const PAGE_KEY = 'ab'.repeat(16);
const context = (over: Partial<CrawlContext> = {}): CrawlContext => ({
  jobId: `job ${JSON.stringify(over)}`,
  pageKey: PAGE_KEY,
  depth: 2,
  robotsAgent: 'TrawlBot',
  movesScope: false,
  scope: {
    seed: 'http://a.example/',
    maxDepth: 3,
    includePaths: [],
    excludePaths: ['/out'],
    allowBackwardLinks: false,
  },
  ...over,
});

describe('links found on a page', () => {
  it('are one deeper than their page and have it as parent', () => {
    expect(findLinks(['http://a.example/x'], context())).toEqual([
      {
        urlKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        url: 'http://a.example/x',
        host: 'a.example',
        depth: 3,
        skip: null,
        parentKey: PAGE_KEY,
        bound: null,
      },
    ]);
  });

  it.each<[string, string, Partial<CrawlContext>, string | null]>([
    ['nofollow', 'http://a.example/n', {}, 'nofollow'],
    ['nofollow on the way out: the scope says why', 'http://b.example/n', {}, 'external'],
    [
      'nofollow of a crawl that does not heed it',
      'http://a.example/n',
      { robotsAgent: null },
      null,
    ],
    ['too deep', 'http://a.example/x', { depth: 3 }, 'depth'],
    ['excluded', 'http://a.example/out', {}, 'excluded'],
  ])('are judged: %s', (_, link, over, skip) => {
    const nofollow = ['http://a.example/n', 'http://b.example/n'];
    expect(findLinks([link], context(over), nofollow)[0]?.skip).toBe(skip);
  });

  it('carry the sign of a trap, when they are to be followed', () => {
    const [trap, outside] = findLinks(
      ['http://a.example/a/b/a/b/a/b', 'http://b.example/a/b/a/b/a/b'],
      context(),
    );
    expect(trap?.bound?.shape).toContain('repeat');
    expect(outside?.bound).toBeNull();
  });

  it('longer than the frontier keeps are left out', () => {
    expect(findLinks([`http://a.example/${'x'.repeat(2_048)}`, 'http://'], context())).toEqual([]);
  });
});
