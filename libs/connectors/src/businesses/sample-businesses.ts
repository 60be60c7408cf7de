import type { MapsRow } from './business-rows.js';

/**
 * Rows of the maps scraper on the Free plan until the live scraper is enabled for the account. They name no real business:
 * hosts and telephone numbers are those reserved for examples (RFC 2606, 555-0100 to 555-0199).
 */
export const SAMPLE_MAPS_ROWS: readonly (MapsRow & { readonly mock: true })[] = [
  'Sample Bakery',
  'Sample Dental Practice',
  'Sample Garage',
  'Sample Coffee Bar',
  'Sample Law Office',
].map((name, at) => ({
  name,
  address: `${100 + at} Example Street, Springfield, IL 62701, US`,
  phone: `(217) 555-01${String(10 + at)}`,
  rating: 4 + at / 10,
  review_count: 12 * (at + 1),
  category: name.replace('Sample ', ''),
  hours: { mon: '09:00-17:00', tue: '09:00-17:00', wed: '09:00-17:00' },
  website: `https://sample-${at + 1}.example/`,
  maps_url: `https://maps.example/place/${at + 1}`,
  mock: true,
}));
