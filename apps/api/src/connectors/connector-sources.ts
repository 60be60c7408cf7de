import { Injectable } from '@nestjs/common';
import {
  SAMPLE_MAPS_ROWS,
  type BusinessFind,
  type CompanyReport,
  type ConnectorSources,
  type ConnectorPage,
} from '@app/connectors';
import type { EnrichTask } from '@app/company';
import { ApiError, newId, PLAN_LIMITS, type Listing } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { homepagesOf, requestInTurn } from '../company/company-site.js';
import { FetcherCall } from '../fetchers/fetcher-call.js';
import { PageCall } from '../fetchers/page-call.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { mapDeadlineAtMs } from '../map/map.service.js';
import { BusinessCall } from '../scrapers/business-call.js';
import { ScrapersService } from '../scrapers/scrapers.service.js';
import { searchUnavailable } from '../search/search-unavailable.js';

type Owner = Pick<Tenant, 'id' | 'plan' | 'keyId' | 'agreed'>;
type PageWanted = NonNullable<Parameters<ConnectorSources['fetchPage']>[1]>;
type BusinessWanted = Parameters<ConnectorSources['findBusinesses']>[0];

/** Pages of one company's site that are read. */
const COMPANY_PAGES = 7;
/** Errors about a page or site, which then has no data; all others are about this service. */
const OF_TARGET: ReadonlySet<string> = new Set([
  ...['invalid_url', 'blocked_url', 'fetch_failed', 'url_required', 'domain_required'],
  ...['map_fetch_failed', 'map_timeout', 'file_unreadable'],
]);

/** The service's own operations as connectors use them: for one account, through its share of the fetchers. */
@Injectable()
export class ConnectorSourcesFactory {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly pages: PageCall,
    private readonly businesses: BusinessCall,
    private readonly scrapers: ScrapersService,
  ) {}

  open(owner: Owner, signal: AbortSignal): ConnectorSources {
    return {
      findBusinesses: (search) => this.findBusinesses(search, owner, signal),
      readListing: (url) => orNull(() => this.readListing(url, owner, signal)),
      readCompany: (domain, { technologies }) =>
        orNull(() => this.readCompany(domain, technologies, { owner, signal })),
      mapSite: async (url, wanted) =>
        (await orNull(() => this.mapSite(url, wanted, { owner, signal }))) ?? [],
      searchWeb: (search) => this.searchWeb(search, owner, signal),
      fetchPage: (url, wanted) =>
        orNull(() => this.fetchPage(url, wanted ?? {}, { owner, signal })),
    };
  }

  private async findBusinesses(
    search: BusinessWanted,
    owner: Owner,
    signal: AbortSignal,
  ): Promise<BusinessFind> {
    if (await this.scrapers.isMock(search.scraper, owner)) return SAMPLES;
    const { businesses, next, costMicroUsd } = await this.businesses.find(search, owner, signal);
    return { businesses, next, costMicroUsd, isMock: false };
  }

  private async readListing(
    url: string,
    owner: Owner,
    signal: AbortSignal,
  ): Promise<Listing | null> {
    const target = this.targets.parse(url).href;
    const outputs = { listing: true, llm: null, allowVision: false, chunks: false };
    const task = this.pages.taskFor(target, { tenant: owner, requestId: newId() }, outputs);
    return (await this.pages.read(task, 'scrape', signal)).listing ?? null;
  }

  private async fetchPage(
    url: string,
    { onlyMainContent = false, excludeTags = [] }: PageWanted,
    { owner, signal }: Work,
  ): Promise<ConnectorPage> {
    const target = this.targets.parse(url).href;
    const outputs = { listing: false, llm: null, allowVision: false, chunks: false };
    const task = this.pages.taskFor(target, { tenant: owner, requestId: newId() }, outputs);
    const wanted = {
      ...task,
      formats: ['markdown' as const, 'rawHtml' as const],
      content: { ...task.content, onlyMainContent, excludeTags },
    };
    const page = await this.pages.read(wanted, 'scrape', signal);
    return { url: page.url, html: page.rawHtml ?? '', markdown: page.markdown ?? '' };
  }

  private async readCompany(
    domain: string,
    includeTech: boolean,
    { owner, signal }: Work,
  ): Promise<CompanyReport> {
    const [first, second] = homepagesOf({ domain }, this.targets);
    const task = this.companyTask(first, includeTech, owner);
    const reply = await requestInTurn(task, second, (one) =>
      this.fetchers.request('enrich', one, signal),
    );
    if (reply.kind === 'blocked') throw new ApiError('blocked_url', { url: reply.url });
    if (reply.kind === 'failed') throw new ApiError('fetch_failed', { problem: reply.problem });
    const { homepage, emails, phones, socials, team, tech, domain: name } = reply.enrichment;
    return {
      domain: name,
      title: homepage.title ?? null,
      description: homepage.description ?? null,
      ...{ emails, phones, socials, team },
      technologies: tech?.technologies ?? [],
    };
  }

  private companyTask(url: string, includeTech: boolean, { id, plan }: Owner): EnrichTask {
    return {
      ...{ requestId: newId(), tenantId: id, plan, url, pages: 'fixed' as const },
      ...{ maxPages: COMPANY_PAGES, includeEmails: true, includeTech, includeTeam: true },
      ...{ includeBrand: false, deepTech: false, useModel: false, maxAgeMs: 0 },
      deadlineAtMs: Date.now() + this.runtime.settings.scrapeTimeoutMs,
    };
  }

  private async mapSite(
    url: string,
    { limit, search }: { readonly limit: number; readonly search: string | null },
    { owner, signal }: Work,
  ): Promise<readonly string[]> {
    const task = {
      ...{ requestId: newId(), tenantId: owner.id, plan: owner.plan, search },
      url: this.targets.parse(url).href,
      limit: Math.min(limit, PLAN_LIMITS[owner.plan].mapLinks),
      deadlineAtMs: mapDeadlineAtMs(this.runtime.settings),
    };
    const reply = await this.fetchers.request('map', task, signal);
    return reply.kind === 'mapped' ? reply.links : [];
  }

  private async searchWeb(
    { query, limit, country }: Parameters<ConnectorSources['searchWeb']>[0],
    owner: Owner,
    signal: AbortSignal,
  ): ReturnType<ConnectorSources['searchWeb']> {
    const task = {
      ...{ kind: 'web' as const, requestId: newId(), tenantId: owner.id, plan: owner.plan },
      ...{ query, country, period: null, includeDomains: [], excludeDomains: [] },
      limit: Math.min(limit, PLAN_LIMITS[owner.plan].searchResults),
      deadlineAtMs: Date.now() + this.runtime.settings.searchTimeoutMs,
    };
    const reply = await this.fetchers.request('search', task, signal);
    if (reply.kind === 'failed') throw searchUnavailable(reply);
    if (reply.kind !== 'found') throw new Error(`a search was answered with ${reply.kind}`);
    return reply.results;
  }
}

interface Work {
  readonly owner: Owner;
  readonly signal: AbortSignal;
}

const SAMPLES: BusinessFind = {
  businesses: SAMPLE_MAPS_ROWS.map(({ name, address, phone, website, maps_url: page }) => ({
    name,
    ...(address === undefined ? {} : { address }),
    ...(phone === undefined ? {} : { phone }),
    ...(website === undefined ? {} : { website }),
    ...(page === undefined ? {} : { page }),
  })),
  next: null,
  costMicroUsd: 0,
  isMock: true,
};

/** Null where the page or site has no data. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && OF_TARGET.has(error.code)) return null;
    throw error;
  }
}
