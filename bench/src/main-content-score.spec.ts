import { meanScore, scorePage, textOfMarkdown } from './main-content-score.js';

describe('the score of main content', () => {
  it.each<[string, string, string, number | null, number | null]>([
    ['all of it', 'a b c d e', 'a b c d e', 1, 1],
    ['half of it', 'a b c d e f g h', 'a b c d e', 1, 0.4],
    ['more than it', 'a b c d', 'x a b c d', 0.5, 1],
    ['nothing', 'a b c d', ' ', null, 0],
    ['an unlabelled page', '', 'a b c d', 0, null],
    ['few words', 'a b', 'a b', 1, 1],
    ['words twice', 'a a a a', 'a a a a a', 0.5, 1],
  ])('of %s', (_, label, kept, precision, recall) => {
    expect(scorePage(label, kept)).toEqual({ precision, recall });
  });

  it('is the F1 of the means, without pages that have none', () => {
    const { f1, precision, recall } = meanScore([
      { precision: 1, recall: 0.5 },
      { precision: null, recall: 0 },
      { precision: 0.5, recall: 1 },
    ]);
    expect([precision, recall, f1]).toEqual([0.75, 0.5, 0.6]);
    expect(meanScore([]).f1).toBe(0);
  });

  it('is that of the text, without pictures and addresses', () => {
    expect(textOfMarkdown('# A *b*\n\n![c](d) [e](https://f/g) `h`').split(/\s+/)).toEqual(
      ' A b e h '.split(' '),
    );
  });
});
