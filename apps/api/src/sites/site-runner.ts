import { Injectable } from '@nestjs/common';
import { findTenant, type Tenant } from '@app/accounts';
import { ApiError, isTerminal } from '@app/contracts';
import { claimDueSite, nextTick, releaseSite, type ClaimedSite } from '@app/runs';
import { BackgroundLoop, type LoopGroup, type Runtime } from '@app/runtime';
import { CrawlRequest, type CrawlAccepted } from '../crawl/crawl.dto.js';
import { CrawlService } from '../crawl/crawl.service.js';
import { invalidRequest } from '../http/invalid-request.js';
import { parseBody } from '../http/validation.pipe.js';
import { InjectRuntime } from '../runtime.token.js';

/** Starts crawls of sites: when they are due, and when they are requested. */
@Injectable()
export class SiteRunner {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'log'>,
    private readonly crawls: CrawlService,
  ) {}

  /** Its loop, for the process to start and stop. */
  open(): LoopGroup {
    const { log } = this.runtime;
    const round = async (): Promise<number | null> => {
      const site = await claimDueSite(this.runtime.database);
      if (site === null) return null;
      await this.startDue(site);
      return 0;
    };
    const loop = new BackgroundLoop({ name: 'sites', intervalMs: 5_000, round, log });
    return { loops: [loop], abort: () => undefined, close: () => Promise.resolve() };
  }

  /** @throws ApiError if no crawl can be started so */
  async check(request: object): Promise<void> {
    const { scrapeOptions } = request as { readonly scrapeOptions?: unknown };
    const secret = ['headers', 'cookies'].find(
      (name) =>
        typeof scrapeOptions === 'object' && scrapeOptions !== null && name in scrapeOptions,
    );
    // Those of a job are erased with its end; a site has none.
    if (secret !== undefined)
      throw invalidRequest(
        `\`scrapeOptions.${secret}\` is not kept with a site: start a crawl with it`,
      );
    await this.crawls.check(await parseBody(CrawlRequest, request));
  }

  /** @throws ApiError. After an outage, which may have started it, the claim lasts its minute. */
  async start(site: ClaimedSite, tenant: Tenant): Promise<CrawlAccepted> {
    const { database } = this.runtime;
    const keep = { nextAt: site.nextAt };
    try {
      if (site.lastStatus !== null && !isTerminal(site.lastStatus)) throw new ApiError('site_busy');
      const accepted = await this.startCrawl(site, tenant);
      await releaseSite(database, site, { ...keep, startedJob: site.jobId, problem: null });
      return accepted;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await releaseSite(database, site, { ...keep, startedJob: null, problem: site.problem });
      throw error;
    }
  }

  /** One that cannot be started says why, and has its next turn. */
  private async startDue(site: ClaimedSite): Promise<void> {
    const { database, log } = this.runtime;
    const { tenantId, name, schedule: cron, timeZone } = site;
    const nextAt = cron === null ? null : nextTick({ cron, timeZone }, new Date());
    let problem: string | null = null;
    try {
      const isBusy = site.lastStatus !== null && !isTerminal(site.lastStatus);
      const owner = isBusy ? null : await findTenant(database, tenantId);
      if (owner) {
        const { id, plan, agreed } = owner;
        await this.startCrawl(site, { id, plan, agreed, keyId: null });
      }
      const startedJob = owner ? site.jobId : null;
      return await releaseSite(database, site, { startedJob, nextAt, problem });
    } catch (error) {
      // An outage is tried again when the claim is over.
      if (!isRefusal(error)) throw error;
      problem = error.sentence;
    }
    log.warn({ tenantId, site: name, problem }, 'the crawl of a site was not started');
    await releaseSite(database, site, { startedJob: null, nextAt, problem });
  }

  /** Without the crawl before, everything is fetched. */
  private async startCrawl(site: ClaimedSite, tenant: Tenant): Promise<CrawlAccepted> {
    const { jobId, name, request, since } = site;
    const start = async (base: string | null): Promise<CrawlAccepted> => {
      const body = { ...request, ...(base === null ? {} : { since: base }) };
      return this.crawls.start(await parseBody(CrawlRequest, body), tenant, jobId, { site: name });
    };
    try {
      return await start(since);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'since_unusable') throw error;
      return start(null);
    }
  }
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.row.status < 500;
}
