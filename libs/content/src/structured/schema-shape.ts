import { isObject, type JsonObject } from './json-value.js';

/** Words that say what a value is; with one of them an object is a JSON Schema. */
const STRUCTURAL: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  'type',
  'properties',
  'items',
  'prefixItems',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'additionalProperties',
]);

const KEYWORDS: ReadonlySet<string> = new Set([
  ...STRUCTURAL,
  '$schema',
  '$comment',
  '$defs',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'additionalItems',
  'unevaluatedItems',
  'required',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'then',
  'else',
]);

/** Words of shapes for a value, beside the types of JSON Schema. */
const WORDS: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  str: { type: 'string' },
  text: { type: 'string' },
  number: { type: 'number' },
  float: { type: 'number' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  any: {},
  null: { type: 'null' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  'date-time': { type: 'string', format: 'date-time' },
  url: { type: 'string', format: 'uri' },
  uri: { type: 'string', format: 'uri' },
  email: { type: 'string', format: 'email' },
};

/**
 * Turns a shape into a JSON Schema; what is one already comes back as it is, with shapes among its
 * properties turned. In a shape
 * - `"string"`, `"number"`, `"integer"`, `"boolean"`, `"date"`, `"url"`… name a type, `"number[]"`
 * a
 *   list of them, `"string?"` the same as `"string"`, since anything may be missing;
 * - any other text describes a string;
 * - `[x]` is a list of x, a list of several values the values to choose from;
 * - a number, true, false or null means its own kind;
 * - an object is one with these fields.
 * The caller has bounded the nesting.
 * @throws SchemaError
 */
export function toSchema(shape: unknown): JsonObject {
  if (typeof shape === 'string') return wordToSchema(shape);
  if (typeof shape === 'number') return { type: 'number' };
  if (typeof shape === 'boolean') return { type: 'boolean' };
  if (Array.isArray(shape)) return listToSchema(shape);
  if (!isObject(shape)) return {};
  return isJsonSchema(shape) ? completeSchema(shape) : fieldsToSchema(shape);
}

/** Every member is a word of JSON Schema, and one of them says what the value is. */
function isJsonSchema(object: JsonObject): boolean {
  return (
    isMadeOfKeywords(object) &&
    Object.keys(object).some((key) => STRUCTURAL.has(key) && saysWhat(key, object[key]))
  );
}

function isMadeOfKeywords(object: JsonObject): boolean {
  return Object.keys(object).every((key) => KEYWORDS.has(key) || key.startsWith('x-'));
}

/** A field of a shape may be named like a keyword; its value then is not what the keyword takes. */
function saysWhat(keyword: string, value: unknown): boolean {
  switch (keyword) {
    case 'type':
      return isType(value);
    case '$ref':
    case '$dynamicRef':
      return typeof value === 'string';
    case 'enum':
    case 'prefixItems':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value);
    case 'items':
      return isObject(value) || typeof value === 'boolean' || typeof value === 'string';
    default:
      return isObject(value) || keyword === 'const' || typeof value === 'boolean';
  }
}

const TYPES: readonly unknown[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
];

function isType(value: unknown): boolean {
  return Array.isArray(value) ? value.every((one) => TYPES.includes(one)) : TYPES.includes(value);
}

function wordToSchema(text: string): JsonObject {
  const word = text.trim().toLowerCase().replace(/\?$/, '');
  const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (known !== undefined) return known;
  if (word.endsWith('[]')) return { type: 'array', items: wordToSchema(word.slice(0, -2)) };
  return text.trim() === '' ? { type: 'string' } : { type: 'string', description: text.trim() };
}

function listToSchema(list: readonly unknown[]): JsonObject {
  const [first, ...others] = list;
  if (list.length === 0) return { type: 'array' };
  if (others.length === 0) return { type: 'array', items: toSchema(first) };
  if (list.every((one) => one === null || typeof one !== 'object')) return { enum: list };
  throw new SchemaError('a list in a shape holds one example, or the values to choose from');
}

function fieldsToSchema(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).map(([name, shape]) => [name, toSchema(shape)] as const);
  return { type: 'object', properties: Object.fromEntries(entries) };
}

/** Members that hold one schema, a list of them, or a map of them. */
const HOLDS_ONE = [
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;
const HOLDS_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const HOLDS_MAP = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
] as const;

/** The schema with each of its direct sub-schemas replaced; members that hold none stay. */
export function mapSubschemas(
  schema: JsonObject,
  map: (inner: unknown, member: string) => unknown,
): JsonObject {
  const changed: Record<string, unknown> = {};
  for (const member of HOLDS_ONE) {
    const one = schema[member];
    const isShape = member === 'items' && typeof one === 'string';
    if (isObject(one) || isShape) changed[member] = map(one, member);
  }
  for (const member of HOLDS_LIST) {
    const list: unknown = schema[member];
    if (Array.isArray(list)) changed[member] = list.map((one: unknown) => map(one, member));
  }
  for (const member of HOLDS_MAP) {
    const inner = schema[member];
    if (isObject(inner)) changed[member] = mapValues(inner, (one) => map(one, member));
  }
  return { ...schema, ...changed };
}

/** Keeps a member named `__proto__` a member. */
export function mapValues(object: JsonObject, map: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

/**
 * Members with schemas that only add conditions: there `{ "maxLength": 5 }` is no shape with one
 * field.
 */
const HOLDS_CONDITIONS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'dependentSchemas',
]);

/** Says the type where `properties` or `items` imply it, and reads shapes among the sub-schemas. */
function completeSchema(schema: JsonObject): JsonObject {
  const inner = mapSubschemas(schema, (one, member) => {
    if (HOLDS_CONDITIONS.has(member) && isObject(one) && isMadeOfKeywords(one))
      return completeSchema(one);
    // Elsewhere a text or list is an error and reported as one.
    const mayBeShape = isObject(one) || member === 'properties' || member === 'items';
    return mayBeShape ? toSchemaKeepingBooleans(one) : one;
  });
  if (inner['type'] !== undefined || inner['$ref'] !== undefined) return inner;
  if (isObject(inner['properties'])) return { ...inner, type: 'object' };
  return inner['items'] === undefined ? inner : { ...inner, type: 'array' };
}

function toSchemaKeepingBooleans(one: unknown): unknown {
  return typeof one === 'boolean' ? one : toSchema(one);
}

/** A schema of a request is refused. The message completes "`schema` …" for the caller. */
export class SchemaError extends Error {}
