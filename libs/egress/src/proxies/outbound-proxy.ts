import net from 'node:net';
import tls from 'node:tls';
import { errorCode } from '@app/contracts';
import type { OutboundProxySetting } from './parse-outbound-proxies.js';
import { requestTunnel, type TunnelTarget } from './http-tunnel.js';
import { ProxyFailure } from './proxy-failure.js';

const FIRST_REST_MS = 10_000;
const LONGEST_REST_MS = 300_000;
/** An attempt given up by its caller before the proxy had this long says nothing about the proxy. */
const FAIR_CHANCE_MS = 1_000;

export interface OutboundProxyOptions {
  /** Names the proxy without its credentials. */
  readonly label: string;
  readonly secureContext: () => tls.SecureContext;
  readonly now: () => number;
}

/** One proxy of the operator and its known health. */
export class OutboundProxy {
  readonly label: string;
  readonly country: string | null;
  /** Epoch milliseconds of the last failure; 0: works, as far as known. */
  failedAtMs = 0;
  private failures = 0;
  private restUntilMs = 0;

  constructor(
    private readonly setting: OutboundProxySetting,
    private readonly options: OutboundProxyOptions,
  ) {
    this.label = options.label;
    this.country = setting.country;
  }

  get isResting(): boolean {
    return this.options.now() < this.restUntilMs;
  }

  /** It served: earlier failures are forgotten. */
  praise(): void {
    this.failures = 0;
    this.restUntilMs = 0;
    this.failedAtMs = 0;
  }

  /** Not the first choice for a while: 10 s, doubled with each failure in a row, at most 5 min. */
  rest(): void {
    const now = this.options.now();
    // Requests that failed together are one failure.
    if (this.isResting) return;
    this.failedAtMs = now;
    this.restUntilMs = now + Math.min(FIRST_REST_MS * 2 ** this.failures++, LONGEST_REST_MS);
  }

  /**
   * A tunnel to the target: bytes written to the socket reach it.
   * @throws ProxyFailure | the signal's reason
   */
  async open(target: TunnelTarget, signal: AbortSignal): Promise<net.Socket> {
    const startedAt = performance.now();
    let socket: net.Socket;
    try {
      socket = await this.reach(signal);
    } catch (error) {
      if (signal.aborted && performance.now() - startedAt >= FAIR_CHANCE_MS) this.rest();
      throw error;
    }
    try {
      await requestTunnel(socket, target, this.setting.credentials, signal);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** TCP to the proxy, and TLS where it is spoken to by https. */
  private reach(signal: AbortSignal): Promise<net.Socket> {
    const { scheme, host, port } = this.setting;
    return new Promise((resolve, reject) => {
      const socket =
        scheme === 'http'
          ? net.connect({ host, port, noDelay: true })
          : tls.connect({
              host,
              port,
              servername: net.isIP(host) === 0 ? host : '',
              secureContext: this.options.secureContext(),
              rejectUnauthorized: true,
            });
      const settle = (run: () => void) => {
        signal.removeEventListener('abort', onAbort);
        socket.removeListener('error', onError);
        run();
      };
      const onError = (error: Error) =>
        settle(() => reject(new ProxyFailure('unreachable', errorCode(error, 'unreachable'))));
      const onAbort = () => {
        socket.on('error', ignoreLateError);
        socket.destroy();
        settle(() => reject(signal.reason));
      };
      socket.once(scheme === 'http' ? 'connect' : 'secureConnect', () =>
        settle(() => resolve(socket)),
      );
      socket.on('error', onError);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** The promise is settled; an unheard 'error' event would end the process. */
function ignoreLateError(): void {}
