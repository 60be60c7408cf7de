import { isObject, type JsonObject } from './json-value.js';
import { mapSubschemas, mapValues } from './schema-shape.js';

/**
 * Demands that something be there, which a page need not meet; and what we do ourselves
 * (`uniqueItems`: equal items are united).
 */
const LIFTED = [
  'minItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'minProperties',
  'dependentRequired',
  'dependencies',
  'default',
  'nullable',
] as const;
const COMBINING = ['allOf', 'anyOf', 'oneOf', 'not', 'if'] as const;
const PLACES = ['properties', 'prefixItems'] as const;

/**
 * A schema for what is known of a page: every declared field is there, and null when the page does
 * not say it. So
 * - each property and tuple place, and the root, accepts null, and each declared property outside
 *   combinations is required;
 * - lengths and counts that must at least be reached are lifted, and defaults are dropped;
 * - `oneOf` reads as `anyOf`: alternatives that differ in fields that are null cannot be
 * distinguished;
 * - an object with declared fields takes no others, unless it says that it does.
 */
export function nullableSchema(schema: JsonObject): JsonObject {
  return orNull(relax(schema, false)) as JsonObject;
}

function relax(schema: JsonObject, isAlternative: boolean): JsonObject {
  const optional = optionalOf(schema);
  if (optional !== null) return orNull(relax(optional, isAlternative)) as JsonObject;
  const lifted = without(schema, LIFTED);
  const inner = mapSubschemas(lifted, (one, member) => {
    // What excludes or chooses must go on meaning what it meant.
    if (!isObject(one) || member === 'not' || member === 'if') return one;
    return relax(one, isAlternative || isCombining(member));
  });
  const merged = mergeOneOf(inner);
  const nullable = makePlacesNullable(merged);
  return isAlternative || hasCombination(schema) ? nullable : closeObject(nullable);
}

/**
 * What is to be there or null, when the schema says just that: `anyOf: [X, {type: 'null'}]`, as
 * generators of schemas write optional fields.
 */
function optionalOf({ anyOf, oneOf, ...rest }: JsonObject): JsonObject | null {
  const list = oneOf === undefined ? anyOf : anyOf === undefined ? oneOf : undefined;
  if (!Array.isArray(list) || list.length !== 2) return null;
  if (!Object.keys(rest).every((word) => ANNOTATIONS.has(word))) return null;
  const [only, ...more]: readonly unknown[] = list.filter((one) => !isNullSchema(one));
  return isObject(only) && more.length === 0 ? { ...only, ...rest } : null;
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

function isNullSchema(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null' && Object.keys(schema).length === 1;
}

function isCombining(member: string): boolean {
  return ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'].includes(member);
}

/** Whether what an object may hold is said in more than one place. */
export function hasCombination(schema: JsonObject): boolean {
  return (
    COMBINING.some((word) => schema[word] !== undefined) || schema['dependentSchemas'] !== undefined
  );
}

function mergeOneOf(schema: JsonObject): JsonObject {
  const { oneOf, ...rest } = schema;
  if (oneOf === undefined) return schema;
  if (rest['anyOf'] === undefined) return { ...rest, anyOf: oneOf };
  const both = [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), { anyOf: oneOf }];
  return { ...rest, allOf: both };
}

function makePlacesNullable(schema: JsonObject): JsonObject {
  const changed: Record<string, unknown> = {};
  for (const place of PLACES) {
    const inner: unknown = schema[place];
    if (Array.isArray(inner)) changed[place] = inner.map(orNull);
    else if (isObject(inner)) changed[place] = mapValues(inner, orNull);
  }
  return { ...schema, ...changed };
}

/** Declares all fields as required and no others as welcome. */
function closeObject(schema: JsonObject): JsonObject {
  const { properties, patternProperties, additionalProperties, required: _required } = schema;
  if (!isObject(properties)) return without(schema, ['required']);
  const isOpen = patternProperties !== undefined || additionalProperties !== undefined;
  return {
    ...schema,
    required: Object.keys(properties),
    ...(isOpen ? {} : { additionalProperties: false }),
  };
}

function orNull(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  if (hasCombination(schema)) return withAnnotations(schema, { anyOf: [schema, { type: 'null' }] });
  const { type, enum: choices } = schema;
  const { const: only, ...rest } = schema;
  if (only !== undefined && only !== null) {
    return orNull({ ...rest, enum: [only] });
  }
  const types = Array.isArray(type) ? type : [type];
  return {
    ...schema,
    ...(type === undefined || types.includes('null') ? {} : { type: [...types, 'null'] }),
    ...(Array.isArray(choices) && !choices.includes(null) ? { enum: [...choices, null] } : {}),
  };
}

/** Keeps what the field means where a model looks for it. */
function withAnnotations({ title, description }: JsonObject, schema: JsonObject): JsonObject {
  return {
    ...schema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function without(schema: JsonObject, words: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !words.includes(key)));
}
