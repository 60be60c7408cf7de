import { isObject, type JsonObject } from './json-value.js';
import { mapSubschemas } from './schema-shape.js';

/**
 * Words of JSON Schema that servers turn into grammars alike. The others are only checked in the
 * answer: a server that does not know one would refuse the whole.
 */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'enum',
  'anyOf',
  'allOf',
]);

/** A (nullable) schema as it is shown to a model's server. */
export function modelSchema(schema: JsonObject): JsonObject {
  const inner = mapSubschemas(schema, (one) => (isObject(one) ? modelSchema(one) : one));
  const kept = Object.entries(inner).filter(([word]) => KEPT.has(word));
  const { enum: choices, type } = schema;
  if (!Array.isArray(choices) || type !== undefined) return Object.fromEntries(kept);
  return { type: [...new Set(choices.map(typeOf))], ...Object.fromEntries(kept) };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Whether servers that enforce schemas to the letter take it: each value has a type or
 * alternatives, and each object lists its fields, requires all and takes no others.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, anyOf, allOf, prefixItems, properties, items } = schema;
  if (allOf !== undefined || prefixItems !== undefined) return false;
  if (Array.isArray(anyOf)) return anyOf.every(isStrictSchema);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes(undefined)) return false;
  if (types.includes('array') && !isStrictSchema(items)) return false;
  return !types.includes('object') || isClosed(schema, properties);
}

function isClosed(schema: JsonObject, properties: unknown): boolean {
  if (!isObject(properties) || schema['additionalProperties'] !== false) return false;
  const { required } = schema;
  const isAll = Array.isArray(required) && required.length === Object.keys(properties).length;
  return isAll && Object.values(properties).every(isStrictSchema);
}
