import { type Listing } from '@app/contracts';

/** The fields of a listing that are read from the page; the rest is said about them. */
export type ListingValues = Omit<
  Listing,
  '_completeness' | '_confidence' | '_extraction_method' | '_provenance'
>;

/** Order of the fields in every result, so that equal pages give equal bytes. */
export const FIELD_ORDER = [
  'name',
  'description',
  'address',
  'city',
  'state',
  'zip',
  'country',
  'phone',
  'email',
  'url',
  'website',
  'lat',
  'lng',
  'rating',
  'review_count',
  'reviewCount',
  'price_range',
  'price_min',
  'price_max',
  'hours',
  'amenities',
  'hero_image',
  'photo_urls',
  'license_number',
  'capacity',
  'founded_year',
  'schema_markup_types',
] as const satisfies readonly (keyof ListingValues)[];

export type FieldName = (typeof FIELD_ORDER)[number];

/** A checked value and where in its layer it was found. */
export interface Found<T> {
  readonly value: T;
  /** JSON path, or a CSS selector of the element. */
  readonly path: string;
}

/** What one layer knows. */
export type LayerFields = {
  readonly [Name in FieldName]?: Found<NonNullable<ListingValues[Name]>>;
};

/** The first candidate that `read` accepts. */
export function firstFound<Candidate extends { readonly path: string }, T>(
  candidates: readonly Candidate[],
  read: (candidate: Candidate) => T | undefined,
): Found<T> | undefined {
  for (const candidate of candidates) {
    const value = read(candidate);
    if (value !== undefined) return { value, path: candidate.path };
  }
  return undefined;
}

/** Without names that have no value. */
export function withoutGaps(fields: LayerFields): LayerFields {
  return Object.fromEntries(Object.entries(fields).filter(([, found]) => found !== undefined));
}
