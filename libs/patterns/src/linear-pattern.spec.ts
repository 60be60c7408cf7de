import fc from 'fast-check';
import { LinearPattern, patternProblem } from './linear-pattern.js';

describe('a pattern in linear time', () => {
  it.each([
    ['^[A-Z]{3}-\\d{1,4}$', ['ABC-1', 'ABC-1234', 'AB-1', 'ABC-12345', 'xABC-1']],
    ['colou?r', ['my color', 'my colour', 'colr']],
    ['^(?:a|bc)*$', ['', 'a', 'bca', 'bcab']],
    ['^(?<year>\\d{4})-(\\d\\d)$', ['2024-03', '24-03']],
    ['\\bcat\\b', ['a cat.', 'concat', 'cat']],
    ['a\\Bt', ['cats at', 'a t']],
    ['^\\p{Lu}\\p{L}+$', ['Éric', 'éric', 'E1']],
    ['^[^\\s\\]]+$', ['abc', 'a c', 'a]c']],
    ['^a{2,}$', ['a', 'aa', 'aaaaa']],
    ['^(a*)*b$', ['aaab', 'aaa', 'b']],
    ['^x{0}y$', ['y', 'xy']],
    ['^.$', ['😀', 'a', '\n', 'ab']],
    ['^\\u{1F600}|\\x41$', ['😀', 'A', 'B']],
    ['a+?b|c', ['aab', 'c', 'd']],
    ['', ['', 'x']],
    ['^$', ['', 'x']],
    ['^\\s$', [' ', '\u00a0', '\u3000', '\u200b', 'a']],
    ['^[^\\S\\d]$', [' ', '\u00a0', '\v', '1', 'a']],
    ['^.$', ['\r', '\u2028', '\u00a0']],
    ['^[\\b[.]$', ['\b', '[', '.', 'b']],
    ['^\\p{Letter}\\P{Lowercase_Letter}\\p{Script=Greek}$', ['aBα', 'abα', 'aBa']],
    ['^\\ud83d\\ude00$', ['😀', 'a']],
    ['^[^]$', ['\n', 'ab']],
  ])('reads %p as the engine does', (source, texts) => {
    const [mine, builtIn] = [new LinearPattern(source), new RegExp(source, 'u')];
    expect(texts.map((text) => [text, mine.test(text)])).toEqual(
      texts.map((text) => [text, builtIn.test(text)]),
    );
  });

  it('agrees with the engine on patterns and texts of any kind', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\d',
      '\\w',
      '\\s',
      '[^\\s]',
      '\\b',
      '^',
      '$',
    );
    const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}', '*?')).map(
      // Assertions take no quantifier.
      ([one, times]) => (/^(?:\^|\$|\\b)$/.test(one) ? one : one + times),
    );
    const flat = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const pattern = fc
      .array(fc.tuple(flat, fc.constantFrom('', '*', '+', '?', '{2}')), {
        minLength: 1,
        maxLength: 3,
      })
      .map((groups) => groups.map(([inner, times]) => `(?:${inner}|b)${times}`).join(''));
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '\u00a0'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(pattern, text, (source, against) => {
        expect(new LinearPattern(source).test(against)).toBe(new RegExp(source, 'u').test(against));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it.each([
    ['(a+)+$', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['(.*)*(.*)*(.*)*=x', 'ab'],
    ['(a|aa)+$', 'a'],
    ['(x+x+)+y', 'x'],
  ])('answers for %p, which takes a backtracking engine for ever', (source, unit) => {
    expect(new LinearPattern(source).test(`${unit.repeat(4_000)}!`)).toBe(false);
  });

  it('matches no text that is too long', () => {
    expect(new LinearPattern('a').test('a'.repeat(10_001))).toBe(false);
  });

  it.each([
    ['(?=a)b', 'uses look-ahead or look-behind'],
    ['(?<!a)b', 'uses look-ahead or look-behind'],
    ['(a)\\1', 'uses a back reference'],
    ['(?<n>a)\\k<n>', 'uses a back reference'],
    ['(a', 'is not a valid regular expression'],
    ['a)', 'is not a valid regular expression'],
    ['[a', 'is not a valid regular expression'],
    ['a{3,2}', 'is not a valid regular expression'],
    ['\\y', 'is not a valid regular expression'],
    ['((a{20}){20}){20}', 'is too complex'],
    ['a{9999999999}', 'is too complex'],
    ['(?:){1,999999}', 'is too complex'],
    ['\\p{ASCII}', 'uses a property that is not supported'],
    ['(?i:a)', 'uses a kind of group that is not supported'],
    ['a'.repeat(501), 'is longer than 500 characters'],
  ])('refuses %p: it %s', (source, problem) => {
    expect(patternProblem(source)).toBe(problem);
  });
});
