import { applyDecorators } from '@nestjs/common';
import { ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { errorContentOf } from '../http/describe-errors.js';
import { KEY_ERRORS } from '../http/documented.js';
import { StatesFacts, type RouteFacts, type RouteKind } from '../http/route-facts.js';
import { API_ERRORS, type ApiErrorCode } from '@app/contracts';

/** Errors of a job's state with its pages. */
export const JOB_STATE_ERRORS: readonly ApiErrorCode[] = [
  'job_not_found',
  'results_expired',
  'results_unavailable',
  'results_unreadable',
  'too_many_answers',
  'answers_unavailable',
];

/** An endpoint under /v2: needs a key, and its errors have the body of that family. */
export function RequiresV2Key(
  facts: RouteFacts | RouteKind,
  ...codes: readonly ApiErrorCode[]
): MethodDecorator {
  const byStatus = new Map<number, string[]>();
  for (const code of [...codes, ...KEY_ERRORS]) {
    const { status, text } = API_ERRORS[code];
    const texts = byStatus.get(status) ?? [];
    if (!texts.includes(text)) byStatus.set(status, [...texts, text]);
  }
  return applyDecorators(
    StatesFacts(facts),
    ApiSecurity('apiKey'),
    ApiSecurity('bearer'),
    ...[...byStatus].map(([status, texts]) =>
      ApiResponse({ status, description: texts.join(' · '), content: errorContentOf('/v2/') }),
    ),
  );
}
