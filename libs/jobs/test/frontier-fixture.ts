import { adHocStatement } from '@app/testing';
import { DEFAULT_JOB_SCRAPE, newId, type PageState } from '@app/contracts';
import { openFreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { createCrawl } from '../src/create/create-crawl.js';
import { findJob } from '../src/read-jobs.js';
import type { CrawlOptions } from '../src/create/crawl-options.js';
import { type CreditTenant, createTenant, type Tenant } from '@app/accounts';
import { claimPages, type ClaimedPage } from '../src/frontier/claim-pages.js';
import { dispatchCandidates, leasePages } from '../src/frontier/dispatch-pages.js';
import { finishPages } from '../src/frontier/finish-pages.js';
import type { FinishResult, PageOutcome } from '../src/frontier/page-outcome.js';
import type { FoundLink } from '@app/crawl';
import type { IndexedText } from '../src/search-index/page-texts.js';
import type { JobEntity } from '../src/job.entity.js';
import { Database, type DatabaseOptions } from '@app/database';

export const HOST = 'site.example';
/** All pages of a spec are leased at once. */
const WINDOW = { start: 100, max: 100 };
const LEASE_MS = 30_000;

export const urlKeyOf = (n: number): string => n.toString(16).padStart(32, '0');

export const linkTo = (n: number, over: Partial<FoundLink> = {}): FoundLink => ({
  urlKey: urlKeyOf(n),
  url: `http://${HOST}/${n}`,
  host: HOST,
  depth: 1,
  skip: null,
  ...over,
});

export interface ReportedUrl {
  readonly n: number;
  readonly state: PageState;
  readonly reason: string | null;
  readonly kind: string;
  readonly parent: number | null;
  readonly depth: number;
  readonly attempts: number;
  readonly rung: string | null;
  readonly latencyMs: number | null;
}

const LEDGER = `
  SELECT ('x' || right(url_key::text, 6))::bit(24)::int AS n, state, reason, kind, depth, attempts, rung,
         latency_ms AS "latencyMs", ('x' || right(parent_key::text, 6))::bit(24)::int AS parent
  FROM pages WHERE job_id = $1 ORDER BY 1`;

/** A frontier in its own database, driven as dispatchers and fetchers do. */
export class FrontierFixture<S extends Database = Database> {
  private constructor(
    readonly database: S,
    readonly tenant: Tenant,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open<S extends Database = Database>(
    type?: new (options: DatabaseOptions) => S,
  ): Promise<FrontierFixture<S>> {
    const fresh = type ? await openFreshDatabase(type) : await openFreshDatabase();
    const tenant = await createTenant(fresh.database, 'spec', 'custom');
    return new FrontierFixture(fresh.database as S, tenant, () => fresh.drop());
  }

  close(): Promise<void> {
    return this.drop();
  }

  /** A crawl with page 0 as its seed. */
  async start(
    over: {
      pageLimit?: number;
      options?: Partial<CrawlOptions>;
      tenant?: CreditTenant;
      since?: string;
    } = {},
  ): Promise<string> {
    const id = newId();
    await createCrawl(this.database, {
      id,
      tenant: over.tenant ?? this.tenant,
      url: `http://${HOST}/`,
      urlKey: urlKeyOf(0),
      host: HOST,
      pageLimit: over.pageLimit ?? 10,
      options: {
        maxDepth: null,
        includePaths: [],
        excludePaths: [],
        allowBackwardLinks: false,
        ignoreRobotsTxt: false,
        sitemap: 'skip',
        scrape: DEFAULT_JOB_SCRAPE,
        ...over.options,
        ...(over.since === undefined ? {} : { since: over.since }),
      },
      webhookUrl: null,
      deadlineAt: new Date(Date.now() + 3_600_000),
      hostWindowStart: WINDOW.start,
    });
    // The host is known here: no first page is needed.
    await this.run(`UPDATE hosts SET crawl_delay_ms = 0, window_size = ${WINDOW.max}`);
    return id;
  }

  /** Leases and claims the due pages of the job, in the order of their numbers. */
  async take(jobId: string): Promise<ClaimedPage[]> {
    const candidates = await dispatchCandidates(this.database, 100);
    const tasks = [];
    for (const candidate of candidates.filter((one) => one.jobId === jobId)) {
      const turn = { ...candidate, pages: 100 };
      const batches = await leasePages(this.database, [turn], { leaseMs: LEASE_MS });
      tasks.push(...batches.flatMap(({ messages }) => messages));
    }
    const options = { leaseMs: LEASE_MS, discoveryBound: () => 10_000 };
    const pages = await claimPages(this.database, tasks as never, options);
    return pages.toSorted((a, b) => (a.urlKey < b.urlKey ? -1 : 1));
  }

  /** The seed ends with these links, and the due pages are leased. */
  async seeded(jobId: string, links: readonly FoundLink[]): Promise<ClaimedPage[]> {
    await this.finish(await this.take(jobId), { links });
    return this.take(jobId);
  }

  finish(
    pages: readonly ClaimedPage[],
    options: {
      links?: readonly FoundLink[];
      maxDiscovered?: number;
      over?: Partial<PageOutcome>;
      each?: (page: ClaimedPage, at: number) => Partial<PageOutcome>;
      texts?: readonly IndexedText[];
    } = {},
  ): Promise<FinishResult> {
    const { links = [], over, each, texts = [] } = options;
    return finishPages(this.database, {
      jobId: pages[0]?.jobId ?? '',
      outcomes: pages.map((page, at) => ({ ...outcomeOf(page), ...over, ...each?.(page, at) })),
      links,
      texts,
      hosts: [{ host: HOST, signals: [], crawlDelayMs: null, sentAgoMs: null }],
      maxDiscovered: options.maxDiscovered ?? 10_000,
      hostWindow: WINDOW,
    });
  }

  async job(id: string): Promise<JobEntity> {
    const found = await findJob(this.database, this.tenant.id, id);
    if (!found) throw new Error('no job');
    return found;
  }

  urlReport(jobId: string): Promise<ReportedUrl[]> {
    const name = 'spec_ledger';
    return this.database.query<ReportedUrl & Record<string, unknown>>({ name, text: LEDGER }, [
      jobId,
    ]);
  }

  /** Page → state or reason, in short. */
  async ends(jobId: string): Promise<Record<number, string>> {
    const rows = await this.urlReport(jobId);
    return Object.fromEntries(rows.map(({ n, state, reason }) => [n, reason ?? state]));
  }

  async credits(jobId: string): Promise<number> {
    const text =
      'SELECT coalesce(sum(credits), 0)::int AS n FROM credit_ledger WHERE reference = $1';
    const [row] = await this.database.query<{ n: number }>({ name: 'spec_credits', text }, [jobId]);
    return row?.n ?? -1;
  }

  async run(text: string): Promise<void> {
    await this.database.query(adHocStatement(text));
  }
}

function outcomeOf(page: ClaimedPage): PageOutcome {
  return {
    urlKey: page.urlKey,
    fence: page.fence,
    host: HOST,
    state: 'scraped',
    reason: null,
    retryInMs: 0,
    statusCode: 200,
    rung: 'plain',
    segment: { key: 's', offset: 0, bytes: 1 },
    alias: null,
    credits: 1,
  };
}
