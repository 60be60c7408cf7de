import { BlockedUrlError, InvalidUrlError, ResolveError } from '../egress-errors.js';
import { HttpFetchError } from '../http-fetch-error.js';

/**
 * Why nothing was fetched. `blocked`: the guard refuses the target. `network`: its name or its host
 * could not be reached. `timeout`: not in time. `budget`: the session's requests or bytes are used
 * up.
 */
export type RefusalKind = 'blocked' | 'network' | 'timeout' | 'budget';

export interface Refusal {
  readonly kind: RefusalKind;
  /** The URL or `host:port` as requested, cut to 2,048 characters. */
  readonly target: string;
}

/** Marks responses of the proxy itself; stripped from responses of sites. */
export const REFUSED_HEADER = 'x-trawl-refused';

const STATUS: Readonly<Record<RefusalKind, readonly [number, string]>> = {
  blocked: [403, 'Forbidden'],
  budget: [403, 'Forbidden'],
  network: [502, 'Bad Gateway'],
  timeout: [504, 'Gateway Timeout'],
};

/** Something took longer than it may. */
export class ProxyTimeoutError extends Error {
  constructor(what: string) {
    super(`${what} took too long`);
    this.name = 'ProxyTimeoutError';
  }
}

export function refusalKindOf(error: unknown): RefusalKind {
  if (error instanceof BlockedUrlError || error instanceof InvalidUrlError) return 'blocked';
  if (error instanceof ProxyTimeoutError) return 'timeout';
  if (error instanceof HttpFetchError && error.errorClass === 'timeout') return 'timeout';
  if (error instanceof ResolveError && error.code === 'ETIMEOUT') return 'timeout';
  return 'network';
}

export function statusOf(kind: RefusalKind): number {
  return STATUS[kind][0];
}

/** The body says no more than the kind: an address or a resolver's words would be an oracle. */
export function refusalBody(kind: RefusalKind): string {
  return `refused: ${kind}\n`;
}

/** A whole response for a socket that no HTTP library writes to any more (CONNECT, Upgrade). */
export function refusalText(kind: RefusalKind): string {
  const [status, reason] = STATUS[kind];
  const body = refusalBody(kind);
  return (
    `HTTP/1.1 ${status} ${reason}\r\n${REFUSED_HEADER}: ${kind}\r\n` +
    `content-type: text/plain\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  );
}
