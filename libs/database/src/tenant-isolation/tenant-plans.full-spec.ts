import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../test/explaining-database.js';
import { findJob, jobReasons, recentJobs } from '@app/jobs';
import { resultRows } from '@app/jobs';
import { issueApiKey } from '@app/accounts';
import { findApiKey, listApiKeys } from '@app/accounts';
import { revokeApiKeyById } from '@app/accounts';
import { rotateApiKey } from '@app/accounts';
import { archivedRows, copiesOf, siteLevel, urlReportSlice } from '@app/jobs';

/** 40,000 jobs of 200 tenants, 160 of them with 1,000 pages, and 20 keys for each tenant. */
const FILL = `
  INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 't', 'free' FROM generate_series(1, 200);
  INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at, created_at)
    SELECT gen_random_uuid(), id, 'crawl', 'http://a.example/', 'completed', '{}', 10, now(), now() - n * interval '1 hour'
    FROM tenants, generate_series(1, 200) n;
  INSERT INTO job_reasons (job_id, state, reason, pages)
    SELECT id, 'skipped', reason, 1 FROM jobs, unnest(ARRAY['external', 'robots']) reason;
  INSERT INTO pages (job_id, url_key, url, host, depth, state, result_no, segment_key, segment_offset, segment_bytes,
      content_hash, finished_at)
    SELECT id, gen_random_uuid(), 'http://a.example/' || n, 'a.example', 1, 'scraped', n, 's', n, 1,
      md5((n / 2)::text)::uuid, now()
    FROM (SELECT id FROM jobs LIMIT 160) AS few, generate_series(1, 1000) n;
  INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label)
    SELECT gen_random_uuid(), id, left(md5(id::text || n), 12), '', 'l' FROM tenants, generate_series(1, 20) n
`;

/** By statement: the index that finds its rows, however many rows others have. */
const INDEXES: Readonly<Record<string, string>> = {
  find_job: 'jobs_pkey',
  recent_jobs: 'jobs_recent',
  job_reasons: 'job_reasons_pkey',
  result_rows: 'pages_00_results',
  page_ledger: 'pages_00_ledger',
  site_level: 'pages_00_ledger',
  archived_rows: 'pages_00_results',
  copies_of: 'pages_00_content',
  find_key_of_tenant: 'api_keys_pkey',
  list_api_keys: 'api_keys_tenant',
};

describe('the plans of statements that run as a tenant', () => {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    for (const [at, text] of FILL.split(';\n').entries())
      await database.query({ name: `fill_${at}`, text });
    await database.query({ name: 'analyze', text: 'ANALYZE' });
  });
  afterAll(() => fresh?.drop());

  async function askForAll(tenantId: string, jobId: string): Promise<void> {
    const reader = database.asReader(tenantId);
    await findJob(database, tenantId, jobId);
    await recentJobs(database, tenantId, 20);
    await jobReasons(reader, jobId);
    await resultRows(reader, jobId, 100, 200);
    const query = { after: 0n, most: 100, state: null, reason: null, window: 1_000 };
    await urlReportSlice(reader, jobId, query);
    await siteLevel(reader, jobId, { prefix: '', most: 100, window: 1_000 });
    await archivedRows(reader, jobId, 100, 200);
    await copiesOf(reader, { jobId, urlKey: newId() }, null, 10);
    const { record } = await issueApiKey(database, { tenantId, label: 'l', origin: 'account' });
    const key = { tenantId, keyId: record.id };
    await findApiKey(database, key);
    await listApiKeys(database, tenantId);
    await rotateApiKey(database, { ...key, overlapSeconds: 1 });
    await revokeApiKeyById(database, key);
  }

  it('is found by the same indexes as without tenant isolation', async () => {
    const text =
      'SELECT job_id AS id, tenant_id AS "tenantId" FROM pages JOIN jobs ON id = job_id LIMIT 1';
    const [job] = await database.query<{ id: string; tenantId: string }>({
      name: 'spec job',
      text,
    });
    await askForAll(job?.tenantId ?? '', job?.id ?? '');
    const scans = [...database.plans].filter(([, plan]) => /Seq Scan on [a-z]/.test(plan));
    expect(scans).toEqual([]);
    for (const [name, index] of Object.entries(INDEXES))
      expect([name, database.plans.get(name)]).toEqual([name, expect.stringContaining(index)]);
    // A list is read in its order and ends early; no statement reads all jobs of the tenant to find its pages.
    expect(database.plans.get('recent_jobs')).not.toContain('Sort');
    for (const [, plan] of database.plans) expect(plan).not.toContain('hashed SubPlan');
  });
});
