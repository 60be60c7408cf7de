import { DEFAULT_JOB_SCRAPE, newId, PAGE_STATES, type PageState } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { createCrawl } from '../create/create-crawl.js';
import { closeJob } from '../frontier/close-job.js';
import { cancelJob, settleRows } from '../frontier/end-leases.js';
import { Database, type Statement } from '@app/database';
import {
  archivedRows,
  copiesOf,
  urlReportSlice,
  type UrlReportEntry,
  type UrlReportQuery,
} from './url-report.js';
import { siteLevel } from './site-folders.js';
import { createTenant } from '@app/accounts';

const HOST = 'site.example';
const ALL: UrlReportQuery = { after: 0n, most: 1_000, state: null, reason: null, window: 10_000 };

/** Remembers its last statement, so that its plan can be read. */
class RecordingDatabase extends Database {
  last: { readonly text: string; readonly values: readonly unknown[] } | undefined;

  override query(statement: Statement, values: readonly unknown[] = []): Promise<never[]> {
    this.last = { text: statement.text, values };
    return super.query(statement, values);
  }
}

describe('the URL report of a job', () => {
  let fresh: FreshDatabase<RecordingDatabase>;
  let database: RecordingDatabase;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase(RecordingDatabase);
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
  });
  afterAll(() => fresh.drop());

  /** A job whose seed found `links` pages, numbered from 1, all waiting. */
  async function jobWith(links: number): Promise<string> {
    const id = newId();
    await createCrawl(database, {
      id,
      tenant: { id: tenantId, plan: 'custom' },
      url: `http://${HOST}/`,
      urlKey: keyOf(0),
      host: HOST,
      pageLimit: 10,
      options: {
        maxDepth: null,
        includePaths: [],
        excludePaths: [],
        allowBackwardLinks: false,
        ignoreRobotsTxt: false,
        sitemap: 'skip',
        scrape: DEFAULT_JOB_SCRAPE,
      },
      webhookUrl: null,
      deadlineAt: new Date(Date.now() + 3_600_000),
      hostWindowStart: 4,
    });
    await sql(
      `INSERT INTO pages (job_id, url_key, url, host, depth, parent_key, state)
       SELECT $1, lpad(to_hex(n), 32, '0')::uuid, 'http://${HOST}/' || n, '${HOST}', 1, $2, 'pending'
       FROM generate_series(1, $3::int) n`,
      [id, keyOf(0), links],
    );
    await sql('UPDATE jobs SET discovered = $2, pending = $2 WHERE id = $1', [id, links + 1]);
    return id;
  }

  let statements = 0;
  const sql = (text: string, values: readonly unknown[]) =>
    database.query({ name: `ledger_spec_${statements++}`, text }, values);

  /** Ends page `n` of a job, counters included. */
  async function end(id: string, n: number, state: PageState, reason: string | null) {
    await sql(
      `UPDATE pages SET state = $3, reason = $4, attempts = 1, status_code = 200, rung = 'plain', latency_ms = 12,
              finished_at = '2026-01-02T03:04:05Z'
       WHERE job_id = $1 AND url_key = $2`,
      [id, keyOf(n), state, reason],
    );
    await sql(`UPDATE jobs SET pending = pending - 1, ${state} = ${state} + 1 WHERE id = $1`, [id]);
  }

  async function slice(id: string, query: Partial<UrlReportQuery> = {}) {
    const found = await urlReportSlice(database, id, { ...ALL, ...query });
    if (!found) throw new Error('no such job');
    return found;
  }

  async function follow(id: string, query: Partial<UrlReportQuery>): Promise<UrlReportEntry[]> {
    const entries: UrlReportEntry[] = [];
    for (let after: bigint | null = 0n; after !== null;) {
      const part: Awaited<ReturnType<typeof slice>> = await slice(id, { ...query, after });
      entries.push(...part.entries);
      after = part.next;
    }
    return entries;
  }

  it('lists each URL in the order of discovery, with the page that links to it', async () => {
    const id = await jobWith(3);
    await end(id, 0, 'scraped', null);
    await end(id, 2, 'skipped', 'robots');
    const { entries, counts, next } = await slice(id);
    expect(entries).toMatchObject([
      {
        ...{ url: `http://${HOST}/`, state: 'scraped', reason: null, kind: 'page', rung: 'plain' },
        ...{ statusCode: 200, attempts: 1, depth: 0, parent: null, latencyMs: 12 },
        finishedAt: new Date('2026-01-02T03:04:05Z'),
      },
      { url: `http://${HOST}/1`, state: 'pending', parent: `http://${HOST}/`, depth: 1 },
      { url: `http://${HOST}/2`, state: 'skipped', reason: 'robots' },
      { url: `http://${HOST}/3`, state: 'pending', attempts: 0, finishedAt: null },
    ]);
    expect(counts).toEqual({
      ...{ status: 'queued', discovered: 4, pending: 2, leased: 0 },
      ...{ scraped: 1, failed: 0, skipped: 1, cancelled: 0 },
    });
    expect(next).toBeNull();
  });

  it('is a tree by path, a level at a time, the largest folders first', async () => {
    const id = await jobWith(7);
    const paths = ['docs', 'docs/a?u=/x/y', 'docs/a/b', 'blog/1', 'blog/2?p=1', 'blog/2?p=2', 'z'];
    for (const [at, path] of paths.entries())
      await sql('UPDATE pages SET url = $3 WHERE job_id = $1 AND url_key = $2', [
        ...[id, keyOf(at + 1), `http://${HOST}/${path}`],
      ]);
    await end(id, 4, 'scraped', null);
    await sql('UPDATE pages SET result_no = 9 WHERE job_id = $1 AND url_key = $2', [id, keyOf(4)]);
    await end(id, 7, 'failed', 'timeout');
    const timed = 'UPDATE pages SET latency_ms = $3 WHERE job_id = $1 AND url_key = $2';
    for (const [at, ms] of [
      [4, 100],
      [7, 401],
    ] as const)
      await sql(timed, [id, keyOf(at), ms]);
    const level = async (prefix: string, most = 10, window = 100) => {
      const { entries, ...more } = await siteLevel(database, id, { prefix, most, window });
      const shown = entries.map(({ name, total, hasMore, resultNo, counts, latencyMs }) => [
        ...[name, total, hasMore ? 'more' : 'page', resultNo, latencyMs],
        Object.entries(counts)
          .flatMap(([state, n]) => (n > 0 ? [`${n} ${state}`] : []))
          .join(),
      ]);
      return { shown, ...more };
    };
    const root = `http://${HOST}/`;
    expect((await level('')).shown).toEqual([
      [root, 8, 'more', null, 251, '6 pending,1 scraped,1 failed'],
    ]);
    expect(await level(root)).toEqual({
      ...{ isCut: false, isPart: false },
      shown: [
        ['blog', 3, 'more', null, 100, '2 pending,1 scraped'],
        ['docs', 3, 'more', null, null, '3 pending'],
        ['', 1, 'page', null, null, '1 pending'],
        ['z', 1, 'page', null, 401, '1 failed'],
      ],
    });
    expect((await level(`${root}blog/`)).shown).toEqual([
      ['2', 2, 'page', null, null, '2 pending'],
      ['1', 1, 'page', 9, 100, '1 scraped'],
    ]);
    expect((await level(`${root}docs/`)).shown).toEqual([
      ['a', 2, 'more', null, null, '2 pending'],
    ]);
    expect(await level(root, 2)).toMatchObject({ isCut: true, shown: { length: 2 } });
    expect(await level(root, 10, 4)).toMatchObject({ isPart: true });
    expect((await level("http://a.example/%_'")).shown).toEqual([]);
    await sql("UPDATE jobs SET rest_reason = 'cancelled' WHERE id = $1", [id]);
    expect((await level('')).shown[0]?.[5]).toBe('1 scraped,1 failed,6 cancelled');
  });

  it.each([1, 2, 7, 100])('is the same in slices of %d', async (most) => {
    const id = await jobWith(20);
    const whole = (await slice(id)).entries;
    expect(whole).toHaveLength(21);
    expect((await follow(id, { most })).map(({ url }) => url)).toEqual(whole.map(({ url }) => url));
  });

  it.each([
    [{ state: 'skipped' as const }, [2, 5, 6]],
    [{ reason: 'robots' }, [2, 6]],
    [{ state: 'skipped' as const, reason: 'depth' }, [5]],
    [{ state: 'failed' as const, reason: 'robots' }, []],
  ])('shows matches of %p, however few rows are read', async (filter, expected) => {
    const id = await jobWith(8);
    await end(id, 2, 'skipped', 'robots');
    await end(id, 5, 'skipped', 'depth');
    await end(id, 6, 'skipped', 'robots');
    await end(id, 7, 'failed', 'timeout');
    for (const window of [1, 3, 9, 10, 1_000]) {
      for (const most of [1, 2, 100]) {
        const found = await follow(id, { ...filter, window, most });
        expect(found.map(({ url }) => Number(url.split('/').at(-1)))).toEqual(expected);
      }
    }
  });

  it.each([
    ['cancelled' as const, { state: 'cancelled', reason: null }],
    ['limit' as const, { state: 'skipped', reason: 'limit' }],
    ['deadline' as const, { state: 'skipped', reason: 'deadline' }],
  ])(
    'agrees with the counters before and after the rows of a job that ended by %s follow',
    async (rest, shown) => {
      const id = await jobWith(6);
      await end(id, 0, 'scraped', null);
      if (rest === 'cancelled') await cancelJob(database, tenantId, id);
      else await database.transaction((tx) => closeJob(tx, id, rest));
      const first = (await slice(id)).entries;
      expect(first.map(({ finishedAt }) => finishedAt)).not.toContain(null);
      await sql(
        `UPDATE jobs SET completed_at = clock_timestamp() + interval '1 minute' WHERE id = $1`,
        [id],
      );
      for (let isSettled = false; ; isSettled = true) {
        const { entries, counts } = await slice(id);
        for (const state of PAGE_STATES)
          expect([state, entries.filter((entry) => entry.state === state).length]).toEqual([
            state,
            counts[state],
          ]);
        expect(entries.slice(1)).toMatchObject(Array(6).fill(shown));
        expect(entries).toEqual(first);
        expect(await follow(id, { state: shown.state as PageState, most: 2 })).toHaveLength(6);
        expect(await follow(id, { state: 'pending' })).toEqual([]);
        if (isSettled) break;
        while ((await settleRows(database, 4)) > 0);
      }
    },
  );

  it('reports which addresses had the content of a stored page', async () => {
    const hash = 'ab'.repeat(16);
    const id = await jobWith(8);
    for (const [n, resultNo] of [
      [1, 1],
      [2, 2],
    ] as const) {
      await end(id, n, 'scraped', null);
      await sql(
        `UPDATE pages SET result_no = $3, segment_key = 'k', segment_offset = 5, segment_bytes = 7,
                content_hash = $4 WHERE job_id = $1 AND url_key = $2`,
        [id, keyOf(n), resultNo, n === 1 ? hash : null],
      );
    }
    for (const n of [3, 5, 6]) {
      await end(id, n, 'skipped', 'duplicate_content');
      await sql('UPDATE pages SET content_hash = $3 WHERE job_id = $1 AND url_key = $2', [
        id,
        keyOf(n),
        hash,
      ]);
    }
    // The same content in another job is nothing to this one.
    const elsewhere = await jobWith(1);
    await end(elsewhere, 1, 'skipped', 'duplicate_content');
    await sql('UPDATE pages SET content_hash = $2 WHERE job_id = $1', [elsewhere, hash]);

    const place = { key: 'k', offset: 5, bytes: 7, finishedAt: new Date('2026-01-02T03:04:05Z') };
    expect(await archivedRows(database, id, 0, 10)).toEqual([
      { ...place, resultNo: 1, urlKey: keyOf(1), url: `http://${HOST}/1`, hasCopies: true },
      { ...place, resultNo: 2, urlKey: keyOf(2), url: `http://${HOST}/2`, hasCopies: false },
    ]);
    expect(await archivedRows(database, id, 1, 10)).toHaveLength(1);
    expect(await archivedRows(database, id, 0, 1)).toHaveLength(1);
    const copies = await copiesOf(database, { jobId: id, urlKey: keyOf(1) }, null, 2);
    expect(copies.map(({ url }) => url)).toEqual([`http://${HOST}/3`, `http://${HOST}/5`]);
    const rest = await copiesOf(database, { jobId: id, urlKey: keyOf(1) }, keyOf(5), 2);
    expect(rest).toEqual([
      { urlKey: keyOf(6), url: `http://${HOST}/6`, finishedAt: place.finishedAt },
    ]);
    expect(await copiesOf(database, { jobId: id, urlKey: keyOf(2) }, null, 2)).toEqual([]);
  });

  it('is null for an unknown job, and has counts for one whose pages are all listed', async () => {
    expect(await urlReportSlice(database, newId(), ALL)).toBeNull();
    const id = await jobWith(0);
    const beyond = await slice(id, { after: 1n << 60n });
    expect(beyond).toMatchObject({ entries: [], next: null, counts: { discovered: 1 } });
  });

  it('reads by its index alone, whatever the size of the job', async () => {
    const id = await jobWith(50_000);
    await jobWith(10_000);
    await sql('ANALYZE', []);
    for (const after of [0n, 25_000n]) {
      await slice(id, { after, most: 100 });
      const { text, values } = database.last ?? { text: '', values: [] };
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const plan = await database.transaction(async (tx) => {
          await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
          const explain = { name: `explain_ledger_${mode}`, text: `EXPLAIN ${text}` };
          const { rows } = await tx.query<{ 'QUERY PLAN': string }>({
            ...explain,
            values: [...values],
          });
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        });
        expect(plan).toMatch(/Index Scan using pages_\d\d_ledger on pages/);
        expect(plan).not.toMatch(/Seq Scan on (pages_\d\d|jobs)/);
      }
    }
  });
});

function keyOf(n: number): string {
  return n.toString(16).padStart(32, '0');
}
