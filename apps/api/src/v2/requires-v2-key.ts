import { applyDecorators } from '@nestjs/common';
import { ApiResponse, ApiSecurity } from '@nestjs/swagger';
import { errorContentOf } from '../http/describe-errors.js';
import { API_ERRORS, type ApiErrorCode } from '@app/contracts';

const KEYED: readonly ApiErrorCode[] = [
  'api_key_required',
  'api_key_invalid',
  'auth_unavailable',
  'internal',
];

/** An endpoint under /v2: needs a key, and its errors have the body of that family. */
export function RequiresV2Key(...codes: readonly ApiErrorCode[]): MethodDecorator {
  const byStatus = new Map<number, string[]>();
  for (const code of [...codes, ...KEYED]) {
    const { status, text } = API_ERRORS[code];
    const texts = byStatus.get(status) ?? [];
    if (!texts.includes(text)) byStatus.set(status, [...texts, text]);
  }
  return applyDecorators(
    ApiSecurity('apiKey'),
    ApiSecurity('bearer'),
    ...[...byStatus].map(([status, texts]) =>
      ApiResponse({ status, description: texts.join(' · '), content: errorContentOf('/v2/') }),
    ),
  );
}
