import { parsePattern } from './parse-pattern.js';
import { maxMatchChars, renderPattern } from './render-pattern.js';

describe('parsePattern', () => {
  it.each([
    ['', '', ''],
    ['abc', 'abc', 'abc'],
    ['a*b+c?', 'a*b+c?', 'a{0,250}b{1,250}c?'],
    ['a{2,}', 'a{2,}', 'a{2,250}'],
    ['a{0,}b{1,}', 'a*b+', 'a{0,250}b{1,250}'],
    ['a{3}b{2,4}', 'a{3,3}b{2,4}', 'a{3,3}b{2,4}'],
    ['a{1000,2000}', 'a{250,250}', 'a{250,250}'],
    ['a*?b+?c??', 'a*?b+?c??', 'a{0,250}?b{1,250}?c??'],
    ['(a|b)+', '(a|b)+', '(a|b){1,250}'],
    ['(?:a|)(?<v>b)', '(?:a|)(?<v>b)', '(?:a|)(?<v>b)'],
    ['[^"]+\\.js', '[^"]+\\.js', '[^"]{1,250}\\.js'],
    ['[]a]'.replace('[]', '[\\]'), '[\\]a]', '[\\]a]'],
    ['^a$|\\bb\\B', '^a$|\\bb\\B', '^a$|\\bb\\B'],
    ['(?=a)(?!b)(?<=c)(?<!d)', '(?=a)(?!b)(?<=c)(?<!d)', '(?=a)(?!b)(?<=c)(?<!d)'],
    ['(a)\\1', '(a)\\1', '(a)\\1'],
    ['a{b', 'a\\{b', 'a\\{b'],
    ['{{x}}', '\\{\\{x\\}\\}', '\\{\\{x\\}\\}'],
    ['a]', 'a\\]', 'a\\]'],
    ['\\/\\-\\x41\\u0042\\n', '\\/-AB\\x0a', '\\/-AB\\x0a'],
    ['\\d\\W.', '\\d\\W.', '\\d\\W.'],
  ])('writes %j for the engines as %j and %j', (source, linear, bounded) => {
    const node = parsePattern(source);
    expect(renderPattern(node, false)).toBe(linear);
    expect(renderPattern(node, true)).toBe(bounded);
  });

  it.each([
    ['(a', "lacks a ')'"],
    ['a)', "has a ')' too many"],
    ['[a', "lacks a ']'"],
    ['[]a]', 'has an empty class'],
    ['*a', "has nothing to repeat before '*'"],
    ['a|+', "has nothing to repeat before '+'"],
    ['a**', 'repeats a repetition'],
    ['^*', 'repeats what takes no characters'],
    ['a{3,2}', 'counts backwards: {3,2}'],
    ['a\\', 'ends in a backslash'],
    ['(?i)a', 'has a group of a kind unknown: (?i)a'],
    ['\\p{L}', 'has an escape that is not supported: \\p'],
    ['('.repeat(41) + ')'.repeat(41), 'nests groups too deeply'],
    ['a'.repeat(2_001), 'is longer than 2000 characters'],
  ])('says of %j that it %s', (source, problem) => {
    expect(() => parsePattern(source)).toThrow(problem);
  });

  it.each([
    ['abc', 3],
    ['a?b{2,5}', 6],
    ['a*', 250],
    ['a|bcd', 3],
    ['^\\ba$', 1],
    ['(?:ab+){2}', 502],
    ['(?=abc)d', 4],
  ])('knows that a match of %j has at most %i characters', (source, chars) => {
    expect(maxMatchChars(parsePattern(source))).toBe(chars);
  });
});
