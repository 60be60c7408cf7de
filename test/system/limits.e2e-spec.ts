import type { SiteServer } from '@app/testing';
import { deploy, MODES, type Mode, type Service } from './deployment.js';
import { REACHABLE, startMixedSite } from './mixed-site.js';
import { share } from './shared-cluster.js';
import { isFullRun } from '../setup/full-run.js';

const LIMITS = [1, 2, 10, 50];
/** By pages that a fetcher works on at a time. */
const SERVICES: readonly { readonly what: string; open(mode: Mode): Promise<Service> }[] = [
  { what: 'as many pages at a time as by default', open: share },
  ...(isFullRun ? [1, 8, 32] : []).map((count) => ({
    what: `${count} pages at a time`,
    open: (mode: Mode) =>
      deploy(mode, { env: { BROWSER_MAX: '0', CRAWL_CONCURRENCY: String(count) } }),
  })),
];

const LEDGER = `SELECT coalesce(sum(credits), 0)::int AS credits, count(*)::int AS items,
                       count(DISTINCT item)::int AS pages FROM credit_ledger WHERE reference = $1`;
const STATES = `SELECT count(*)::int AS rows, count(result_no)::int AS results,
                       count(*) FILTER (WHERE state = 'scraped')::int AS scraped FROM pages WHERE job_id = $1`;

describe.each(MODES)('limits of crawls (%s)', (mode) => {
  describe.each(SERVICES)('with $what', ({ open }) => {
    let service: Service;
    let site: SiteServer;
    beforeAll(async () => {
      site = await startMixedSite();
      service = await open(mode);
    });
    afterAll(async () => {
      await service?.stop();
      await site?.close();
    });

    it('are met exactly, each page is kept once, and credits are the pages kept', async () => {
      const started = await Promise.all(
        LIMITS.map((limit) => service.client.crawl({ url: site.url('/'), limit })),
      );
      const found = await Promise.all(started.map(({ jobId }) => accountOf(service, jobId)));
      expect(found).toEqual(LIMITS.map((limit) => exactAccount(Math.min(limit, REACHABLE))));
    });
  });
});

interface Account {
  readonly status: string;
  readonly scraped: number;
  readonly documents: number;
  readonly addresses: number;
  readonly credits: number;
  readonly charged: number;
  readonly inFlight: number;
  readonly isSumRight: boolean;
  readonly areRowsRight: boolean;
}

function exactAccount(pages: number): Account {
  return {
    status: 'completed',
    scraped: pages,
    documents: pages,
    addresses: pages,
    credits: pages,
    charged: pages,
    inFlight: 0,
    isSumRight: true,
    areRowsRight: true,
  };
}

async function accountOf({ client, database }: Service, jobId: string): Promise<Account> {
  const job = await client.waitForEnd(jobId, { timeoutMs: 90_000 });
  const results = await client.results(jobId);
  const [ledger] = await database.query<{ credits: number; items: number; pages: number }>(
    { name: 'limits_ledger', text: LEDGER },
    [jobId],
  );
  const [rows] = await database.query<{ rows: number; results: number; scraped: number }>(
    { name: 'limits_rows', text: STATES },
    [jobId],
  );
  const { discovered, ...states } = job.pages;
  return {
    status: job.status,
    scraped: job.pages_scraped,
    documents: results.length,
    addresses: new Set(results.map(({ url }) => url)).size,
    credits: ledger?.credits ?? -1,
    charged: ledger?.items === ledger?.pages ? (ledger?.pages ?? -1) : -1,
    inFlight: states.leased + states.pending,
    isSumRight: Object.values(states).reduce((sum, n) => sum + n, 0) === discovered,
    areRowsRight:
      rows?.rows === discovered &&
      rows.results === job.pages_scraped &&
      rows.scraped === rows.results,
  };
}
