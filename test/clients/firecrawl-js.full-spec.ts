import { changeAgreement, createApiKey, createTenant } from '@app/accounts';
import {
  pdfOf,
  spawnApp,
  startFakeLlm,
  startFixtureSite,
  until,
  type FakeLlmServer,
  type FixtureSite,
} from '@app/testing';
import { deploy, MODES, type Deployment } from '../system/deployment.js';
import { ClientDriver, INSTALL_MS, npmClients } from './client-driver.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const PNG = /^data:image\/png;base64,iVBOR|^https?:\/\//;

interface PageOf {
  readonly markdown?: string;
  readonly html?: string;
  readonly rawHtml?: string;
  readonly links?: readonly string[];
  readonly screenshot?: string;
  readonly json?: unknown;
  readonly warning?: string;
  readonly actions?: { readonly screenshots: readonly string[] };
  readonly metadata: Readonly<Record<string, unknown>>;
}
interface JobOf {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly completed: number;
  readonly data: readonly PageOf[];
}
interface Watched {
  readonly events: readonly {
    readonly name: string;
    readonly detail: Readonly<Record<string, unknown>>;
  }[];
  readonly closeCodes: readonly number[];
}

describe.each(MODES)('@mendable/firecrawl-js 4.42.0 (%s)', (mode) => {
  let site: FixtureSite;
  let llm: FakeLlmServer;
  let service: Deployment;
  let client: ClientDriver;

  const driverFor = async (key: string, url = service.url): Promise<ClientDriver> => {
    const script = `${__dirname}/drivers/firecrawl-js.mjs`;
    const packages = await npmClients('firecrawl');
    return ClientDriver.start([process.execPath, script, packages], { url, key });
  };

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 30, slowPages: 1_000, slowMs: 300 });
    site.serve({ '/fact': '<title>Lamp</title><h1>Desk lamp</h1><p>Price: $12</p>' });
    llm = await startFakeLlm();
    const env = {
      LLM_BASE_URL: llm.baseUrl,
      LLM_API_KEY: llm.key ?? '',
      LLM_MODEL_LOW: 'low-model',
      DRAIN_SECONDS: '1',
    };
    service = await deploy(mode, { env });
    client = await driverFor(service.key);
  }, INSTALL_MS);
  afterAll(async () => {
    await client?.stop();
    await service?.stop();
    await llm?.close();
    await site?.close();
  });

  const call = <T>(method: string, ...args: readonly unknown[]): Promise<T> =>
    client.call<T>({ method, args });
  const errorOf = (method: string, ...args: readonly unknown[]) => client.errorOf({ method, args });
  const sourcesOf = (job: JobOf): unknown[] => job.data.map((page) => page.metadata['sourceURL']);

  describe('scrape', () => {
    it('has Markdown, HTML, raw HTML and links, each when requested', async () => {
      const plain = await call<PageOf>('scrape', site.url('/docs'));
      expect(Object.keys(plain).sort()).toEqual(['markdown', 'metadata']);
      const formats = ['markdown', 'html', 'rawHtml', 'links'];
      const page = await call<PageOf>('scrape', site.url('/docs'), {
        ...{ formats, onlyMainContent: false },
      });
      expect(page.markdown).toContain('Small site /docs');
      expect(page.html).not.toContain('<script');
      expect(page.rawHtml).toMatch(/^<!doctype html>/i);
      expect(page.links).toContain(site.url('/docs/install'));
      expect(page.metadata).toMatchObject({
        ...{ title: 'Small site /docs', sourceURL: site.url('/docs'), url: site.url('/docs') },
        ...{ statusCode: 200, proxyUsed: 'basic', cacheState: 'miss', creditsUsed: 1 },
      });
    });

    it('has JSON by a schema', async () => {
      const schema = { type: 'object', properties: { price: { type: 'string' } } };
      const options = { formats: [{ type: 'json', schema }] };
      const page = await call<PageOf>('scrape', site.url('/fact'), options);
      expect(page.json).toEqual({ price: '$12' });
    });

    it('has a screenshot, and does actions', async () => {
      const actions = [
        { type: 'click', selector: '#name' },
        { type: 'write', text: 'Ada' },
        { type: 'screenshot' },
        { type: 'click', selector: '#add' },
      ];
      const options = { formats: ['markdown', { type: 'screenshot' }], actions };
      const page = await call<PageOf>('scrape', site.url('/actions'), options);
      expect(page.markdown).toContain('typed-Ada');
      expect(page.markdown).toContain('button-was-clicked');
      expect(page.screenshot).toMatch(PNG);
      expect(page.actions?.screenshots).toEqual([expect.stringMatching(PNG)]);
    });

    it('names ignored options in the warning of the page, where this client shows it', async () => {
      const page = await call<PageOf>('scrape', site.url('/docs'), { mobile: true });
      expect(page.warning).toContain('mobile');
    });
  });

  it('maps a site as objects with a URL', async () => {
    const { links } = await call<{ links: readonly { url: string }[] }>('map', site.url('/'), {
      search: 'tree/1',
    });
    expect(links.map(({ url }) => url)).toContain(site.url('/tree/1'));
    expect(links.every(({ url }) => url.includes('tree/1'))).toBe(true);
  });

  describe('crawl', () => {
    it('waits until the pages are there', async () => {
      const job = await call<JobOf>('crawl', site.url('/tree/0'), {
        ...{ limit: 5, crawlEntireDomain: true, pollInterval: 1, timeout: 60 },
      });
      expect(job).toMatchObject({ status: 'completed', completed: 5, total: 5, creditsUsed: 5 });
      expect(job.data[0]?.markdown).toContain('tree-marker-0-end');
      expect(new Set(sourcesOf(job)).size).toBe(5);
    });

    it('starts, shows its state, and is cancelled', async () => {
      const options = { limit: 500, crawlEntireDomain: true };
      const { id } = await call<JobOf>('startCrawl', site.url('/slow-site/0'), options);
      expect((await call<JobOf>('getCrawlStatus', id)).status).toBe('scraping');
      expect(await call('cancelCrawl', id)).toBe(true);
      expect((await call<JobOf>('getCrawlStatus', id)).status).toBe('cancelled');
    });

    it('is watched over a WebSocket: each page once, then the end', async () => {
      const options = { limit: 8, crawlEntireDomain: true };
      const { id } = await call<JobOf>('startCrawl', site.url('/slow-site/0'), options);
      const { events, closeCodes } = await call<Watched>('watch', id, { kind: 'crawl' });
      const documents = events.filter(({ name }) => name === 'document');
      expect(documents).toHaveLength(8);
      const job = await call<JobOf>('getCrawlStatus', id);
      expect(documents.map(({ detail }) => (detail as unknown as PageOf).markdown)).toEqual(
        job.data.map(({ markdown }) => markdown),
      );
      expect(events.at(-1)).toMatchObject({ name: 'done', detail: { status: 'completed' } });
      expect(events.filter(({ name }) => name === 'error')).toEqual([]);
      // It closes without a code of its own: the stream was used to its end.
      expect(closeCodes.every((code) => code === 1000 || code === 1005)).toBe(true);
    });

    it('is watched to its end when it is cancelled', async () => {
      const options = { limit: 500, crawlEntireDomain: true };
      const { id } = await call<JobOf>('startCrawl', site.url('/slow-site/0'), options);
      const watched = call<Watched>('watch', id, { kind: 'crawl' });
      await client.process.waitForLog(
        (line) => line['event'] === 'snapshot' && line['jobId'] === id,
        'a snapshot',
      );
      await service.client.call('DELETE', `/v2/crawl/${id}`);
      expect((await watched).events.at(-1)).toMatchObject({ detail: { status: 'cancelled' } });
    });

    it.each(['of an unknown job', 'with a wrong key'])(
      'a watcher %s shows the error and ends, instead of polling for ever',
      async (which) => {
        const other = which === 'with a wrong key' ? await driverFor('trawl_live_no') : client;
        const request = { method: 'watch', args: [UNKNOWN, { kind: 'crawl' }] };
        const { events } = await other.call<Watched>(request);
        expect(events.map(({ name }) => name)).toEqual(['error', 'snapshot', 'done']);
        expect(events.at(-1)?.detail['status']).toBe('failed');
        if (other !== client) await other.stop();
      },
    );
  });

  it('scrapes a batch, and watches it', async () => {
    const urls = [site.url('/about'), site.url('/contact')];
    const batch = { options: { formats: ['markdown'] } };
    const { id } = await call<JobOf>('startBatchScrape', urls, batch);
    const { events } = await call<Watched>('watch', id, { kind: 'batch' });
    expect(events.filter(({ name }) => name === 'document')).toHaveLength(2);
    const job = await call<JobOf>('batchScrape', urls, { ...batch, pollInterval: 1, timeout: 60 });
    expect(job.status).toBe('completed');
    expect(sourcesOf(job).sort()).toEqual(urls);
  });

  it('uploads a PDF file', async () => {
    const pdf = pdfOf(['Annual report of the harbour']).toString('base64');
    const page = await call<PageOf>('parseFile', pdf, 'report.pdf', 'application/pdf', {});
    expect(page.markdown).toContain('Annual report of the harbour');
    expect(page.metadata).toMatchObject({ numPages: 1, creditsUsed: 1 });
  });

  describe('shows errors', () => {
    it('401 of a wrong key', async () => {
      const other = await driverFor('trawl_live_wrong');
      const error = await other.errorOf({ method: 'scrape', args: [site.url('/')] });
      expect(error).toMatchObject({ status: 401, code: 'unauthorized' });
      await other.stop();
    });

    it('402 of an account without credits', async () => {
      const { id } = await createTenant(service.database, 'poor', 'free');
      await service.database.transaction((tx) =>
        changeAgreement(tx, id, {
          ...{ monthlyCredits: 0, requestsPerMinute: 1_000, concurrentRequests: 10 },
        }),
      );
      const other = await driverFor(await createApiKey(service.database, id, 'poor'));
      const error = await other.errorOf({ method: 'scrape', args: [site.url('/')] });
      expect(error).toMatchObject({
        ...{ status: 402, code: 'payment_required', details: { balance: 0, required: 1 } },
      });
      await other.stop();
    });

    it('400 of an unsupported format and an unsupported action', async () => {
      expect(await errorOf('scrape', site.url('/'), { formats: ['images'] })).toMatchObject({
        ...{ status: 400, code: 'unsupported_format' },
      });
      const actions = [{ type: 'executeJavascript', script: '1' }];
      expect(await errorOf('scrape', site.url('/'), { actions })).toMatchObject({
        ...{ status: 400, code: 'unsupported_action' },
      });
    });

    it('404 of an unknown job and of an operation that is not offered', async () => {
      expect(await errorOf('getCrawlStatus', UNKNOWN)).toMatchObject({
        ...{ status: 404, code: 'job_not_found' },
      });
      expect(await errorOf('getCreditUsage')).toMatchObject({
        ...{ status: 404, code: 'operation_deferred' },
      });
    });

    it('400 of an idempotency key, and 503 of a search without a search service', async () => {
      const batch = { idempotencyKey: 'once', options: {} };
      expect(await errorOf('startBatchScrape', [site.url('/')], batch)).toMatchObject({
        ...{ status: 400, code: 'idempotency_unsupported' },
      });
      expect(await errorOf('search', 'harbour')).toMatchObject({
        ...{ status: 503, code: 'search_unavailable' },
      });
    });
  });

  // Last: these replace the API.
  if (mode === 'cluster')
    describe('when the API of its WebSocket ends', () => {
      async function replaceApi(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
        const [api] = service.apps;
        if (signal === 'SIGKILL') await api?.process.kill9();
        else await api?.process.stop('SIGTERM');
        const { port } = new URL(service.url);
        const next = await spawnApp({ app: 'api', env: { ...service.env, PORT: port } });
        service.apps[0] = next;
        const isReady = async (): Promise<boolean> => (await fetch(`${next.url}/health/ready`)).ok;
        await until(isReady, { what: 'the next API', timeoutMs: 60_000 });
      }

      async function watchedOver(signal: 'SIGTERM' | 'SIGKILL'): Promise<Watched> {
        const options = { limit: 12, crawlEntireDomain: true };
        const { id } = await call<JobOf>('startCrawl', site.url('/slow-site/0'), options);
        const watched = call<Watched>('watch', id, { kind: 'crawl', pollInterval: 1 });
        await client.process.waitForLog(
          (line) => line['event'] === 'document' && line['jobId'] === id,
          'a document',
        );
        await replaceApi(signal);
        return watched;
      }

      it('in a rolling upgrade, it polls and gets each of the other pages once', async () => {
        const { events, closeCodes } = await watchedOver('SIGTERM');
        expect(closeCodes).toEqual([1001]);
        expect(events.at(-1)).toMatchObject({ name: 'done', detail: { status: 'completed' } });
        expect(events.filter(({ name }) => name === 'error')).toEqual([]);
        // Pages that came both ways are the same to the byte, so the client shows each of them once.
        expect(events.filter(({ name }) => name === 'document')).toHaveLength(12);
      });

      it('by a kill, its watcher ends with an error: it does not connect again', async () => {
        const { events } = await watchedOver('SIGKILL');
        expect(events.at(-1)).toMatchObject({
          ...{ name: 'error', detail: { error: 'WebSocket error' } },
        });
      });
    });
});
