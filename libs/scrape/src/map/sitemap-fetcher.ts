import type { Deadline } from '@app/contracts';
import { MAX_SITEMAP_BYTES } from '@app/crawl';
import {
  BlockedUrlError,
  HttpFetchError,
  InvalidUrlError,
  type HttpClient,
  type HttpResponse,
} from '@app/egress';
import { TurnLine } from '@app/turns';
import { RedirectRefused, type RobotsGate } from '../page/robots-gate.js';
import type { RobotsQuestion } from '../page/robots-question.js';
import { ThreadTimeoutError, type ThreadPool } from '../threads/thread-pool.js';
import type { MapTerms } from './map-terms.js';
import type { SitemapSteps } from './sitemap.worker.js';
import type { FetchedSitemap, SitemapReading } from './sitemap-task.js';

/** The outcome for one sitemap. */
export type SitemapOutcome =
  | { readonly kind: 'read'; readonly reading: SitemapReading; readonly isLate: boolean }
  /** The URL has none, or serves something else. */
  | { readonly kind: 'none' }
  /** It could not be fetched, with the reason as text. `isLate`: because the map's time was over. */
  | { readonly kind: 'failed'; readonly problem: string; readonly isLate: boolean };

export interface SitemapFetcherOptions {
  readonly http: Pick<HttpClient, 'fetch'>;
  readonly robots: RobotsGate;
  readonly pool: ThreadPool<SitemapSteps>;
}

const ACCEPT = 'application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5';
/** Sitemaps in memory at the same time, over all maps of this process: each may take 50 MB. */
const AT_A_TIME = 8;
const TIMED_OUT = 'Fetch failed: timeout';

/** Fetches a sitemap through the egress guard, if robots.txt allows it, and parses it in a thread. */
export class SitemapFetcher {
  private readonly slots = new TurnLine({ total: AT_A_TIME });

  constructor(private readonly options: SitemapFetcherOptions) {}

  /** @param maxMs limit in milliseconds, within the time left for the map */
  async fetch(url: string, terms: MapTerms, maxMs: number): Promise<SitemapOutcome> {
    const deadline = terms.fetchBy.within(maxMs);
    const { tenantId, plan, signal } = terms;
    const owner = { tenantId, isFree: plan === 'free' };
    const slot = await this.slots.take({ owner, deadline, signal });
    if (typeof slot === 'string') return late(terms);
    try {
      return await this.fetchAllowed(url, deadline, terms);
    } catch (error) {
      return outcomeOf(error, terms);
    } finally {
      slot.release();
    }
  }

  private async fetchAllowed(
    url: string,
    deadline: Deadline,
    terms: MapTerms,
  ): Promise<SitemapOutcome> {
    const { robots } = this.options;
    const { signal } = terms;
    const question: RobotsQuestion = { deadline, signal, ignoreRobotsTxt: false };
    const { refusal } = await robots.check(new URL(url), question);
    if (refusal) return { kind: 'failed', problem: refusal.problem, isLate: false };
    const { response, isLate } = await this.download(url, question);
    // A successful response that is no sitemap counts as missing: many sites answer every URL with 200.
    if (response.status >= 500 || response.status === 429)
      return { kind: 'failed', problem: `Fetch failed: HTTP ${response.status}`, isLate: false };
    if (response.status >= 300) return { kind: 'none' };
    if (hasUnexpectedEncoding(response.headers['content-encoding']))
      return { kind: 'failed', problem: 'Fetch failed: Content-Encoding', isLate: false };
    return this.read(toSitemap(response), isLate && terms.fetchBy.isPassed, terms);
  }

  /** The part received in time is still of use. */
  private async download(
    url: string,
    question: RobotsQuestion,
  ): Promise<{ readonly response: HttpResponse; readonly isLate: boolean }> {
    const { http, robots } = this.options;
    const { deadline, signal } = question;
    try {
      const response = await http.fetch({
        url,
        headers: { accept: ACCEPT, 'accept-encoding': 'gzip' },
        // A small file may be a compression bomb: the reader inflates it in bounded memory.
        keepsEncoding: true,
        deadline,
        ...(signal ? { signal } : {}),
        // The reader reports the cut; one byte more shows that there is one.
        maxBytes: MAX_SITEMAP_BYTES + 1,
        onRedirect: async (_hop, target) => void (await robots.followRedirect(target, question)),
      });
      return { response, isLate: false };
    } catch (error) {
      const partial = error instanceof HttpFetchError ? error.partial : null;
      if (partial === null) throw error;
      return { response: partial, isLate: true };
    }
  }

  private async read(
    file: FetchedSitemap,
    isLate: boolean,
    { filter, answerBy, signal, tenantId }: MapTerms,
  ): Promise<SitemapOutcome> {
    const terms = { deadline: answerBy, signal, tenantId };
    const reading = await this.options.pool.run('readForMap', { ...file, filter }, terms);
    return reading.kind === 'unknown' && !isLate
      ? { kind: 'none' }
      : { kind: 'read', reading, isLate };
  }
}

function toSitemap({ body, headers, url, truncation }: HttpResponse): FetchedSitemap {
  const contentType = headers['content-type'];
  return {
    body,
    contentType: typeof contentType === 'string' ? contentType : null,
    url,
    isCut: truncation !== null && truncation !== 'byte_cap',
  };
}

function late({ fetchBy }: MapTerms): SitemapOutcome {
  return { kind: 'failed', problem: TIMED_OUT, isLate: fetchBy.isPassed };
}

/**
 * A sitemap that the egress guard, robots.txt or the network refuses is not read; internal errors are thrown.
 */
function outcomeOf(error: unknown, terms: MapTerms): SitemapOutcome {
  if (error instanceof ThreadTimeoutError) return late(terms);
  if (error instanceof RedirectRefused)
    return { kind: 'failed', problem: error.failure.problem, isLate: false };
  if (error instanceof BlockedUrlError || error instanceof InvalidUrlError)
    return { kind: 'failed', problem: 'Fetch failed: blocked', isLate: false };
  if (error instanceof HttpFetchError) {
    if (error.errorClass === 'timeout') return late(terms);
    return { kind: 'failed', problem: `Fetch failed: ${error.errorClass}`, isLate: false };
  }
  throw error;
}

/**
 * Whether a sitemap was sent in an encoding that the request did not accept. Sitemaps are fetched undecoded,
 * since a small file may be a compression bomb: the reader inflates gzip, detected by its bytes, in bounded
 * memory.
 */
export function hasUnexpectedEncoding(contentEncoding: string | readonly string[] = ''): boolean {
  return /\b(?:br|zstd|deflate|compress)\b/i.test(String(contentEncoding));
}
