import {
  compilePathPatterns,
  MAX_PATH_PATTERN_CHARS,
  MAX_PATH_PATTERNS,
  pathPatternProblem,
  pathPatternsProblem,
} from './path-pattern.js';

const urlOf = (path: string): URL => new URL(`http://a.example${path}`);
const many = (patternOf: (at: number) => string): string[] =>
  Array.from({ length: MAX_PATH_PATTERNS }, (_, at) => patternOf(at));
const problemOf = (includePaths: string[], include: string[] = [], exclude: string[] = []) =>
  pathPatternsProblem({ includePaths, excludePaths: [], pathRegexes: { include, exclude } });

describe('patterns of paths', () => {
  it.each([
    ['/docs', '/docs', true],
    ['/docs', '/docs?a=1', true],
    ['/docs', '/docs/a/b', true],
    ['/docs', '/docs-old', false],
    ['docs', '/docs/a', true],
    ['/docs/', '/docs', false],
    ['/docs/', '/docs/a', true],
    ['/', '/anything', true],
    ['/blog/*', '/blog/a', true],
    ['/blog/*', '/blog/a/b', false],
    ['/blog/*', '/blog', false],
    ['/blog/**', '/blog/a/b', true],
    ['/blog/**', '/blog', false],
    ['**/print', '/a/b/print', true],
    ['**/print', '/a/b/print/c', false],
    ['**print**', '/a/b/print/c', true],
    ['*.html', '/index.html', false],
    ['/*.html', '/index.html', true],
    ['/**.html', '/a/b.html', true],
    ['/a*b*c', '/axxbyyc', true],
    ['/a*b*c', '/axxbyy', false],
    ['/a.b', '/axb', false],
    ['/a+(b)', '/a+(b)/c', true],
    ['**', '/', true],
    // Longer than what is compiled.
    [`/${'x'.repeat(60)}`, `/${'x'.repeat(60)}/a`, true],
    [`/${'x'.repeat(60)}`, `/${'x'.repeat(61)}`, false],
    [`/${'x'.repeat(60)}/`, `/${'x'.repeat(60)}`, false],
    [`/${'x'.repeat(60)}/*`, `/${'x'.repeat(60)}/a`, true],
    [`/${'x'.repeat(60)}/*`, `/${'x'.repeat(60)}/a/b`, false],
    [`**${'x'.repeat(60)}`, `/a/${'x'.repeat(60)}`, true],
    [`**${'x'.repeat(60)}`, `/a/${'x'.repeat(60)}b`, false],
    [`**${'x'.repeat(60)}**`, `/a/${'x'.repeat(60)}b`, true],
    [`/${'x'.repeat(60)}/*/b`, `/${'x'.repeat(60)}/a/b`, true],
  ])('%s over %s is %s', (pattern, path, expected) => {
    expect(compilePathPatterns([pattern])(urlOf(path))).toBe(expected);
    const others = many((at) => `/other-${at}`);
    expect(compilePathPatterns([...others, pattern])(urlOf(path))).toBe(expected);
  });

  it.each([
    ['?add-to-cart=', '/shop/?add-to-cart=7', true],
    ['?add-to-cart=', '/shop/?page=2&add-to-cart=7', true],
    ['?add-to-cart=', '/shop/?no-add-to-cart=7', false],
    ['?add-to-cart=', '/shop/add-to-cart=', false],
    ['?utm_*=mail', '/a?utm_source=mail', true],
    ['/shop?page=', '/shop?page=2', true],
    ['/shop?page=', '/shop/a?page=2', false],
    ['/shop/*?page=*', '/shop/a?page=2', true],
    ['**?*', '/a/b?x', true],
    ['**?*', '/a/b', false],
    ['/20*/??', '/2024/??', true],
  ])('%s over path and query %s is %s', (pattern, path, expected) => {
    expect(compilePathPatterns([pattern])(urlOf(path))).toBe(expected);
  });

  it.each([
    ['/a*'.repeat(8), null],
    ['/a*'.repeat(9), 'has more than 8 wildcards'],
    ['/**/**', null],
  ])('are judged by their wildcards: %s', (pattern, problem) => {
    expect(pathPatternProblem(pattern)).toBe(problem);
  });

  it.each([`/${'*a'.repeat(200)}`, '/aa/**/aa/**/aa/**'])('answer at once: %s', (pattern) => {
    expect(compilePathPatterns([pattern])(urlOf(`/${'a'.repeat(2_000)}b`))).toBe(false);
  });
});

describe('regular expressions over paths', () => {
  it.each([
    ['^/blog/\\d+$', '/blog/12', true],
    ['^/blog/\\d+$', '/blog/12/a', false],
    ['^/blog/\\d+$', '/blog/12?a=1', true],
    ['/(?:a|b)/', '/x/b/y', true],
    ['\\.html$', '/index.html', true],
    ['\\.html$', '/index.html5', false],
    ['^/a', '/b/a', false],
    ['.*pricing.*', '/en/pricing/', true],
    ['^.*pricing$', '/en/pricing/', false],
    ['^/blogs?/', '/blog/a', true],
    ['^/ab*$', '/abbb', true],
    ['^/ab{2}$', '/abb', true],
    ['^/a|/b$', '/x/b', true],
    ['^/a|/b$', '/x/c', false],
    ['add\\-to\\-cart', '/add-to-cart', true],
    ['^/a\\_\\ [\\-b]$', '/a_%20-', false],
    ['^/[a\\-c]\\-\\d', '/--1', true],
    ['^/[^/]+$', '/a', true],
    ['^/[^/]+$', '/a/b', false],
    ['', '/any', true],
    [`^/${'x'.repeat(60)}/\\d`, `/${'x'.repeat(60)}/1`, true],
  ])('%s over %s is %s', (source, path, expected) => {
    expect(compilePathPatterns([], [source])(urlOf(path))).toBe(expected);
    const others = many((at) => `^/other-${at}/.*$`);
    expect(compilePathPatterns([], [...others, source])(urlOf(path))).toBe(expected);
  });

  it.each([
    ['^http://a\\.example/shop', '/shop', true],
    ['\\?add-to-cart=\\d+', '/shop?add-to-cart=7', true],
    ['^/shop', '/shop', false],
    ['top$', '/shop#top', false],
  ])('%s over the URL of %s is %s', (source, path, expected) => {
    expect(compilePathPatterns([], [source], true)(urlOf(path))).toBe(expected);
  });

  it('answer a hostile path', () => {
    const matches = compilePathPatterns([], ['^(/a+)+$']);
    expect(matches(urlOf(`${'/aa'.repeat(600)}!`))).toBe(false);
  });
});

describe('the patterns of a crawl', () => {
  it.each<[string, string[], string[]]>([
    ['170 words', [], many((at) => `.*word${at}.*`).slice(0, 170)],
    ['115 expressions', [], many((at) => `^/(?:en|de)/shop/item-${at}/\\d+`).slice(0, 115)],
    ['a thousand words', [], many((at) => `.*word${at}.*`)],
    ['a thousand folders', many((at) => `/shop/${at}`), []],
    ['a thousand globs', many((at) => `/shop/${at}/*`), []],
    ['a thousand expressions of one form', [], many((at) => `^/shop-${at}/\\d{4}/[^/]+$`)],
    ['a thousand of the longest', many((at) => `/${at}`.padEnd(MAX_PATH_PATTERN_CHARS, 'x')), []],
    [
      'a thousand of the longest expressions',
      [],
      many((at) => `^/${at}`.padEnd(MAX_PATH_PATTERN_CHARS, 'x')),
    ],
  ])('may be %s', (_, paths, regexes) => {
    expect(problemOf(paths, regexes)).toBeNull();
  });

  it.each<[string[], string[], string]>([
    [['('], [], 'an entry of `includePaths` is not a valid regular expression'],
    [['/a(', '/b'], [], 'an entry of `includePaths` is not a valid regular expression'],
    [[], ['/x(?=a)'], 'an entry of `excludePaths` uses look-ahead or look-behind'],
    [['(a)\\1'], [], 'an entry of `includePaths` uses a back reference'],
    [
      ['^[a-z]{999}[a-z]{999}[a-z]{999}[a-z]{999}[a-z]{999}[a-z]{999}'],
      [],
      'an entry of `includePaths` is too complex',
    ],
    [
      Array.from({ length: 9 }, (_, at) => `^[a-z]{300}${at}`),
      Array.from({ length: 9 }, (_, at) => `[a-z]{300}${at}`),
      'the wildcards and regular expressions of `includePaths` and `excludePaths` are too complex together: use fewer or simpler ones',
    ],
  ])('%j and %j are refused: %s', (include, exclude, problem) => {
    expect(problemOf([], include, exclude)).toBe(problem);
  });
});
