/** Where a field of a listing can come from, best first. */
type ListingLayer = 'json-ld' | 'microdata' | 'rdfa' | 'open-graph' | 'regex' | 'heuristic';

/** Values of `_extraction_method` (specification: Listing). */
type ListingMethod = 'json-ld' | 'microdata' | 'regex-cascade' | 'heuristic';

/** Where one field was found: its layer, and the path (`$[0].address.telephone`) or selector in it. */
export interface FieldOrigin {
  readonly layer: ListingLayer;
  readonly path: string;
}

/** Opening hours of one day or exception: `HH:MM-HH:MM`, joined by `, `; `closed`; `00:00-24:00` is all day. */
export type OpeningHours = Readonly<Record<string, string>>;

/**
 * A structured business listing in its wire form (specification: Listing), as results and stored
 * documents hold it. Fields that the page does not have are absent.
 */
export interface Listing {
  readonly name?: string;
  readonly description?: string;
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly country?: string;
  readonly phone?: string;
  readonly email?: string;
  readonly url?: string;
  readonly website?: string;
  readonly lat?: number;
  readonly lng?: number;
  readonly rating?: number;
  readonly review_count?: number;
  readonly reviewCount?: number;
  readonly price_range?: string;
  readonly price_min?: number;
  readonly price_max?: number;
  readonly hours?: OpeningHours;
  readonly amenities?: readonly string[];
  readonly hero_image?: string;
  readonly photo_urls?: readonly string[];
  readonly license_number?: string;
  readonly capacity?: number;
  readonly founded_year?: number;
  readonly schema_markup_types?: readonly string[];
  /** 0 to 1. */
  readonly _completeness: number;
  /** The same score under its other name. */
  readonly _confidence: number;
  readonly _extraction_method: ListingMethod;
  /** Keyed by field name; every other field above has an entry. */
  readonly _provenance: Readonly<Record<string, FieldOrigin>>;
}
