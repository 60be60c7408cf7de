import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction, Options } from 'ajv/dist/2020.js';
import { LinearPattern } from '@app/patterns';
import type { DefinedFormats } from 'ajv-formats/dist/formats.js';
import { MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from '../limits.js';
import { isObject, isStorable, isWithinLimits, type JsonObject } from './json-value.js';
import { nullableSchema } from './nullable-schema.js';
import { resolveSchema } from './resolve-schema.js';
import { SchemaError, toSchema } from './schema-shape.js';

/** A schema of a request, ready for the prompt and for validation. */
export interface CompiledSchema {
  /** As a JSON Schema (2020-12) without references; for showing it to the caller. */
  readonly schema: JsonObject;
  /** The same where everything may be null (see `nullableSchema`): what an answer must match. */
  readonly nullable: JsonObject;
  /** What is wrong with a value, as texts for the model; empty: nothing. At most ten. */
  readonly errorsOf: (value: unknown) => readonly string[];
}

export type SchemaCompilation =
  | { readonly ok: true; readonly compiled: CompiledSchema }
  /** Completes "`schema` …". */
  | { readonly ok: false; readonly problem: string };

/** Formats that are checked; all others say something to a reader only. */
const FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
] as const;
/** Words, names and choices per sub-schema, on average; bounds the first look. */
const VALUES_PER_NODE = 20;
const KNOWN_DIALECTS =
  /^https?:\/\/json-schema\.org\/(?:draft-0[4-7]|draft\/(?:2019-09|2020-12))\/schema#?$/;
const MAX_ERRORS = 10;
const MAX_ERROR_CHARS = 200;

/**
 * Why the API refuses a schema, to be put after "`schema` "; null: it can be used. Compiles
 * nothing: code for 500 sub-schemas takes ajv tenths of a second and, where `unevaluatedProperties`
 * must know of all combinations, much longer. That is for a thread ({@link compileSchema}).
 */
export function schemaProblem(schema: unknown): string | null {
  try {
    readSchema(schema);
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

/**
 * Reads a JSON Schema (2020-12) or a shape (see `toSchema`) under bounds: bytes, nesting,
 * sub-schemas, local references only and none to itself, patterns that match in linear time.
 * Never throws, whatever the value.
 */
export function compileSchema(schema: unknown): SchemaCompilation {
  try {
    const full = readSchema(schema);
    const nullable = nullableSchema(full);
    return {
      ok: true,
      compiled: { schema: full, nullable, errorsOf: checker(callersAjv(), nullable) },
    };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** @throws SchemaError */
function readSchema(schema: unknown): JsonObject {
  assertBounded(schema);
  const full = resolveSchema(toSchema(schema));
  assertMeaningful(full);
  return full;
}

function problemOf(error: unknown): string {
  if (error instanceof SchemaError) return error.message;
  // What ajv throws about a schema names it; nothing else throws here.
  return `cannot be used: ${cut(String(error))}`;
}

function assertBounded(schema: unknown): asserts schema is JsonObject {
  if (!isObject(schema)) throw new SchemaError('must be an object');
  if (Object.keys(schema).length === 0) throw new SchemaError('must not be empty');
  // Twice: members such as `properties` are a level of their own.
  if (!isWithinLimits(schema, 2 * MAX_SCHEMA_DEPTH, VALUES_PER_NODE * MAX_SCHEMA_NODES)) {
    throw new SchemaError(
      `is too large: at most ${MAX_SCHEMA_DEPTH} levels and ${MAX_SCHEMA_NODES} sub-schemas`,
    );
  }
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) {
    throw new SchemaError(`is larger than ${MAX_SCHEMA_BYTES} bytes`);
  }
  if (!isStorable(schema)) throw new SchemaError('holds characters that cannot be stored');
  const { $schema } = schema;
  if (typeof $schema === 'string' && !KNOWN_DIALECTS.test($schema) && isUri($schema)) {
    throw new SchemaError('must be JSON Schema 2020-12; its $schema names another dialect');
  }
}

function isUri(text: string): boolean {
  return /^[a-z][a-z+.-]*:/i.test(text);
}

/** Knows what a schema is; made once, since that takes longer than all the rest. */
let meta: Ajv2020 | undefined;

function callersAjv(): Ajv2020 {
  return createAjv((formats) => ({
    // Checked by `meta` before.
    meta: false,
    validateSchema: false,
    // Unknown words are notes for the model.
    strict: false,
    allErrors: true,
    validateFormats: true,
    formats: Object.fromEntries(FORMATS.map((name) => [name, formats[name]])),
    code: { regExp: linearRegExp },
    logger: false,
    addUsedSchema: false,
  }));
}

/** Every pattern of a schema runs in our engine. */
const linearRegExp = Object.assign((pattern: string) => new LinearPattern(pattern), {
  // Only for ajv's stand-alone code, which is not generated here.
  code: 'LinearPattern',
});

function assertMeaningful(schema: JsonObject): void {
  meta ??= createAjv(() => ({ strict: false, logger: false }));
  if (meta.validateSchema(schema) === true) return;
  const [first] = meta.errors ?? [];
  throw new SchemaError(`is no valid JSON Schema: ${first ? describe(first) : 'unknown reason'}`);
}

function checker(ajv: Ajv2020, schema: JsonObject): CompiledSchema['errorsOf'] {
  const validate: ValidateFunction = ajv.compile(schema);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_ERRORS).map(describe);
}

function describe({ instancePath, message, params, keyword }: ErrorObject): string {
  const choices: unknown = keyword === 'enum' ? params['allowedValues'] : undefined;
  const listed = Array.isArray(choices) ? `: ${JSON.stringify(choices)}` : '';
  return cut(
    `${instancePath === '' ? 'the value' : instancePath} ${message ?? 'is wrong'}${listed}`,
  );
}

function cut(text: string): string {
  return text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}…` : text;
}

const load = createRequire(import.meta.url);

/** Ajv for JSON Schema 2020-12, loaded at first use: a thread that only reads pages starts 0.05 s sooner without it. */
export function createAjv(options: (formats: DefinedFormats) => Options): Ajv2020 {
  const { Ajv2020: Ajv } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { fullFormats } = load(
    'ajv-formats/dist/formats.js',
  ) as typeof import('ajv-formats/dist/formats.js');
  return new Ajv(options(fullFormats));
}
