import net from 'node:net';
import { Dialler } from '../src/dialler.js';
import { FilteringProxy, type ProxyDialler } from '../src/filtering-proxy/filtering-proxy.js';
import type {
  ProxyLimits,
  ProxySession,
  ProxySessionOptions,
} from '../src/filtering-proxy/proxy-session.js';
import { EgressGuard, parseAllowPrivate, type Resolver } from '../src/index.js';
import { loopbackNames } from './client-fixture.js';
import { type Answers, ScriptedResolver } from './scripted-resolver.js';

export interface ProxyFixtureOptions {
  /** Loopback ports that count as public, `low-high` or one. @default none */
  readonly open?: readonly (number | string)[];
  readonly dns?: Readonly<Record<string, Answers>>;
  readonly limits?: Partial<ProxyLimits>;
  readonly session?: Partial<ProxySessionOptions>;
  readonly resolver?: Resolver;
  readonly dialler?: ProxyDialler;
}

/** A running proxy with one session port, the guard fully on but for the given ports. */
export interface ProxyFixture {
  readonly proxy: FilteringProxy;
  readonly session: ProxySession;
  readonly resolver: ScriptedResolver;
  readonly unsolicited: string[];
  readonly blocked: string[];
  openSession(options?: Partial<ProxySessionOptions>): Promise<ProxySession>;
}

export async function startProxy(options: ProxyFixtureOptions = {}): Promise<ProxyFixture> {
  const table = { 'site.example': ['127.0.0.1'], ...options.dns };
  const resolver = new ScriptedResolver(table);
  const targets = ['127.0.0.1/32', ...loopbackNames(table)];
  const rules = (options.open ?? [])
    .flatMap((ports) => targets.map((target) => `${target}:${ports}`))
    .join(',');
  const guard = new EgressGuard({
    resolver: options.resolver ?? resolver,
    allowPrivate: parseAllowPrivate(rules),
  });
  const unsolicited: string[] = [];
  const blocked: string[] = [];
  const proxy = new FilteringProxy({
    guard,
    dialler: options.dialler ?? new Dialler({ guard, connectTimeoutMs: 60_000 }),
    // Those that no case is about a busy machine keeps, too.
    limits: { requestHeadTimeoutMs: 60_000, connectTimeoutMs: 60_000, ...options.limits },
    onUnsolicited: (target) => unsolicited.push(target),
  });
  await proxy.start();
  const openSession = (own: Partial<ProxySessionOptions> = {}) =>
    proxy.openSession({
      country: null,
      maxRequests: 1_000,
      maxBytes: 1e9,
      onBlocked: (target) => blocked.push(target),
      ...options.session,
      ...own,
    });
  return { proxy, session: await openSession(), resolver, unsolicited, blocked, openSession };
}

/** A client written byte by byte. */
export class RawClient {
  received = '';
  isEnded = false;
  isClosed = false;
  private readonly socket: net.Socket;

  constructor(doorUrl: string) {
    this.socket = net.connect({
      port: Number(new URL(doorUrl).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    this.socket.on('end', () => (this.isEnded = true));
    this.socket.on('close', () => (this.isClosed = true));
    // Being cut off is what many tests are about.
    this.socket.on('error', () => this.socket.destroy());
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  end(): void {
    this.socket.end();
  }

  pause(): void {
    this.socket.pause();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Resolves once the other side has ended or cut the connection. */
  over(): Promise<void> {
    if (this.isEnded || this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.socket.once('end', resolve).once('close', resolve);
    });
  }

  /** Resolves with all that was received once it matches. */
  async receives(pattern: RegExp, timeoutMs = 60_000): Promise<string> {
    const endsAt = performance.now() + timeoutMs;
    while (!pattern.test(this.received)) {
      if (performance.now() > endsAt || this.isClosed)
        throw new Error(`${pattern} was not received, but: ${this.received.slice(0, 500)}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.received;
  }
}

/** All bytes received for one request, until the connection ends. */
export async function rawExchange(doorUrl: string, text: string): Promise<string> {
  const client = new RawClient(doorUrl).send(text);
  await client.over();
  client.destroy();
  return client.received;
}

/** A GET in absolute form that closes its connection. */
export function proxyGet(url: string, headers: readonly string[] = []): string {
  return [`GET ${url} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
}

export function connect(authority: string): string {
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
}
