import net from 'node:net';
import tls from 'node:tls';
import type { EgressGuard, VettedTarget } from './guard.js';
import { stripRootDot } from './host-name.js';
import { parseAddress } from './ip-address.js';
import { bareHost } from './url-text.js';

/** An open socket to a vetted address, TLS already done for https. */
export interface Dialled {
  readonly socket: net.Socket;
  readonly remoteAddress: string;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
}

/**
 * Trust for TLS, made once because loading the authorities is slow.
 * @param ca extra authorities in PEM, beside the built-in ones
 */
export function createTlsContext(ca: readonly string[] = []): tls.SecureContext {
  return tls.createSecureContext(
    ca.length === 0 ? {} : { ca: [...tls.getCACertificates('default'), ...ca] },
  );
}

/** Head start of each address before the next is tried beside it (RFC 8305 5). */
const ATTEMPT_DELAY_MS = 250;
/** Addresses tried at most: a name may answer with hundreds. */
const MAX_ATTEMPTS = 8;

/**
 * The only place that opens a socket to the outside. Vets the target once and dials exactly the
 * addresses that were vetted; the name is never resolved a second time.
 * @throws BlockedUrlError | ResolveError | the socket's error | the signal's reason
 */
export async function dial(
  guard: EgressGuard,
  url: URL,
  signal: AbortSignal,
  tlsContext: tls.SecureContext,
): Promise<Dialled> {
  const startedAt = performance.now();
  const target = await guard.vet(url, signal);
  const vettedAt = performance.now();
  const tcp = await connectAny(target, signal);
  const connectedAt = performance.now();
  try {
    guard.confirm(url, target, tcp.remoteAddress);
    const remoteAddress = tcp.remoteAddress ?? '';
    const socket = url.protocol === 'https:' ? await secure(tcp, url, signal, tlsContext) : tcp;
    return {
      socket,
      remoteAddress,
      dnsMs: vettedAt - startedAt,
      connectMs: connectedAt - vettedAt,
      tlsMs: performance.now() - connectedAt,
    };
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

/** Races the vetted addresses, families interleaved, each with a head start; the first to connect wins. */
function connectAny(target: VettedTarget, signal: AbortSignal): Promise<net.Socket> {
  const addresses = interleaveFamilies(target.addresses).slice(0, MAX_ATTEMPTS);
  return new Promise((resolve, reject) => {
    const open = new Set<net.Socket>();
    let next = 0;
    let timer: NodeJS.Timeout | undefined;
    const settle = (run: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      for (const socket of open) socket.destroy();
      run();
    };
    const onAbort = () => settle(() => reject(signal.reason));
    const attempt = () => {
      clearTimeout(timer);
      const host = addresses[next++];
      if (host === undefined) return;
      if (next < addresses.length) timer = setTimeout(attempt, ATTEMPT_DELAY_MS);
      const socket = net.connect({ host, port: target.port, noDelay: true });
      open.add(socket);
      socket.once('connect', () => {
        open.delete(socket);
        socket.removeAllListeners('error');
        settle(() => resolve(socket));
      });
      socket.on('error', (error) => {
        open.delete(socket);
        if (next < addresses.length) attempt();
        else if (open.size === 0) settle(() => reject(error));
      });
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    attempt();
  });
}

function interleaveFamilies(addresses: readonly string[]): readonly string[] {
  const isSix = (address: string) => address.includes(':');
  const firstIsSix = isSix(addresses[0] ?? '');
  const first = addresses.filter((address) => isSix(address) === firstIsSix);
  const second = addresses.filter((address) => isSix(address) !== firstIsSix);
  return first
    .flatMap((address, index) => [address, second[index] ?? []].flat())
    .concat(second.slice(first.length));
}

/** Verification is always on, whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
function secure(
  tcp: net.Socket,
  url: URL,
  signal: AbortSignal,
  secureContext: tls.SecureContext,
): Promise<tls.TLSSocket> {
  const host = stripRootDot(bareHost(url));
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      socket: tcp,
      host,
      // SNI holds names only (RFC 6066 3); the certificate is still checked against the address.
      servername: parseAddress(host) === null ? host : '',
      // HTTP/2 begins here: offer `h2` and let the connection pool read `alpnProtocol`.
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      secureContext,
    });
    const settle = (run: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.removeListener('error', onError);
      run();
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onAbort = () => {
      socket.on('error', ignoreLateError);
      socket.destroy();
      settle(() => reject(signal.reason));
    };
    socket.once('secureConnect', () => settle(() => resolve(socket)));
    socket.on('error', onError);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** The caller has its answer already; an unheard 'error' event would end the process. */
function ignoreLateError(): void {}
