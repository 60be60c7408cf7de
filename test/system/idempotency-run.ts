import type { Answer } from '@app/testing';
import type { Service } from './deployment.js';

/** A request as specs of `Idempotency-Key` send it. */
export interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly apiKey?: string;
  readonly signal?: AbortSignal;
}

export const REUSED = {
  error:
    'This `Idempotency-Key` was used for a different request in the last 24 hours. The request was not run.',
};
export const RUNNING = {
  error: 'The first request with this `Idempotency-Key` is still running. Retry after 2 seconds.',
};

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

export async function postWithKey(
  service: Pick<Service, 'url' | 'key'>,
  path: string,
  { key, body, apiKey = service.key, signal }: Sent,
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const headers = {
    'x-api-key': apiKey,
    ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = isForm ? body : text;
  return toAnswer(await fetch(`${service.url}${path}`, { method: 'POST', headers, body: sent, signal })); // prettier-ignore
}

export const isReplay = ({ headers }: Answer): boolean =>
  headers.get('idempotent-replayed') === 'true';
export const jobOf = ({ body }: Answer): string => (body as { jobId: string }).jobId;
