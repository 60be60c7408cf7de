import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { cutMarkdown } from '../chunks/cut-markdown.js';
import { LONG_MARKDOWN } from '../chunks/fixtures/long-markdown.js';
import { findPassages } from './find-passages.js';

const PAGES: readonly (readonly [string, (length: number) => string])[] = [
  ...LONG_MARKDOWN,
  ['words that differ', (n) => Array.from({ length: n / 8 }, (_, at) => `w${at}ing`).join(' ')],
  ['titles alone', (n) => '# ab\n'.repeat(n / 5)],
  [
    'long titles above short ones',
    (n) =>
      [1, 2, 3, 4, 5].map((level) => `${'#'.repeat(level)} ${'a b '.repeat(75)}\n\n`).join('') +
      '###### x\n\na\n\n'.repeat(n / 13),
  ],
  ['letters of one word', (n) => 'é'.repeat(n)],
  ['ideographs', (n) => '漢'.repeat(n)],
];

describe('what answers a question', () => {
  it.each(PAGES)('is found in %s in linear time', async (_, markdownOf) => {
    const cost = cpuCost(markdownOf, (markdown) =>
      findPassages(
        { markdown, url: 'http://a.example/' },
        { query: 'what is a list of 漢字 words?', max: 50 },
      ),
    );
    expect(await growthOf(cost, { from: 20_000 })).toBeLessThan(LINEAR_GROWTH);
  });

  it.each(PAGES)('is cut from %s in linear time', async (_, markdownOf) => {
    const cost = cpuCost(markdownOf, (markdown) => cutMarkdown(markdown, 1_000));
    expect(await growthOf(cost, { from: 20_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
