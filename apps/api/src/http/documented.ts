import { applyDecorators, type Type } from '@nestjs/common';
import { ApiResponse, ApiSecurity, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS, type ApiErrorCode } from '@app/contracts';
import { errorContentOf } from './describe-errors.js';
import { MAX_IDEMPOTENCY_KEY_CHARS, takesKey } from './idempotency/idempotency-key.js';
import { factsIn, StatesFacts, type RouteFacts, type RouteKind } from './route-facts.js';

/** Errors of every endpoint that needs a key. */
const KEY_ERRORS: readonly ApiErrorCode[] = [
  'api_key_required',
  'api_key_invalid',
  'auth_unavailable',
  'internal',
];

/** Errors of an endpoint that takes a URL in a JSON body. */
export const TARGET_BODY_ERRORS: readonly ApiErrorCode[] = [
  'invalid_json',
  'url_required',
  'invalid_url',
  'blocked_url',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
];

/** Errors of an endpoint with a price: the first two before its work begins, the last after it. */
export const CREDIT_ERRORS: readonly ApiErrorCode[] = [
  'payment_required',
  'credits_unavailable',
  'credits_unsettled',
];

/** Schema of a body that has one of these shapes; list them in `ApiExtraModels` too. */
export function anyOf(...models: readonly Type[]): { readonly anyOf: { $ref: string }[] } {
  return { anyOf: models.map((model) => ({ $ref: getSchemaPath(model) })) };
}

/** Documents an endpoint's errors from the table of error codes, one response per status. */
export function DocumentsErrors(...codes: readonly ApiErrorCode[]): MethodDecorator {
  return errorsOf('/v1/', codes);
}

/** @param path of the endpoint, or its start: errors of /v2 have a body of their own */
function errorsOf(path: string, codes: readonly ApiErrorCode[]): MethodDecorator {
  const byStatus = new Map<number, Set<string>>();
  for (const code of codes) {
    const { status, text } = API_ERRORS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(text));
  }
  return applyDecorators(
    ...[...byStatus].map(([status, texts]) =>
      ApiResponse({
        status,
        description: [...texts].join(' · '),
        // By type: an endpoint that streams still returns errors as JSON.
        content: errorContentOf(path),
      }),
    ),
  );
}

type RequiresKey = (
  facts: RouteFacts | RouteKind,
  ...codes: readonly ApiErrorCode[]
) => MethodDecorator;

const requiresKey =
  (path: string): RequiresKey =>
  (facts, ...codes) =>
    applyDecorators(
      StatesFacts(facts),
      ApiSecurity('apiKey'),
      ApiSecurity('bearer'),
      errorsOf(path, [...codes, ...KEY_ERRORS]),
    );

/** An endpoint under /v1: needs a key, and may return the errors of every endpoint with a key. */
export const RequiresApiKey = requiresKey('/v1/');

/** An endpoint under /v2: the same, with the errors of that version. */
export const RequiresV2Key = requiresKey('/v2/');

const IDEMPOTENCY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description:
    'The same request with the same key runs once: within 24 hours a retry gets the first response, marked `Idempotent-Replayed: true`.',
  schema: {
    type: 'string' as const,
    minLength: 1,
    maxLength: MAX_IDEMPOTENCY_KEY_CHARS,
    pattern: '^[\\x21-\\x7e]+$',
  },
};
const KEY_CONFLICTS: readonly ApiErrorCode[] = [
  'idempotency_key_reused',
  'idempotency_key_running',
];

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

/** The texts of an endpoint's own errors with a status, and of the errors of the Idempotency-Key. */
function joinedText({ responses }: Operation, status: 409 | 410 | 413, text: string): string {
  const own = responses[status];
  if (!own || !('description' in own)) return text;
  return own.description.includes(text) ? own.description : `${own.description} · ${text}`;
}

/** Documents the Idempotency-Key on every route that accepts one, by the rule that accepts it. */
export function documentIdempotency({ paths }: OpenAPIObject): void {
  const conflict = KEY_CONFLICTS.map((code) => API_ERRORS[code].text).join(' · ');
  const gone = API_ERRORS.idempotency_answer_gone.text;
  const full = API_ERRORS.storage_full.text;
  for (const [path, { post }] of Object.entries(paths)) {
    if (!post || !takesKey('POST', path, factsIn(post))) continue;
    post.parameters = [...(post.parameters ?? []), IDEMPOTENCY_PARAMETER];
    post.responses = {
      ...post.responses,
      409: { description: joinedText(post, 409, conflict), content: errorContentOf(path) },
      410: { description: joinedText(post, 410, gone), content: errorContentOf(path) },
      413: { description: joinedText(post, 413, full), content: errorContentOf(path) },
    };
  }
}
