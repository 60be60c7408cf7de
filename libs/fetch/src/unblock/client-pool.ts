import { createRequire } from 'node:module';
import { IMPERSONATED_BROWSER } from './chrome-headers.js';

/** The part of a filtering proxy's port that is needed here. */
export interface ClientProxyPort {
  readonly url: string;
  readonly usage: { readonly bytesIn: number; readonly bytesOut: number };
  /** A new object for each error. */
  readonly lastRefusal: {
    readonly kind: 'blocked' | 'network' | 'timeout' | 'budget';
    readonly target: string;
  } | null;
  close(): Promise<void>;
}

export interface ProxyPortSource {
  openSession(options: {
    readonly country: string | null;
    readonly maxRequests: number;
    readonly maxBytes: number;
  }): Promise<ClientProxyPort>;
}

/** A client and the proxy port it uses; one request at a time has it to itself. */
export interface PooledClient {
  readonly client: ImpersonatedClient;
  readonly proxyPort: ClientProxyPort;
  readonly country: string | null;
  uses: number;
}

/** Requests one client serves, redirects apart. */
const MAX_USES = 100;
/** Redirects included, and one more connection for each. */
const MAX_PORT_REQUESTS = MAX_USES * 24;
/** A client that moved more than this is not used again. */
const MAX_REUSED_BYTES = 64 * 1_048_576;
/** What one request may add on the wire is bounded by its own cap long before. */
const MAX_PORT_BYTES = MAX_REUSED_BYTES + 512 * 1_048_576;
const MAX_IDLE = 8;
const IDLE_MS = 15_000;

/**
 * Clients by country. A native client is some 0.7 MB and a few sockets that only garbage collection
 * frees, so sound ones are used again; nothing of a caller stays in them, since cookies are kept
 * apart.
 */
export class ClientPool {
  private readonly idle: { readonly entry: PooledClient; readonly timer: NodeJS.Timeout }[] = [];
  private isClosed = false;

  constructor(
    private readonly impersonation: ImpersonationModule,
    private readonly proxyPorts: ProxyPortSource,
  ) {}

  /** @throws what opening a proxy port throws */
  async acquire(country: string | null): Promise<PooledClient> {
    const at = this.idle.findIndex(({ entry }) => entry.country === country);
    const [found] = at < 0 ? [] : this.idle.splice(at, 1);
    if (found === undefined) return this.create(country);
    clearTimeout(found.timer);
    return found.entry;
  }

  /** @param isSound false: something failed or is still under way, so all of it must end now */
  async release(entry: PooledClient, isSound: boolean): Promise<void> {
    entry.uses++;
    const { bytesIn, bytesOut } = entry.proxyPort.usage;
    const isWorn = entry.uses >= MAX_USES || bytesIn + bytesOut > MAX_REUSED_BYTES;
    if (!isSound || isWorn || this.isClosed || this.idle.length >= MAX_IDLE) {
      return entry.proxyPort.close();
    }
    const timer = setTimeout(() => this.expire(entry), IDLE_MS);
    timer.unref();
    this.idle.push({ entry, timer });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const all = this.idle.splice(0);
    for (const { timer } of all) clearTimeout(timer);
    await Promise.all(all.map(({ entry }) => entry.proxyPort.close()));
  }

  private async create(country: string | null): Promise<PooledClient> {
    const limits = { maxRequests: MAX_PORT_REQUESTS, maxBytes: MAX_PORT_BYTES };
    const proxyPort = await this.proxyPorts.openSession({ country, ...limits });
    const client = new this.impersonation.Impit({
      browser: IMPERSONATED_BROWSER,
      proxyUrl: proxyPort.url,
      followRedirects: false,
      http3: false,
    });
    return { client, proxyPort, country, uses: 0 };
  }

  private expire(entry: PooledClient): void {
    const at = this.idle.findIndex((one) => one.entry === entry);
    if (at >= 0) this.idle.splice(at, 1);
    // Closing a port only ends its sockets: no caller needs the failure.
    entry.proxyPort.close().catch(() => undefined);
  }
}

/** The used part of the native client's response. */
export interface ImpersonatedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array>;
}

interface ImpersonatedInit {
  /** In the order in which they go out; they replace and precede the client's own. */
  readonly headers: [string, string][];
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** The used part of the native client. */
export interface ImpersonatedClient {
  fetch(url: string, init: ImpersonatedInit): Promise<ImpersonatedResponse>;
}

/** Certificates are always verified: there is no field to switch that off. */
export interface ImpersonatedClientOptions {
  readonly browser: string;
  readonly proxyUrl: string;
  readonly followRedirects: false;
  readonly http3: false;
}

export interface ImpersonationModule {
  readonly Impit: new (options: ImpersonatedClientOptions) => ImpersonatedClient;
}

/**
 * Loads the native client, which exists for some platforms only, when it is first wanted.
 * @throws Error when there is none for this platform
 */
export function loadImpersonation(): ImpersonationModule {
  const require = createRequire(import.meta.url);
  return require('impit') as ImpersonationModule;
}
