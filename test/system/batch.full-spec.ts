import { PLAN_LIMITS } from '@app/contracts';
import {
  htmlPage,
  sendHtml,
  startFixtureSite,
  until,
  type FixtureSite,
  type JobResponse,
  type SpawnedApp,
} from '@app/testing';
import {
  BATCH_ENV,
  batch,
  chargesOf,
  LIST_PAGES,
  ListSite,
  markerOf,
  missingOf,
  startBatch,
} from './batch-run.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { replace } from './fault-run.js';

describe.each(MODES)('batches of a deployment that only their workers bound, %s', (mode) => {
  let service: Deployment;
  let list: ListSite;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    list = new ListSite(site);
    service = await deploy(mode, { fetchers: 2, env: BATCH_ENV });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => list.reset());

  it('have as many pages at a time as the plan has workers, waited for and as jobs', async () => {
    const { client } = await service.tenant('pro');
    const { batchWorkers } = PLAN_LIMITS.pro;
    list.atOnce = batchWorkers;
    const { summary } = await batch(client, { urls: list.some(batchWorkers * 3) });
    expect([summary.ok, list.most]).toEqual([batchWorkers * 3, batchWorkers]);
    list.reset();
    list.atOnce = batchWorkers;
    const { jobId } = await startBatch(client, { urls: list.some(batchWorkers * 5) });
    expect(await client.waitForEnd(jobId)).toMatchObject({
      status: 'completed',
      pages_scraped: batchWorkers * 5,
    });
    expect(list.most).toBe(batchWorkers);
  });

  it('begin no more pages than may wait in memory behind a slow first one', async () => {
    const count = 30;
    const megabytes = 3;
    const first = Promise.withResolvers<void>();
    const filler = `<p>${'a large page has many words '.repeat(40)}</p>`;
    const copies = Math.ceil((megabytes * 1_000_000) / filler.length);
    const big = htmlPage({ title: 'Big', body: filler.repeat(copies) });
    for (let n = 0; n < count; n++) {
      site.serve({
        [`/large/${n}`]: async ({ response }) => {
          if (n === 0) await first.promise;
          sendHtml(response, big);
        },
      });
    }
    const { client } = await service.tenant('hobby');
    const urls = Array.from({ length: count }, (_, n) => site.url(`/large/${n}`));
    const body = { urls, formats: ['rawHtml'], extractListing: false };
    const call = batch(client, body);
    let [asked, since] = [0, performance.now()];
    await until(
      () => {
        const now = site.requests().filter(({ path }) => path.startsWith('/large/')).length;
        if (now !== asked) [asked, since] = [now, performance.now()];
        // The first wave alone says nothing: on a busy machine the next may be late.
        return asked > 5 && performance.now() - since > 4_000;
      },
      { what: 'no more pages being begun', timeoutMs: 50_000 },
    );
    // 16 MiB of answers wait, beside what the workers had under way.
    expect(asked).toBeLessThanOrEqual(Math.ceil((16 * 1_048_576) / 3_000_000) + 5);
    first.resolve();
    const { results, summary } = await call;
    expect(summary).toEqual({ total: count, ok: count, failed: 0 });
    expect(results.map(({ url }) => url)).toEqual(urls);
  });

  if (mode === 'cluster') {
    it('are answered whole when a fetcher is killed while they are waited for', async () => {
      const { id, client } = await service.tenant('pro');
      const call = batch(client, { urls: list.some(60) });
      await until(() => list.asked >= 15 && list.open > 0, { what: 'the batch half way' });
      const victim = service.apps.find(({ app }) => app === 'fetcher');
      if (victim) await replace(service, victim);
      const { results, summary, creditsUsed } = await call;
      expect(summary).toEqual({ total: 60, ok: 60, failed: 0 });
      results.forEach(({ index, markdown }, n) => {
        expect(index).toBe(n);
        expect(markdown).toContain(markerOf(n));
      });
      expect(creditsUsed).toBe(60);
      expect(await chargesOf(service, id)).toEqual({ rows: 60, credits: 60 });
    });
  }

  it('lose no page and charge none twice when a process is killed meanwhile', async () => {
    const { id, client } = await service.tenant('pro');
    list.ms = 500;
    const { jobId } = await startBatch(client, { urls: list.some(LIST_PAGES) });
    const workers = () => service.apps.filter(({ app }) => app !== 'api');
    const progress = (pages: number) =>
      until(async () => (await scrapedOf(service, jobId)) >= pages, {
        what: `${pages} pages`,
        timeoutMs: 60_000,
      });
    const [first, second] = workers();
    await progress(10);
    const replaced = strike(service, first);
    // One that is alone has to be back before there are more pages.
    if (!second) await replaced;
    await progress(40);
    expect(await scrapedOf(service, jobId)).toBeLessThan(LIST_PAGES);
    await Promise.all([replaced, strike(service, second ?? workers()[0])]);
    const job = await until(async () => ended(await client.job(jobId)), {
      what: 'the end of the job',
      timeoutMs: 60_000,
    });
    expect(job).toMatchObject({ status: 'completed', pages_scraped: LIST_PAGES });
    expect(missingOf(job)).toBe(0);
    const results = await client.results(jobId);
    expect(results.map(({ url }) => url).toSorted()).toEqual(list.some(LIST_PAGES).toSorted());
    const file = (await (await fetch(job.result_url ?? '')).json()) as unknown[];
    expect(file).toHaveLength(LIST_PAGES);
    expect(await chargesOf(service, id)).toEqual({ rows: LIST_PAGES, credits: LIST_PAGES });
  });
});

async function scrapedOf({ database }: Deployment, jobId: string): Promise<number> {
  const [row] = await database.query<{ scraped: number }>(
    { name: 'scraped_of', text: 'SELECT scraped FROM jobs WHERE id = $1' },
    [jobId],
  );
  return row?.scraped ?? -1;
}

async function strike(service: Deployment, victim: SpawnedApp | undefined): Promise<void> {
  if (!victim) throw new Error('there is nothing to kill');
  await replace(service, victim);
}

function ended(job: JobResponse): JobResponse | null {
  return ['completed', 'failed', 'cancelled'].includes(job.status) ? job : null;
}
