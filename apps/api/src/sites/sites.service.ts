import { Injectable } from '@nestjs/common';
import { ApiError, PLAN_LIMITS } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import {
  claimSite,
  completedCrawls,
  deleteSite,
  findSite,
  listSites,
  nextTick,
  putSite,
  type Site,
} from '@app/runs';
import type { Runtime } from '@app/runtime';
import type { CrawlAccepted } from '../crawl/crawl.dto.js';
import { refuseSchedule } from '../feeds/feeds.service.js';
import { invalidRequest } from '../http/invalid-request.js';
import { ResultsService } from '../jobs/results/results.service.js';
import { InjectRuntime } from '../runtime.token.js';
import { SiteRunner } from './site-runner.js';
import type { NamedSiteRequest, SiteView } from './sites.dto.js';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const DEFAULT_ZONE = 'UTC';
/** Crawls whose changes one answer has. */
const MAX_CRAWLS = 100;

/** Sites under a name, which are crawled again and again. */
@Injectable()
export class SitesService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>,
    private readonly runner: SiteRunner,
    private readonly results: ResultsService,
  ) {}

  /** @throws ApiError */
  async put(tenant: Tenant, name: string, body: NamedSiteRequest): Promise<SiteView> {
    if (!NAME.test(name))
      throw invalidRequest(
        'The name of a site has up to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or digit',
      );
    const { schedule: cron, timeZone = DEFAULT_ZONE, ...request } = body;
    await this.runner.check(given(request));
    const schedule = cron == null ? null : { cron: cron.trim(), timeZone };
    if (schedule) refuseSchedule(schedule, tenant);
    const site = {
      ...{ name, request: given(request), schedule: schedule?.cron ?? null, timeZone },
      nextAt: schedule && nextTick(schedule, new Date()),
    };
    const limit = PLAN_LIMITS[tenant.plan].feeds;
    const put = await putSite(this.runtime.database, tenant.id, { site, limit });
    if (put === null) throw new ApiError('too_many_sites', { limit, plan: tenant.plan });
    return presentSite(put);
  }

  async list(tenant: Tenant): Promise<readonly SiteView[]> {
    const sites = await listSites(this.runtime.database.asReader(tenant.id), tenant.id);
    return sites.map(presentSite);
  }

  async view(tenant: Tenant, name: string): Promise<SiteView> {
    return presentSite(await this.find(tenant, name));
  }

  async delete(tenant: Tenant, name: string): Promise<void> {
    await this.find(tenant, name);
    if (!(await deleteSite(this.runtime.database, tenant.id, name)))
      throw new ApiError('site_not_found');
  }

  /** @param id of the crawl to start @throws ApiError */
  async crawl(tenant: Tenant, name: string, id: string): Promise<CrawlAccepted> {
    await this.find(tenant, name);
    const { database } = this.runtime;
    const claimed = await claimSite(database, { tenantId: tenant.id, name, jobId: id });
    if (claimed === null) throw new ApiError('site_busy');
    return this.runner.start(claimed, tenant);
  }

  /**
   * JSON lines of what the crawls of the site after one of them changed, each crawl ended by `{"op":"crawl","id"}`, the
   * `since` of a later request.
   */
  async changes(
    tenant: Tenant,
    name: string,
    { since, isCompared }: { readonly since: unknown; readonly isCompared: boolean },
  ): Promise<AsyncGenerator<Buffer>> {
    await this.find(tenant, name);
    const after = since === undefined ? null : await this.crawlOf(tenant, since);
    const own = this.runtime.database.asReader(tenant.id);
    const crawls = await completedCrawls(own, tenant.id, { name, after, most: MAX_CRAWLS });
    const { results } = this;
    async function* lines(): AsyncGenerator<Buffer> {
      for (const { id, completedAt } of crawls) {
        yield* await results.changes(tenant, id, isCompared);
        yield Buffer.from(`${JSON.stringify({ op: 'crawl', id, completedAt })}\n`);
      }
    }
    return lines();
  }

  /** @throws ApiError */
  private async crawlOf(tenant: Tenant, since: unknown): Promise<string> {
    if (typeof since !== 'string') throw invalidRequest('`since` must be the id of a crawl');
    return (await this.results.jobOf(tenant, since)).id;
  }

  private async find(tenant: Tenant, name: string): Promise<Site> {
    const site = await findSite(this.runtime.database.asReader(tenant.id), tenant.id, name);
    if (site === null) throw new ApiError('site_not_found');
    return site;
  }
}

/** Without fields that were not sent. */
function given(request: object): Site['request'] {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value != null));
}

function presentSite(site: Site): SiteView {
  return {
    name: site.name,
    crawl: site.request,
    ...{ schedule: site.schedule, timeZone: site.timeZone },
    nextRunAt: site.nextAt?.toISOString() ?? null,
    lastJobId: site.lastJob,
    ...(site.problem === null ? {} : { problem: site.problem }),
    createdAt: site.createdAt.toISOString(),
  };
}
