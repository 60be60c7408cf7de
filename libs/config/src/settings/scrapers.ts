import { parseSourcesSetting } from '@app/connectors';
import { checked, text, type Field } from '../fields.js';

const sources = (env: string, what: string) =>
  checked(
    env,
    `JSON array that describes where POST /v1/scrapers/${what} finds businesses, in order; see docs/scrapers.md; default: none.`,
    parseSourcesSetting,
    { isSecret: true },
  );

/** Listing scrapers: the sources of each, in the order in which they are tried, and their time. */
export const SCRAPER_SETTINGS = {
  scraperMaps: sources('SCRAPER_MAPS', 'maps'),
  scraperReviews: sources('SCRAPER_REVIEWS', 'reviews'),
  scraperListings: sources('SCRAPER_LISTINGS', 'listings'),
  connectorsDir: text(
    'CONNECTORS_DIR',
    'Folder with connectors of your own, a module each; see docs/connectors.md; empty: none.',
    { fallback: '' },
  ),
} as const satisfies Record<string, Field<unknown>>;
