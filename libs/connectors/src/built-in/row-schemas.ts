import type { ObjectSchema } from '../port/connector.js';

type Property = Readonly<Record<string, unknown>>;

export const STRING: Property = { type: 'string' };
export const URI: Property = { type: 'string', format: 'uri-reference' };
export const NUMBER: Property = { type: 'number' };
export const INTEGER: Property = { type: 'integer' };
export const STRINGS: Property = { type: 'array', items: { type: 'string' } };
export const OBJECT: Property = { type: 'object' };
export const BOOLEAN: Property = { type: 'boolean' };

/** The schema of a row. */
export function rowSchema(
  properties: ObjectSchema['properties'],
  required: readonly string[],
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The schema of parameters, none beside the known ones. */
export function paramsSchema(
  properties: ObjectSchema['properties'],
  required: readonly string[],
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A text of a caller. */
export function textParam(description: string, maxLength = 200): Property {
  return { type: 'string', minLength: 1, maxLength, pattern: '\\S', description };
}

/** A list of texts of a caller. */
export function textsParam(description: string, maxItems: number, maxLength: number): Property {
  const items = { type: 'string', minLength: 1, maxLength };
  return { type: 'array', items, minItems: 1, maxItems, description };
}

/** The fields of a listing that rows have. */
export const LISTING_PROPERTIES: ObjectSchema['properties'] = {
  url: URI,
  name: STRING,
  address: STRING,
  city: STRING,
  state: STRING,
  zip: STRING,
  country: STRING,
  phone: STRING,
  email: STRING,
  website: URI,
  rating: NUMBER,
  review_count: INTEGER,
  price_range: STRING,
  price_min: NUMBER,
  price_max: NUMBER,
  hours: OBJECT,
  description: STRING,
  hero_image: URI,
  _confidence: NUMBER,
};
