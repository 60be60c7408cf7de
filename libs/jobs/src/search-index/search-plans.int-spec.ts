import { newId } from '@app/contracts';
import { createTenant } from '@app/accounts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../../database/test/explaining-database.js';
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
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;
  let tenantId: string;
  let jobId: string;

  const spec = <R extends Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> => database.query<R>({ name: `spec ${text}`.slice(0, 60), text }, values);

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    for (const text of FILL) await spec(text, text.includes('$1') ? [tenantId] : []);
    await spec('VACUUM ANALYZE');
    const jobs = await spec<{ id: string }>('SELECT id FROM jobs LIMIT 1');
    jobId = jobs[0]?.id ?? newId();
  });
  afterAll(() => fresh?.drop());

  /** The statement of the function, with its parameters as those of a statement that is planned for all values. */
  async function planOfMatches(): Promise<string> {
    const [source] = await spec<{ prosrc: string }>(
      `SELECT prosrc FROM pg_proc WHERE proname = 'search_page_texts'`,
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
    const [all] = await spec<{ blocks: number }>(
      `SELECT pg_relation_size('page_texts_00') / current_setting('block_size')::int AS blocks`,
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
    const shown = database.plans.get('search_pages') ?? '';
    for (const index of ['page_texts_00_pkey', 'pages_00_pkey']) expect(shown).toContain(index);
    // The other partitions are empty.
    expect(shown).not.toMatch(/Seq Scan on \w+_00/);
  });
});
