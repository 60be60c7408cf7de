import type { FieldPlaces } from './source-setting.js';

/** How a page of a source is read. */
export type BusinessShape =
  | {
      readonly kind: 'business_api';
      readonly results: string;
      readonly answered: string | null;
      readonly fields: FieldPlaces;
    }
  | {
      readonly kind: 'business_html';
      readonly results: string | null;
      readonly fields: FieldPlaces;
      readonly none: string;
    }
  | { readonly kind: 'overpass' }
  | { readonly kind: 'nominatim' };

/** One page of a source as it arrived. */
export interface SourceAnswerPage {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  /** Address of the page. */
  readonly url: string;
  readonly shape: BusinessShape;
}

/** Businesses read of one page; Overpass has all of them in one. */
export const MAX_PAGE_BUSINESSES = 5_000;
