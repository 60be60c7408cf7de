import type { OpenAPIObject } from '@nestjs/swagger';

const WHOLE = { type: 'integer' as const, minimum: 0 };

/** Sent with every answer (specification: Errors, "Rate-limit headers"). */
const ON_ALL = {
  'X-RateLimit-Limit': {
    description:
      'Requests within any minute that the account may send, by all of its keys together. Questions for the state of a job are counted apart, at least 60 a minute. Without a key: what a Free key may.',
    schema: WHOLE,
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left now. A refused request takes none.',
    schema: WHOLE,
  },
};
const RETRY_AFTER = {
  'Retry-After': {
    description:
      'Seconds until it is worth another try. Absent where only the operator can help: something is not configured.',
    schema: WHOLE,
  },
};
const WITH_RETRY: ReadonlySet<string> = new Set(['429', '503']);

interface Answers {
  readonly responses?: Record<string, { headers?: object }>;
}

/** Documents where a client stands on every answer of every operation. */
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
