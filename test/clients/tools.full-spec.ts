import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pdfOf, SpawnedProcess, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deploy, MODES, type Deployment } from '../system/deployment.js';
import { ClientDriver, clientEnv, INSTALL_MS, npmClients } from './client-driver.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

interface Ended {
  readonly code: number | null;
  readonly text: string;
}
interface JobOf {
  readonly success: boolean;
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly completed: number;
  readonly next: null;
  readonly data: readonly { markdown: string; metadata: Readonly<Record<string, unknown>> }[];
}
interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

describe.each(MODES)('programs over /v2 (%s)', (mode) => {
  let site: FixtureSite;
  let service: Deployment;
  let home: string;
  let packages: string;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 30, slowPages: 1_000, slowMs: 300 });
    home = await mkdtemp(path.join(tmpdir(), 'trawl-tools-'));
    packages = await npmClients('firecrawl');
    service = await deploy(mode, { env: { BROWSER_MAX: '0' } });
  }, INSTALL_MS);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
    await rm(home, { recursive: true, force: true });
  });

  const target = (): { url: string; key: string } => ({ url: service.url, key: service.key });

  describe('firecrawl-cli 1.23.3', () => {
    async function run(...args: readonly string[]): Promise<Ended> {
      const program = SpawnedProcess.spawn({
        name: `firecrawl ${args[0]}`,
        command: process.execPath,
        args: [`${packages}/node_modules/firecrawl-cli/dist/index.js`, ...args],
        env: clientEnv(target(), home),
        cwd: home,
      });
      program.closeInput();
      const { code } = await program.exited;
      return { code, text: program.output.join('\n') };
    }

    it('scrapes a page as Markdown', async () => {
      const { code, text } = await run('scrape', site.url('/docs'));
      expect([code, text]).toEqual([0, expect.stringContaining('Small site /docs')]);
    });

    it('maps a site', async () => {
      const { code, text } = await run('map', site.url('/'), '--search', 'tree/1', '--json');
      expect([code, text]).toEqual([0, expect.stringContaining(site.url('/tree/1'))]);
    });

    it('crawls and waits, shows the state of a job, and cancels one', async () => {
      const wait = ['--wait', '--poll-interval', '1', '--limit', '4', '--crawl-entire-domain'];
      const crawled = await run('crawl', site.url('/tree/0'), ...wait, '--output', 'crawl.json');
      expect(crawled).toMatchObject({ code: 0 });
      const started = await run(
        ...['crawl', site.url('/slow-site/0'), '--limit', '500', '--crawl-entire-domain'],
      );
      const { data } = JSON.parse(started.text) as { data: { jobId: string } };
      expect((await run('crawl', data.jobId)).text).toMatch(/"status":"scraping"|Status: scraping/);
      expect(await run('crawl', data.jobId, '--cancel')).toMatchObject({ code: 0 });
      expect((await run('crawl', data.jobId)).text).toMatch(
        /"status":"cancelled"|Status: cancelled/,
      );
    });

    it('parses an uploaded PDF, whose part comes before the options', async () => {
      await writeFile(path.join(home, 'report.pdf'), pdfOf(['Annual report of the harbour']));
      const { code, text } = await run('parse', 'report.pdf');
      expect([code, text]).toEqual([0, expect.stringContaining('Annual report of the harbour')]);
    });

    it('shows the error of the service, and exits with 1', async () => {
      const { code, text } = await run('crawl', UNKNOWN);
      expect([code, text]).toEqual([1, expect.stringContaining('Job not found')]);
    });
  });

  describe('firecrawl-mcp 3.26.0 (stdio)', () => {
    let server: SpawnedProcess;
    let lastId = 0;

    beforeAll(async () => {
      server = SpawnedProcess.spawn({
        name: 'firecrawl-mcp',
        command: process.execPath,
        args: [`${packages}/node_modules/firecrawl-mcp/dist/index.js`],
        env: clientEnv(target(), home),
        cwd: home,
      });
      const client = { name: 'test', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
      await request('initialize', params);
      server.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    });
    afterAll(async () => {
      server.closeInput();
      await server.kill9();
    });

    async function request<T>(method: string, params: object = {}): Promise<T> {
      const id = ++lastId;
      server.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const line = await server.waitForLog((one) => one['id'] === id, method, 60_000);
      if (line['error'] !== undefined) throw new Error(JSON.stringify(line['error']));
      return line['result'] as T;
    }

    async function tool(name: string, args: object): Promise<ToolResult> {
      return request<ToolResult>('tools/call', { name, arguments: args });
    }

    const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('\n');

    it('lists its tools', async () => {
      const { tools } = await request<{ tools: readonly { name: string }[] }>('tools/list');
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['firecrawl_scrape', 'firecrawl_map', 'firecrawl_crawl']),
      );
    });

    it('scrapes a page', async () => {
      const args = { url: site.url('/docs'), formats: ['markdown'] };
      expect(textOf(await tool('firecrawl_scrape', args))).toContain('Small site /docs');
    });

    it('maps a site', async () => {
      const args = { url: site.url('/'), search: 'tree/1' };
      expect(textOf(await tool('firecrawl_map', args))).toContain(site.url('/tree/1'));
    });

    it('crawls, and shows the state of the job', async () => {
      const args = { url: site.url('/tree/0'), limit: 3 };
      const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(textOf(await tool('firecrawl_crawl', args)))?.[0];
      const isDone = async (): Promise<boolean> =>
        textOf(await tool('firecrawl_check_crawl_status', { id })).includes('completed');
      await until(isDone, { what: 'the crawl', timeoutMs: 60_000 });
    });

    it('shows an error of the service', async () => {
      const args = { url: 'http://10.0.0.1/', formats: ['markdown'] };
      const result = await tool('firecrawl_scrape', args);
      expect([result.isError, textOf(result)]).toEqual([
        true,
        expect.stringMatching(/10\.0\.0\.1|private|blocked/i),
      ]);
    });
  });

  describe('@mendable/n8n-nodes-firecrawl 2.1.2 in n8n-core 2.41.1', () => {
    let node: ClientDriver;

    beforeAll(async () => {
      const script = path.join(__dirname, 'drivers/n8n.cjs');
      const engine = await npmClients('n8n');
      node = await ClientDriver.start([process.execPath, script, engine], target());
    }, INSTALL_MS);
    afterAll(async () => node?.stop());

    const run = async <T>(resource: string, operation: string, parameters: object): Promise<T> => {
      const [first] = await node.call<readonly T[]>({
        args: [{ resource, operation, ...parameters }],
      });
      if (first === undefined) throw new Error('the node returned no item');
      return first;
    };

    it('scrapes a page', async () => {
      const result = await run<{ data: { markdown: string } }>('Scraping', 'scrape', {
        url: site.url('/docs'),
      });
      expect(result.data.markdown).toContain('Small site /docs');
    });

    it('maps a site', async () => {
      const result = await run<{ links: readonly { url: string }[] }>('MapSearch', 'map', {
        url: site.url('/'),
      });
      expect(result.links.map(({ url }) => url)).toContain(site.url('/tree/1'));
    });

    it('crawls with the values that its form starts with, shows the state, and cancels', async () => {
      const { id } = await run<JobOf>('Crawling', 'crawl', {
        url: site.url('/slow/5000/page'),
      });
      const state = await run<{ data: JobOf }>('Crawling', 'getCrawlStatus', { crawlId: id });
      expect(state.data.status).toBe('scraping');
      await run('Crawling', 'cancelCrawl', { crawlId: id });
      const last = await run<{ data: JobOf }>('Crawling', 'getCrawlStatus', { crawlId: id });
      expect(last.data.status).toBe('cancelled');
    });

    it('scrapes a batch', async () => {
      const urls = site.url('/about');
      const { data } = await run<{ data: JobOf }>('Scraping', 'batchScrape', { urls });
      const isDone = async (): Promise<boolean> => {
        const { body } = await service.client.call('GET', `/v2/batch/scrape/${data.id}`);
        return (body as JobOf).status === 'completed';
      };
      await until(isDone, { what: 'the batch', timeoutMs: 30_000 });
    });

    it('shows an error of the service', async () => {
      const request = {
        args: [{ resource: 'Crawling', operation: 'getCrawlStatus', crawlId: UNKNOWN }],
      };
      expect(await node.errorOf(request)).toMatchObject({ name: 'NodeApiError' });
    });
  });

  describe('the requests of the datasource of Dify (firecrawl_datasource 0.2.13)', () => {
    const send = async (method: string, where: string, json?: object): Promise<Response> =>
      fetch(`${service.url}${where}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });

    /** As its poller: only `completed` and `failed` are final. */
    async function poll(id: string): Promise<JobOf> {
      let state: JobOf | undefined;
      const isFinal = async (): Promise<boolean> => {
        state = (await (await send('GET', `/v2/crawl/${id}`)).json()) as JobOf;
        return state.status === 'completed' || state.status === 'failed';
      };
      await until(isFinal, { what: 'a final state', timeoutMs: 60_000 });
      if (state === undefined) throw new Error('no state');
      return state;
    }

    it('a check of the credentials is a crawl of one page, whose status must be 200', async () => {
      const response = await send('POST', '/v2/crawl', {
        ...{ url: site.url('/'), includePaths: [], excludePaths: [], limit: 1 },
        scrapeOptions: { onlyMainContent: true },
      });
      expect(response.status).toBe(200);
    });

    it('a crawl is started and polled; its pages have a title, a URL and Markdown', async () => {
      const started = await send('POST', '/v2/crawl', {
        ...{ url: site.url('/'), excludePaths: ['/tree/2'], includePaths: ['/tree/*'] },
        ...{ maxDiscoveryDepth: 2, limit: 5, scrapeOptions: { onlyMainContent: false } },
      });
      expect(started.status).toBe(200);
      const { success, id } = (await started.json()) as JobOf;
      expect(success).toBe(true);
      const job = await poll(id);
      expect(job).toMatchObject({ status: 'completed', total: 5, completed: 5, next: null });
      const pages = job.data.map(({ markdown, metadata }) => ({ markdown, ...metadata }));
      expect(pages).toHaveLength(5);
      for (const page of pages)
        expect(page).toMatchObject({
          markdown: expect.stringContaining('This paragraph is about'),
          title: expect.stringMatching(/^(Tree page|Small site)/),
          sourceURL: expect.stringContaining(site.url('/')),
        });
    });

    it('its poller knows no `cancelled`: a crawl that someone else cancels ends nothing there', async () => {
      const body = { url: site.url('/slow-site/0'), limit: 500 };
      const { id } = (await (await send('POST', '/v2/crawl', body)).json()) as JobOf;
      expect((await send('DELETE', `/v2/crawl/${id}`)).status).toBe(200);
      const { status } = (await (await send('GET', `/v2/crawl/${id}`)).json()) as JobOf;
      expect(status).toBe('cancelled');
    });
  });
});
