import { type ScoredPage } from './label-sets.js';
import {
  meanOfWords,
  meanScore,
  scorePage,
  scoreWords,
  sumOfSnippets,
  textOfMarkdown,
} from './main-content-score.js';

const labelled = (label: Partial<ScoredPage>): ScoredPage => ({
  id: 'a',
  url: 'https://example.com/',
  html: new Uint8Array(),
  contentType: 'text/html',
  text: '',
  kept: [],
  left: [],
  metadata: null,
  ...label,
});

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

  it('counts single words for WCXB, whatever their order and case', () => {
    expect(scoreWords('a b b c', 'C b A x')).toEqual({ f1: 0.75, precision: 0.75, recall: 0.75 });
    expect(scoreWords('', '')).toMatchObject({ f1: 1 });
    expect(scoreWords('', 'a')).toMatchObject({ f1: 0 });
    expect(scoreWords('a', '')).toMatchObject({ f1: 0 });
    const page = labelled({ text: 'a b' });
    const texts = ['a b', 'x'].map((text) => ({ page, text }));
    expect(meanOfWords(texts)).toEqual({ f1: 0.5, precision: 0.5, recall: 0.5 });
  });

  it('sums snippets up over the pages, white space apart', () => {
    const page = labelled({ kept: ['a b', 'c'], left: ['d', 'e'] });
    const score = sumOfSnippets([
      { page, text: 'a\n b c' },
      { page, text: 'c d' },
    ]);
    expect(score).toEqual({ f1: 0.75, precision: 0.75, recall: 0.75 });
  });

  it.each([
    ['pictures and addresses', '# A *b*\n\n![c](d) [e](https://f/g) `h`', 'A b e h'],
    ['brackets in links', String.raw`[a \[b\]](https://c/d)`, 'a [b]'],
    [
      'escapes and marks inside words',
      String.raw`**A**b snake\_case 2 \* 3 a_b`,
      'Ab snake_case 2 * 3 a_b',
    ],
    ['quotes and tables', '> a\n\n| b | c |\n<https://d.e/>', 'a b c https://d.e/'],
  ])('is that of the text without %s', (_, markdown, text) => {
    expect(textOfMarkdown(markdown).split(/\s+/).filter(Boolean).join(' ')).toBe(text);
  });
});
