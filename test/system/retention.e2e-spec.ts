import { hash } from 'node:crypto';
import type { BlobStore } from '@app/blobs';
import { spawnApp, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deploy, deployCluster, MODES, type Deployment } from './deployment.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';

interface DeletionView {
  readonly deletionId: string;
  readonly status: string;
  readonly completed_at: string | null;
  readonly deleted: { readonly jobs: number; readonly pages: number; readonly files: number };
}

const GONE = { error: 'The results of this job have expired and are deleted.' };
const UNKNOWN = { error: 'Job not found', hint: expect.any(String) };

const sqlOf =
  ({ database }: Deployment) =>
  async <T extends object = Record<string, unknown>>(text: string): Promise<T[]> =>
    database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text });

describe.each(MODES)("a tenant's data, %s", (mode) => {
  let service: Deployment;
  let site: FixtureSite;
  let blobs: BlobStore;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deploy(mode, { env: { BROWSER_MAX: '0', LEASE_MS: '2000' } });
    blobs = storageOf(service);
  }, 120_000);
  afterAll(async () => {
    await blobs?.close();
    await service?.stop();
    await site?.close();
  }, 60_000);

  it('is deleted on request: running jobs are cancelled, no data is left, other tenants keep theirs', async () => {
    const { client } = service;
    const sql = sqlOf(service);
    const other = await service.otherTenant();
    const theirs = await other.crawl({ url: site.url('/'), maxPages: 2 });
    await other.waitForEnd(theirs.jobId);
    const done = await client.crawl({ url: site.url('/'), maxPages: 3 });
    const ended = await client.waitForEnd(done.jobId);
    const running = await client.crawl({ url: site.url('/hang'), maxPages: 5 });
    await until(() => site.count('/hang') > 0, { what: 'a running crawl', timeoutMs: 20_000 });
    await client.scrape({ url: site.url('/'), maxAge: 60_000 });
    const [{ tenant }] = (await sql<{ tenant: string }>(
      `SELECT tenant_id::text AS tenant FROM jobs WHERE id = '${done.jobId}'`,
    )) as [{ tenant: string }];
    const ledger = () =>
      sql(`SELECT id::text FROM credit_ledger WHERE tenant_id = '${tenant}' ORDER BY id`);
    expect((await blobKeysWith(blobs, tenant)).length).toBeGreaterThan(1);
    const charged = await ledger();

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
    await until(async () => (await state()).status === 'completed', {
      what: 'the deletion',
      timeoutMs: 60_000,
    });
    expect(await state()).toMatchObject({ completed_at: expect.any(String), deleted: { jobs: 2 } });
    expect(await client.jobs()).toEqual({ jobs: [] });
    expect(await cancelledCrawls(service)).toBe(1);
    for (const id of [done.jobId, running.jobId]) {
      for (const what of ['', '/results', '/urls']) {
        const answer = await client.call('GET', `/v1/crawl/${id}${what}`);
        expect([what, answer.status, answer.body]).toEqual([what, 404, UNKNOWN]);
      }
    }
    expect((await fetch(ended.result_url ?? '')).status).toBe(404);
    expect(await blobKeysWith(blobs, tenant)).toEqual([]);
    for (const table of ['jobs', 'page_cache', 'idempotency_keys', 'webhook_deliveries']) {
      expect(await sql(`SELECT 1 FROM ${table} WHERE tenant_id = '${tenant}'`)).toEqual([]);
    }
    expect(await ledger()).toEqual(charged);

    expect((await other.results(theirs.jobId)).length).toBe(2);
    const foreign = await other.call('GET', `/v1/data/deletions/${deletionId}`);
    const none = await other.call('GET', '/v1/data/deletions/none');
    expect([foreign.status, foreign.body]).toEqual([404, { error: 'Deletion not found' }]);
    expect([none.status, none.body]).toEqual([foreign.status, foreign.body]);
    const later = await client.crawl({ url: site.url('/'), maxPages: 1 });
    expect((await client.waitForEnd(later.jobId)).status).toBe('completed');
  }, 120_000);
});

describe('results whose days are over', () => {
  let service: Deployment;
  let site: FixtureSite;
  let blobs: BlobStore;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deployCluster({ env: { BROWSER_MAX: '0', RESULT_DAYS: '7' } });
    blobs = storageOf(service);
  }, 120_000);
  afterAll(async () => {
    await blobs?.close();
    await service?.stop();
    await site?.close();
  }, 60_000);

  it('are deleted, the job stays; a process killed -9 meanwhile leaves nothing behind', async () => {
    const { client } = service;
    const sql = sqlOf(service);
    const [old, young] = await Promise.all(
      [3, 2].map((maxPages) => client.crawl({ url: site.url('/'), maxPages })),
    );
    if (!old || !young) throw new Error('no crawls');
    const before = await client.waitForEnd(old.jobId);
    await client.waitForEnd(young.jobId);
    const charged = await sql('SELECT 1 FROM credit_ledger');
    await sql(
      `UPDATE jobs SET completed_at = completed_at - interval '8 days' WHERE id = '${old.jobId}'`,
    );
    // Whoever deletes rows is held up, and killed in the middle.
    await sql(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(30); RETURN NULL; END'`);
    await sql(
      'CREATE TRIGGER hold BEFORE DELETE ON pages FOR EACH STATEMENT EXECUTE FUNCTION hold()',
    );
    const [first] = service.apps;
    // Its rounds begin at once, those of the first come within a minute.
    const second = await spawnApp({ app: 'api', env: service.env });
    const holders = () =>
      sql<{
        name: string;
      }>(`SELECT application_name AS name, pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND datname = current_database()`);
    const sleeping = () =>
      sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()"); // prettier-ignore
    try {
      await until(async () => (await sleeping()).length > 0, {
        what: 'rows being deleted',
        timeoutMs: 75_000,
      });
      // Blobs went first; readers got 410 before.
      expect(await blobKeysWith(blobs, old.jobId)).toEqual([]);
      for (const what of ['/results', '/urls', '/results?format=warc']) {
        const answer = await client.call('GET', `/v1/crawl/${old.jobId}${what}`);
        expect([what, answer.status, answer.body]).toEqual([what, 410, GONE]);
      }
      expect(await client.job(old.jobId)).toEqual({
        ...before,
        completed_at: expect.any(String),
        result_url: null,
        error: null,
      });
    } finally {
      await Promise.all([second.process.kill9(), first?.process.kill9()]);
      await until(async () => (await holders()).length === 0, { timeoutMs: 10_000 });
      await sql('DROP TRIGGER hold ON pages');
    }
    expect((await sql(`SELECT 1 FROM pages WHERE job_id = '${old.jobId}'`)).length).toBeGreaterThan(0); // prettier-ignore
    // The lease of the dead is over.
    await sql('UPDATE jobs SET purge_due_at = now() WHERE purge_due_at IS NOT NULL');
    const third = await spawnApp({ app: 'api', env: service.env });
    service.apps.push(third);
    const left = () => sql(`SELECT 1 FROM pages WHERE job_id = '${old.jobId}'`);
    await until(async () => (await left()).length === 0, {
      what: 'the rest of the rows',
      timeoutMs: 30_000,
    });
    await until(
      async () => (await sql('SELECT 1 FROM jobs WHERE purge_due_at IS NOT NULL')).length === 0,
      { what: 'the end of the purge', timeoutMs: 20_000 },
    );
    expect((await blobKeysWith(blobs, young.jobId)).length).toBeGreaterThan(1);
    expect((await sql('SELECT 1 FROM jobs')).length).toBe(2);
    expect((await sql('SELECT 1 FROM credit_ledger')).length).toBe(charged.length);
    service.apps.shift();
  }, 180_000);
});

/** Cancelled crawls whose duration the API has recorded. */
async function cancelledCrawls({ apps: [api] }: Deployment): Promise<number> {
  const text = await (await fetch(`${api?.metricsUrl}/metrics`)).text();
  const line = /^trawl_job_duration_seconds_count\{type="crawl",outcome="cancelled"\} (\d+)$/m;
  return Number(line.exec(text)?.[1] ?? 0);
}
