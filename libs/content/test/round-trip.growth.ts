import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { markdownOf } from './rendered.js';
import { COSTLY_PAGES } from './costly-pages.js';

describe('time', () => {
  it.each(Object.entries(COSTLY_PAGES))('grows no faster than a page of %s', async (_, pageOf) => {
    expect(await growthOf(cpuCost(pageOf, markdownOf))).toBeLessThan(LINEAR_GROWTH);
  });
});
