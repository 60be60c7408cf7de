import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { parsePage } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { readListing } from './read-listing.js';
import { HOSTILE_LISTINGS } from './fixtures/hostile-listings.js';

const URL_OF_PAGE = 'https://shop.net/a';

describe('readListing on hostile pages', () => {
  it.each(HOSTILE_LISTINGS)('answers in time linear in %s', async (_, largest, htmlOf) => {
    const resolver = new UrlResolver(URL_OF_PAGE);
    const cost = cpuCost(
      (n) => parsePage(htmlOf(n)),
      (page) => readListing({ page, url: URL_OF_PAGE, resolver }),
    );
    const growth = await growthOf(cost, { from: largest / 16, upTo: largest });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
