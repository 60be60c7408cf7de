import { createRequire } from 'node:module';
import type * as RabbitMq from 'rabbitmq-client';
import { BrokerUnavailableError } from './task-errors.js';

/** Loaded for the first connection: a process with the embedded queue starts sooner without it. */
const rabbitMq = (): typeof RabbitMq =>
  createRequire(import.meta.url)('rabbitmq-client') as typeof RabbitMq;

/** RabbitMQ's default, so that a reply of 256 KB is three frames and not 32. */
const MAX_FRAME_BYTES = 131_072;
/** How long an orderly close may take before the socket is destroyed. */
const CLOSE_WAIT_MS = 3000;

export interface RabbitLinkOptions {
  readonly url: string;
  /** Shown in the broker's list of connections. */
  readonly name: string;
  readonly timing: RabbitTiming;
  readonly onUp: () => void;
  readonly onDown: (cause: unknown) => void;
}

/**
 * One connection, opened at first use and reopened when it is lost. Publishing and consuming have separate
 * links: during a memory or disk alarm the broker stops reading from connections that publish, and blocked
 * acknowledgements would keep the queues from draining.
 */
export class RabbitLink {
  private connection: RabbitMq.Connection | null = null;
  private lastError: unknown;
  private isClosed = false;

  constructor(private readonly options: RabbitLinkOptions) {}

  /** Connected, and not blocked by the broker. */
  get isUp(): boolean {
    return this.connection?.ready ?? false;
  }

  /** In use and not connected. A link that was never used is not down. */
  get isDown(): boolean {
    return this.connection !== null && !this.connection.ready;
  }

  /**
   * A channel of a live connection. The caller closes it; it closes by itself when the connection is lost.
   * Errors that belong to no call arrive as the channel's `error` event.
   * @throws BrokerUnavailableError after `connectWaitMs`.
   */
  async acquire(): Promise<RabbitMq.Channel> {
    const connection = this.connected();
    const { connectWaitMs } = this.options.timing;
    try {
      // A blocked connection does not help either: data written to it accumulates in memory.
      await connection.onConnect(connectWaitMs, true);
      const acquired = connection.acquire({ emitErrorsFromChannel: true });
      const channel = await within(connectWaitMs, acquired).catch((error: unknown) => {
        acquired.then(
          (late) => late.close(),
          () => undefined, // its error is thrown here, or follows from that one
        );
        throw error;
      });
      channel.on('error', (error) => (this.lastError = error));
      return channel;
    } catch (cause) {
      throw this.unavailable(cause);
    }
  }

  unavailable(cause: unknown): BrokerUnavailableError {
    const known = this.isUp ? cause : (this.lastError ?? cause);
    return new BrokerUnavailableError(`The broker is not available: ${messageOf(known)}`, {
      cause: known,
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { connection } = this;
    if (connection === null) return;
    this.connection = null;
    await within(CLOSE_WAIT_MS, connection.close()).catch(() => connection.unsafeDestroy());
  }

  private connected(): RabbitMq.Connection {
    if (this.isClosed) throw new BrokerUnavailableError('The task queue is closed');
    return (this.connection ??= this.connect());
  }

  private connect(): RabbitMq.Connection {
    const { url, name, timing } = this.options;
    const connection = new (rabbitMq().Connection)({
      url,
      connectionName: name,
      heartbeat: timing.heartbeatSeconds,
      acquireTimeout: timing.connectWaitMs,
      connectionTimeout: timing.connectWaitMs,
      retryLow: timing.reconnectMinMs,
      retryHigh: timing.reconnectMaxMs,
      frameMax: MAX_FRAME_BYTES,
      noDelay: true,
    });
    connection.setMaxListeners(0); // every waiting acquire() listens
    connection.on('connection', this.options.onUp);
    connection.on('error', (error) => {
      this.lastError = error;
      if (!connection.ready) this.options.onDown(error);
    });
    return connection;
  }
}

/** Rejects when the promise takes longer: the client's calls never end on a half-open connection. */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The waits of the RabbitMQ adapter. The defaults suit production; tests shorten them. */
export interface RabbitTiming {
  /** How long a publish, request, depth or ping waits for a connection. @default 5000 */
  readonly connectWaitMs: number;
  /** How long the broker may take to confirm or respond. @default 10000 */
  readonly confirmWaitMs: number;
  /** A silent (half-open) connection is closed after about twice this. @default 10 */
  readonly heartbeatSeconds: number;
  /** First pause before reconnecting; doubles up to {@link reconnectMaxMs}. @default 200 */
  readonly reconnectMinMs: number;
  /** @default 5000 */
  readonly reconnectMaxMs: number;
  /** A consumer without deliveries for this long opens a new channel. @default 30000 */
  readonly idleRefreshMs: number;
}

export const DEFAULT_TIMING: RabbitTiming = {
  connectWaitMs: 5000,
  confirmWaitMs: 10_000,
  heartbeatSeconds: 10,
  reconnectMinMs: 200,
  reconnectMaxMs: 5000,
  idleRefreshMs: 30_000,
};
