import { hash } from 'node:crypto';
import type { BlobStore } from '@app/blobs';
import { startFixtureSite, until, type FixtureSite } from '@app/testing';
import { untilCached } from './cached-copies.js';
import { deploy, MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';
import { isFullRun } from '../setup/full-run.js';

interface DeletionView {
  readonly deletionId: string;
  readonly status: string;
  readonly completed_at: string | null;
  readonly deleted: { readonly jobs: number; readonly pages: number; readonly files: number };
}

const UNKNOWN = { error: 'Job not found', hint: expect.any(String) };

const sqlOf =
  ({ database }: Service) =>
  async <T extends object = Record<string, unknown>>(text: string): Promise<T[]> =>
    database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text });

describe.each(MODES)("a tenant's data, %s", (mode) => {
  let service: Service;
  let site: FixtureSite;
  let blobs: BlobStore;

  beforeAll(async () => {
    site = await startFixtureSite();
    // A deletion ends two leases after its request, when workers write no more: a minute unless it is set so.
    const env = { BROWSER_MAX: '0', LEASE_MS: '2000' };
    service = await (isFullRun ? deploy(mode, { env }) : share(mode));
    blobs = storageOf(service);
  });
  afterAll(async () => {
    await blobs?.close();
    await site?.close();
    await service?.stop();
  });

  it('is deleted on request: running jobs are cancelled, no data is left, other tenants keep theirs', async () => {
    const { client } = service;
    const sql = sqlOf(service);
    const other = await service.otherTenant();
    const theirs = await other.crawl({ url: site.url('/'), maxPages: 2 });
    await other.waitForEnd(theirs.jobId);
    const done = await client.crawl({ url: site.url('/'), maxPages: 3 });
    const ended = await client.waitForEnd(done.jobId);
    const held = Promise.withResolvers<void>();
    site.serve({ '/held': ({ response }) => held.promise.then(() => void response.end('late')) });
    const running = await client.crawl({ url: site.url('/held'), maxPages: 5 });
    await until(() => site.count('/held') > 0, { what: 'a running crawl' });
    await client.scrape({ url: site.url('/'), maxAge: 60_000 });
    await untilCached(service.database, site.url('/'));
    const [{ tenant }] = (await sql<{ tenant: string }>(
      `SELECT tenant_id::text AS tenant FROM jobs WHERE id = '${done.jobId}'`,
    )) as [{ tenant: string }];
    const ledger = () =>
      sql(`SELECT id::text FROM credit_ledger WHERE tenant_id = '${tenant}' ORDER BY id`);
    expect((await blobKeysWith(blobs, tenant)).length).toBeGreaterThan(1);
    const [charged, cancelled] = [await ledger(), await cancelledCrawls(service)];

    const asked = await client.call('DELETE', '/v1/data');
    const { deletionId } = asked.body as DeletionView;
    expect([asked.status, asked.body]).toEqual([
      202,
      {
        deletionId: expect.any(String),
        status: 'running',
        requested_at: expect.any(String),
        completed_at: null,
        deleted: { jobs: 0, pages: 0, files: 0 },
      },
    ]);
    const state = async (): Promise<DeletionView> =>
      (await client.call('GET', `/v1/data/deletions/${deletionId}`)).body as DeletionView;
    await until(async () => (await state()).deleted.jobs === 2, { what: 'no jobs' });
    expect(await client.jobs()).toEqual({ jobs: [] });
    expect(await cancelledCrawls(service)).toBe(cancelled + 1);
    for (const id of [done.jobId, running.jobId]) {
      for (const what of ['', '/results', '/urls']) {
        const answer = await client.call('GET', `/v1/crawl/${id}${what}`);
        expect([what, answer.status, answer.body]).toEqual([what, 404, UNKNOWN]);
      }
    }
    expect((await fetch(ended.result_url ?? '')).status).toBe(404);
    await until(async () => (await blobKeysWith(blobs, tenant)).length === 0, { what: 'no blobs' });
    for (const table of ['jobs', 'page_cache', 'idempotency_keys', 'webhook_deliveries']) {
      expect(await sql(`SELECT 1 FROM ${table} WHERE tenant_id = '${tenant}'`)).toEqual([]);
    }
    expect(await ledger()).toEqual(charged);

    if (isFullRun) {
      await until(async () => (await state()).status === 'completed', { timeoutMs: 60_000 });
      expect((await state()).completed_at).toEqual(expect.any(String));
    }
    held.resolve();

    expect((await other.results(theirs.jobId)).length).toBe(2);
    const foreign = await other.call('GET', `/v1/data/deletions/${deletionId}`);
    const none = await other.call('GET', '/v1/data/deletions/none');
    expect([foreign.status, foreign.body]).toEqual([404, { error: 'Deletion not found' }]);
    expect([none.status, none.body]).toEqual([foreign.status, foreign.body]);
    const later = await client.crawl({ url: site.url('/'), maxPages: 1 });
    expect((await client.waitForEnd(later.jobId)).status).toBe('completed');
  });
});

/** Cancelled crawls whose duration the API has recorded. */
async function cancelledCrawls({ metricsUrl }: Service): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const line = /^trawl_job_duration_seconds_count\{type="crawl",outcome="cancelled"\} (\d+)$/m;
  return Number(line.exec(text)?.[1] ?? 0);
}
