import { newId } from '@app/contracts';
import { createTenant } from '@app/accounts';
import type { Database } from '@app/database';
import { adHocStatement } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { searchPages } from './search-pages.js';

/** 100 jobs of 200 pages in one partition, all with the same words but for one in a hundred pages. */
const FILL = [
  `INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at)
   SELECT id, $1::uuid, 'crawl', 'http://a.example/', 'completed', '{"index": true}', 1, now() FROM (
     SELECT gen_random_uuid() AS id FROM generate_series(1, 4000)) made
   WHERE satisfies_hash_partition('page_texts'::regclass, 16, 0, id) LIMIT 100`,
  `INSERT INTO pages (job_id, url_key, url, host, depth, state, result_no)
   SELECT id, gen_random_uuid(), 'http://a.example/' || n, 'a.example', 0, 'scraped', n FROM jobs, generate_series(1, 200) n`,
  `INSERT INTO page_texts (job_id, language, url_key, fence, url, title, body, terms)
   SELECT job_id, 'english', url_key, 1, url, 't', b, array_to_tsvector(ARRAY[page_text_mark(job_id, 'english')]) || to_tsvector('english', b)
   FROM pages, LATERAL (SELECT 'common words of a page' || CASE WHEN result_no % 100 = 0 THEN ' rarely' ELSE '' END AS b) ORDER BY job_id`,
];

describe('the plan of a search in a partition with other jobs', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let jobId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    for (const text of FILL) {
      const values = text.includes('$1') ? [tenantId] : [];
      await database.query(adHocStatement(text), values);
    }
    await database.query(adHocStatement('VACUUM ANALYZE'));
    const jobs = await database.query<{ id: string }>(
      adHocStatement('SELECT id FROM jobs LIMIT 1'),
    );
    jobId = jobs[0]?.id ?? newId();
  }, 120_000);
  afterAll(() => fresh?.drop());

  /** The statement of the function, with its parameters as those of a statement that is planned for all values. */
  async function planOfMatches(): Promise<string> {
    const [source] = await database.query<{ prosrc: string }>(
      adHocStatement(`SELECT prosrc FROM pg_proc WHERE proname = 'search_page_texts'`),
    );
    const { prosrc = '' } = source ?? {};
    const parameters = ['job_id', 'query', 'most', 'limit', 'score', 'url_key'];
    const types = ['uuid', 'text', 'int', 'int', 'real', 'uuid'];
    const start = prosrc.indexOf('RETURN QUERY') + 'RETURN QUERY'.length;
    const text = parameters.reduce(
      (sql, name, at) => sql.replaceAll(`p_${name}`, `$${at + 1}::${types[at]}`),
      prosrc.slice(start, prosrc.lastIndexOf(';', prosrc.lastIndexOf('END'))),
    );
    const rows = await database.transaction(async (tx) => {
      // As in the function.
      await tx.query('SET LOCAL enable_seqscan = off');
      return (await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`)).rows;
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('reads the index of terms, and no table from end to end', async () => {
    const plan = await planOfMatches();
    const [, matched = ''] = /CTE matched\n([^]*?)\n {2}CTE/.exec(plan) ?? [];
    expect(matched).toContain('Bitmap Index Scan on page_texts_00_terms');
    expect(matched).not.toContain('page_texts_00_pkey');
    expect(plan).not.toMatch(/Seq Scan on page_texts/);
  });

  it('reads no pages of other jobs, however many of them match', async () => {
    const blocksOf = async (query: string): Promise<number> =>
      database.transaction(async (tx) => {
        const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
          SELECT * FROM search_page_texts('${jobId}', '${query}', 10000, 10, NULL, NULL)`;
        await tx.query(`SELECT set_config('trawl.tenant', '${tenantId}', true)`);
        await tx.query(explain); // plans and catalogue are read once
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
          explain,
        );
        const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
        return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      });
    const [all] = await database.query<{ blocks: number }>(
      adHocStatement(
        `SELECT pg_relation_size('page_texts_00') / current_setting('block_size')::int AS blocks`,
      ),
    );
    // 200 of 20,000 pages are its own, and lie together.
    const blocks = { common: await blocksOf('common'), rare: await blocksOf('rarely') };
    expect(Number(all?.blocks)).toBeGreaterThan(300);
    expect(blocks.rare).toBeLessThan(40);
    expect(blocks.common).toBeLessThan(100);
    const found = await searchPages(database, tenantId, {
      ...{ jobId, query: 'rarely', limit: 10, after: null },
    });
    expect(found.total).toBe(2);
  }, 60_000);
});
