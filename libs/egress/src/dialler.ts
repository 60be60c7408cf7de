import type tls from 'node:tls';
import { dial, type Dialled } from './dial.js';
import type { EgressGuard } from './guard.js';
import type { OutboundProxies, ProxyRoute } from './proxies/outbound-proxies.js';
import { dialThroughProxy } from './proxies/proxy-dial.js';
import { createTlsContext, handshakeTls } from './tls-handshake.js';
import { HttpFetchError } from './http-fetch-error.js';

export interface DiallerOptions {
  readonly guard: EgressGuard;
  /** DNS, TCP, the proxy's response and TLS of one connection together. @default 10_000 */
  readonly connectTimeoutMs?: number;
  /** Extra trusted authorities in PEM, e.g. of a company network. Verification itself is never off. */
  readonly ca?: readonly string[];
  /** @default every connection is direct */
  readonly proxies?: OutboundProxies;
}

export interface DialOptions {
  /** Offers HTTP/2 in the TLS handshake. @default false */
  readonly allowH2?: boolean;
  /** A choice made earlier by {@link Dialler.route}, e.g. for all hops of one request. */
  readonly route?: ProxyRoute | null;
}

/**
 * The only place that opens a socket to the outside. The guard vets the target of every connection,
 * also of one through a proxy, and exactly what was vetted is connected to.
 */
export class Dialler {
  private readonly guard: EgressGuard;
  private readonly connectTimeoutMs: number;
  private readonly proxies: OutboundProxies | null;
  private readonly tlsContext: tls.SecureContext;

  constructor({ guard, connectTimeoutMs = 10_000, ca, proxies }: DiallerOptions) {
    this.guard = guard;
    this.connectTimeoutMs = connectTimeoutMs;
    this.proxies = proxies ?? null;
    this.tlsContext = createTlsContext(ca);
  }

  /** The proxies that a request of this country goes through; null: it goes directly. */
  route(country: string | null): ProxyRoute | null {
    return this.proxies?.route(country) ?? null;
  }

  /**
   * TCP only, to a vetted address, directly or through an outbound proxy of the country. Where a
   * proxy is due it is never bypassed: when none of them works the connection fails.
   * @throws BlockedUrlError | ResolveError | HttpFetchError (`connect_timeout`, `proxy_failed`) |
   * the socket's error | the signal's reason
   */
  connect(url: URL, signal: AbortSignal, country: string | null): Promise<Dialled> {
    return withConnectTimeout(this.connectTimeoutMs, signal, (bounded) =>
      this.connectRoute(url, bounded, this.route(country)),
    );
  }

  /** {@link connect}, and TLS for https; throws the handshake's error too. */
  open(
    url: URL,
    signal: AbortSignal,
    country: string | null,
    { allowH2 = false, route = this.route(country) }: DialOptions = {},
  ): Promise<Dialled> {
    return withConnectTimeout(this.connectTimeoutMs, signal, async (bounded) => {
      const dialled = await this.connectRoute(url, bounded, route);
      return url.protocol === 'https:' ? this.secure(dialled, url, bounded, allowH2) : dialled;
    });
  }

  private connectRoute(url: URL, signal: AbortSignal, route: ProxyRoute | null): Promise<Dialled> {
    if (route === null) return dial(this.guard, url, signal);
    return dialThroughProxy(this.guard, url, signal, {
      route,
      // Leaves one share for DNS and TLS when every proxy tried is silent.
      attemptTimeoutMs: Math.ceil(this.connectTimeoutMs / (route.proxies.length + 1)),
    });
  }

  private async secure(
    dialled: Dialled,
    url: URL,
    signal: AbortSignal,
    allowH2: boolean,
  ): Promise<Dialled> {
    const startedAt = performance.now();
    try {
      const { tlsContext: secureContext } = this;
      const socket = await handshakeTls(dialled.socket, url, signal, { secureContext, allowH2 });
      return { ...dialled, socket, tlsMs: performance.now() - startedAt };
    } catch (error) {
      dialled.socket.destroy();
      throw error;
    }
  }
}

/** Runs one step under the signal and a bound of its own; past it throws `connect_timeout`. */
async function withConnectTimeout<T>(
  timeoutMs: number,
  signal: AbortSignal,
  run: (bounded: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const reason = new HttpFetchError('timeout', 'connect_timeout');
  const timer = setTimeout(() => controller.abort(reason), timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    // The abort is what failed the step, whatever the step called it.
    if (controller.signal.aborted && !signal.aborted) throw reason;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
