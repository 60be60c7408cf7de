import type { CompanyPage, BrandReading, EnrichReply, EnrichTask, Enrichment } from '@app/company';
import { Deadline, TEXT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { waitAtMost } from '@app/runtime';
import type { Logger } from '@app/telemetry';
import { PLAIN_RENDER } from '@app/fetch';
import type { BrandReader } from './brand-reader.js';
import type { ModelReader } from '../models/model-reader.js';
import type { PageFetcher } from '../page/page-fetcher.js';
import type { PageResult, PageRequest } from '../page/page-result.js';
import type { RequestScans } from '../tech/request-scans.js';
import type { TechScans } from '../tech/tech-scans.js';
import { isCacheable, type EnrichmentCache } from './enrichment-cache.js';
import { joinEnrichment, type FoundBeside } from './join-enrichment.js';
import { planPages, samePageKey } from './page-plan.js';
import { SiteVisit } from './site-visit.js';
import { teamByModel, type TeamReading } from './team-by-model.js';

export interface EnrichRunOptions {
  readonly pages: Pick<PageFetcher, 'fetch'>;
  readonly scans: TechScans;
  readonly brands: Pick<BrandReader, 'read'>;
  /** Null: disabled. */
  readonly cache: EnrichmentCache | null;
  /** Null: none is configured. */
  readonly models: ModelReader | null;
  readonly llmBudgetMicroUsd: number;
  /** Time reserved for the model, if it is used. */
  readonly llmTimeoutMs: number;
  readonly log: Logger;
}

/** Share of the time reserved for the last scans and for joining the results; capped. */
const TAIL_SHARE = 0.1;
const MAX_TAIL_MS = 2_000;
/** Share of the fetch time: a brand still has to be assembled from its resources after that. */
const BRAND_SHARE = 0.95;

type Fetched = Extract<PageResult, { kind: 'document' }>;
/** A page of HTML. */
type SitePage = Fetched & { readonly company: CompanyPage };

/** The part of a page that is kept until all pages are read: its source may be large. */
interface ReadPage extends Pick<Fetched, 'isNoStore'> {
  /** Identifies the page, whichever URL led to it. */
  readonly key: string;
  readonly url: string;
  /** '' if no model is used. */
  readonly markdown: string;
  readonly company: CompanyPage;
}

/**
 * One enrichment: the homepage, then further informative pages, with their technologies and the brand in
 * parallel. If the homepage was read, the result is whatever is ready at the deadline.
 */
export class EnrichRun {
  private readonly startedAt = performance.now();
  private readonly visit: SiteVisit;
  /** Ends the fetching. */
  private readonly fetchBy: Deadline;
  /** Ends everything else. */
  private readonly readBy: Deadline;
  private isWhole = true;

  constructor(
    private readonly task: EnrichTask,
    private readonly signal: AbortSignal,
    private readonly options: EnrichRunOptions,
  ) {
    const leftMs = Deadline.at(task.deadlineAtMs).remainingMs();
    const tailMs = Math.min(MAX_TAIL_MS, TAIL_SHARE * leftMs);
    this.readBy = Deadline.at(task.deadlineAtMs - tailMs / 4);
    this.fetchBy = Deadline.at(
      task.deadlineAtMs - tailMs - (this.usesModel ? options.llmTimeoutMs : 0),
    );
    this.visit = new SiteVisit({ deadline: this.fetchBy, signal });
  }

  async reply(): Promise<EnrichReply> {
    try {
      const copy = await this.options.cache?.find(this.task);
      if (copy) return { kind: 'enriched', enrichment: { ...copy, latencyMs: this.latencyMs() } };
      const { url, includeBrand } = this.task;
      return await this.fromHomepage(await this.fetchPage(url, includeBrand));
    } finally {
      this.visit.close();
    }
  }

  private get usesModel(): boolean {
    const { useModel, includeTeam } = this.task;
    return useModel && includeTeam && this.options.models !== null;
  }

  private async fromHomepage(home: PageResult | null): Promise<EnrichReply> {
    if (home === null) return failed('Fetch failed: timeout');
    switch (home.kind) {
      case 'blocked':
        return { kind: 'blocked', url: this.task.url };
      case 'failed':
        return failed(home.problem);
      case 'not_modified':
        throw new Error('304 without a conditional request');
      case 'document':
        if (!isSitePage(home)) return failed('Fetch failed: the homepage is no HTML page');
        return { kind: 'enriched', enrichment: await this.enrich(home) };
    }
  }

  private async enrich(home: SitePage): Promise<Enrichment> {
    const scans = this.openScans();
    const first = this.readAndScan(home, scans);
    const [deep, brand, rest] = await Promise.all([
      // First: it has a budget, and goes before the scans that have none.
      this.guarded('a deep scan', () => this.scanDeeply(home.document.url, scans)),
      this.guarded('a brand', () => this.readBrand(home)),
      this.readSite(home, scans),
    ]);
    if (deep === null) scans?.note({ reasons: ['render_failed'], sources: ['html'] });
    const pages = distinct([first, ...rest]);
    const order = [RENDERED, ...pages.map(({ key }) => key)];
    const [tech, team] = await Promise.all([scans?.report(order) ?? null, this.readTeam(pages)]);
    const enrichment = this.join(pages, { tech, brand, team });
    await this.keep(pages, enrichment);
    return enrichment;
  }

  /** Null: the time was over first. */
  private fetchPage(url: string, rawHtml = false): Promise<PageResult | null> {
    const { fetchBy: deadline, signal } = this;
    const request = companyRequest(url, this.task, { deadline, signal, rawHtml });
    return this.visit.fetch(request, (one) => this.options.pages.fetch(one));
  }

  /** The other pages: those that were read in time, in the order of the plan. */
  private async readSite(home: SitePage, scans: RequestScans | null): Promise<readonly ReadPage[]> {
    const planned = planPages(home.company, this.task);
    const pages = planned.map((url) =>
      this.guarded('a page', async () => {
        const result = await this.fetchPage(url);
        // A missing page is no failure: the others still have facts.
        const isPage = result?.kind === 'document' && isSitePage(result);
        return isPage ? this.readAndScan(result, scans) : null;
      }),
    );
    return (await Promise.all(pages)).filter((page) => page !== null);
  }

  /** The kept part of a page; also starts its scan. */
  private readAndScan(
    { document: { url, markdown = '' }, company, scanInput, isNoStore }: SitePage,
    scans: RequestScans | null,
  ): ReadPage {
    const key = samePageKey(url);
    if (scanInput) scans?.add(key, scanInput);
    return { key, url, markdown, company, isNoStore };
  }

  /** A part that fails by an internal error is left out of the result, which is then not cached. */
  private async guarded<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (err) {
      const { requestId, tenantId } = this.task;
      this.options.log.error({ err, requestId, tenantId, what }, 'a part of an enrichment failed');
      this.isWhole = false;
      return null;
    }
  }

  private openScans(): RequestScans | null {
    const { includeTech, requestId, tenantId, plan } = this.task;
    if (!includeTech) return null;
    const { readBy: deadline, signal } = this;
    return this.options.scans.open({ requestId, tenantId, plan, deadline, signal });
  }

  /** True if its findings are among the scans, or none were requested. */
  private async scanDeeply(url: string, scans: RequestScans | null): Promise<true> {
    const { tenantId, plan, deepTech } = this.task;
    if (scans === null || !deepTech) return true;
    const terms = { tenantId, plan, deadline: this.fetchBy, signal: this.signal };
    const { scans: tech } = this.options;
    const { input, reasons, sources } = await tech.deep.render(url, terms, (request) =>
      this.visit.fetch(request, (one) => tech.fetchWatched(one)),
    );
    scans.note({ reasons, sources: ['html', ...sources] });
    if (input !== null) scans.add(RENDERED, input);
    return true;
  }

  private async readBrand({ document }: SitePage): Promise<BrandReading | null> {
    const { url, tenantId, plan, includeBrand } = this.task;
    if (!includeBrand) return null;
    const deadline = this.fetchBy.within(BRAND_SHARE * this.fetchBy.remainingMs());
    const page = { url: document.url, html: document.rawHtml ?? '' };
    const reply = await this.visit.aside(page.url, () =>
      this.options.brands.read({ url, tenantId, plan, deadline, signal: this.signal, page }),
    );
    if (reply?.kind === 'brand') return reply.brand;
    this.isWhole = false;
    return null;
  }

  private async readTeam(pages: readonly ReadPage[]): Promise<TeamReading | null> {
    const { models, llmBudgetMicroUsd: budgetMicroUsd } = this.options;
    if (models === null || !this.usesModel) return null;
    const { readBy: deadline, signal } = this;
    const { tenantId } = this.task;
    const terms = { models, deadline, signal, budgetMicroUsd, tenantId };
    const reading = await teamByModel(pages, terms);
    if (reading?.isAnswered === false) this.isWhole = false;
    return reading;
  }

  private join(pages: readonly ReadPage[], found: FoundBeside): Enrichment {
    const companies = pages.map(({ company }) => company);
    return joinEnrichment(this.task, companies, { ...found, latencyMs: this.latencyMs() });
  }

  /** An immediate repeat need not find the copy: slow storage does not delay this reply. */
  private async keep(pages: readonly ReadPage[], enrichment: Enrichment): Promise<void> {
    const { cache, log } = this.options;
    const mayKeep = this.isWhole && !this.visit.isCutShort && !pages.some((one) => one.isNoStore);
    if (!cache || !mayKeep || !isCacheable(enrichment)) return;
    const kept = cache.keep(this.task, enrichment);
    await waitAtMost(Math.min(MAX_KEEP_MS, this.readBy.remainingMs()), kept).catch((err: unknown) =>
      log.debug({ err }, 'an enrichment is cached after its reply'),
    );
  }

  private latencyMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}

/** Name of the rendered homepage among the scans: its findings take precedence. */
const RENDERED = 'rendered';
/** A repeated request to this fetcher finds the copy anyway. */
const MAX_KEEP_MS = 100;

function isSitePage(page: Fetched): page is SitePage {
  return page.company !== undefined;
}

/** URLs that lead to the same page are one page: the first of them. */
function distinct(pages: readonly ReadPage[]): readonly ReadPage[] {
  return [...new Map(pages.toReversed().map((page) => [page.key, page])).values()].toSorted(
    (a, b) => pages.indexOf(a) - pages.indexOf(b),
  );
}

function failed(problem: string): EnrichReply {
  return { kind: 'failed', problem };
}

interface CompanyRequestTerms {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** The source is kept, for the brand. */
  readonly rawHtml: boolean;
}

/** A page of a company's site, read for facts about the company. */
function companyRequest(
  url: string,
  { tenantId, plan, includeTech, includeTeam, useModel }: EnrichTask,
  { deadline, signal, rawHtml }: CompanyRequestTerms,
): PageRequest {
  return {
    url,
    deadline,
    signal,
    ignoreRobotsTxt: false,
    // The Markdown is for the model.
    outputs: { company: true, scan: includeTech, markdown: useModel && includeTeam, rawHtml },
    tenantId,
    plan,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: TEXT_CONTENT_OPTIONS,
    render: PLAIN_RENDER,
    onRetryAfter: 'wait',
    crawl: null,
  };
}
