import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { classifyIndustry, type CompanyText } from './classify-industry.js';

const EMPTY: CompanyText = { types: [], title: '', description: '', headings: [], keywords: '' };

describe('classifyIndustry', () => {
  it.each(['a. ', 'for dentists ', 'carpet cleaning ', 'xxxxxxxxxx', 'for '])(
    'takes time linear in texts of %j',
    async (piece) => {
      const cost = cpuCost(
        (n) => ({ ...EMPTY, title: piece.repeat(n / piece.length) }),
        classifyIndustry,
      );
      expect(await growthOf(cost, { from: 20_000, upTo: 2_000_000 })).toBeLessThan(LINEAR_GROWTH);
    },
  );
});
