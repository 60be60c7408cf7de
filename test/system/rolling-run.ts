import {
  spawnApp,
  startFixtureSite,
  TrawlClient,
  type Exit,
  type FixtureSite,
  type JobResponse,
  type SpawnedApp,
} from '@app/testing';
import { Balancer } from './balancer.js';
import { createCaller, deployCluster, type Deployment, type DeployOptions } from './deployment.js';
import {
  creditsOf,
  expectAccountsInOrder,
  expectExactCrawl,
  expectNothingReserved,
} from './fault-checks.js';

const APPS = ['api', 'fetcher', 'tech-scan'] as const;
const REPLICAS = 2;
/** A page of the crawl takes so long that every stop of a fetcher meets some in flight. */
const PAGE_MS = 300;
/** Each tenant has one scrape of each at a time; the long ones last through most of a stop. */
const SCRAPES_MS = [400, 2_500];
const CRAWL_END_MS = 10 * 60_000;
const DRAIN_SECONDS = 30;
/** What the chart grants beyond the preStop hook; Kubernetes kills a pod after it. */
const GRACE_MS = (DRAIN_SECONDS + 15) * 1_000;

const ROLLING_ENV = {
  BROWSER_MAX: '0',
  HOST_WINDOW_START: '8',
  HOST_WINDOW_MAX: '8',
  DRAIN_SECONDS: String(DRAIN_SECONDS),
};

/** A tenant that calls through the balancer, and what it got. */
interface BalancedCaller {
  readonly id: string;
  readonly client: TrawlClient;
  /** Scrapes with status 200. */
  scraped: number;
}

/** How one process was replaced. */
export interface Restart {
  readonly app: SpawnedApp;
  readonly exit: Exit;
  /** From SIGTERM to its end. */
  readonly stopMs: number;
}

/** API and fetchers, two of each, the API behind a balancer; a site to crawl and one to scrape. */
export class RollingRun {
  readonly restarts: Restart[] = [];
  /** Every answer to a scrape that was not 200, and every call without one. */
  readonly unanswered: string[] = [];
  slowestMs = 0;
  private isOver = false;

  private constructor(
    /** Its client calls through the balancer, as the tenant that crawls. */
    readonly service: Deployment,
    readonly balancer: Balancer,
    readonly crawled: FixtureSite,
    readonly scraped: FixtureSite,
    readonly crawler: BalancedCaller,
    readonly scrapers: readonly BalancedCaller[],
  ) {}

  /** @param treePages pages of the site that is crawled */
  static async start(treePages: number, options: DeployOptions = {}): Promise<RollingRun> {
    const crawled = await startFixtureSite({ treePages, latencyMs: PAGE_MS });
    const scraped = await startFixtureSite();
    const balancer = await Balancer.start();
    const env = { ...ROLLING_ENV, PUBLIC_URL: balancer.url };
    const service = await deployCluster({ ...options, fetchers: REPLICAS, env });
    const callers: BalancedCaller[] = [];
    for (const name of ['crawler', 'one scraper', 'another scraper']) {
      const { id, key } = await createCaller(service.database, name, 'custom');
      callers.push({ id, client: new TrawlClient(balancer.url, key), scraped: 0 });
    }
    const [crawler, ...scrapers] = callers;
    if (!crawler) throw new Error('no caller');
    const balanced = { ...service, url: balancer.url, client: crawler.client };
    const run = new RollingRun(balanced, balancer, crawled, scraped, crawler, scrapers);
    while (run.running('api').length < REPLICAS)
      service.apps.push(
        await spawnApp({ app: 'api', root: options.roots?.api, env: { ...service.env } }),
      );
    for (const api of run.running('api')) await balancer.add(api);
    return run;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.balancer.close();
    await Promise.all([this.crawled.close(), this.scraped.close()]);
  }

  /**
   * Crawls of `limit` pages, one after the other, and scrapes, while each process is replaced `rounds` times: of each
   * app one by one, all apps at the same time, as an upgrade replaces them. Resolves with the crawls when all work has
   * ended.
   */
  async work(rounds: number, limit: number): Promise<readonly JobResponse[]> {
    const crawling = this.keepCrawling(limit);
    const scraping = this.scrapers.flatMap((caller) =>
      SCRAPES_MS.map((ms) => this.keepScraping(caller, ms)),
    );
    const rolling = APPS.map((app) => this.roll(app, rounds));
    // What fails ends the rest of the work, too.
    const rolled = Promise.race([Promise.all(rolling), crawling]).finally(() => {
      this.isOver = true;
    });
    const parts = [crawling, rolled, ...rolling, ...scraping];
    await Promise.allSettled(parts);
    await Promise.all(parts);
    return crawling;
  }

  private running(app: SpawnedApp['app']): readonly SpawnedApp[] {
    return this.service.apps.filter((one) => one.app === app);
  }

  private async roll(app: SpawnedApp['app'], rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++)
      for (const old of this.running(app)) if (!this.isOver) await this.replace(old);
  }

  /** The order of a Deployment with maxSurge 1 and maxUnavailable 0: the new one is ready before the old one goes. */
  private async replace(old: SpawnedApp): Promise<void> {
    const { apps, env } = this.service;
    const fresh = await spawnApp({ app: old.app, env: { ...env } });
    apps.push(fresh);
    if (old.app === 'api') {
      await this.balancer.add(fresh);
      this.balancer.withdraw(old);
    }
    const fromMs = performance.now();
    const exit = await old.process.stop('SIGTERM', GRACE_MS);
    this.restarts.push({ app: old, exit, stopMs: performance.now() - fromMs });
    apps.splice(apps.indexOf(old), 1);
  }

  private async keepCrawling(limit: number): Promise<readonly JobResponse[]> {
    const { client } = this.crawler;
    const crawls: JobResponse[] = [];
    do {
      const { jobId } = await client.crawl({
        url: this.crawled.url('/tree/0'),
        limit,
        allowBackwardLinks: true,
        sitemap: 'skip',
      });
      crawls.push(await client.waitForEnd(jobId, { timeoutMs: CRAWL_END_MS, pollMs: 200 }));
    } while (!this.isOver);
    return crawls;
  }

  private async keepScraping(caller: BalancedCaller, ms: number): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const path = `/slow/${ms}/${caller.id}-${n}`;
      const fromMs = performance.now();
      const outcome = await this.scrape(caller, path);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - fromMs);
      if (outcome === 'scraped') caller.scraped++;
      else this.unanswered.push(outcome);
    }
  }

  private async scrape({ client }: BalancedCaller, path: string): Promise<string> {
    try {
      const { status, text } = await client.scrape({ url: this.scraped.url(path) });
      return status === 200 ? 'scraped' : `${status} ${text.slice(0, 300)}`;
    } catch (error) {
      const { cause } = error as Error;
      return `${String(error)}: ${String(cause)}`;
    }
  }
}

/** No caller got an error, each process ended by itself, no page came twice, and each was charged once. */
export async function expectUndisturbed(
  run: RollingRun,
  crawls: readonly JobResponse[],
  pages: number,
): Promise<void> {
  const { service, restarts, crawled } = run;
  expect(run.balancer.refused).toEqual([]);
  expect(run.unanswered).toEqual([]);
  for (const { app, exit } of restarts)
    expect([app.app, exit]).toEqual([app.app, { code: 0, signal: null }]);
  for (const crawl of crawls) await expectExactCrawl(service, crawl, pages);
  await expectNothingReserved(service);
  const visits = [...crawled.countsByPath()].filter(([path]) => path.startsWith('/tree/'));
  expect(visits.filter(([, times]) => times > crawls.length)).toEqual([]);
  expect(visits.reduce((sum, [, times]) => sum + times, 0)).toBe(crawls.length * pages);
  const scrapes = [...run.scraped.countsByPath()].filter(([path]) => path.startsWith('/slow/'));
  expect(scrapes.filter(([, times]) => times > 1)).toEqual([]);
  expect(await creditsOf(service, run.crawler.id)).toBe(crawls.length * pages);
  for (const { id, scraped } of run.scrapers)
    expect([id, await creditsOf(service, id)]).toEqual([id, scraped]);
  await expectAccountsInOrder(service);
}
