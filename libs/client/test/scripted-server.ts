import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server received. */
export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Writes the response to one request. */
export type ScriptedStep = (response: ServerResponse, request: ScriptedRequest) => void;

/** Answers the requests that come with the steps of a script, in order. A request beyond the script is a 500. */
export class ScriptedServer {
  readonly requests: ScriptedRequest[] = [];
  private readonly steps: ScriptedStep[] = [];
  private readonly server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
      this.requests.push(request);
      const step = this.steps.shift() ?? json({ error: 'beyond the script' }, 500);
      step(response, request);
    });
  });

  static async start(): Promise<ScriptedServer> {
    const started = new ScriptedServer();
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Steps that were not used. */
  get left(): number {
    return this.steps.length;
  }

  script(...steps: readonly ScriptedStep[]): void {
    this.steps.push(...steps);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export function json(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): ScriptedStep {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** An error as the service sends it to programs. */
export function apiErrorStep(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): ScriptedStep {
  const error = {
    ...{ message: `this is ${code}`, code },
    ...{ suggested_fix: `fix ${code}`, request_id: 'r1' },
  };
  return json({ error }, status, headers);
}

/** Closes the connection without a response, or after a part of it. */
export function drop(part?: string): ScriptedStep {
  return (response) => {
    if (part === undefined) return void response.socket?.destroy();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write(part, () => response.socket?.destroy());
  };
}

/** A stream of the text; then it ends, breaks, or stays open. */
export function stream(text: string, end: 'end' | 'drop' | 'open' = 'end'): ScriptedStep {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => {
      if (end === 'end') response.end();
      else if (end === 'drop') response.socket?.destroy();
    });
  };
}
