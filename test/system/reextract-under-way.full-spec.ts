import { PLAN_LIMITS } from '@app/contracts';
import {
  htmlPage,
  startFakeLlm,
  startFixtureSite,
  until,
  type FakeLlmServer,
  type FixtureSite,
} from '@app/testing';
import { deploy, MODES, type Deployment } from './deployment.js';
import { modelEnv } from './fake-providers.js';
import { replace } from './fault-run.js';
import { PRICE_COLOUR_SCHEMA, serveShop, SHOP_PATHS, Shopper } from './reextract-run.js';
import { storageOf } from './stored-blobs.js';

const LIST = Array.from({ length: 60 }, (_, n) => `/items/${n}`);
/** With the page that lists them. */
const PAGES = LIST.length + 1;

function serveItems(site: FixtureSite): void {
  const links = LIST.map((item) => `<a href="${item}">${item}</a>`).join(' ');
  const items = LIST.map((item, n) => [
    item,
    htmlPage({ title: item, body: `<p>Price: ${n + 1}</p>` }),
  ]);
  const list = htmlPage({ title: 'Items', body: `<p>All that we have.</p>${links}` });
  site.serve({ '/items': list, ...Object.fromEntries(items) });
}

describe.each(MODES)('a re-extraction under way, %s', (mode) => {
  let service: Deployment;
  let site: FixtureSite;
  let llm: FakeLlmServer;
  let shopper: Shopper;
  let itemsId: string;
  let shopId: string;

  beforeAll(async () => {
    site = await startFixtureSite();
    serveShop(site);
    serveItems(site);
    llm = await startFakeLlm({ slowMs: 500 });
    service = await deploy(mode, {
      fetchers: 2,
      env: {
        BROWSER_MAX: '0',
        LEASE_MS: '3000',
        DRAIN_SECONDS: '5',
        HOST_WINDOW_START: '8',
        ...modelEnv(llm),
      },
    });
    shopper = await Shopper.on(service);
    itemsId = (await shopper.crawl(site.url('/items'), { formats: ['rawHtml'] })).id;
    shopId = (await shopper.crawl(site.url('/shop'))).id;
    llm.mode = 'slow';
  });
  afterAll(async () => {
    await service?.stop();
    await llm?.close();
    await site?.close();
  });
  beforeEach(() => site.reset());

  it('is cancelled with its results; no model gets another request', async () => {
    const { jobId } = await shopper.begin(itemsId, { schema: PRICE_COLOUR_SCHEMA });
    const { client } = shopper;
    await until(async () => (await client.job(jobId)).pages_scraped > 0, { what: 'a page' });
    await client.cancel(jobId);
    const job = await client.job(jobId);
    expect(job.status).toBe('cancelled');
    expect(job.pages.scraped + job.pages.cancelled).toBe(PAGES);
    expect(await client.results(jobId)).toHaveLength(job.pages_scraped);
    const booked = await shopper.charges(jobId);
    expect(booked.filter(({ credits }) => credits > 0).length).toBeLessThanOrEqual(
      job.pages_scraped,
    );
    // Another job runs to its end meanwhile; then whatever is asked is for the next one.
    await shopper.extract(shopId, { schema: PRICE_COLOUR_SCHEMA });
    const asked = llm.requests.length;
    await shopper.extract(shopId, { schema: PRICE_COLOUR_SCHEMA });
    expect(llm.requests.length - asked).toBe(SHOP_PATHS.length);
  });

  it('has no more pages in work than the plan has workers', async () => {
    const pro = await Shopper.on(service, 'pro');
    const { id } = await pro.crawl(site.url('/items'));
    const { jobId } = await pro.begin(id, { schema: PRICE_COLOUR_SCHEMA });
    let most = 0;
    await until(
      async () => {
        const { pages, status } = await pro.client.job(jobId);
        most = Math.max(most, pages.leased);
        return status === 'completed';
      },
      { what: 'its end', timeoutMs: 30_000, intervalMs: 20 },
    );
    expect(most).toBe(PLAN_LIMITS.pro.batchWorkers);
  });

  it('ends with a reason for each page whose document is deleted meanwhile', async () => {
    const free = await Shopper.on(service, 'free');
    const { id } = await free.crawl(site.url('/shop'));
    const before = llm.requests.length;
    const { jobId } = await free.begin(id, { schema: PRICE_COLOUR_SCHEMA });
    await until(() => llm.requests.length > before, { what: 'the first page' });
    const blobs = storageOf(service);
    await blobs.deletePrefix(`jobs/${free.tenantId}/${id}/`);
    await blobs.close();
    const job = await free.client.waitForEnd(jobId, { timeoutMs: 30_000 });
    expect(job.status).toBe('completed');
    expect(job.failed['source_expired']).toBeGreaterThanOrEqual(SHOP_PATHS.length - 4);
    expect(job.pages_scraped + (job.failed['source_expired'] ?? 0)).toBe(SHOP_PATHS.length);
  });

  it('is deleted with all data of its tenant', async () => {
    const other = await Shopper.on(service);
    const { id } = await other.crawl(site.url('/shop'));
    const { jobId } = await other.begin(id, { schema: PRICE_COLOUR_SCHEMA });
    await other.client.call('DELETE', '/v1/data');
    const isGone = async (): Promise<boolean> =>
      (await other.client.call('GET', `/v1/jobs/${jobId}`)).status === 404;
    await until(isGone, { what: 'the job to be deleted', timeoutMs: 30_000 });
  });

  it('loses no page and charges none twice when a process is killed', async () => {
    const { jobId } = await shopper.begin(itemsId, { schema: PRICE_COLOUR_SCHEMA });
    await until(async () => (await shopper.client.job(jobId)).pages_scraped >= 10, {
      what: 'ten pages',
      timeoutMs: 30_000,
    });
    const victim = service.apps.find(({ app }) => app !== 'api');
    if (!victim) throw new Error('nobody to kill');
    await replace(service, victim);
    const job = await until(
      async () => {
        const [row] = await service.database.query<{ status: string }>(
          { name: 'status_of', text: 'SELECT status FROM jobs WHERE id = $1' },
          [jobId],
        );
        return row?.status === 'completed' ? shopper.client.job(jobId) : null;
      },
      { what: 'its end', timeoutMs: 90_000 },
    );
    expect(job).toMatchObject({ pages_scraped: PAGES, pages: { scraped: PAGES, failed: 0 } });
    expect(new Set((await shopper.client.results(jobId)).map(({ url }) => url)).size).toBe(PAGES);
    const booked = await shopper.charges(jobId);
    expect(booked.filter(({ credits }) => credits > 0)).toHaveLength(LIST.length);
    expect(site.totalRequests).toBe(0);
  });
});
