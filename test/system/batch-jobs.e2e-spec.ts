import { PLAN_LIMITS, API_ERRORS } from '@app/contracts';
import { startFixtureSite, startWebhookReceiver, until, type FixtureSite } from '@app/testing';
import {
  batch,
  chargesOf,
  LIST_PAGES,
  ListSite,
  markerOf,
  missingOf,
  startBatch,
} from './batch-run.js';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

describe.each(MODES)('batches as jobs, %s', (mode) => {
  let service: Service;
  let list: ListSite;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    list = new ListSite(site);
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => list.reset());

  it('scrapes each address once, follows no link, and notifies the webhook', async () => {
    const { id, client } = await service.tenant('scale');
    const hook = await startWebhookReceiver();
    list.ms = 0;
    const urls = [
      ...list.some(20),
      site.url('/list/3'),
      site.url('/status/404'),
      site.url('/private/x'),
      site.url(`/redirect/302?to=${encodeURIComponent('/list/5')}`),
      site.url('/canonical/a?x=1'),
      site.url('/canonical/a?x=2'),
      site.url('/list/3?utm_source=mail'),
    ];
    const accepted = await startBatch(client, {
      urls,
      webhook: hook.url,
      formats: ['markdown', 'links'],
    });
    expect(accepted).toMatchObject({ total: 27, pages: 26, url: urls[0] });
    const job = await client.waitForEnd(accepted.jobId);
    expect(job).toMatchObject({
      type: 'batch',
      status: 'completed',
      pages_scraped: 24,
      error: null,
      pages: { discovered: 26, scraped: 24, failed: 1, skipped: 1 },
      failed: { http_error: 1 },
      skipped: { robots: 1 },
    });
    expect(missingOf(job)).toBe(0);
    const results = await client.results(job.id);
    expect(results.map(({ metadata }) => metadata['sourceURL']).toSorted()).toEqual(
      [...new Set(urls)]
        .filter((url) => !url.includes('/status/') && !url.includes('/private/'))
        .toSorted(),
    );
    for (const { index, metadata } of results)
      expect(urls[index ?? -1]).toBe(metadata['sourceURL']);
    for (const { markdown, links, metadata } of results) {
      const n = /list\/(\d+)$/.exec(String(metadata['sourceURL']))?.[1];
      if (n !== undefined)
        expect([markdown, links]).toEqual([
          expect.stringContaining(markerOf(Number(n))),
          expect.arrayContaining([site.url('/tree/0')]),
        ]);
    }
    expect(site.count('/tree/0')).toBe(0);
    expect(site.count('/list/20')).toBe(0);
    expect(
      site
        .requests('/list/3')
        .map(({ target }) => target)
        .toSorted(),
    ).toEqual(['/list/3', '/list/3?utm_source=mail']);
    expect(await chargesOf(service, id)).toEqual({ rows: 24, credits: 24 });
    await until(() => hook.received.length > 0, { what: 'the webhook' });
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
      jobId: job.id,
      status: 'completed',
      url: urls[0],
      pages_scraped: 24,
    });
    await hook.close();
  });

  it('has as many pages in flight as the plan has workers and no more', async () => {
    const { client } = await service.tenant('hobby');
    const { batchWorkers } = PLAN_LIMITS.hobby;
    const { jobId } = await startBatch(client, { urls: list.some(batchWorkers * 4) });
    expect(await client.waitForEnd(jobId)).toMatchObject({
      status: 'completed',
      pages_scraped: batchWorkers * 4,
    });
    expect(list.most).toBe(batchWorkers);
  });

  it('is refused as a whole when an address is none', async () => {
    const urls = [...list.some(2), 'http://192.168.0.1/', 'nope'];
    expect(await service.client.call('POST', '/v1/batch', { urls, async: true })).toMatchObject({
      status: 400,
      body: { invalidUrls: ['http://192.168.0.1/', 'nope'] },
    });
    expect(site.totalRequests).toBe(0);
  });

  it('ends as failed when no page was scraped, with the reasons', async () => {
    const urls = [site.url('/status/404'), site.url('/status/410'), site.url('/private/x')];
    const { jobId } = await startBatch(service.client, { urls });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      status: 'failed',
      pages_scraped: 0,
      failed: { http_error: 2 },
      skipped: { robots: 1 },
    });
  });

  it('is cancelled with its results: no request leaves afterwards, and only those are charged', async () => {
    const { id, client } = await service.tenant('pro');
    list.answers = 20;
    const { jobId } = await startBatch(client, { urls: list.some(LIST_PAGES) });
    await until(async () => (await client.job(jobId)).pages_scraped >= 10, { what: 'ten pages' });
    expect(await client.call('DELETE', `/v1/jobs/${jobId}`)).toMatchObject({
      status: 200,
      body: { jobId, status: 'cancelled', cancelled: true },
    });
    await until(() => list.open === 0, { what: 'the pages under way to end' });
    const asked = list.asked;
    const job = await client.job(jobId);
    expect(job).toMatchObject({ status: 'cancelled', pages: { pending: 0, leased: 0 } });
    expect(missingOf(job)).toBe(0);
    expect(job.pages_scraped).toBeLessThan(LIST_PAGES);
    expect(await client.results(jobId)).toHaveLength(job.pages_scraped);
    expect(await chargesOf(service, id)).toEqual({
      rows: job.pages_scraped,
      credits: job.pages_scraped,
    });
    // Another job runs to its end meanwhile, and the first requests nothing more.
    const other = await startBatch(client, { urls: [site.url('/')] });
    await client.waitForEnd(other.jobId);
    expect(list.asked).toBe(asked);
  });

  it('of two tenants are isolated', async () => {
    list.ms = 0;
    const [one, two] = [await service.tenant('pro'), await service.tenant('pro')];
    const [first, second] = await Promise.all([
      startBatch(one.client, { urls: list.some(10) }),
      startBatch(two.client, { urls: list.some(10) }),
    ]);
    await one.client.waitForEnd(first.jobId);
    await two.client.waitForEnd(second.jobId);
    for (const [method, path] of [
      ['GET', `/v1/jobs/${first.jobId}`],
      ['GET', `/v1/crawl/${first.jobId}/results`],
      ['DELETE', `/v1/crawl/${first.jobId}`],
    ] as const) {
      expect(await two.client.call(method, path)).toMatchObject({
        status: 404,
        body: { error: API_ERRORS.job_not_found.text },
      });
    }
    // Both requested the same addresses: neither was served from what the other had.
    expect(site.count('/list/0')).toBe(2);
    await Promise.all([
      batch(one.client, { urls: list.some(4) }),
      batch(two.client, { urls: list.some(6) }),
    ]);
    expect([await chargesOf(service, one.id), await chargesOf(service, two.id)]).toEqual([
      { rows: 14, credits: 14 },
      { rows: 16, credits: 16 },
    ]);
  });
});
