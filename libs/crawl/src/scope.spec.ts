import { Scope, scopePrefix, type ScopeOptions } from './scope.js';

const scopeOf = (seed: string, over: Partial<ScopeOptions> = {}): Scope =>
  new Scope({
    seed,
    maxDepth: null,
    includePaths: [],
    excludePaths: [],
    allowBackwardLinks: false,
    ...over,
  });

const judge = (scope: Scope, url: string, depth = 1) => scope.skipReason(new URL(url), depth);

describe('Scope', () => {
  it.each([
    ['http://a.example/', 'http://a.example/x', null],
    ['http://a.example/', 'http://b.example/x', 'external'],
    ['http://a.example/', 'http://sub.a.example/x', 'external'],
    ['http://a.example/', 'http://www.a.example/x', null],
    ['http://www.a.example/', 'https://a.example/x', null],
    ['http://a.example/', 'http://a.example:8080/x', 'external'],
    ['http://a.example/docs/', 'http://a.example/docs/x', null],
    ['http://a.example/docs', 'http://a.example/docs/x', null],
    ['http://a.example/docs', 'http://a.example/docs-old', 'backward'],
    ['http://a.example/docs/', 'http://a.example/', 'backward'],
    ['http://a.example/docs/index.html', 'http://a.example/docs/other.html', null],
    ['http://a.example/docs/index.html', 'http://a.example/blog/', 'backward'],
    ['http://a.example/', 'http://a.example/logo.PNG', 'not_a_page'],
    ['http://a.example/', 'http://a.example/manual.pdf', null],
  ])('from %s judges %s as %s', (seed, url, reason) => {
    expect(judge(scopeOf(seed), url)).toBe(reason);
  });

  it('follows links above the seed when `allowBackwardLinks` is set', () => {
    const scope = scopeOf('http://a.example/docs/', { allowBackwardLinks: true });
    expect(judge(scope, 'http://a.example/blog/')).toBeNull();
  });

  it.each([
    [0, 1, 'depth'],
    [1, 1, null],
    [1, 2, 'depth'],
    [null, 9, null],
  ] as const)('with maxDepth %s judges depth %i as %s', (maxDepth, depth, reason) => {
    expect(judge(scopeOf('http://a.example/', { maxDepth }), 'http://a.example/x', depth)).toBe(
      reason,
    );
  });

  describe('from /a with includePaths', () => {
    const from = (...includePaths: string[]) => scopeOf('http://a.example/a', { includePaths });
    it.each([
      [['/docs/*'], '/docs/x', null],
      [['/docs'], '/docs', null],
      [['docs/*'], '/docs/x', null],
      [['/docs/*'], '/docs/x/y', 'backward'],
      [['/docs/*'], '/blog', 'backward'],
      [['/docs/*'], '/a/b', 'not_included'],
      [['/docs/*', '/a/**'], '/a/b', null],
      [['/**'], '/blog', null],
      // No place is named: the path of the seed still bounds the crawl.
      [['**/guide/*'], '/guide/x', 'backward'],
      [['**/guide/*'], '/a/guide/x', null],
      [['*'], '/b', 'backward'],
    ] as const)('%j judges %s as %s', (patterns, path, reason) => {
      expect(judge(from(...patterns), `http://a.example${path}`)).toBe(reason);
    });

    it('keeps to the host, the depth and excludePaths', () => {
      const scope = scopeOf('http://a.example/a', {
        includePaths: ['/docs/**'],
        excludePaths: ['/docs/old/**'],
        maxDepth: 1,
      });
      expect(judge(scope, 'http://a.example/docs/x')).toBeNull();
      expect(judge(scope, 'http://b.example/docs/x')).toBe('external');
      expect(judge(scope, 'http://a.example/docs/x', 2)).toBe('depth');
      expect(judge(scope, 'http://a.example/docs/old/x')).toBe('excluded');
      expect(judge(scope, 'http://a.example/docs/x.png')).toBe('not_a_page');
    });
  });

  it('lets excludePaths win over includePaths', () => {
    const scope = scopeOf('http://a.example/', {
      includePaths: ['/docs'],
      excludePaths: ['/docs/old/**'],
    });
    expect(judge(scope, 'http://a.example/docs/new')).toBeNull();
    expect(judge(scope, 'http://a.example/docs/old/x')).toBe('excluded');
    expect(judge(scope, 'http://a.example/blog')).toBe('not_included');
  });

  it.each([
    ['http://old.example/', 'http://new.example/', 'http://new.example/x', 'http://old.example/x'],
    [
      'http://a.example/',
      'https://docs.a.example/en/',
      'https://docs.a.example/en/x',
      'https://docs.a.example/',
    ],
    [
      'http://s.example/3xY',
      'https://a.example/shop/',
      'https://www.a.example/shop/x',
      'https://a.example/blog',
    ],
    [
      'http://a.example/docs',
      'http://a.example/en/docs/',
      'http://a.example/en/docs/x',
      'http://a.example/docs/x',
    ],
    [
      'http://a.example/',
      'http://a.example:8080/',
      'http://a.example:8080/x',
      'http://a.example/x',
    ],
  ])('of %s, whose page ended at %s, has %s and not %s', (seed, final, within, outside) => {
    const moved = new Scope(scopeOf(seed).startedAt(new URL(final)));
    expect(judge(moved, within)).toBeNull();
    expect(judge(moved, outside)).toMatch(/^(?:external|backward)$/);
  });

  it.each([
    ['a folder of it', 'http://a.example/', 'https://www.a.example/en/home', {}],
    ['a page of its folder', 'http://a.example/docs', 'http://a.example/docs/intro.html', {}],
    [
      'any path, with links above',
      'http://a.example/docs',
      'http://a.example/',
      { allowBackwardLinks: true },
    ],
    [
      'a path of includePaths',
      'http://a.example/a',
      'http://a.example/b/',
      { includePaths: ['/b/**'] },
    ],
  ])('stays as it is when the start page ends at %s', (_, seed, final, over) => {
    const scope = scopeOf(seed, over);
    expect(scope.startedAt(new URL(final)).seed).toBe(scope.seed);
  });

  it.each([
    ['http://a.example/', false, 'http://a.example/'],
    ['http://a.example/docs/index.html', false, 'http://a.example/docs'],
    ['http://a.example:81/docs/?a', true, 'http://a.example:81/'],
  ])('of %s, with links above %s, is named %s', (seed, allowBackwardLinks, name) => {
    expect(scopePrefix(seed, allowBackwardLinks)).toBe(name);
  });

  it('matches regular expressions beside the other patterns, and they lead nowhere else', () => {
    const scope = scopeOf('http://a.example/docs/', {
      includePaths: ['/news'],
      pathRegexes: { include: ['^/(docs|blog)/\\d'], exclude: ['/7'] },
    });
    const reasons = ['/docs/1', '/docs/x', '/docs/7', '/blog/1', '/news/x'].map((path) =>
      judge(scope, `http://a.example${path}`),
    );
    expect(reasons).toEqual([null, 'not_included', 'excluded', 'backward', null]);
  });
});
