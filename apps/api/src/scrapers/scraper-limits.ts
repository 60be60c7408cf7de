/** Specification: Listing scrapers. */
export const DEFAULT_MAX_RESULTS = 5;
export const MAX_RESULTS = 20;
export const MAX_DIRECTORY_URLS = 500;
export const DEFAULT_CONCURRENCY = 3;
export const MAX_CONCURRENCY = 10;

export const MAX_SCRAPER_QUERY_CHARS = 200;
export const MAX_LOCATION_CHARS = 200;
