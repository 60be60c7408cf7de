import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../../database/test/explaining-database.js';
import { findJob, recentJobs } from '../read-jobs.js';
import { JobEntity } from '../job.entity.js';
import { createTenant } from '@app/accounts';

/** Every column has its own value, so that a mix-up shows. */
const INSERT = `
  INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, discovered, pending,
    leased, scraped, failed, skipped, cancelled, discovery_capped, error, result_key, created_at, started_at,
    completed_at, deadline_at, expired_at)
  SELECT gen_random_uuid(), $1::uuid, 'crawl', 'http://a.example/' || n, 'completed', '{"maxDepth": 3}', 'http://hook/',
    4000, 21 + n, 1, 2, 3 + n, 4, 5, 6, true, 'none', 'a key', '2026-01-01T00:00Z'::timestamptz + n * interval '1 minute',
    '2026-01-02T00:00Z', '2026-01-03T00:00Z', '2026-01-04T00:00Z', '2026-01-05T00:00Z' FROM generate_series(1, $2::int) n`;

describe('jobs that are read', () => {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;
  let tenantId: string;
  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    const otherId = (await createTenant(database, 'other', 'free')).id;
    for (const id of [tenantId, otherId])
      await database.query({ name: 'fill_jobs', text: INSERT }, [id, 3_000]);
    await database.query({ name: 'analyze', text: 'ANALYZE jobs' });
  });
  afterAll(() => fresh.drop());

  it('are the newest, newest first, with the fields of a list', async () => {
    const jobs = await recentJobs(database, tenantId, 20);
    expect(jobs.map(({ url }) => url)).toEqual(
      Array.from({ length: 20 }, (_, n) => `http://a.example/${3_000 - n}`),
    );
    expect(jobs[0]).toEqual({
      ...{ id: expect.any(String), type: 'crawl', url: 'http://a.example/3000' },
      ...{ status: 'completed', scraped: 3_003 },
      createdAt: new Date(Date.parse('2026-01-01T00:00:00Z') + 3_000 * 60_000),
      completedAt: new Date('2026-01-03T00:00:00Z'),
    });
    expect(database.plans.get('recent_jobs')).toContain('jobs_recent');
    expect(database.plans.get('recent_jobs')).not.toMatch(/Seq Scan|Sort/);
  });

  it('are as the entity has them, and only their own tenant finds them', async () => {
    const [{ id } = { id: '' }] = await recentJobs(database, tenantId, 1);
    const found = await findJob(database, tenantId, id);
    const entity = await database.rows(JobEntity).findOneBy({ id });
    expect(found).toEqual({ ...entity });
    expect(Object.keys(found ?? {})).toHaveLength(24);
    const other = (await createTenant(database, 'third', 'free')).id;
    expect(await findJob(database, other, id)).toBeNull();
    expect(database.plans.get('find_job')).toContain('jobs_pkey');
  });
});
