import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../../database/test/explaining-database.js';
import {
  claimKey,
  completeClaim,
  confirmClaim,
  dropClaim,
  extendClaims,
  releaseClaim,
  sweepIdempotencyKeys,
  type KeyClaim,
} from '@app/idempotency';
import { createTenant } from '@app/accounts';
import {
  completeDeletion,
  deleteJob,
  deleteTenantCache,
  deleteTenantKeys,
  expiredJobs,
  expireTenantJobs,
  findDeletion,
  forgetDeletions,
  noteDeleted,
  requestDeletion,
  runningJobs,
  takeDeletion,
} from './data-deletion.js';
import {
  continuePurge,
  endPurge,
  expireJobs,
  forgetJobs,
  purgeRows,
  takePurge,
} from './expire-jobs.js';
import { HostSweep } from '@app/scrape';
import { sweepDeliveries } from '@app/webhooks';

/** 60,000 jobs of 200 tenants with their rows; most are young, a few have expired. */
const FILL = `
  INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 't', 'free' FROM generate_series(1, 200);
  INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at, created_at, completed_at, expired_at, purge_due_at)
    SELECT gen_random_uuid(), id, 'crawl', 'http://a.example/', CASE WHEN n % 100 = 0 THEN 'running' ELSE 'completed' END, '{}', 10, now(),
      now() - n * interval '1 day', CASE WHEN n % 100 > 0 THEN now() - n * interval '1 day' END,
      CASE WHEN n % 100 > 30 THEN now() END, CASE WHEN n % 100 = 31 THEN now() END
    FROM tenants, generate_series(1, 300) n;
  INSERT INTO pages (job_id, url_key, url, host, depth, state)
    SELECT id, gen_random_uuid(), 'http://a.example/' || n, 'a.example', 0, 'scraped'
    FROM (SELECT id FROM jobs LIMIT 5000) AS few, generate_series(1, 10) n;
  INSERT INTO page_texts (job_id, language, url_key, fence, url, title, body, terms)
    SELECT job_id, 'simple', url_key, 1, url, '', '', '' FROM pages;
  INSERT INTO hosts (host, window_size, updated_at)
    SELECT CASE n WHEN 1 THEN 'a.example' ELSE n || '.example' END, 2, now() - (n % 60) * interval '1 day' FROM generate_series(1, 50000) n;
  INSERT INTO job_hosts (job_id, host) SELECT id, (row_number() OVER () % 40000 + 2) || '.example' FROM jobs;
  INSERT INTO job_shapes (job_id, shape, seen) SELECT id, 'calendar', 1 FROM jobs;
  INSERT INTO webhook_deliveries (id, tenant_id, job_id, url, url_key, state, ended_at)
    SELECT gen_random_uuid(), tenant_id, id, 'http://h.example/', sha256('h'), 'delivered', completed_at
    FROM jobs WHERE completed_at IS NOT NULL;
  INSERT INTO idempotency_keys (tenant_id, key, id, status, created_at, expires_at)
    SELECT id, n::text, gen_random_uuid(), 200, now(), now() + (n - 5) * interval '1 minute' FROM tenants, generate_series(1, 200) n;
  INSERT INTO daily_quotas (tenant_id, operation, day, used)
    SELECT id, 'preview', now()::date - n, 1 FROM tenants, generate_series(1, 50) n;
  INSERT INTO page_cache_usage SELECT id, 100000 FROM tenants;
  INSERT INTO page_cache SELECT id, sha256(n::text::bytea), 'http://a.example/', id || '/' || n, 500, null, null, now(), now() + interval '1 day'
    FROM tenants, generate_series(1, 200) n;
  INSERT INTO data_deletions (id, tenant_id, requested_at, completed_at)
    SELECT gen_random_uuid(), id, now(), now() - n * interval '1 day' FROM tenants, generate_series(1, 100) n
`;

/** Where another index would do as well on a small table, and badly on a large one. */
const INDEXES: Readonly<Record<string, string>> = {
  claim_idempotency_key: 'idempotency_keys_pkey',
  sweep_idempotency_keys: 'idempotency_keys_expiry',
  expire_jobs: 'jobs_ended',
  take_purge: 'jobs_purge',
  forget_jobs: 'jobs_expired',
  sweep_webhook_deliveries: 'webhook_deliveries_ended',
  oldest_job_of_tenant: 'jobs_recent',
  take_data_deletion: 'data_deletions_due',
  forget_data_deletions: 'data_deletions_done',
};

describe('statements of retention', () => {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    for (const [at, text] of FILL.split(';\n').entries())
      await database.query({ name: `fill_${at}`, text });
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    await database.query({ name: 'analyze', text: 'ANALYZE' });
  });
  afterAll(() => fresh.drop());

  async function claim(key: string): Promise<KeyClaim> {
    const outcome = await claimKey(database, { tenantId, key, fingerprint: null, leaseMs: 60_000 });
    if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
    return outcome.claim;
  }

  it('touch rows by index, however many there are', async () => {
    const before = new Date(Date.now() - 30 * 86_400_000);
    const [first, second, third] = [await claim('a'), await claim('b'), await claim('c')];
    await claimKey(database, { tenantId, key: 'a', fingerprint: null, leaseMs: 1 });
    await extendClaims(database, [first, second], 60_000);
    await confirmClaim(database, first, Buffer.alloc(32));
    await completeClaim(database, first, { status: 200, headers: {}, body: Buffer.from('{}') });
    await releaseClaim(database, second);
    await dropClaim(database, third);
    await sweepIdempotencyKeys(database, 10);

    await expireJobs(database, { before, limit: 10 });
    const job = await takePurge(database, 60_000);
    if (!job) throw new Error('nothing to purge');
    await purgeRows(database, job.id, 10);
    await continuePurge(database, job.id);
    await endPurge(database, job);
    await forgetJobs(database, { before, limit: 10 });
    await sweepDeliveries(database, { before, limit: 10 });
    await forgetDeletions(database, { before, limit: 10 });
    await new HostSweep(database).next({ before, limit: 100 });

    const deletion = await requestDeletion(database, job.tenantId);
    await findDeletion(database, job.tenantId, newId());
    await takeDeletion(database, 60_000);
    const data = { tenantId: job.tenantId, until: new Date(), limit: 10 };
    await runningJobs(database, data);
    await expireTenantJobs(database, data);
    const [old] = await expiredJobs(database, data);
    if (old) await deleteJob(database, old);
    await deleteTenantKeys(database, data);
    await deleteTenantCache(database, data);
    await noteDeleted(database, deletion.id, { jobs: 1, pages: 1, blobs: 1 }, 0);
    await completeDeletion(database, deletion);

    expect(database.plans.size).toBeGreaterThan(25);
    const scans = [...database.plans].filter(([, plan]) => /Seq Scan on (?!clock)/.test(plan));
    expect(scans).toEqual([]);
    for (const [name, index] of Object.entries(INDEXES)) {
      expect([name, database.plans.get(name)]).toEqual([name, expect.stringContaining(index)]);
    }
  });
});
