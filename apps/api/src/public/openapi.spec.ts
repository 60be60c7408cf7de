import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { API_ERRORS, type ApiErrorCode } from '@app/contracts';
import { startTestApi, type StartedApi } from '../../test/started-api.js';
import { completeOpenApi } from './complete-openapi.js';
import {
  documentedOperations,
  documentedErrors,
  isForClients,
  type DocumentedOperation,
  type DocumentedSchema,
} from './documented-operations.js';

const KEYED: readonly ApiErrorCode[] = [
  'api_key_required',
  'api_key_invalid',
  'auth_unavailable',
  'rate_limited',
  'internal',
];
const BODY: readonly ApiErrorCode[] = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
];

const JSON_TYPE = 'application/json';
const ERROR = '#/components/schemas/Error';
const V2_ERROR = '#/components/schemas/V2Error';

describe('the OpenAPI document', () => {
  let api: StartedApi;
  let document: OpenAPIObject;
  let operations: readonly DocumentedOperation[];
  let ajv: Ajv2020;

  beforeAll(async () => {
    api = await startTestApi();
    document = (await (await fetch(`${api.url}/openapi.json`)).json()) as OpenAPIObject;
    operations = documentedOperations(document);
    ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema(document, 'openapi');
  });
  afterAll(() => api.stop());

  const textsOf = (operation: DocumentedOperation, status: number): readonly string[] =>
    documentedErrors(operation).find(([one]) => one === String(status))?.[1] ?? [];
  const undocumented = (
    codes: readonly ApiErrorCode[],
    isConcerned: (operation: DocumentedOperation) => boolean,
  ): string[] =>
    operations
      .filter(isConcerned)
      .flatMap((operation) =>
        codes
          .filter(
            (code) => !textsOf(operation, API_ERRORS[code].status).includes(API_ERRORS[code].text),
          )
          .map((code) => `${operation.method} ${operation.path}: ${code}`),
      );

  const bodyValidator = ({ method, path }: DocumentedOperation, type: string): ValidateFunction => {
    const steps = ['paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema'];
    return ajv.compile({ $ref: `openapi#/${steps.map(pointerStep).join('/')}` });
  };

  it('names each operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary }) => summary === '')).toEqual([]);
  });

  it('names the address of the service, and the operations that need no key', () => {
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1:1' }]);
    const open = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId: string; security?: unknown[] }>)
        .filter(({ security }) => security?.length === 0)
        .map(({ operationId }) => operationId),
    );
    const known = [
      ...['download', 'live', 'paymentEvent', 'provisionKey', 'readFeedFile', 'ready'],
    ];
    expect(open.sort()).toEqual(known);
  });

  it('documents the common errors on every endpoint that needs a key', () => {
    expect(undocumented(KEYED, ({ needsKey }) => needsKey)).toEqual([]);
    const open = operations.filter(({ path, needsKey }) => path.startsWith('/v1/') && !needsKey);
    expect(open.map(({ path }) => path).filter((path) => path !== '/v1/keys/provision')).toEqual(
      [],
    );
  });

  it('is not made of a route that does not state its facts', () => {
    const paths = { '/v1/things': { get: { responses: {} } } };
    const info = { title: 'Things', version: '1' };
    expect(() => completeOpenApi({ openapi: '3.1.0', info, paths })).toThrow(
      'get /v1/things does not state its facts',
    );
  });

  it('documents the 402 and the credit headers on every endpoint that costs credits', async () => {
    const { body } = await api.client.call('GET', '/v1/pricing');
    const paths = (body as { endpoints: { path: string }[] }).endpoints.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(8);
    const isPriced = ({ method, path }: DocumentedOperation): boolean =>
      method === 'POST' &&
      // Its runs cost credits, its creation does not.
      path !== '/v1/feeds' &&
      [...paths, '/v1/crawl/{id}/extract'].includes(path);
    expect(undocumented(['payment_required'], isPriced)).toEqual([]);
    const headersOf = ({ responses }: DocumentedOperation): string[] =>
      Object.keys((responses['200'] as { headers?: object } | undefined)?.headers ?? {});
    const waited = operations
      .filter(isPriced)
      .filter(({ path }) => !['/v1/batch', '/v1/crawl', '/v1/crawl/{id}/extract'].includes(path));
    for (const operation of waited)
      expect([operation.path, headersOf(operation)]).toEqual([
        operation.path,
        expect.arrayContaining(['X-Credits-Consumed', 'X-Credits-Remaining']),
      ]);
  });

  it('documents body errors on every operation but GET', () => {
    expect(undocumented(BODY, ({ method }) => method !== 'GET')).toEqual([]);
  });

  it('documents the 400 of an unreadable path where it has parameters', () => {
    expect(undocumented(['invalid_url'], ({ path }) => path.includes('{'))).toEqual([]);
  });

  it('uses the error schema of its family for every error', () => {
    const others = operations.flatMap(({ method, path, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400 && /^\/v[12]\//.test(path))
        .filter(
          ([, { content }]) =>
            content?.['application/json']?.schema?.$ref !==
            (path.startsWith('/v2/') ? V2_ERROR : ERROR),
        )
        .map(([status]) => `${method} ${path} ${status}`),
    );
    expect(others).toEqual([]);
  });

  it('declares each parameter of a path', () => {
    const missing = operations.filter(({ path, parameters }) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      return named.join() !== declared.join();
    });
    expect(missing).toEqual([]);
  });

  it('shows an example of every JSON body, valid by its schema', () => {
    const bodies = operations.filter(({ body }) => JSON_TYPE in body);
    expect(bodies.length).toBeGreaterThan(8);
    for (const operation of bodies) {
      const { example } = operation.body[JSON_TYPE] ?? {};
      const validate = bodyValidator(operation, JSON_TYPE);
      const isTaken = example !== undefined && validate(example);
      const { operationId } = operation;
      expect([operationId, isTaken, validate.errors ?? []]).toEqual([operationId, true, []]);
    }
  });

  it('shows examples of fields that are valid by their schemas', () => {
    const shown = [...schemasIn(document, 'openapi#')];
    expect(shown.length).toBeGreaterThan(10);
    for (const { at, schema } of shown) {
      const validate = ajv.compile({ $ref: at });
      const isTaken = validate(schema.example);
      expect([at, isTaken, validate.errors ?? []]).toEqual([at, true, []]);
    }
  });

  it('rejects unknown fields in every object of a request but those of /v2, and accepts null for optional fields', () => {
    const open = operations.filter(isForClients).flatMap((operation) =>
      Object.keys(operation.body)
        .filter((type) => {
          const validate = bodyValidator(operation, type);
          validate({ 'no such field': 1 });
          return !(validate.errors ?? []).some(({ keyword }) => keyword === 'additionalProperties');
        })
        .map(() => operation.path),
    );
    expect(open).toEqual([
      ...['/v2/batch/scrape', '/v2/crawl', '/v2/map', '/v2/parse', '/v2/scrape', '/v2/search'],
    ]);
    const validate = ajv.compile({ $ref: 'openapi#/components/schemas/ScreenshotRequest' });
    expect(validate({ url: 'http://a.example/', format: null, width: null, element: null })).toBe(
      true,
    );
    expect(validate({ url: null })).toBe(false);
    expect(validate({ url: 'http://a.example/', other: 1 })).toBe(false);
  });
});

interface Found {
  /** JSON pointer. */
  readonly at: string;
  readonly schema: DocumentedSchema;
}

/** Yields every schema that has its own example. */
function* schemasIn(node: unknown, at: string): Generator<Found> {
  if (typeof node !== 'object' || node === null) return;
  const isSchema = 'example' in node && ('type' in node || 'enum' in node || 'anyOf' in node);
  if (isSchema) yield { at, schema: node as DocumentedSchema };
  for (const [name, inner] of Object.entries(node)) {
    if (name === 'example' || name === 'examples') continue;
    yield* schemasIn(inner, `${at}/${pointerStep(name)}`);
  }
}

function pointerStep(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
