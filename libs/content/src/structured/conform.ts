import { numberOf } from './grounding/number-forms.js';
import { isObject, type JsonObject } from './json-value.js';
import { hasCombination } from './nullable-schema.js';

/**
 * Brings a model's value nearer to its (nullable) schema where that needs no guess: declared fields
 * that are missing become null, undeclared ones go, an empty text is null, a number written as text
 * becomes one and the other way round, and a list is cut to its greatest length. Combined schemas (`anyOf`…) are left to validation.
 * As deep as the schema.
 */
export function conform(value: unknown, schema: unknown): unknown {
  if (!isObject(schema) || hasCombination(schema)) return value;
  if (Array.isArray(value)) return conformList(value, schema);
  if (isObject(value)) return conformObject(value, schema);
  return conformScalar(value, schema);
}

function conformList(list: readonly unknown[], schema: JsonObject): unknown {
  const { prefixItems, items, maxItems } = schema;
  const places: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const kept = typeof maxItems === 'number' ? list.slice(0, maxItems) : list;
  return kept.map((one, index) => conform(one, index < places.length ? places[index] : items));
}

function conformObject(value: JsonObject, schema: JsonObject): unknown {
  const { properties, additionalProperties } = schema;
  if (!isObject(properties)) return value;
  const declared = Object.entries(properties).map(([name, inner]) => [
    name,
    conform(Object.hasOwn(value, name) ? value[name] : null, inner),
  ]);
  const others = Object.entries(value)
    .filter(([name]) => !Object.hasOwn(properties, name) && additionalProperties !== false)
    .map(([name, one]) => [name, conform(one, additionalProperties)]);
  return Object.fromEntries([...declared, ...others]);
}

function conformScalar(value: unknown, schema: JsonObject): unknown {
  const accepts = (type: string) => typesOf(schema).includes(type);
  const isNumeric = accepts('number') || accepts('integer');
  if (typeof value === 'string') {
    if (value.trim() === '' && accepts('null')) return null;
    if (accepts('string')) return value;
    if (isNumeric) return numberOf(value) ?? value;
    if (accepts('boolean') && /^(?:true|false)$/i.test(value.trim()))
      return /^t/i.test(value.trim());
  }
  if (typeof value === 'number' && accepts('string') && !isNumeric) return String(value);
  return value;
}

function typesOf({ type }: JsonObject): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}
