import type net from 'node:net';
import tls from 'node:tls';
import { stripRootDot } from './host-name.js';
import { parseAddress } from './ip-address.js';
import { bareHost } from './url-text.js';

/**
 * Trust for TLS, made once because loading the authorities is slow.
 * @param ca extra authorities in PEM, beside the built-in ones
 */
export function createTlsContext(ca: readonly string[] = []): tls.SecureContext {
  return tls.createSecureContext(
    ca.length === 0 ? {} : { ca: [...tls.getCACertificates('default'), ...ca] },
  );
}

export interface TlsHandshakeOptions {
  readonly secureContext: tls.SecureContext;
  /** Offers `h2` before `http/1.1`; the socket's `alpnProtocol` says what the server chose. */
  readonly allowH2: boolean;
}

/**
 * Does TLS for the host of the URL on an open socket. Verification is always on, whatever
 * NODE_TLS_REJECT_UNAUTHORIZED says.
 * @throws the handshake's error | the signal's reason; the socket is then destroyed
 */
export function handshakeTls(
  tcp: net.Socket,
  url: URL,
  signal: AbortSignal,
  { secureContext, allowH2 }: TlsHandshakeOptions,
): Promise<tls.TLSSocket> {
  const host = stripRootDot(bareHost(url));
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      socket: tcp,
      host,
      // SNI holds names only (RFC 6066 3); the certificate is still checked against the address.
      servername: parseAddress(host) === null ? host : '',
      ALPNProtocols: allowH2 ? ['h2', 'http/1.1'] : ['http/1.1'],
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

/** The promise is settled; an unheard 'error' event would end the process. */
function ignoreLateError(): void {}
