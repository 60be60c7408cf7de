import path from 'node:path';
import { pdfOf, startFixtureSite, type FixtureSite } from '@app/testing';
import { deploy, MODES, type Deployment } from '../system/deployment.js';
import { ClientDriver, INSTALL_MS, pythonClients } from './client-driver.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const DRIVER = path.join(__dirname, 'drivers/firecrawl_py.py');

interface PageOf {
  readonly markdown?: string;
  readonly links?: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}
interface JobOf {
  readonly id: string;
  readonly status: string;
  readonly completed: number;
  readonly data: readonly PageOf[];
}
interface Loaded {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

describe.each(MODES)('firecrawl-py 4.55.0 and the loaders over it (%s)', (mode) => {
  let site: FixtureSite;
  let service: Deployment;
  let client: ClientDriver;

  const driverFor = async (
    key: string,
    packages: 'firecrawl' | 'llama-index' = 'firecrawl',
  ): Promise<ClientDriver> =>
    ClientDriver.start([await pythonClients(packages), DRIVER], { url: service.url, key });

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 30, slowPages: 1_000, slowMs: 300 });
    service = await deploy(mode, { env: { BROWSER_MAX: '0' } });
    client = await driverFor(service.key);
  }, INSTALL_MS);
  afterAll(async () => {
    await client?.stop();
    await service?.stop();
    await site?.close();
  });

  const own = <T>(method: string, ...args: readonly unknown[]): Promise<T> =>
    client.call<T>({ client: method === 'watch_async' ? 'own_async' : 'own', method, args });

  describe.each(['sync', 'async'])('%s', (kind) => {
    const call = <T>(method: string, args: readonly unknown[], options = {}): Promise<T> =>
      client.call<T>({ client: kind, method, args, options });
    const errorOf = (method: string, args: readonly unknown[], options = {}) =>
      client.errorOf({ client: kind, method, args, options });

    it('scrapes a page', async () => {
      const formats = ['markdown', 'links'];
      const page = await call<PageOf>('scrape', [site.url('/docs')], {
        ...{ formats, only_main_content: false },
      });
      expect(page.markdown).toContain('Small site /docs');
      expect(page.links).toContain(site.url('/docs/install'));
      expect(page.metadata).toMatchObject({ title: 'Small site /docs', status_code: 200 });
    });

    it('maps a site', async () => {
      const { links } = await call<{ links: readonly { url: string }[] }>('map', [site.url('/')]);
      expect(links.map(({ url }) => url)).toContain(site.url('/tree/1'));
    });

    it('crawls and waits, starts, shows the state, and cancels', async () => {
      const options = { limit: 4, crawl_entire_domain: true };
      const wait = { ...options, url: site.url('/tree/0'), poll_interval: 1, timeout: 60 };
      const job = await call<JobOf>('crawl', [], wait);
      expect(job).toMatchObject({ status: 'completed', completed: 4 });
      expect(job.data[0]?.markdown).toContain('tree-marker-0-end');
      const { id } = await call<JobOf>('start_crawl', [site.url('/slow-site/0')], { limit: 500 });
      expect(await call('cancel_crawl', [id])).toBe(true);
      expect((await call<JobOf>('get_crawl_status', [id])).status).toBe('cancelled');
    });

    it('scrapes a batch', async () => {
      const urls = [site.url('/about'), site.url('/contact')];
      const wait = { poll_interval: 1, wait_timeout: 60 };
      const job = await call<JobOf>('batch_scrape', [urls], wait);
      expect(job.data.map(({ metadata }) => metadata['source_url']).sort()).toEqual(urls);
    });

    it('uploads a PDF file', async () => {
      const file = pdfOf(['Annual report of the harbour']).toString('base64');
      const page = await call<PageOf>('parse', [], { file, filename: 'report.pdf' });
      expect(page.markdown).toContain('Annual report of the harbour');
    });

    it('shows errors: 400, 401, 404, 503', async () => {
      const actions = [{ type: 'pdf' }];
      expect(await errorOf('scrape', [site.url('/')], { actions })).toMatchObject({
        name: 'BadRequestError',
      });
      expect((await errorOf('get_crawl_status', [UNKNOWN])).message).toContain('Job not found');
      expect((await errorOf('search', ['harbour'])).message).toMatch(/search/i);
      const other = await driverFor('trawl_live_wrong');
      const request = { client: kind, method: 'scrape', args: [site.url('/')] };
      expect(await other.errorOf(request)).toMatchObject({ name: 'UnauthorizedError' });
      await other.stop();
    });
  });

  it('an idempotency key of a batch is refused; the class for asyncio does not send it', async () => {
    const request = {
      ...{ method: 'start_batch_scrape', args: [[site.url('/')]] },
      options: { idempotency_key: 'once' },
    };
    const refused = await client.errorOf({ client: 'sync', ...request });
    expect(refused).toMatchObject({ name: 'BadRequestError' });
    expect(await client.call({ client: 'async', ...request })).toMatchObject({
      id: expect.any(String),
    });
  });

  it('watches a crawl over a WebSocket: each page once, then the end', async () => {
    const request = { limit: 8, crawl_entire_domain: true };
    const { id } = await client.call<JobOf>({
      ...{ client: 'sync', method: 'start_crawl', args: [site.url('/slow-site/0')] },
      options: request,
    });
    const { documents, ends, statuses } = await own<{
      documents: readonly PageOf[];
      ends: readonly string[];
      statuses: readonly string[];
    }>('watch', id, 'crawl');
    expect(documents).toHaveLength(8);
    expect(ends).toEqual(['completed']);
    expect(statuses.at(-1)).toBe('completed');
  });

  it('the watcher for asyncio ends with the pages', async () => {
    const { id } = await client.call<JobOf>({
      ...{ client: 'sync', method: 'start_crawl', args: [site.url('/slow-site/0')] },
      options: { limit: 4, crawl_entire_domain: true },
    });
    const states = await own<readonly { status: string; documents: readonly PageOf[] }[]>(
      'watch_async',
      id,
      'crawl',
    );
    expect(states.at(-1)).toMatchObject({ status: 'completed' });
    expect(states.at(-1)?.documents).toHaveLength(4);
  });

  it('langchain-firecrawl 0.1.0 loads a page and a crawl', async () => {
    const [page] = await own<readonly Loaded[]>('langchain', 'scrape', site.url('/docs'), {});
    expect(page?.text).toContain('Small site /docs');
    const params = { limit: 3, crawl_entire_domain: true, poll_interval: 1 };
    const pages = await own<readonly Loaded[]>('langchain', 'crawl', site.url('/tree/0'), params);
    expect(pages).toHaveLength(3);
    expect(pages[0]?.text).toContain('tree-marker-0-end');
  });

  it(
    'llama-index-readers-web 0.7.0 loads a page and a crawl',
    async () => {
      const reader = await driverFor(service.key, 'llama-index');
      const load = (...args: readonly unknown[]): Promise<readonly Loaded[]> =>
        reader.call({ client: 'own', method: 'llama_index', args });
      const [page] = await load('scrape', site.url('/docs'), {});
      expect(page?.text).toContain('Small site /docs');
      const pages = await load('crawl', site.url('/'), { limit: 3 });
      expect(pages).toHaveLength(3);
      await reader.stop();
    },
    INSTALL_MS,
  );
});
