import { readSelectors } from './css-selector.js';

const keysAndSpecificity = (text: string): readonly (readonly [string, number])[] =>
  readSelectors(text).map(({ key, specificity }) => [key, specificity]);

describe('readSelectors', () => {
  it.each<[string, string, readonly (readonly [string, number])[]]>([
    [
      'names, classes and ids',
      'a, p.b, i#c.d',
      [
        ['1a', 1],
        ['2b', 1_001],
        ['3c', 1_001_001],
      ],
    ],
    [
      'escapes',
      String.raw`.\32 xl\:btn, .sm\:p`,
      [
        ['22xl:btn', 1_000],
        ['2sm:p', 1_000],
      ],
    ],
    [
      'a comment between selectors',
      'a, /* why */\nb',
      [
        ['1a', 1],
        ['1b', 1],
      ],
    ],
    ['lists in a list', 'a:not(:is(.b, #c))', [['1a', 1_000_001]]],
    ['no selector of a state or a sibling', 'a:hover, a + b, a::before, b', [['1b', 1]]],
    ['no list in more than two others', 'a:is(:is(:is(b)))', [['1a', 1]]],
    ['nothing of a rule that browsers drop', 'a, b[', []],
    ['nothing of lists that do not close', ':not('.repeat(50_000), []],
  ])('reads %s', (_, text, expected) => {
    expect(keysAndSpecificity(text)).toEqual(expected);
  });
});
