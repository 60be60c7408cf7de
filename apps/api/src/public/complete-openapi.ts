import type { OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS, type ApiErrorCode } from '@app/contracts';
import { alternativesOf, fitsOneOf } from '../http/alternatives.js';
import { errorContentOf } from '../http/describe-errors.js';
import { factsIn, withoutFacts } from '../http/route-facts.js';
import { objectNameOf, TEXT_SEPARATOR, type DocumentedSchema } from './documented-operations.js';
import { REQUEST_EXAMPLES } from './operation-example.js';

/** The parts of the OpenAPI document that are completed in place. */
interface Operation {
  readonly operationId?: string;
  security?: readonly unknown[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, Response>;
}

interface Content {
  readonly schema?: Schema;
  example?: unknown;
}

interface Response {
  description: string;
  content?: Record<string, { readonly schema: { readonly $ref: string } }>;
}

type Schema = Writable<DocumentedSchema>;
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

const JSON_TYPE = 'application/json';

/** Errors that the server returns before it reaches the handler, on every route. */
const WITH_KEY: readonly ApiErrorCode[] = ['rate_limited'];
/** Routes that count towards the concurrent requests of an account. */
const WITH_SLOT: readonly ApiErrorCode[] = ['too_many_requests'];
const WITH_BODY: readonly ApiErrorCode[] = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
];
/** A path that cannot be decoded. */
const WITH_PARAMETER: readonly ApiErrorCode[] = ['invalid_url'];
const ALWAYS: readonly ApiErrorCode[] = ['internal'];

/**
 * Adds what no controller declares: the server's own errors, `additionalProperties: false`, an example of each body, and an
 * empty `security` for operations without a key.
 */
export function completeOpenApi(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as unknown as Record<string, Schema>;
  for (const [name, schema] of Object.entries(schemas)) {
    const alternatives = alternativesOf(name);
    if (alternatives) Object.assign(schema, fitsOneOf(alternatives));
  }
  for (const [path, method, operation] of operationsIn(document)) {
    operation.security ??= [];
    for (const code of serverRefusals(path, method, operation))
      documentError(operation, code, path);
    withoutFacts(operation);
    for (const [type, content] of Object.entries(operation.requestBody?.content ?? {})) {
      for (const schema of schemasWithin(content.schema ?? {}, schemas, new Set())) {
        // Under /v2 unknown options are ignored with a warning.
        if (schema.properties) schema.additionalProperties ??= path.startsWith('/v2/');
        moveDefault(schema);
      }
      if (type === JSON_TYPE) content.example ??= exampleOf(operation, content.schema, schemas);
    }
  }
}

function operationsIn({ paths }: OpenAPIObject): readonly (readonly [string, string, Operation])[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as unknown as Record<string, Operation>).map(
      ([method, operation]) => [path, method, operation] as const,
    ),
  );
}

function serverRefusals(
  path: string,
  method: string,
  operation: Operation,
): readonly ApiErrorCode[] {
  const facts = factsIn(operation);
  const isVersioned = /^\/v[12]\//.test(path);
  // The hooks of the server would treat it as one of which nothing is to be known.
  if (isVersioned && !facts) throw new Error(`${method} ${path} does not state its facts`);
  return [
    ...(isVersioned ? WITH_KEY : []),
    ...(facts?.kind === 'waits' ? WITH_SLOT : []),
    // The server reads and validates a body even if the operation has no use for it.
    ...(method === 'get' ? [] : WITH_BODY),
    ...(path.includes('{') ? WITH_PARAMETER : []),
    ...ALWAYS,
  ];
}

function documentError({ responses }: Operation, code: ApiErrorCode, path: string): void {
  const { status, text } = API_ERRORS[code];
  const response = (responses[status] ??= { description: '', content: errorContentOf(path) });
  const texts = response.description.split(TEXT_SEPARATOR).filter((one) => one !== '');
  if (!texts.includes(text)) response.description = [...texts, text].join(TEXT_SEPARATOR);
}

/** Yields a request's schema and every schema in it, each once. */
function* schemasWithin(
  schema: Schema,
  schemas: Record<string, Schema>,
  seen: Set<Schema>,
): Generator<Schema> {
  if (seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  const name = objectNameOf(schema);
  const named = name === null ? undefined : schemas[name];
  const inner = [
    ...(named ? [named] : []),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...Object.values(schema.properties ?? {}),
  ];
  for (const one of inner) yield* schemasWithin(one, schemas, seen);
}

/**
 * Writes the default of a request field into its description. Generators read the keyword `default` as a promise that the
 * field is present: right in responses, but in requests it would make optional fields required.
 */
function moveDefault(schema: Schema): void {
  if (schema.default === undefined) return;
  const text = `Default: \`${JSON.stringify(schema.default)}\`.`;
  schema.description = [schema.description, text].filter(Boolean).join(' ');
  delete schema.default;
}

/** The example listed for the operation, else the required fields with their own examples. */
function exampleOf(
  { operationId = '' }: Operation,
  schema: Schema = {},
  schemas: Record<string, Schema>,
): unknown {
  const listed = REQUEST_EXAMPLES[operationId];
  if (listed) return listed;
  const name = objectNameOf(schema);
  const { properties = {}, required = [] } = (name === null ? undefined : schemas[name]) ?? schema;
  return Object.fromEntries(required.map((field) => [field, properties[field]?.example]));
}
