import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';

/** `302`: elsewhere on the same server, where it would be seen. `429` and `503`: with Retry-After. */
export type ReceiverMode = 'ok' | '204' | '302' | '410' | FailureMode;

/** One webhook as it came in. */
export interface ReceivedWebhook {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it was answered with. */
  readonly mode: ReceiverMode;
}

export interface WebhookReceiverOptions {
  /** Delay of the mode `slow`. @default 1_000 */
  readonly slowMs?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

export interface WebhookReceiver {
  /** An address of it; any other path serves as well. */
  readonly url: string;
  /** For all webhooks to come. */
  mode: ReceiverMode;
  /** Modes of the next webhooks, first to last; they go before `mode`. */
  readonly nextModes: ReceiverMode[];
  /** Oldest first, recorded once the whole body is there. */
  readonly received: ReceivedWebhook[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Most webhooks that were being answered at a time. */
  readonly mostAtOnce: number;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  /** Listens on the same port again. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** A server on a free loopback port that takes webhooks, or does not. */
export async function startWebhookReceiver(
  options: WebhookReceiverOptions = {},
): Promise<WebhookReceiver> {
  const { slowMs = 1_000, host = '127.0.0.1' } = options;
  const state: { mode: ReceiverMode } = { mode: 'ok' };
  const nextModes: ReceiverMode[] = [];
  const received: ReceivedWebhook[] = [];
  const count = { connections: 0, open: 0, mostAtOnce: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    count.mostAtOnce = Math.max(count.mostAtOnce, ++count.open);
    response.once('close', () => count.open--);
    read(incoming)
      .then((webhook) => {
        const mode = nextModes.shift() ?? state.mode;
        received.push({ ...webhook, mode });
        return answer(response, mode, slowMs);
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('connection', () => count.connections++);
  await listen(server, 0, host);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hook`,
    nextModes,
    received,
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    get connections() {
      return count.connections;
    },
    get mostAtOnce() {
      return count.mostAtOnce;
    },
    down: () => shut(server),
    up: () => listen(server, port, host),
    close: () => shut(server),
  };
}

/** What the body says, by the public library of Standard Webhooks; throws when the signature is wrong. */
export function readSignedWebhook(
  { body, headers }: Pick<ReceivedWebhook, 'body' | 'headers'>,
  secret: string,
): unknown {
  return new Webhook(secret).verify(body, { ...headers });
}

async function read(incoming: IncomingMessage): Promise<Omit<ReceivedWebhook, 'mode'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const { method = '', url: path = '' } = incoming;
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
}

async function answer(response: ServerResponse, mode: ReceiverMode, slowMs: number): Promise<void> {
  if (isFailureMode(mode)) {
    return answerBadly(response, {
      mode,
      slowMs,
      presentedKey: '',
      errorBody: (status) => JSON.stringify({ error: `status ${status}` }),
      good: async () => ({ contentType: 'text/plain', body: 'thank you' }),
    });
  }
  if (mode === '302') response.setHeader('location', '/elsewhere');
  response.writeHead(mode === 'ok' ? 200 : Number(mode), { 'content-type': 'text/plain' });
  response.end(mode === 'ok' ? 'thank you' : undefined);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
