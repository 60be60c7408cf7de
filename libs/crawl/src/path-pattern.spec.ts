import {
  compilePathPattern,
  compilePathRegex,
  pathPatternProblem,
  pathRegexesProblem,
} from './path-pattern.js';

describe('compilePathPattern', () => {
  it.each([
    ['/docs', '/docs', true],
    ['/docs', '/docs/a/b', true],
    ['/docs', '/docs-old', false],
    ['docs', '/docs/a', true],
    ['/docs/', '/docs', false],
    ['/docs/', '/docs/a', true],
    ['/', '/anything', true],
    ['/blog/*', '/blog/a', true],
    ['/blog/*', '/blog/a/b', false],
    ['/blog/**', '/blog/a/b', true],
    ['**/print', '/a/b/print', true],
    ['*.html', '/index.html', false],
    ['/*.html', '/index.html', true],
    ['/**.html', '/a/b.html', true],
    ['/a*b*c', '/axxbyyc', true],
    ['/a*b*c', '/axxbyy', false],
    ['/20*/??', '/2024/??', true],
    ['/a.b', '/axb', false],
  ])('%s over %s is %s', (pattern, path, expected) => {
    expect(compilePathPattern(pattern)(path)).toBe(expected);
  });

  it.each([
    ['/a*'.repeat(8), null],
    ['/a*'.repeat(9), 'has more than 8 wildcards'],
    ['/**/**', null],
  ])('judges the number of wildcards of %s', (pattern, problem) => {
    expect(pathPatternProblem(pattern)).toBe(problem);
  });

  it('answers a hostile pattern', () => {
    const matches = compilePathPattern(`/${'*a'.repeat(200)}`);
    expect(matches(`/${'a'.repeat(2_000)}b`)).toBe(false);
  });
});

describe('regular expressions over paths', () => {
  it.each([
    ['^/blog/\\d+$', '/blog/12', true],
    ['^/blog/\\d+$', '/blog/12/a', false],
    ['/(?:a|b)/', '/x/b/y', true],
    ['\\.html$', '/index.html', true],
    ['^/a', '/b/a', false],
  ])('%s over %s is %s', (source, path, expected) => {
    expect(compilePathRegex(source)(path)).toBe(expected);
  });

  it.each([
    [['^/a'], [], null],
    [['('], [], 'an entry of `includePaths` is not a valid regular expression'],
    [[], ['(?=a)'], 'an entry of `excludePaths` uses look-ahead or look-behind'],
    [
      Array.from({ length: 3 }, () => '^[a-z]{300}'),
      ['[a-z]{300}'],
      'the regular expressions of `includePaths` and `excludePaths` are too complex together',
    ],
  ])('%j and %j are judged: %s', (include, exclude, problem) => {
    expect(pathRegexesProblem({ include, exclude })).toBe(problem);
  });

  it('answer a hostile path', () => {
    expect(compilePathRegex('^(/a+)+$')(`${'/aa'.repeat(600)}!`)).toBe(false);
  });
});
