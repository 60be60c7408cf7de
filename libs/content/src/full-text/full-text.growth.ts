import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { LONG_MARKDOWN } from '../chunks/fixtures/long-markdown.js';
import { lineText, fullText } from './full-text.js';

/** Lines of one kind of mark, which a reader might search for its end again and again. */
const LONG_LINES: readonly [string, (length: number) => string][] = [
  ['backticks in runs of growing length', (n) => growingRuns(n)],
  ['open links', (n) => '[a]('.repeat(n / 4)],
  ['backslashes', (n) => '\\'.repeat(n)],
  ['signs', (n) => '<'.repeat(n)],
  ['long runs of letters', (n) => `${'a'.repeat(499)} `.repeat(n / 500)],
];

function growingRuns(length: number): string {
  let text = '';
  for (let run = 1; text.length < length; run++) text += `${'`'.repeat(run)} `;
  return text;
}

describe('the text of a page for full text search', () => {
  it.each(LONG_LINES)('is made of a line of %s in linear time', async (_, lineOf) => {
    const cost = cpuCost(lineOf, (line) => lineText(line));
    expect(await growthOf(cost, { from: 50_000 })).toBeLessThan(LINEAR_GROWTH);
  });

  it.each(LONG_MARKDOWN)('is made of %s in linear time', async (_, markdownOf) => {
    const cost = cpuCost(markdownOf, (markdown) => fullText(markdown, {}));
    expect(await growthOf(cost, { from: 20_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
