import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readablePage } from '@app/content';
import { readBrand } from './read-brand.js';
import { HOSTILE_BRAND_PAGES } from '../fixtures/hostile-brand-pages.js';

const URL = 'https://www.acme.example/';
const NO_SHEETS = { sheets: new Map() };

describe('hostile pages', () => {
  it.each(Object.entries(HOSTILE_BRAND_PAGES))(
    '%s: read in time linear in their length',
    async (_, htmlOf) => {
      const cost = cpuCost(htmlOf, (html) => readBrand(readablePage(html, URL), NO_SHEETS));
      expect(await growthOf(cost, { from: 100_000 })).toBeLessThan(LINEAR_GROWTH);
    },
  );
});
