import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { startFolderSite, UsageMeter, type SiteServer } from '@app/testing';
import { MANUAL_QUESTIONS } from '../setup/manual-questions.js';
import { realSite } from '../setup/real-site.js';
import { deploy, type Deployment } from './deployment.js';
import { quantile } from './quantile.js';

/** `npm run test:soak -- search-cost`: the figures of docs/performance.md, Search of stored pages. */
const PAGES = 500;
const ROUNDS = 2;
const TURNS = 5;

/** Jest hides what its tests print. */
function report(figures: object): void {
  writeFileSync(2, `${JSON.stringify(figures)}\n`);
}

interface Cost {
  readonly parts: Readonly<Record<string, number>>;
  readonly total: number;
}

describe('the cost of a search index', () => {
  let site: SiteServer;
  let service: Deployment;
  let indexed = '';

  beforeAll(async () => {
    site = await startFolderSite(realSite());
    service = await deploy('cluster', {
      env: { BROWSER_MAX: '0', CRAWL_MAX_PAGES: '2000', HOST_WINDOW_START: '16' },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const sql = <T extends Record<string, unknown>>(
    text: string,
    values: unknown[] = [],
  ): Promise<T[]> => service.database.query<T>({ name: `spec ${text}`.slice(0, 60), text }, values);

  async function serverPid(): Promise<number> {
    const [row] = await sql<{ pid: number }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid`,
    );
    return row?.pid ?? 0;
  }

  /** CPU milliseconds per page, by part. */
  async function crawl(index: boolean, postgres: number): Promise<Cost> {
    const pids = (app: string): number[] =>
      service.apps.filter((one) => one.app === app).map(({ process: { pid } }) => pid);
    const meter = UsageMeter.start({
      api: pids('api'),
      fetcher: pids('fetcher'),
      postgres: [postgres],
    });
    const url = site.url('/index.html');
    const { jobId } = await service.client.crawl({ url, limit: PAGES, index });
    const job = await service.client.waitForEnd(jobId, { timeoutMs: 300_000, pollMs: 500 });
    const { cpuMs, totalCpuMs } = meter.stop();
    expect(job.pages_scraped).toBe(PAGES);
    if (index) indexed = jobId;
    const parts = Object.entries(cpuMs).map(([part, ms]) => [part, ms / PAGES] as const);
    return { parts: Object.fromEntries(parts), total: totalCpuMs / PAGES };
  }

  it('is a part of that of a page', async () => {
    const postgres = await serverPid();
    const plain: Cost[] = [];
    const withIndex: Cost[] = [];
    await crawl(false, postgres);
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await crawl(false, postgres));
      withIndex.push(await crawl(true, postgres));
    }
    const median = (costs: readonly Cost[], of: (cost: Cost) => number): number =>
      quantile(costs.map(of), 0.5);
    const figures = ['api', 'fetcher', 'postgres'].map((part) => ({
      part,
      plain: median(plain, ({ parts }) => parts[part] ?? 0).toFixed(2),
      withIndex: median(withIndex, ({ parts }) => parts[part] ?? 0).toFixed(2),
    }));
    const ratio = median(withIndex, ({ total }) => total) / median(plain, ({ total }) => total);
    const [size] = await sql(
      `SELECT (sum(pg_total_relation_size(c.oid)) / (SELECT count(*) FROM page_texts))::int AS bytes,
              (sum(pg_indexes_size(c.oid)) / (SELECT count(*) FROM page_texts))::int AS "ofIndexes",
              (SELECT avg(length(body))::int FROM page_texts) AS characters
       FROM pg_class c WHERE c.relname ~ '^page_texts_\\d\\d$' AND relkind = 'r'`,
    );
    report({ figures, ratio, size });
    expect(ratio).toBeLessThan(2);
  }, 1_200_000);

  it('answers about as fast as the same query of psql', async () => {
    const [row] = await sql<{ partition: string }>(
      'SELECT tableoid::regclass::text AS partition FROM page_texts WHERE job_id = $1 LIMIT 1',
      [indexed],
    );
    const query = (words: string): string =>
      `SELECT url, title, ts_rank(terms, q) AS score, ts_headline('simple', body, q)
       FROM (SELECT * FROM ${row?.partition ?? ''}, websearch_to_tsquery('simple', '${words}') AS q
             WHERE job_id = '${indexed}' AND terms @@ q ORDER BY ts_rank(terms, q) DESC LIMIT 10) best;`;
    const api: number[] = [];
    for (let turn = 0; turn <= TURNS; turn++)
      for (const { query: words } of MANUAL_QUESTIONS) {
        const startedAt = performance.now();
        const path = `/v1/crawl/${indexed}/search?q=${encodeURIComponent(words)}`;
        const { status } = await service.client.call('GET', path);
        expect(status).toBe(200);
        // The first turn prepares statements.
        if (turn > 0) api.push(performance.now() - startedAt);
      }
    const asked = MANUAL_QUESTIONS.map(({ query: words }) => query(words.replaceAll("'", "''")));
    const input = ['\\timing on', ...Array.from({ length: TURNS + 1 }, () => asked).flat()].join(
      '\n',
    );
    const output = execFileSync('psql', [service.database.url, '-q', '-o', '/dev/null'], {
      input,
      encoding: 'utf8',
    });
    const times = [...output.matchAll(/Time: ([\d.]+) ms/g)].map(([, ms]) => Number(ms));
    const psql = times.slice(MANUAL_QUESTIONS.length);
    const p = (values: readonly number[], part: number) =>
      Number(quantile(values, part).toFixed(1));
    const figures = {
      api: { p50: p(api, 0.5), p95: p(api, 0.95) },
      psql: { p50: p(psql, 0.5), p95: p(psql, 0.95), queries: psql.length },
    };
    report({ ...figures, ratio: figures.api.p95 / figures.psql.p95 });
    expect(psql).toHaveLength(TURNS * MANUAL_QUESTIONS.length);
  }, 600_000);
});
