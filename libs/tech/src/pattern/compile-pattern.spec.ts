import { type CompiledPattern, compilePattern } from './compile-pattern.js';

function compiled(text: string): CompiledPattern {
  const result = compilePattern(text);
  if ('problem' in result) throw new Error(result.problem);
  return result.pattern;
}

describe('compilePattern', () => {
  it.each([
    ['jquery', 'src="jQuery.js"', ['jQuery']],
    ['jquery-([\\d.]+)\\.js', 'JQUERY-3.7.1.JS', ['JQUERY-3.7.1.JS', '3.7.1']],
    ['^a(b)?(c)', 'ac', ['ac', undefined, 'c']],
    ['a\\/b', 'xa/b', ['a/b']],
    ['(?<v>\\d+)px', '12px', ['12px', '12']],
    ['[\\w-]+@x', 'a-b@x', ['a-b@x']],
    ['(?<!x)foo(?=bar)', 'foobar', ['foo']],
    ['(a|b)\\1', 'abb', ['bb', 'b']],
  ])('matches %j in %j', (text, value, groups) => {
    const pattern = compiled(text);
    expect(pattern.test(value)).toBe(true);
    expect([...(pattern.match(value) ?? [])]).toEqual(groups);
  });

  it.each([
    ['jquery', 'jq'],
    ['^foo', 'xfoo'],
    ['foo$', 'foox'],
    ['(?<!x)foo', 'xfoo'],
  ])('does not match %j in %j', (text, value) => {
    expect(compiled(text).test(value)).toBe(false);
    expect(compiled(text).match(value)).toBeNull();
  });

  it.each([
    ['foo', 100, null],
    ['foo\\;confidence:50', 50, null],
    ['foo(\\d)\\;version:\\1', 100, '\\1'],
    ['foo(\\d)\\;version:\\1?a:b\\;confidence:25', 25, '\\1?a:b'],
    ['foo\\;confidence:0', 1, null],
    ['foo\\;confidence:900', 100, null],
    ['foo\\;confidence:much', 100, null],
    ['foo\\;nothing:known', 100, null],
    ['\\;confidence:50', 50, null],
  ])('reads the tags of %j', (text, confidence, version) => {
    expect(compiled(text)).toMatchObject({ confidence, version });
  });

  it.each([
    ['foo[^>]+bar', false],
    ['(?:foo|bar){2,5}', false],
    ['foo(?=bar)', true],
    ['(?<!a)foo', true],
    ['(foo)\\1', true],
    ['(?:a{100}b{2,5}){10}', false],
    ['(?:a{0,101}b){10}', true],
    ['(?:(?:foo+)+bar*)+', false],
    // Takes a backspace in JavaScript; the linear engine knows no such escape.
    ['foo[\\b]', true],
  ])('has %j run by the linear engine unless it cannot: %s', (text, isBacktracking) => {
    const pattern = compiled(text);
    expect(pattern.isBacktracking).toBe(isBacktracking);
    // It says the same once the engine was asked.
    expect(pattern.test('nothing of the kind')).toBe(false);
    expect(pattern.isBacktracking).toBe(isBacktracking);
  });

  it.each([
    ['foo', 'anywhere'],
    ['^foo', 'start'],
    ['^foo$', 'whole'],
    ['foo$', 'whole'],
    ['(?:^|/)foo', 'whole'],
    ['^a|b', 'whole'],
  ])('knows where %j has to lie: %s', (text, place) => {
    expect(compiled(text).place).toBe(place);
  });

  it.each([
    ['foo(', "pattern 'foo(' lacks a ')'"],
    ['(?<=a)*', "pattern '(?<=a)*' repeats what takes no characters"],
    ['(a)(?<x>b)(?<x>c)', 'is no regular expression'],
    ['((a{250}){250}){250}', 'repeats repetitions too many times'],
    [`${'('.repeat(300)}`, '…'],
  ])('says what is wrong with %j', (text, problem) => {
    const result = compilePattern(text);
    expect('problem' in result && result.problem).toContain(problem);
  });

  it('bounds the steps of an engine that backtracks', () => {
    const pattern = compiled('(?!x)(?:a+)+b\\;confidence:50');
    expect(pattern.isBacktracking).toBe(true);
    // 250 of each at most: a longer run of letters is no single match.
    expect(compiled('(?!x)^a+$').test('a'.repeat(251))).toBe(false);
    expect(compiled('(?!x)^a+$').test('a'.repeat(250))).toBe(true);
  });
});
