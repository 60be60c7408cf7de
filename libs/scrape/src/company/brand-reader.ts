import {
  domainOf,
  type FetchedManifest,
  type PageBrand,
  type BrandReading,
  type BrandReply,
} from '@app/company';
import {
  type Branding,
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type Deadline,
  type Plan,
  BRAND_REASONS,
  type BrandReason,
} from '@app/contracts';
import { decodeBody } from '@app/content';
import { BlockedUrlError, HttpFetchError, InvalidUrlError, type HttpClient } from '@app/egress';
import { PLAIN_RENDER } from '@app/fetch';
import type { PageFetcher } from '../page/page-fetcher.js';
import type { PageRequest } from '../page/page-result.js';
import { ThreadTimeoutError, type ThreadPool } from '../threads/thread-pool.js';
import type { BrandPage } from './brand-task.js';
import type { BrandSteps } from './brand.worker.js';
import { SheetFetcher, type FetchedSheets } from './sheet-fetcher.js';

export interface BrandReaderOptions {
  readonly pages: Pick<PageFetcher, 'fetch'>;
  readonly http: Pick<HttpClient, 'fetch'>;
  readonly pool: Pick<ThreadPool<BrandSteps>, 'run'>;
}

/** The site whose brand is read, and its time limits. */
export interface BrandQuestion {
  /** Homepage. */
  readonly url: string;
  readonly deadline: Deadline;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly signal?: AbortSignal;
  /** The homepage, if it is already fetched. @default it is fetched */
  readonly page?: BrandPage;
}

/** Time reserved for the style sheets and for reading everything. */
const SHEETS_AND_READING_MS = 8_000;
/** The part of it reserved for reading. */
const READING_MS = 2_000;
const MANIFEST_MS = 3_000;
const MAX_MANIFEST_BYTES = 262_144;

/** Reads the brand of a site from its homepage and its linked style sheets, imports and web manifest. */
export class BrandReader {
  private readonly sheets: SheetFetcher;

  constructor(private readonly options: BrandReaderOptions) {
    this.sheets = new SheetFetcher(options.http);
  }

  /** Never throws for a fault of the site. */
  async read(question: BrandQuestion): Promise<BrandReply> {
    const page = question.page ?? (await this.homepage(question));
    if ('kind' in page) return page;
    const freshness = new Date().toISOString();
    try {
      const { brand, sheets } = await this.readPage(page, question);
      return { kind: 'brand', brand: finished(brand, { question, sheets, freshness }) };
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      return {
        kind: 'failed',
        problem: 'The page was fetched, but there was no time left to read it',
      };
    }
  }

  /**
   * The `branding` format of a fetched page with its linked style sheets, under the budgets of a brand.
   * @param own the result of the page alone: returned if its style sheets cannot be read
   */
  async branding(
    page: BrandPage,
    own: Branding,
    { tenantId, deadline, signal }: Pick<BrandQuestion, 'tenantId' | 'deadline' | 'signal'>,
  ): Promise<Branding> {
    const { pool } = this.options;
    const terms = { deadline, ...(signal ? { signal } : {}) };
    try {
      const outline = await pool.run('outline', page, { ...terms, tenantId });
      const { sheets, reasons } = await this.sheets.fetchAll(outline.sheets, {
        ...terms,
        deadline: deadline.within(Math.max(0, deadline.remainingMs() - READING_MS)),
      });
      const read = await pool.run('branding', { ...page, sheets }, { ...terms, tenantId });
      return { ...read.branding, brand_meta: metaOf([...reasons, ...read.cuts]) };
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      const isLate = error.problem === 'busy' || error.problem === 'deadline';
      return { ...own, brand_meta: metaOf([isLate ? 'stylesheet_budget' : 'css_cap']) };
    }
  }

  private async homepage(question: BrandQuestion): Promise<BrandPage | BrandReply> {
    const result = await this.options.pages.fetch(requestOf(question));
    switch (result.kind) {
      case 'blocked':
        return { kind: 'blocked', url: result.url };
      case 'failed':
        return { kind: 'failed', problem: result.problem };
      case 'not_modified':
        throw new Error('304 without a conditional request');
      case 'document': {
        const { rawHtml, url, file } = result.document;
        const isPage = file === undefined && rawHtml !== undefined;
        return isPage
          ? { html: rawHtml, url }
          : { kind: 'failed', problem: 'The address leads to a file, not to a page' };
      }
    }
  }

  private async readPage(
    page: BrandPage,
    { deadline, signal, tenantId }: BrandQuestion,
  ): Promise<{ readonly brand: PageBrand; readonly sheets: FetchedSheets }> {
    const { pool } = this.options;
    const terms = { deadline, ...(signal ? { signal } : {}) };
    const outline = await pool.run('outline', page, { ...terms, tenantId });
    const [sheets, manifest] = await Promise.all([
      this.sheets.fetchAll(outline.sheets, terms),
      outline.manifest === null ? null : this.manifest(outline.manifest, terms),
    ]);
    const task = { ...page, sheets: sheets.sheets, manifest };
    return { brand: await pool.run('read', task, { ...terms, tenantId }), sheets };
  }

  /** Null: the site has none, or it cannot be fetched. */
  private async manifest(
    url: string,
    { deadline, signal }: Pick<BrandQuestion, 'deadline' | 'signal'>,
  ): Promise<FetchedManifest | null> {
    try {
      const response = await this.options.http.fetch({
        url,
        headers: { accept: 'application/manifest+json,application/json,*/*;q=0.1' },
        deadline: deadline.within(MANIFEST_MS),
        ...(signal ? { signal } : {}),
        maxBytes: MAX_MANIFEST_BYTES,
      });
      if (response.status !== 200) return null;
      return { url: response.url, text: decodeBody(response.body, 'utf-8') };
    } catch (error) {
      const isOfSite =
        error instanceof HttpFetchError ||
        error instanceof BlockedUrlError ||
        error instanceof InvalidUrlError;
      if (isOfSite) return null;
      throw error;
    }
  }
}

function metaOf(found: readonly BrandReason[]): NonNullable<Branding['brand_meta']> {
  const reasons = BRAND_REASONS.filter((reason) => found.includes(reason));
  return { partial: reasons.length > 0, reasons };
}

function finished(
  brand: PageBrand,
  {
    question,
    sheets,
    freshness,
  }: {
    readonly question: BrandQuestion;
    readonly sheets: FetchedSheets;
    readonly freshness: string;
  },
): BrandReading {
  const reasons = new Set([...sheets.reasons, ...brand.reasons]);
  return {
    ...brand,
    // The requested domain, even if the site redirects elsewhere.
    domain: domainOf(question.url),
    reasons: BRAND_REASONS.filter((reason) => reasons.has(reason)),
    freshness,
  };
}

function requestOf({ url, deadline, signal, tenantId, plan }: BrandQuestion): PageRequest {
  const pageMs = Math.max(
    deadline.remainingMs() / 2,
    deadline.remainingMs() - SHEETS_AND_READING_MS,
  );
  return {
    url,
    deadline: deadline.within(pageMs),
    ...(signal ? { signal } : {}),
    ignoreRobotsTxt: false,
    outputs: { rawHtml: true },
    tenantId,
    plan,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    render: PLAIN_RENDER,
    onRetryAfter: 'report',
    crawl: null,
  };
}
