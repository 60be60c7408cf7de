import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { chunkMarkdown } from './chunk-markdown.js';
import { LONG_MARKDOWN } from './fixtures/long-markdown.js';

describe('chunkMarkdown', () => {
  it.each(LONG_MARKDOWN)('takes %s in linear time', async (_, markdownOf) => {
    const cost = cpuCost(markdownOf, (markdown) => chunkMarkdown(markdown));
    expect(await growthOf(cost, { from: 50_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
