import { type PageDocument } from '@app/contracts';
import { type Found } from '../listing/listing-values.js';

/** A product in its wire form, as results and stored documents hold it. */
export type Product = NonNullable<PageDocument['product']>;

export type ProductLayer = Product['_provenance'][string]['layer'];

export type ProductValues = Omit<Product, '_confidence' | '_extraction_method' | '_provenance'>;

/** Order of the fields in every result, so that equal pages give equal bytes. */
export const PRODUCT_FIELDS = [
  'name',
  'description',
  'url',
  'brand',
  'price',
  'currency',
  'list_price',
  'availability',
  'sku',
  'mpn',
  'gtin',
  'rating',
  'review_count',
  'images',
  'variants',
] as const satisfies readonly (keyof ProductValues)[];

export type ProductField = (typeof PRODUCT_FIELDS)[number];

/** What one layer knows. */
export type ProductFields = {
  readonly [Name in ProductField]?: Found<NonNullable<ProductValues[Name]>> | undefined;
};
