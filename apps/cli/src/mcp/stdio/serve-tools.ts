import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createToolServer, openToolCalls, type ToolServerOptions } from '../tool-server.js';
import { LineTransport } from './line-transport.js';

/** A crawl that a call waited for is cancelled when the client leaves; the request takes this long at most. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface ServeOptions extends ToolServerOptions {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted to end the server, as a signal of the operating system does. */
  readonly stop: AbortSignal;
}

/** Serves one client until it closes the input, goes away, or `stop` is aborted. */
export async function serveTools(options: ServeOptions): Promise<void> {
  const { version, input, output, stop, log } = options;
  const calls = openToolCalls(options);
  const transport = new LineTransport(input, output);
  const handle = serveStdio(() => createToolServer(calls, version), {
    transport,
    onerror: ({ message }) => log(message),
  });
  const end = (): void => void handle.close();
  stop.addEventListener('abort', end, { once: true });
  await transport.closed;
  stop.removeEventListener('abort', end);
  await calls.settled(CLOSE_TIMEOUT_MS);
}
