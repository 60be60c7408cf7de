import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readableFixture } from './fixtures/readable-page.js';
import { readCompanyPage } from './read-company-page.js';
import { HOSTILE_COMPANY_PAGES } from './fixtures/hostile-company-pages.js';

describe('readCompanyPage on hostile pages', () => {
  it.each(HOSTILE_COMPANY_PAGES)('answers in time linear in %s', async (_, largest, htmlOf) => {
    const cost = cpuCost(
      (n) => readableFixture(htmlOf(n), 'https://acme.com/team'),
      readCompanyPage,
    );
    const growth = await growthOf(cost, { from: largest / 16, upTo: largest });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
