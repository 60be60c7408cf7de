import { type Listing, type ListingLayer } from '@app/contracts';
import { type FieldName } from './listing-values.js';
import { type Merged } from './merge-layers.js';

/** Hundredths of `_completeness`: five core fields make 70, four bonus fields 30. */
export const FIELD_WEIGHTS: Readonly<Partial<Record<FieldName, number>>> = {
  name: 20,
  phone: 15,
  address: 15,
  city: 10,
  state: 10,
  rating: 10,
  price_range: 5,
  description: 10,
  photo_urls: 5,
};

type ListingMethod = Listing['_extraction_method'];

const METHODS: Readonly<Record<ListingLayer, ListingMethod>> = {
  'json-ld': 'json-ld',
  microdata: 'microdata',
  rdfa: 'microdata',
  'open-graph': 'regex-cascade',
  regex: 'regex-cascade',
  heuristic: 'heuristic',
};

/** Ties go to the better method. */
const METHOD_ORDER: readonly ListingMethod[] = [
  'json-ld',
  'microdata',
  'regex-cascade',
  'heuristic',
];

/** Weighted share of the core and bonus fields that were found, 0 to 1. */
export function listingCompleteness(merged: Merged): number {
  let total = 0;
  for (const name of merged.keys()) total += FIELD_WEIGHTS[name] ?? 0;
  return total / 100;
}

/**
 * The method that gave most, by the same weights. Open Graph and patterns are one method, as the
 * specification's cascade has them.
 */
export function methodOf(merged: Merged): ListingMethod {
  const shares = new Map<ListingMethod, number>();
  for (const [name, { layer }] of merged) {
    const method = METHODS[layer];
    shares.set(method, (shares.get(method) ?? 0) + (FIELD_WEIGHTS[name] ?? 0));
  }
  const most = Math.max(0, ...shares.values());
  return METHOD_ORDER.find((method) => shares.get(method) === most) ?? 'heuristic';
}
