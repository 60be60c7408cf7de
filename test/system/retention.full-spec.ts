import { hash } from 'node:crypto';
import type { BlobStore } from '@app/blobs';
import { spawnApp, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deployCluster, type Deployment } from './deployment.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';

const GONE = { error: 'The results of this job have expired and are deleted.' };

const sqlOf =
  ({ database }: Deployment) =>
  async <T extends object = Record<string, unknown>>(text: string): Promise<T[]> =>
    database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text });

describe('results whose days are over', () => {
  let service: Deployment;
  let site: FixtureSite;
  let blobs: BlobStore;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deployCluster({ env: { BROWSER_MAX: '0', RESULT_DAYS: '7' } });
    blobs = storageOf(service);
  });
  afterAll(async () => {
    await blobs?.close();
    await service?.stop();
    await site?.close();
  });

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
  });
});
