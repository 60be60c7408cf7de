import { Deadline } from '@app/contracts';
import { EgressGuard, HttpClient, type HttpRequest, parseAllowPrivate } from '../src/index.js';
import type { DeniedStage } from '../src/index.js';
import type { HttpClientOptions } from '../src/http-client.js';
import { type Answers, ScriptedResolver } from './scripted-resolver.js';

export interface ClientFixture {
  readonly client: HttpClient;
  readonly resolver: ScriptedResolver;
  readonly denied: DeniedStage[];
}

/** Limits that a busy machine keeps, too. */
const PATIENT = { connectTimeoutMs: 60_000, headersTimeoutMs: 60_000, keepAliveMs: 60_000 };

/**
 * A client with the guard fully on but for the given loopback ports, which are open to the address
 * 127.0.0.1 and to the names that lead there at first. Names resolve by the table; `site.example`
 * and `other.example` are the fixture's usual ones.
 */
export function createClient(
  ports: readonly number[],
  options: Partial<HttpClientOptions> = {},
  dns: Readonly<Record<string, Answers>> = {},
): ClientFixture {
  const denied: DeniedStage[] = [];
  const table = { 'site.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'], ...dns };
  const resolver = new ScriptedResolver(table);
  const targets = ['127.0.0.1/32', ...loopbackNames(table)];
  const rules = ports.flatMap((port) => targets.map((target) => `${target}:${port}`)).join(',');
  const guard = new EgressGuard({
    resolver,
    allowPrivate: parseAllowPrivate(rules),
    onDenied: (stage) => denied.push(stage),
  });
  return {
    client: new HttpClient({ guard, userAgent: 'TrawlTest/1.0', ...PATIENT, ...options }),
    resolver,
    denied,
  };
}

/** The names that resolve to 127.0.0.1 at first. */
export function loopbackNames(dns: Readonly<Record<string, Answers>>): readonly string[] {
  return Object.keys(dns).filter((name) => dns[name]?.flat()[0] === '127.0.0.1');
}

/** A request with generous limits; tests name what they are about. */
export function get(url: string, overrides: Partial<HttpRequest> = {}): HttpRequest {
  return { url, deadline: Deadline.after(60_000), maxBytes: 10_000_000, ...overrides };
}
