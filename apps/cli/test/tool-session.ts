import { InMemoryTransport } from '@modelcontextprotocol/server';
import { ToolPeer } from './tool-peer.js';
import { type RpcMessage } from './json-rpc-peer.js';
import { createToolServer, openToolCalls } from '../src/mcp/tool-server.js';
import { ScriptedApi, type ScriptedRoute } from './scripted-api.js';

/** A client connected to a tool server that uses a scripted API. */
export interface ToolSession {
  readonly peer: ToolPeer;
  readonly api: ScriptedApi;
  /** Lines of the server's log. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

export interface ToolSessionOptions {
  readonly url?: string;
  readonly apiKey?: string;
}

export async function openToolSession(
  routes: Readonly<Record<string, ScriptedRoute>>,
  options: ToolSessionOptions = {},
): Promise<ToolSession> {
  const api = new ScriptedApi(routes);
  const log: string[] = [];
  const { url = 'http://trawl.example', apiKey = 'key1' } = options;
  const findAccess = () => ({ url, apiKey });
  const calls = openToolCalls({ findAccess, log: (line) => log.push(line), send: api.send });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createToolServer(calls, '1.2.3');
  await server.connect(far);
  const peer = new ToolPeer(
    (message) => void near.send(message as Parameters<typeof near.send>[0]),
  );
  near.onmessage = (message) => peer.receive(message as RpcMessage);
  await near.start();
  await peer.initialize();
  return { peer, api, log, close: () => server.close() };
}
