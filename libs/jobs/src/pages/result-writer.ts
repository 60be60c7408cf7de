import type { BlobStore } from '@app/blobs';
import { PLAN_LIMITS, type SkipReason } from '@app/contracts';
import { reserveDaily, utcDay } from '@app/accounts';
import { hasRoom } from '../create/stored-bytes.js';
import { admitAhead } from '../frontier/admit-ahead.js';
import { finishPages } from '../frontier/finish-pages.js';
import { type FinishResult, type HostReport } from '../frontier/page-outcome.js';
import { RECRAWL_CHANGES, type FoundLink, type RecrawlChange } from '@app/crawl';
import { isRefusedValue, type Database } from '@app/database';
import type { Logger, Metrics } from '@app/telemetry';
import { BatchWindow } from './batch-window.js';
import { KnownLinks } from './known-links.js';
import { ending, FAULTY_REASON, faulty, type PageEnding } from './page-ending.js';
import { packSegment, type ResultSegment } from './result-segment.js';
import type { IndexedText } from '../search-index/page-texts.js';

/**
 * Group commit: pages that end within this time of each other share one object and one transaction. Once
 * that share of the job's pages in work has ended nothing is waited for: they hold the places of the next.
 */
const LINGER_MS = 40;
const GATHERED_SHARE = 0.5;
const MAX_BATCH_PAGES = 64;
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
/**
 * Links of one transaction: the job is locked while they are admitted. A single ending may bring more, a
 * sitemap 50,000: those are admitted ahead of its end, so many at a time.
 */
export const MAX_BATCH_LINKS = 5_000;
/** Segments from this size on are written only where the plan has room: less is not worth the question. */
const CHECKED_BYTES = 256 * 1024;
/** Of a counter that only counts. */
const MOST_COUNTED = 2_000_000_000;
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;

export interface ResultWriterOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly hostWindow: { readonly start: number; readonly max: number };
  /** Pages of a job that this process is working on, those that wait here included. */
  readonly inWork: (jobId: string) => number;
}

interface Waiting {
  readonly ending: PageEnding;
  readonly signal: AbortSignal;
  readonly resolve: (isScraped: boolean) => void;
}

interface JobBatch {
  waiting: Waiting[];
  isWriting: boolean;
  readonly gathering: BatchWindow;
}

/**
 * Makes pages count. Documents of one job are packed into a segment object (zstd frames one after
 * another), then one transaction records where each lies and moves the counters. While a write is
 * under way the next batch gathers, so the busier a crawl is the less each page costs.
 */
export class ResultWriter {
  private readonly jobs = new Map<string, JobBatch>();
  private readonly known = new KnownLinks();

  /** Endings whose documents count. */
  private readonly scraped = new WeakSet<PageEnding>();

  constructor(private readonly options: ResultWriterOptions) {}

  /**
   * Resolves when the ending is committed, or was refused because this worker lost the page: to whether its document counts
   * as a page of the job. While storage or database are unavailable it keeps trying until `signal` reports a lost lease.
   */
  write(ending: PageEnding, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const batch = this.batchOf(ending.page.jobId);
      batch.waiting.push({ ending, signal, resolve });
      if (batch.isWriting) batch.gathering.arrived();
      else void this.writeAll(ending.page.jobId, batch);
    });
  }

  private batchOf(jobId: string): JobBatch {
    const known = this.jobs.get(jobId);
    if (known) return known;
    const gathering = new BatchWindow(() => this.isEnough(jobId, batch));
    const batch: JobBatch = { waiting: [], isWriting: false, gathering };
    this.jobs.set(jobId, batch);
    return batch;
  }

  private async writeAll(jobId: string, batch: JobBatch): Promise<void> {
    batch.isWriting = true;
    while (batch.waiting.length > 0) {
      await batch.gathering.wait(LINGER_MS);
      const taken = takeBatch(batch);
      await this.writeUntilDone(jobId, taken);
      for (const { resolve, ending } of taken) resolve(this.scraped.has(ending));
    }
    this.jobs.delete(jobId);
  }

  private isEnough(jobId: string, { waiting }: JobBatch): boolean {
    const wanted = this.options.inWork(jobId) * GATHERED_SHARE;
    return waiting.length >= Math.min(MAX_BATCH_PAGES, wanted);
  }

  private async writeUntilDone(jobId: string, taken: readonly Waiting[]): Promise<void> {
    let delayMs = FIRST_RETRY_MS;
    let segment: ResultSegment | null = null;
    // Who lost the lease while it waited is not written: another worker's outcome may be beside it.
    let live = taken.filter(isHeld);
    for (; live.length > 0; live = live.filter(isHeld)) {
      try {
        const endings = live.map(({ ending }) => ending);
        // Once for all tries: while the database is away each would leave another object behind.
        segment ??= await packSegment(endings);
        if (await this.isStorageFull(endings, segment)) return this.writeWithout(jobId, live);
        return await this.writeOnce(jobId, endings, segment);
      } catch (err) {
        if (isRefusedValue(err)) return this.writeApart(jobId, live, err);
        this.options.log.warn(
          { err, jobId, pages: live.length },
          'results could not be written, trying again',
        );
        await pause(delayMs);
        delayMs = Math.min(MAX_RETRY_MS, delayMs * 2);
      }
    }
  }

  /** Whether the plan has no room for these documents: jobs that began before it was full bring pages, too. */
  private async isStorageFull(
    [first]: readonly PageEnding[],
    { bytes, isStored }: ResultSegment,
  ): Promise<boolean> {
    if (first === undefined || bytes === null || bytes.length < CHECKED_BYTES || isStored)
      return false;
    const { plan, tenantId } = first.page;
    return !(await hasRoom(this.options.database, { tenantId, plan, bytes: bytes.length }));
  }

  /** Documents for which there is no room are left out; a page that is as the crawl before has it needs none. */
  private writeWithout(jobId: string, live: readonly Waiting[]): Promise<void> {
    const unkept = live.map((one) => {
      if (one.ending.document === null) return one;
      const { page, outcome, signal, crawlDelayMs, visits } = one.ending;
      const { statusCode, rung, latencyMs } = outcome;
      const detail = { signal, statusCode, rung, crawlDelayMs, latencyMs };
      return { ...one, ending: { ...ending(page, UNKEPT, detail), visits } };
    });
    return this.writeUntilDone(jobId, unkept);
  }

  /** One ending with a value that the database refuses must not hold up the others, nor be tried for ever. */
  private async writeApart(jobId: string, live: readonly Waiting[], err: unknown): Promise<void> {
    const [only] = live;
    if (live.length > 1) {
      for (const one of live) await this.writeUntilDone(jobId, [one]);
    } else if (only && only.ending.outcome.reason !== FAULTY_REASON) {
      this.options.log.error(
        { err, jobId },
        'a result was refused by the database; the page counts as failed',
      );
      const ending = faulty(only.ending.page);
      await this.writeUntilDone(jobId, [{ ...only, ending }]);
    } else {
      this.options.log.error({ err, jobId }, 'a page could not be ended; its lease runs out');
    }
  }

  private async writeOnce(
    jobId: string,
    endings: readonly PageEnding[],
    segment: ResultSegment,
  ): Promise<void> {
    const { database, blobs, hostWindow } = this.options;
    const [first] = endings;
    if (!first) return;
    if (segment.bytes && !segment.isStored) await blobs.put(segment.key, segment.bytes);
    segment.isStored = true;
    const isFirstTry = segment.commits++ === 0;
    const found = this.known.unknown(
      jobId,
      endings.flatMap((ending) => ending.found),
    );
    const links = await this.lastLinks(first, found);
    const result = await finishPages(database, {
      jobId,
      outcomes: endings.map((ending) => ({
        ...ending.outcome,
        segment: segment.ranges.get(ending) ?? ending.inherited,
      })),
      links,
      texts: endings.flatMap(textOf),
      hosts: hostReports(endings),
      maxDiscovered: first.page.maxDiscovered,
      hostWindow,
    });
    // Links beyond the discovery bound were not recorded; remembering them as known is right too.
    if (result.status !== 'running') this.known.forget(jobId);
    else if (result.accepted.size > 0) this.known.add(jobId, links);
    // Nothing refers to a segment without a counted page, unless an earlier try was committed
    // although its answer was lost.
    if (segment.bytes && isFirstTry && result.scraped.size === 0) await blobs.delete(segment.key);
    if (result.unindexed > 0)
      this.options.log.warn({ jobId, pages: result.unindexed }, 'pages could not be indexed');
    this.observe(endings, result);
    await this.countUnpaid(endings, result);
  }

  /** Where the plan bounds them; counted after they are: a worker that dies between the two lets some go uncounted. */
  private async countUnpaid(endings: readonly PageEnding[], result: FinishResult): Promise<void> {
    const { database, log } = this.options;
    const [first] = endings;
    if (first === undefined || PLAN_LIMITS[first.page.plan].unpaidPagesPerDay === null) return;
    if (first.page.jobType === 'extract') return;
    const amount = endings.filter(({ outcome }) => {
      const { urlKey, state, statusCode, reason, credits, isUnchanged = false } = outcome;
      // Of a site whose robots.txt could not be read no page was requested.
      const isFetched = statusCode !== null && state !== 'pending' && reason !== 'robots';
      const isPaid = result.scraped.has(urlKey) && (credits > 0 || isUnchanged);
      return isFetched && result.accepted.has(urlKey) && !isPaid;
    }).length;
    if (amount === 0) return;
    const { tenantId } = first.page;
    const quota = { tenantId, operation: 'unpaid_page', day: utcDay() } as const;
    await reserveDaily(database, { ...quota, amount, limit: MOST_COUNTED }).catch((err: unknown) =>
      log.warn({ err, tenantId }, 'pages that cost nothing were not counted'),
    );
  }

  /** The rest is for the transaction that ends the page, after all links before are admitted. */
  private async lastLinks(
    { page, outcome: { scopeUrl = null } }: PageEnding,
    found: readonly FoundLink[],
  ): Promise<readonly FoundLink[]> {
    const { database, metrics, hostWindow } = this.options;
    const { jobId, urlKey, fence, maxDiscovered } = page;
    let left = found;
    while (left.length > MAX_BATCH_LINKS) {
      const links = left.slice(0, MAX_BATCH_LINKS);
      const lead = {
        jobId,
        urlKey,
        fence,
        scopeUrl,
        links,
        maxDiscovered,
        hostWindowStart: hostWindow.start,
      };
      const admitted = await admitAhead(database, lead);
      // Not this worker's page any more: its end is refused as well.
      if (admitted === null) return [];
      metrics.crawlUrls.inc({ decision: 'enqueued' }, admitted);
      this.known.add(jobId, links);
      left = left.slice(MAX_BATCH_LINKS);
    }
    return left;
  }

  private observe(endings: readonly PageEnding[], result: FinishResult): void {
    const { metrics } = this.options;
    metrics.crawlUrls.inc({ decision: 'enqueued' }, result.admitted);
    for (const ending of endings) {
      const { page, outcome, signal } = ending;
      if (!result.accepted.has(outcome.urlKey)) continue;
      const isStored = page.jobType === 'extract';
      const change = result.gone.has(outcome.urlKey) ? 'gone' : changeOf(ending, result);
      if (change) metrics.recrawledPages.inc({ change });
      if (result.scraped.has(outcome.urlKey)) {
        this.scraped.add(ending);
        metrics.creditsCharged.inc({ operation: isStored ? 'extract' : 'crawl' }, outcome.credits);
      }
      if (signal.kind === 'backoff')
        metrics.hostBackoffs.inc({ reason: backoffReason(outcome.statusCode) });
    }
  }
}

/** How a result of a recrawl differs. Undefined: it is none. */
function changeOf(
  { page, outcome }: PageEnding,
  { scraped }: FinishResult,
): RecrawlChange | undefined {
  if (page.options.since === undefined || !scraped.has(outcome.urlKey)) return undefined;
  return RECRAWL_CHANGES.find((change) => change === outcome.reason);
}

/** A closed set: labels never hold text from a site. */
function backoffReason(statusCode: number | null): string {
  return statusCode === 429 || statusCode === 503 ? String(statusCode) : 'timeout';
}

const isHeld = ({ signal }: Waiting): boolean => !signal.aborted;

function takeBatch(batch: JobBatch): Waiting[] {
  let chars = 0;
  let links = 0;
  let count = 0;
  for (const { ending } of batch.waiting) {
    chars += (ending.document?.length ?? 0) + (ending.text?.text.length ?? 0);
    links += ending.found.length;
    const isFull = count >= MAX_BATCH_PAGES || chars > MAX_BATCH_CHARS || links > MAX_BATCH_LINKS;
    if (count > 0 && isFull) break;
    count++;
  }
  return batch.waiting.splice(0, count);
}

function textOf({ outcome: { urlKey, fence }, text }: PageEnding): IndexedText[] {
  return text ? [{ ...text, urlKey, fence }] : [];
}

const UNKEPT = { state: 'skipped', reason: 'storage' satisfies SkipReason } as const;

/** Counted back from now, so it is made at the very moment it is sent. */
function hostReports(endings: readonly PageEnding[]): HostReport[] {
  const nowMs = performance.now();
  const hosts = Map.groupBy(endings, ({ outcome }) => outcome.host);
  const visits = Map.groupBy(
    endings.flatMap((ending) => ending.visits),
    ({ host }) => host,
  );
  return [...new Set([...hosts.keys(), ...visits.keys()])].map((host) => {
    const own = hosts.get(host) ?? [];
    const seen = visits.get(host) ?? [];
    const sentAt = seen.flatMap(({ lastSentAtMs }) => lastSentAtMs ?? []);
    return {
      host,
      signals: own.map(({ signal }) => signal),
      crawlDelayMs: [...own, ...seen].findLast(({ crawlDelayMs }) => crawlDelayMs !== undefined)
        ?.crawlDelayMs,
      sentAgoMs: sentAt.length === 0 ? null : nowMs - Math.max(...sentAt),
    };
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
