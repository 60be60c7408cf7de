import { WebSocket, type ClientOptions } from 'ws';
import { until } from '@app/testing';

/** A message of a watcher's WebSocket. */
export interface WatchMessage {
  readonly type: 'catchup' | 'document' | 'done' | 'error';
  readonly error?: string;
  readonly data?: {
    readonly status?: string;
    readonly data?: readonly unknown[];
    readonly markdown?: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly [name: string]: unknown;
  };
}

/** A WebSocket to a job that keeps what it receives. */
export class JobSocket {
  readonly messages: WatchMessage[] = [];
  /** Null while it is open. */
  closed: { readonly code: number; readonly reason: string } | null = null;
  pings = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) =>
      this.messages.push(JSON.parse(data.toString()) as WatchMessage),
    );
    socket.on('ping', () => this.pings++);
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
  }

  /** Resolves once the connection is open; rejects if the upgrade is refused. */
  static open(url: string, options: ClientOptions & { key?: string } = {}): Promise<JobSocket> {
    const { key, ...rest } = options;
    const protocols = key === undefined ? [] : [key];
    const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, rest);
    const watched = new JobSocket(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(watched));
      socket.on('error', reject);
    });
  }

  get types(): readonly string[] {
    return this.messages.map(({ type }) => type);
  }

  async end(timeoutMs = 60_000): Promise<{ readonly code: number; readonly reason: string }> {
    return until(() => this.closed, { what: 'the end of the WebSocket', timeoutMs });
  }
}
