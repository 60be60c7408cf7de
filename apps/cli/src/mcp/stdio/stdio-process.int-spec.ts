import { until } from '@app/testing';
import {
  apiErrorStep,
  json,
  ScriptedServer,
} from '../../../../../libs/client/test/scripted-server.js';
import { StdioTools } from '../../../test/stdio-tools.js';

const ID = '0198c0de-0000-7000-8000-000000000001';
const RUNNING = {
  ...{ id: ID, type: 'crawl', url: 'http://a.example/', status: 'running', pages_scraped: 1 },
  ...{ error: null, result_url: null, pages: { scraped: 1 }, skipped: {}, failed: {} },
};
const PAGE = {
  url: 'http://a.example/',
  ok: true,
  statusCode: 200,
  markdown: 'Hi',
  metadata: { fetchMethod: 'plain' },
};
const SCRAPE = { url: 'http://a.example/' };

/** `trawl mcp` as hosts start it. */
describe('the tool server as a process', () => {
  let api: ScriptedServer;
  let tools: StdioTools;

  beforeEach(async () => {
    api = await ScriptedServer.start();
    tools = StdioTools.start({ env: { TRAWL_URL: api.url, TRAWL_API_KEY: 'k1' } });
  });
  afterEach(async () => {
    await tools.stop();
    await api.close();
    expect(tools.strayLines).toEqual([]);
  });

  it('shakes hands, lists tools, runs a call, and exits with 0 when the input ends', async () => {
    const { serverInfo, capabilities } = await tools.peer.initialize();
    expect([serverInfo, capabilities]).toMatchObject([{ name: 'trawl' }, { tools: {} }]);
    expect((await tools.peer.tools()).length).toBe(10);
    api.script(json(PAGE));
    expect((await tools.peer.call('scrape', SCRAPE)).content).toHaveLength(2);
    tools.closeInput();
    expect(await tools.exited).toBe(0);
  });

  it('serves the protocol of 2026-07-28 too, which has no handshake', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { tools: listed } = await tools.peer.request('tools/list', { _meta: meta });
    expect(listed).toHaveLength(10);
    api.script(json(PAGE));
    const params = { name: 'scrape', arguments: SCRAPE, _meta: meta };
    expect(await tools.peer.request('tools/call', params)).toMatchObject({ content: [{}, {}] });
  });

  it('survives malformed lines and a line of 10 MB, and answers the request in it', async () => {
    await tools.peer.initialize();
    tools.write('not json\n[]\n{"jsonrpc":"2.0"}\n\u0000\n');
    const padding = 'x'.repeat(10 * 1024 * 1024);
    const { response } = tools.peer.startCall('scrape', { url: padding });
    expect(await response).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('4194304') },
    });
    expect((await tools.peer.tools()).length).toBe(10);
    expect(tools.peer.received.filter(({ error, id }) => error && id === undefined)).toHaveLength(
      4,
    );
  });

  it('reports progress of a crawl, and cancels it when the call is cancelled', async () => {
    await tools.peer.initialize();
    const accepted = { jobId: ID, status: 'queued', url: 'http://a.example/', message: '' };
    api.script(json(accepted, 202), json(RUNNING), (response) => void response.flushHeaders());
    const { id } = tools.peer.startCall('crawl', { url: 'http://a.example/', wait: true }, 'p1');
    await until(() => tools.peer.notifications('notifications/progress').length > 0, {
      what: 'progress',
    });
    api.script(json({ jobId: ID, status: 'cancelled', cancelled: true }));
    await until(() => api.requests.length === 3, { what: 'the second poll' });
    tools.peer.cancel(id);
    await until(() => api.requests.at(-1)?.method === 'DELETE', { what: 'the cancellation' });
    expect(tools.peer.received.filter((message) => message.id === id)).toEqual([]);
  });

  it.each([
    ['the input ends', (): void => tools.closeInput()],
    ['SIGTERM arrives', (): void => void tools.child.kill('SIGTERM')],
  ])('cancels the crawl that a call waits for when %s, and exits', async (_, end) => {
    await tools.peer.initialize();
    const accepted = { jobId: ID, status: 'queued', url: 'http://a.example/', message: '' };
    api.script(json(accepted, 202), (response) => void response.flushHeaders());
    tools.peer.startCall('crawl', { url: 'http://a.example/', wait: true });
    await until(() => api.requests.length === 2, { what: 'the poll' });
    api.script(json({ jobId: ID, status: 'cancelled', cancelled: true }));
    end();
    expect(await tools.exited).toBe(0);
    expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/crawl',
      `GET /v1/jobs/${ID}`,
      `DELETE /v1/jobs/${ID}`,
    ]);
  });

  it('exits when its reader is gone', async () => {
    await tools.peer.initialize();
    tools.child.stdout?.destroy();
    for (let n = 0; n < 100; n++) tools.peer.notify('ping');
    void tools.peer.tools();
    expect(await tools.exited).toBe(0);
  });

  it('writes its problems to standard error, without the key', async () => {
    await tools.peer.initialize();
    api.script(json({ links: null }), apiErrorStep(401, 'api_key_invalid'));
    await tools.peer.call('map', SCRAPE);
    expect((await tools.peer.call('scrape', SCRAPE)).isError).toBe(true);
    await until(() => tools.log.some((line) => line.startsWith('trawl mcp: map: TypeError')), {
      what: 'the log',
    });
    expect(tools.log.join('\n')).not.toContain('k1');
  });
});
