import net from 'node:net';
import type { EgressGuard, VettedTarget } from './guard.js';

/** An open socket and the times of its opening. */
export interface Dialled {
  /** A `tls.TLSSocket` when TLS was done on it; its `alpnProtocol` then names what was agreed. */
  readonly socket: net.Socket;
  /** The vetted address at the other end; behind a proxy that resolves, the host as it was named. */
  readonly remoteAddress: string;
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
}

/** Head start of each address before the next is tried beside it (RFC 8305 5). */
const ATTEMPT_DELAY_MS = 250;
/** Addresses tried at most: a name may answer with hundreds. */
const MAX_ATTEMPTS = 8;

/**
 * Opens a socket straight to the target. Vets it once and dials exactly the addresses that were
 * vetted; the name is never resolved a second time.
 * @throws BlockedUrlError | ResolveError | the socket's error | the signal's reason
 */
export async function dial(guard: EgressGuard, url: URL, signal: AbortSignal): Promise<Dialled> {
  const startedAt = performance.now();
  const target = await guard.vet(url, signal);
  const vettedAt = performance.now();
  const socket = await connectAny(target, signal);
  try {
    guard.confirm(url, target, socket.remoteAddress);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return {
    socket,
    remoteAddress: socket.remoteAddress ?? '',
    dnsMs: vettedAt - startedAt,
    connectMs: performance.now() - vettedAt,
    tlsMs: 0,
  };
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
