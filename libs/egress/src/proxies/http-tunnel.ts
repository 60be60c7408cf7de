import type net from 'node:net';
import { errorCode } from '@app/contracts';
import type { OutboundProxySetting } from './parse-outbound-proxies.js';
import { ProxyFailure, type ProxyFailureKind } from './proxy-failure.js';

/** Where a tunnel leads: a vetted address, or a name that the proxy resolves. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

/** The response to CONNECT; longer heads serve no reader. */
const MAX_HEAD_BYTES = 16_384;

/**
 * Asks an HTTP proxy for a tunnel (RFC 9110 9.3.6) and waits for its response.
 * @throws ProxyFailure | the signal's reason; the socket is then of no use
 */
export async function requestTunnel(
  socket: net.Socket,
  target: TunnelTarget,
  credentials: OutboundProxySetting['credentials'],
  signal: AbortSignal,
): Promise<void> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (credentials !== null) {
    const token = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
    lines.push(`Proxy-Authorization: Basic ${token}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const status = await readStatus(socket, signal);
  if (status < 200 || status > 299) throw new ProxyFailure(kindOf(status), `HTTP ${status}`);
}

function kindOf(status: number): ProxyFailureKind {
  if (status === 407) return 'credentials';
  return status === 502 || status === 503 || status === 504 ? 'gateway' : 'refused';
}

/** Reads the final head and leaves the socket as it was found: nothing read on, no listeners. */
function readStatus(socket: net.Socket, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    const settle = (run: () => void) => {
      socket.removeListener('readable', onReadable);
      socket.removeListener('end', onEnd);
      socket.removeListener('error', onError);
      signal.removeEventListener('abort', onAbort);
      run();
    };
    const fail = (code: string) => settle(() => reject(new ProxyFailure('unreachable', code)));
    const onReadable = () => {
      for (let chunk: unknown; (chunk = socket.read()) !== null;) {
        if (Buffer.isBuffer(chunk)) head += chunk.toString('latin1');
      }
      const status = parseHead(head);
      if (status === 'malformed') return fail('invalid_http');
      if (status !== 'incomplete') settle(() => resolve(status));
    };
    const onEnd = () => fail('closed');
    const onError = (error: Error) => fail(errorCode(error, 'closed'));
    const onAbort = () => settle(() => reject(signal.reason));
    if (signal.aborted) return onAbort();
    socket.on('readable', onReadable);
    socket.on('end', onEnd);
    socket.on('error', onError);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/;
/** Interim responses read at most before the final one. */
const MAX_INTERIM = 4;

function parseHead(text: string): number | 'incomplete' | 'malformed' {
  let rest = text;
  for (let interim = 0; interim <= MAX_INTERIM; interim++) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return text.length > MAX_HEAD_BYTES ? 'malformed' : 'incomplete';
    const status = Number(STATUS_LINE.exec(rest)?.[1] ?? 0);
    if (status < 100) return 'malformed';
    rest = rest.slice(end + 4);
    if (status >= 300) return status;
    // The client speaks first in TLS and HTTP: bytes of a target that was sent nothing are not its.
    if (status >= 200) return rest === '' ? status : 'malformed';
  }
  return 'malformed';
}
