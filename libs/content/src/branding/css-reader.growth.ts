import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { importsOf } from './css-imports.js';
import { readCss } from './css-reader.js';
import { HOSTILE_SHEETS } from './fixtures/hostile-sheets.js';

describe('hostile sheets', () => {
  it.each(Object.entries(HOSTILE_SHEETS))(
    '%s: read in time linear in their length',
    async (_, make) => {
      const cost = cpuCost(make, (css) => [readCss(css), importsOf(css)]);
      expect(await growthOf(cost, { from: 50_000, upTo: 3_000_000 })).toBeLessThan(LINEAR_GROWTH);
    },
  );
});
