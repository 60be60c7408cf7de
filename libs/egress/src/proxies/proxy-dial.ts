import type net from 'node:net';
import type { Dialled } from '../dial.js';
import type { EgressGuard } from '../guard.js';
import { stripRootDot } from '../host-name.js';
import { HttpFetchError } from '../http-fetch-error.js';
import { bareHost, portOf } from '../url-text.js';
import type { TunnelTarget } from './http-tunnel.js';
import type { OutboundProxy } from './outbound-proxy.js';
import type { ProxyRoute } from './outbound-proxies.js';
import { ProxyFailure } from './proxy-failure.js';

export interface ProxyDialOptions {
  readonly route: ProxyRoute;
  /** Longest wait for one proxy's response before the next is tried. */
  readonly attemptTimeoutMs: number;
}

/**
 * Opens a tunnel to the target through the first proxy of the route that gives one. The target is
 * vetted as for a direct connection and the proxy receives the vetted address, so that a second
 * look-up cannot lead it elsewhere; with `resolvesNames` it receives the name.
 * @throws BlockedUrlError | ResolveError | HttpFetchError `proxy_failed` | the signal's reason
 */
export async function dialThroughProxy(
  guard: EgressGuard,
  url: URL,
  signal: AbortSignal,
  { route, attemptTimeoutMs }: ProxyDialOptions,
): Promise<Dialled> {
  const startedAt = performance.now();
  const targets = await tunnelTargets(guard, url, signal, route.resolvesNames);
  const vettedAt = performance.now();
  const { socket, target } = await openAny(route.proxies, targets, signal, attemptTimeoutMs);
  return {
    socket,
    remoteAddress: target.host,
    dnsMs: vettedAt - startedAt,
    connectMs: performance.now() - vettedAt,
    tlsMs: 0,
  };
}

async function tunnelTargets(
  guard: EgressGuard,
  url: URL,
  signal: AbortSignal,
  resolvesNames: boolean,
): Promise<readonly TunnelTarget[]> {
  if (resolvesNames) {
    await guard.vetForRemoteResolution(url, signal);
    return [{ host: stripRootDot(bareHost(url)), port: portOf(url) }];
  }
  const { addresses, port } = await guard.vet(url, signal);
  // Many a proxy has no IPv6 of its own.
  const isSix = (address: string) => Number(address.includes(':'));
  return addresses.toSorted((a, b) => isSix(a) - isSix(b)).map((host) => ({ host, port }));
}

interface Tunnel {
  readonly socket: net.Socket;
  readonly target: TunnelTarget;
}

async function openAny(
  proxies: readonly OutboundProxy[],
  targets: readonly TunnelTarget[],
  signal: AbortSignal,
  attemptTimeoutMs: number,
): Promise<Tunnel> {
  const suspects: OutboundProxy[] = [];
  let last: unknown;
  for (const [index, proxy] of proxies.entries()) {
    const target = targets[index % targets.length];
    if (target === undefined) break;
    try {
      const socket = await attempt(proxy, target, signal, attemptTimeoutMs);
      proxy.praise();
      // A target that another proxy reaches is not what failed.
      for (const suspect of suspects) suspect.rest();
      return { socket, target };
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      if (error.kind === 'gateway') suspects.push(proxy);
      else if (error.kind !== 'refused') proxy.rest();
      last = error;
    }
  }
  throw new HttpFetchError('network', 'proxy_failed', { cause: last });
}

async function attempt(
  proxy: OutboundProxy,
  target: TunnelTarget,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<net.Socket> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await proxy.open(target, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new ProxyFailure('gateway', 'timeout');
    throw error;
  }
}
