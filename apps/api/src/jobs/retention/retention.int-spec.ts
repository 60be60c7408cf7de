import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BlobUnavailableError, openBlobStore, screenshotKey, type BlobStore } from '@app/blobs';
import { loadSettings } from '@app/config';
import { newId } from '@app/contracts';
import { charge, createTenant } from '@app/accounts';
import { claimKey, completeClaim } from '@app/idempotency';
import { findDeletion, findJob, requestDeletion, purgeNext, retain } from '@app/jobs';
import { type Database } from '@app/database';
import { createLogger, Metrics } from '@app/telemetry';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../../test/setup/open-fresh-database.js';
import { eraseNext, timeOf } from '../../../../../libs/jobs/src/retention/erase-data.js';

const DAY_MS = 86_400_000;
const DAYS = 30;
const JOB_DAYS = 365;

describe('retention', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let folder: string;
  let blobs: BlobStore;
  let tenantId: string;
  /** Keys of blobs whose deletion fails. */
  let stuck: (key: string) => boolean;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    await sql('TRUNCATE tenants, hosts CASCADE');
    await sql('TRUNCATE page_cache_waste');
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-retention-'));
    const files = openBlobStore({
      url: pathToFileURL(folder).href,
      publicUrl: 'http://127.0.0.1:1',
      downloadSecret: new Uint8Array(32),
    });
    stuck = () => false;
    blobs = Object.assign(Object.create(files) as BlobStore, {
      async delete(key: string): Promise<void> {
        if (stuck(key)) throw new BlobUnavailableError('no storage');
        await files.delete(key);
      },
    });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const sql = async <T extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<T[]> =>
    database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text }, values);
  const count = async (table: string): Promise<number> =>
    (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ?? NaN;
  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of blobs.list('')) found.push(key);
    return found;
  };
  const runtime = (over: { leaseMs?: number } = {}) => ({
    database,
    blobs,
    metrics: new Metrics(),
    log: createLogger({ level: 'silent', component: 'spec' }),
    settings: {
      ...loadSettings({}),
      resultDays: DAYS,
      jobDays: JOB_DAYS,
      leaseMs: 0,
      ...over,
    },
  });
  const profileOf = (tenant: string) =>
    sql(
      `INSERT INTO profiles (tenant_id, name, version, hosts, cookie_names, key_id, box, expires_at)
       VALUES ($1, 'shop', $1, '{a.example}', '{s}', 'k', 'b', now() + interval '1 day')`,
      [tenant],
    );
  const daysLater = (days: number): Date => new Date(Date.now() + days * DAY_MS);
  const toEnd = async (round: () => Promise<number | null>): Promise<void> => {
    for (let rounds = 0; rounds < 200; rounds++) if ((await round()) === null) return;
    throw new Error('no end');
  };

  /** An ended job with a result file, a segment, pages, and a webhook that was delivered. */
  async function endedJob(
    over: { status?: string; pages?: number; segments?: number; tenant?: string } = {},
  ): Promise<string> {
    const { status = 'completed', pages = 3, segments = 1, tenant = tenantId } = over;
    const id = newId();
    const resultKey = `jobs/${tenant}/${id}/results-${newId()}.json`;
    const isEnded = status === 'completed';
    await sql(
      `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, deadline_at,
                         discovered, scraped, result_key, completed_at)
       VALUES ($1, $2, 'crawl', 'http://a.example/', $3, '{}', null, 100000, now() + interval '1 day', $4, $4, $5, $6)`,
      [id, tenant, status, pages, isEnded ? resultKey : null, isEnded ? new Date() : null],
    );
    await sql(
      `INSERT INTO pages (job_id, url_key, url, host, depth, state, result_no)
       SELECT $1, md5(n::text)::uuid, 'http://a.example/' || n, 'a.example', 0, 'scraped', n
       FROM generate_series(1, $2::int) n`,
      [id, pages],
    );
    await sql(
      `INSERT INTO page_texts (job_id, language, url_key, fence, url, title, body, terms)
       SELECT $1, 'simple', url_key, 1, url, '', '', '' FROM pages WHERE job_id = $1`,
      [id],
    );
    await sql(
      "INSERT INTO hosts (host, window_size) VALUES ('a.example', 2) ON CONFLICT DO NOTHING",
    );
    await sql("INSERT INTO job_hosts (job_id, host) VALUES ($1, 'a.example')", [id]);
    await sql("INSERT INTO job_shapes (job_id, shape, seen) VALUES ($1, 'calendar', 2)", [id]);
    await sql(
      "INSERT INTO job_reasons (job_id, state, reason, pages) VALUES ($1, 'failed', 'dns', 1)",
      [id],
    );
    await sql(
      `INSERT INTO webhook_deliveries (id, tenant_id, job_id, url, url_key, state, ended_at)
       VALUES ($1, $2, $3, 'http://h.example/', sha256('h'), 'delivered', now())`,
      [newId(), tenant, id],
    );
    await charge(database, {
      tenantId: tenant,
      operation: 'scrape',
      chargeId: newId(),
      credits: 1,
    });
    await blobs.put(resultKey, Buffer.from('[]'));
    for (let n = 0; n < segments; n++)
      await blobs.put(`jobs/${tenant}/${id}/segments/${newId()}.zst`, Buffer.from('s'));
    return id;
  }

  describe('of results', () => {
    it('keeps everything for its days', async () => {
      const id = await endedJob();
      expect(await retain(runtime(), daysLater(DAYS - 0.01))).toBe(null);
      expect(await purgeNext(runtime())).toBe(null);
      expect(await findJob(database, tenantId, id)).toMatchObject({ expiredAt: null });
      const left = [(await keys()).length, await count('pages'), await count('webhook_deliveries')];
      expect(left).toEqual([2, 3, 1]);
    });

    it('hides results from readers first, then deletes blobs and rows; the job with its counts stays', async () => {
      const id = await endedJob();
      await retain(runtime(), daysLater(DAYS + 0.01));
      expect(await findJob(database, tenantId, id)).toMatchObject({
        expiredAt: expect.any(Date),
        resultKey: null,
        status: 'completed',
        scraped: 3,
        error: null,
      });
      expect(await count('pages')).toBe(3);
      await toEnd(() => purgeNext(runtime()));
      expect(await keys()).toEqual([]);
      for (const table of ['pages', 'page_texts', 'job_hosts', 'job_shapes', 'webhook_deliveries'])
        expect([table, await count(table)]).toEqual([table, 0]);
      expect([await count('jobs'), await count('job_reasons')]).toEqual([1, 1]);
    });

    it('deletes the job itself after its own days, and its charges never', async () => {
      await endedJob();
      await retain(runtime(), daysLater(DAYS + 1));
      await toEnd(() => purgeNext(runtime()));
      await retain(runtime(), daysLater(JOB_DAYS - 0.01));
      expect(await count('jobs')).toBe(1);
      await retain(runtime(), daysLater(JOB_DAYS + 0.01));
      expect([await count('jobs'), await count('job_reasons')]).toEqual([0, 0]);
      expect(await count('credit_ledger')).toBe(1);
    });

    it('deletes no job that still has blobs', async () => {
      await endedJob();
      stuck = () => true;
      await retain(runtime(), daysLater(JOB_DAYS + 1));
      await expect(purgeNext(runtime())).rejects.toThrow('no storage');
      await retain(runtime(), daysLater(JOB_DAYS + 1));
      expect([await count('jobs'), await count('pages')]).toEqual([1, 3]);
    });

    it('leaves running jobs alone, however old', async () => {
      const id = await endedJob({ status: 'running' });
      await retain(runtime(), daysLater(10 * JOB_DAYS));
      await toEnd(() => purgeNext(runtime()));
      expect(await findJob(database, tenantId, id)).toMatchObject({ expiredAt: null });
      expect((await keys()).length).toBe(2);
    });

    it('leaves a webhook that is still pending', async () => {
      await endedJob();
      await sql(
        "UPDATE webhook_deliveries SET state = 'pending', next_at = now(), ended_at = null",
      );
      await retain(runtime(), daysLater(DAYS + 1));
      expect(await count('webhook_deliveries')).toBe(1);
    });

    it('does a bounded part of a huge job at a time, other jobs between', async () => {
      const huge = await endedJob({ pages: 12_000, segments: 0 });
      await retain(runtime(), daysLater(DAYS + 1));
      await sql('UPDATE jobs SET purge_due_at = now() - interval \'1 hour\' WHERE id = $1', [huge]); // prettier-ignore
      await purgeNext(runtime());
      expect(await count('pages')).toBe(7_000);
      await endedJob();
      await retain(runtime(), daysLater(DAYS + 1));
      await toEnd(() => purgeNext(runtime()));
      expect([await count('pages'), await keys()]).toEqual([0, []]);
    });

    it('continues past a job whose blobs cannot be deleted, and retries it later', async () => {
      const [first, second] = [await endedJob(), await endedJob()];
      await retain(runtime(), daysLater(DAYS + 1));
      await sql('UPDATE jobs SET purge_due_at = now() - interval \'1 hour\' WHERE id = $1', [first]); // prettier-ignore
      stuck = (key) => key.includes(first);
      await expect(purgeNext(runtime())).rejects.toThrow('no storage');
      await toEnd(() => purgeNext(runtime()));
      expect((await keys()).every((key) => key.includes(first))).toBe(true);
      expect((await sql('SELECT 1 FROM pages WHERE job_id = $1', [second])).length).toBe(0);
      // Rows stay as long as blobs do.
      expect((await sql('SELECT 1 FROM pages WHERE job_id = $1', [first])).length).toBe(3);

      stuck = () => false;
      expect(await purgeNext(runtime())).toBe(null);
      await sql("UPDATE jobs SET purge_due_at = purge_due_at - interval '5 minutes'");
      await toEnd(() => purgeNext(runtime()));
      expect([await keys(), await count('pages')]).toEqual([[], 0]);
    });

    it('gives each job to one of many processes', async () => {
      for (let n = 0; n < 5; n++) await endedJob();
      await retain(runtime(), daysLater(DAYS + 1));
      const rounds = await Promise.all(Array.from({ length: 20 }, () => purgeNext(runtime())));
      expect(rounds.filter((next) => next === 0).length).toBe(5);
      expect([await keys(), await count('pages')]).toEqual([[], 0]);
    });

    it('deletes unused hosts once no job refers to them', async () => {
      await endedJob();
      await sql(
        "INSERT INTO hosts (host, window_size, in_flight) VALUES ('b.example', 2, 0), ('busy.example', 2, 1)",
      );
      const hosts = async () =>
        (await sql<{ host: string }>('SELECT host FROM hosts ORDER BY host')).map(
          ({ host }) => host,
        );
      await retain(runtime(), daysLater(DAYS - 0.01));
      expect(await hosts()).toEqual(['a.example', 'b.example', 'busy.example']);
      await retain(runtime(), daysLater(DAYS + 0.01));
      expect(await hosts()).toEqual(['a.example', 'busy.example']);
      await toEnd(() => purgeNext(runtime()));
      await retain(runtime(), daysLater(DAYS + 0.01));
      expect(await hosts()).toEqual(['busy.example']);
    });

    it('deletes logins whose time is over', async () => {
      await profileOf(tenantId);
      await retain(runtime(), daysLater(0.9));
      expect(await count('profiles')).toBe(1);
      await retain(runtime(), daysLater(1.1));
      expect(await count('profiles')).toBe(0);
    });

    it('sweeps idempotency keys and screenshots in the same round', async () => {
      const slot = { tenantId, key: 'k', fingerprint: Buffer.alloc(32), leaseMs: 1_000 };
      const outcome = await claimKey(database, slot);
      if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
      const answer = { status: 200, headers: {}, body: Buffer.from('{}') };
      await completeClaim(database, outcome.claim, answer);
      const madeAt = new Date();
      await blobs.put(
        screenshotKey(tenantId, { id: newId(), extension: 'png', madeAt }),
        Buffer.from('p'),
      );
      await retain(runtime(), daysLater(0.9));
      expect([await count('idempotency_keys'), (await keys()).length]).toEqual([1, 1]);
      await retain(runtime(), daysLater(DAYS + 1));
      expect([await count('idempotency_keys'), (await keys()).length]).toEqual([0, 0]);
    });
  });

  describe("of a tenant's data", () => {
    const erase = (over: { leaseMs?: number } = {}) => toEnd(() => eraseNext(runtime(over)));
    const sleepless = () => new Date(Date.now() - 1);

    async function fill(tenant: string): Promise<void> {
      await endedJob({ tenant, pages: 7_000 });
      const running = await endedJob({ tenant, status: 'running' });
      await sql('DELETE FROM webhook_deliveries WHERE job_id = $1', [running]);
      const outcome = await claimKey(database, {
        tenantId: tenant,
        key: 'k',
        fingerprint: null,
        leaseMs: 0,
      });
      if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
      const blobKey = `tenants/${tenant}/idempotency/${outcome.claim.id}.body`;
      await completeClaim(database, outcome.claim, { status: 200, headers: {}, body: { blobKey } });
      await sql(`INSERT INTO page_cache_usage (tenant_id, bytes) VALUES ($1, 10) `, [tenant]);
      const cached = `tenants/${tenant}/cache/${'ab'.repeat(32)}-${newId()}.json.zst`;
      await sql(
        `INSERT INTO page_cache (tenant_id, variant, url, blob_key, bytes, expires_at)
         VALUES ($1, sha256('v'), 'http://a.example/', $2, 10, now() + interval '1 day')`,
        [tenant, cached],
      );
      const shot = { id: newId(), extension: 'png', madeAt: new Date() };
      for (const key of [blobKey, cached, screenshotKey(tenant, shot)])
        await blobs.put(key, Buffer.from('x'));
      await blobs.put(`jobs/${tenant}/${newId()}/segments/${newId()}.zst`, Buffer.from('orphan'));
      await profileOf(tenant);
    }

    const TABLES = [
      'jobs',
      'pages',
      'webhook_deliveries',
      'idempotency_keys',
      'page_cache',
      'profiles',
    ];

    it('deletes all of it except the charges, and nothing of another tenant', async () => {
      const other = (await createTenant(database, 'other', 'custom')).id;
      await fill(other);
      const counts = async () => Promise.all(TABLES.map((table) => count(table)));
      const [kept, keptKeys] = [await counts(), await keys()];
      await fill(tenantId);
      const { id } = await requestDeletion(database, tenantId);
      await erase();
      expect(await findDeletion(database, tenantId, id)).toMatchObject({
        completedAt: expect.any(Date),
        jobs: 2,
        pages: 7_003,
        // Two results, two segments, an orphan, an answer, a cached page and a picture.
        blobs: 8,
      });
      expect(await counts()).toEqual(kept);
      expect(await keys()).toEqual(keptKeys);
      const charged = await sql('SELECT 1 FROM credit_ledger WHERE tenant_id = $1', [tenantId]);
      expect(charged.length).toBe(2);
      const [usage] = await sql('SELECT bytes::int FROM page_cache_usage WHERE tenant_id = $1', [tenantId]); // prettier-ignore
      expect(usage).toEqual({ bytes: 0 });
    });

    it('is not visible to another tenant', async () => {
      const other = (await createTenant(database, 'other', 'custom')).id;
      const { id } = await requestDeletion(database, tenantId);
      expect(await findDeletion(database, other, id)).toBe(null);
    });

    it('keeps data created after the request', async () => {
      await endedJob();
      await requestDeletion(database, tenantId);
      await sql("UPDATE data_deletions SET requested_at = requested_at - interval '1 hour'");
      await sql("UPDATE jobs SET created_at = created_at - interval '2 hours'");
      const later = await endedJob();
      const shot = { id: newId(), extension: 'png', madeAt: sleepless() };
      await blobs.put(screenshotKey(tenantId, shot), Buffer.from('x'));
      await erase();
      expect((await sql('SELECT id FROM jobs')).map(({ id }) => id)).toEqual([later]);
      const left = await keys();
      expect(left.filter((key) => key.includes(later)).length).toBe(2);
      expect(left.some((key) => key.startsWith('screenshots/'))).toBe(true);
    });

    it('runs again when a worker has lost its lease', async () => {
      const beganAt = Date.now();
      const deletion = await requestDeletion(database, tenantId);
      const leaseMs = 30_000;
      const inMs = await eraseNext(runtime({ leaseMs }));
      expect(inMs).toBeGreaterThan(50_000 - (Date.now() - beganAt));
      expect(inMs).toBeLessThanOrEqual(60_001);
      expect(await eraseNext(runtime({ leaseMs }))).toBe(null);
      await blobs.put(`jobs/${tenantId}/${newId()}/segments/${newId()}.zst`, Buffer.from('late'));
      await sql(
        "UPDATE data_deletions SET due_at = now(), requested_at = date_trunc('milliseconds', now())",
      );
      await erase();
      expect(await keys()).toEqual([]);
      expect(await findDeletion(database, tenantId, deletion.id)).toMatchObject({ blobs: 1 });
    });

    it('continues where a round stopped', async () => {
      await fill(tenantId);
      const { id } = await requestDeletion(database, tenantId);
      stuck = (key) => key.includes('segments');
      await expect(erase()).rejects.toThrow('no storage');
      expect(await count('pages')).toBeGreaterThan(0);
      stuck = () => false;
      await sql('UPDATE data_deletions SET due_at = now()');
      await erase();
      expect([await keys(), await count('jobs'), await count('pages')]).toEqual([[], 0, 0]);
      expect(await findDeletion(database, tenantId, id)).toMatchObject({ jobs: 2 });
    });

    it('is the same when requested again while it runs, with a later end', async () => {
      const first = await requestDeletion(database, tenantId);
      const job = await endedJob();
      const [again, twin] = await Promise.all([
        requestDeletion(database, tenantId),
        requestDeletion(database, tenantId),
      ]);
      expect([again.id, twin.id]).toEqual([first.id, first.id]);
      await erase();
      expect(await findJob(database, tenantId, job)).toBe(null);
      expect((await requestDeletion(database, tenantId)).id).not.toBe(first.id);
    });
  });

  it('reads the time from the first name below a folder', () => {
    const [job, segment] = [newId(), newId()];
    const ms = parseInt(job.replaceAll('-', '').slice(0, 12), 16);
    expect(timeOf(`jobs/t/${job}/segments/${segment}.zst`, 'jobs/t/')).toBe(ms);
    expect(timeOf(`tenants/t/cache/${'ab'.repeat(32)}-${job}.json.zst`, 'tenants/t/')).toBe(ms);
    expect(timeOf('tenants/t/notes.txt', 'tenants/t/')).toBeNaN();
  });
});
