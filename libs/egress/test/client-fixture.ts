import { Deadline } from '@app/contracts';
import {
  EgressGuard,
  HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  parseAllowPrivate,
} from '../src/index.js';
import type { DeniedStage } from '../src/index.js';
import { type Answers, ScriptedResolver } from './scripted-resolver.js';

export interface ClientFixture {
  readonly client: HttpClient;
  readonly resolver: ScriptedResolver;
  readonly denied: DeniedStage[];
}

/**
 * A client whose guard is fully on but for the given loopback ports. Names resolve by the table;
 * `site.example` and `other.example` are the fixture's usual ones.
 */
export function createClient(
  ports: readonly number[],
  options: Partial<HttpClientOptions> = {},
  dns: Readonly<Record<string, Answers>> = {},
): ClientFixture {
  const denied: DeniedStage[] = [];
  const resolver = new ScriptedResolver({
    'site.example': ['127.0.0.1'],
    'other.example': ['127.0.0.1'],
    ...dns,
  });
  const guard = new EgressGuard({
    resolver,
    allowPrivate: parseAllowPrivate(ports.map((port) => `127.0.0.1/32:${port}`).join(',')),
    onDenied: (stage) => denied.push(stage),
  });
  return {
    client: new HttpClient({ guard, userAgent: 'TrawlTest/1.0', ...options }),
    resolver,
    denied,
  };
}

/** A request with generous limits; tests name what they are about. */
export function get(url: string, overrides: Partial<HttpRequest> = {}): HttpRequest {
  return { url, deadline: Deadline.after(10_000), maxBytes: 10_000_000, ...overrides };
}
