import type { OpenAPIObject } from '@nestjs/swagger';

const WHOLE = { type: 'integer' as const, minimum: 0 };

/** Sent with every response (specification: Errors, "Rate-limit headers"). */
const ON_ALL = {
  'X-RateLimit-Limit': {
    description:
      'Requests per minute that the account may send, over all of its keys. Polling a job is counted separately, at least 60 a minute. Without a key: the limit of the Free plan.',
    schema: WHOLE,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left now. A rejected request does not count.',
    schema: WHOLE,
  },
};
const RETRY_AFTER = {
  'Retry-After': {
    description:
      'Seconds to wait before the next try. Absent if retrying cannot help because the operator must configure something.',
    schema: WHOLE,
  },
};
const WITH_RETRY: ReadonlySet<string> = new Set(['429', '503']);

interface Answers {
  readonly responses?: Record<string, { headers?: object }>;
}

/** Documents the rate-limit headers on every response of every operation. */
export function documentRateHeaders(document: OpenAPIObject): void {
  const headers = { ...document.components?.headers, ...ON_ALL, ...RETRY_AFTER };
  document.components = { ...document.components, headers };
  for (const item of Object.values(document.paths))
    for (const { responses } of Object.values(item as unknown as Record<string, Answers>))
      for (const [status, response] of Object.entries(responses ?? {})) {
        const also = WITH_RETRY.has(status) ? RETRY_AFTER : {};
        response.headers = { ...response.headers, ...referred(ON_ALL), ...referred(also) };
      }
}

function referred(headers: object): object {
  const names = Object.keys(headers);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
