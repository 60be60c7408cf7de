import { hash } from 'node:crypto';
import { createLogger, Metrics } from '@app/telemetry';
import { createTenant } from '@app/accounts';
import { findJob } from '../read-jobs.js';
import { newId } from '@app/contracts';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { itInFull } from '../../../../test/setup/full-run.js';
import { Finisher } from './finisher.js';

/**
 * A job whose finisher was killed must end within this time, plus the second that a round may wait.
 */
const MOST_LEASE_MS = 15_000;

describe('the lease on a job that is being finished', () => {
  let fresh: FreshDatabase;
  let tenantId: string;
  let jobId: string;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    await sql('TRUNCATE tenants CASCADE');
    tenantId = (await createTenant(fresh.database, 'spec', 'custom')).id;
    jobId = newId();
    await sql(`INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at, discovered, scraped)
               VALUES ('${jobId}', '${tenantId}', 'crawl', 'http://a/', 'processing', '{}', 1, now(), 1, 1)`);
    await sql(`INSERT INTO pages (job_id, url_key, url, host, depth, state, result_no, segment_key, segment_offset, segment_bytes)
               VALUES ('${jobId}', md5('a')::uuid, 'http://a/', 'a', 0, 'scraped', 1, 's', 0, 1)`);
  });

  const sql = <T extends object>(text: string) =>
    fresh.database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text });
  /** Storage that takes the file once `go` is called. */
  function finisher() {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const blobs = { put: () => gate, delete: async () => undefined };
    const log = createLogger({ level: 'silent', component: 'spec' });
    const runtime = { database: fresh.database, blobs, log, metrics: new Metrics() };
    return { go: () => go(), finisher: new Finisher(runtime as never) };
  }
  const leaseMs = async (): Promise<number | null> => {
    const text =
      'SELECT extract(epoch FROM finish_lease_until - now())::float8 * 1000 AS ms FROM jobs';
    return (await sql<{ ms: number | null }>(text))[0]?.ms ?? null;
  };
  const leaseEnd = async (): Promise<number> =>
    (await sql<{ at: Date }>('SELECT finish_lease_until AS at FROM jobs'))[0]?.at.getTime() ?? NaN;
  const statusOf = async () => (await findJob(fresh.database, tenantId, jobId))?.status;

  itInFull('is short, and renewed while the file is written', async () => {
    const { finisher: one, go } = finisher();
    const round = one.round();
    const first = await until(leaseMs, { what: 'the lease' });
    expect(first).toBeLessThanOrEqual(MOST_LEASE_MS);
    const ends = await leaseEnd();
    await until(async () => (await leaseEnd()) > ends, { what: 'a renewal' });
    expect(await finisher().finisher.round()).toBe(null);
    go();
    await round;
    expect(await statusOf()).toBe('completed');
  });

  it('of one that died runs out, and another finishes the job', async () => {
    await sql(
      `UPDATE jobs SET finish_lease_until = now() - interval '1 millisecond', finish_attempts = 1`,
    );
    const { finisher: other, go } = finisher();
    go();
    expect(await other.round()).toBe(0);
    expect(await statusOf()).toBe('completed');
  });

  it('that was lost to another finisher is only wasted work: one file counts', async () => {
    const [slow, quick] = [finisher(), finisher()];
    const round = slow.finisher.round();
    await until(leaseMs, { what: 'the lease' });
    quick.go();
    // The slow one may renew its lease in between.
    const isFinished = async () => {
      await sql(`UPDATE jobs SET finish_lease_until = now() - interval '1 millisecond'`);
      return (await quick.finisher.round()) === 0;
    };
    await until(isFinished, { what: 'the other finisher' });
    const key = (await findJob(fresh.database, tenantId, jobId))?.resultKey;
    slow.go();
    await round;
    expect((await findJob(fresh.database, tenantId, jobId))?.resultKey).toBe(key);
  });
});
