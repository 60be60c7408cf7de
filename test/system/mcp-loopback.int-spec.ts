import { request } from 'node:http';
import { startMcpLoopback, type McpLoopback } from './mcp-loopback.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

describe('the tool server on loopback, for conformance suites', () => {
  let loopback: McpLoopback;

  beforeAll(async () => {
    loopback = await startMcpLoopback({ url: 'http://127.0.0.1:1', apiKey: 'k' });
  });
  afterAll(() => loopback.close());

  const post = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(loopback.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it('serves a session', async () => {
    const opened = await post(INITIALIZE);
    expect(await opened.text()).toContain('"name":"trawl"');
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const listed = await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, session);
    expect(await listed.text()).toContain('"name":"crawl_results"');
  });

  it('refuses the host names of other sites', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        host: 'evil.example',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const sent = request(loopback.url, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(JSON.stringify(INITIALIZE));
    });
    expect(status).toBe(403);
  });
});
