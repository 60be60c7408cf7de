import {
  htmlPage,
  sendHtml,
  TrawlClient,
  waitUnlessClosed,
  type FixtureSite,
  type JobResponse,
} from '@app/testing';
import type { Service } from './deployment.js';

export interface BatchResponseItem {
  readonly index: number;
  readonly url: string;
  readonly ok: boolean;
  readonly markdown?: string;
  readonly code?: string;
  readonly metadata?: { readonly sourceURL: string };
}
export interface BatchResponse {
  readonly results: readonly BatchResponseItem[];
  readonly summary: { readonly total: number; readonly ok: number; readonly failed: number };
  readonly creditsUsed: number;
}
export interface BatchAcceptedResponse {
  readonly jobId: string;
  readonly status: string;
  readonly total: number;
  readonly pages: number;
}

/** Only the workers of a batch bound it: neither fetchers nor hosts do. */
export const BATCH_ENV = {
  BROWSER_MAX: '0',
  HOST_WINDOW_START: '32',
  HOST_WINDOW_MAX: '32',
  SCRAPE_CONCURRENCY: '32',
  CRAWL_CONCURRENCY: '32',
  LEASE_MS: '3000',
  DRAIN_SECONDS: '5',
};

/** Addresses of a {@link ListSite}. */
export const LIST_PAGES = 100;
const SLOW_MS = 300;
/** Longer than any spec. */
const HELD_MS = 600_000;

/** Text that only page `n` of a list holds. */
export const markerOf = (n: number): string => `list-marker-${n}-end`;

/** A hundred pages of a site, and how many of them are being answered at a time. */
export class ListSite {
  open = 0;
  most = 0;
  /** Time each page takes. */
  ms = SLOW_MS;
  /** Pages that must have been open at a time before one is answered. */
  atOnce = 0;
  /** Requests after so many are not answered: a page is then open until its client is gone. */
  answers = Infinity;
  private visits = 0;
  private reached = Promise.withResolvers<void>();

  constructor(private readonly site: FixtureSite) {
    for (let n = 0; n < LIST_PAGES; n++) site.serve({ [`/list/${n}`]: this.pageOf(n) });
  }

  reset(): void {
    this.site.reset();
    this.most = 0;
    this.ms = SLOW_MS;
    this.atOnce = 0;
    this.answers = Infinity;
    this.visits = 0;
    this.reached = Promise.withResolvers();
  }

  /** Answers pages that wait for others, however many are open. */
  release(): void {
    this.reached.resolve();
  }

  some(count: number, from = 0): string[] {
    return Array.from({ length: count }, (_, n) => this.site.url(`/list/${from + n}`));
  }

  /** How often any of the pages was requested. */
  get asked(): number {
    return this.site.requests().filter(({ path }) => path.startsWith('/list/')).length;
  }

  private pageOf(n: number): Parameters<FixtureSite['serve']>[0][string] {
    return async ({ response }) => {
      this.most = Math.max(this.most, ++this.open);
      if (this.most >= this.atOnce) this.release();
      await this.reached.promise;
      const isHeld = ++this.visits > this.answers;
      await waitUnlessClosed(response, isHeld ? HELD_MS : this.ms);
      this.open--;
      const links = `<a href="/list/${n + 1}">next</a> <a href="/tree/0">tree</a>`;
      const body = `<p>${markerOf(n)} is a page with enough words to be one.</p>${links}`;
      sendHtml(response, htmlPage({ title: `List ${n}`, body }));
    };
  }
}

export async function batch(client: TrawlClient, body: unknown): Promise<BatchResponse> {
  const answer = await client.call('POST', '/v1/batch', body);
  expect(answer.status).toBe(200);
  return answer.body as BatchResponse;
}

export async function startBatch(
  client: TrawlClient,
  body: object,
): Promise<BatchAcceptedResponse> {
  const answer = await client.call('POST', '/v1/batch', { ...body, async: true });
  expect([answer.status, answer.body]).toMatchObject([202, { status: 'queued' }]);
  return answer.body as BatchAcceptedResponse;
}

export async function chargesOf(
  { database }: Service,
  tenantId: string,
): Promise<{ readonly rows: number; readonly credits: number }> {
  const [row] = await database.query<{ rows: number; credits: number }>(
    {
      name: 'charges_of_tenant',
      text: `SELECT count(*)::int AS rows, coalesce(sum(credits), 0)::int AS credits
             FROM credit_ledger WHERE tenant_id = $1`,
    },
    [tenantId],
  );
  if (!row) throw new Error('counting gave nothing');
  return row;
}

/** 0: every address is in one state. */
export function missingOf({ pages: { discovered, ...states } }: JobResponse): number {
  return discovered - Object.values(states).reduce((sum, n) => sum + n, 0);
}
