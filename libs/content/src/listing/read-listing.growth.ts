import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readJsonLd } from '../json-ld/read-json-ld.js';
import { readablePage } from '../readable-page.js';
import { readListing } from './read-listing.js';
import { HOSTILE_LISTINGS } from './fixtures/hostile-listings.js';

const URL_OF_PAGE = 'https://shop.net/a';

describe('readListing on hostile pages', () => {
  it.each(HOSTILE_LISTINGS)('answers in time linear in %s', async (_, largest, htmlOf) => {
    const cost = cpuCost(
      (n) => readablePage(htmlOf(n), URL_OF_PAGE),
      (page) => readListing({ ...page, jsonLd: readJsonLd(page.parsed.jsonLd) }),
    );
    const growth = await growthOf(cost, { from: largest / 16, upTo: largest });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
