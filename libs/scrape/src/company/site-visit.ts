import type { Deadline } from '@app/contracts';
import { TurnLine } from '@app/turns';
import type { PageRequest, PageResult } from '../page/page-result.js';
import { RequestPace, waitUnlessAborted, type HostVisit } from '../page/request-pace.js';

/** Pages of a site that are fetched at the same time: equal to the initial window of a host. */
const PAGES_AT_ONCE = 2;

export interface VisitTerms {
  /** No page is started after it, and none is awaited. */
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

export type FetchPage = (request: PageRequest) => Promise<PageResult>;

/**
 * Fetches the pages of one site politely: a few at a time, or, if robots.txt sets a Crawl-delay, one at a time
 * at that pace, including redirects and further attempts. Ends at its deadline, whatever is still running.
 */
export class SiteVisit {
  private readonly pageSlots = new TurnLine({ total: PAGES_AT_ONCE });
  /** For hosts with a Crawl-delay: one request at a time. */
  private readonly single = new TurnLine({ total: 1 });
  private readonly hosts = new Map<string, HostVisit>();
  private readonly ending = new AbortController();
  private readonly signal: AbortSignal;
  private readonly timer: NodeJS.Timeout;
  private hasLeftOut = false;

  constructor(private readonly terms: VisitTerms) {
    this.signal = AbortSignal.any([terms.signal, this.ending.signal]);
    const { deadline } = terms;
    this.timer = setTimeout(() => this.ending.abort(), deadline.remainingMs());
  }

  /** A requested page is missing, only because the time was over. */
  get isCutShort(): boolean {
    return this.hasLeftOut;
  }

  /** Null: the time was over first. */
  async fetch(request: PageRequest, fetchPage: FetchPage): Promise<PageResult | null> {
    const ended = this.ended();
    const result = await Promise.race([this.inTurn(request, fetchPage), ended.promise]).finally(
      ended.forget,
    );
    if (result === null || isOutOfTime(result, this.signal)) this.hasLeftOut = true;
    return result;
  }

  /**
   * Runs work of another component that sends requests to the site, in parallel to the pages; with a
   * Crawl-delay, in its own turn. Null: the time was over first.
   */
  async aside<T>(address: string, work: () => Promise<T>): Promise<T | null> {
    const url = new URL(address);
    const ended = this.ended();
    const done = this.crawlDelayOf(url)
      ? this.alone(url, () => this.recordingEnd(url, work))
      : work();
    return Promise.race([done, ended.promise]).finally(ended.forget);
  }

  /** Stops running work. */
  close(): void {
    clearTimeout(this.timer);
    this.ending.abort();
  }

  private async inTurn(request: PageRequest, fetchPage: FetchPage): Promise<PageResult | null> {
    return this.within(this.pageSlots, () => this.paced(request, fetchPage));
  }

  private async within<T>(slots: TurnLine, work: () => Promise<T>): Promise<T | null> {
    const { deadline } = this.terms;
    const slot = await slots.take({ owner: null, deadline, signal: this.signal });
    if (typeof slot === 'string') return null;
    try {
      return await work();
    } finally {
      slot.release();
    }
  }

  private async paced(request: PageRequest, fetchPage: FetchPage): Promise<PageResult | null> {
    const url = new URL(request.url);
    const fetchPaced = (): Promise<PageResult> => this.fetchPaced(request, fetchPage);
    return this.crawlDelayOf(url) ? this.alone(url, fetchPaced) : fetchPaced();
  }

  private async alone<T>(url: URL, work: () => Promise<T>): Promise<T | null> {
    return this.within(this.single, async () => ((await this.turn(url)) ? work() : null));
  }

  /** Takes the end of the work as the time of the last request to the host. */
  private async recordingEnd<T>(url: URL, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const { host } = url;
      const lastSentAtMs = performance.now();
      this.remember([{ host, crawlDelayMs: this.crawlDelayOf(url), lastSentAtMs }]);
    }
  }

  /** 0: the host sets none. */
  private crawlDelayOf({ host }: URL): number {
    return this.hosts.get(host)?.crawlDelayMs ?? 0;
  }

  /** Waits until the host may receive the next request; false at once if that is after the deadline. */
  private async turn({ host }: URL): Promise<boolean> {
    const { crawlDelayMs, lastSentAtMs = null } = this.hosts.get(host) ?? {};
    const dueAtMs = lastSentAtMs === null ? 0 : lastSentAtMs + (crawlDelayMs ?? 0);
    const waitMs = dueAtMs - performance.now();
    if (waitMs >= this.terms.deadline.remainingMs()) return false;
    if (waitMs > 0) await waitUnlessAborted(waitMs, this.signal);
    return !this.signal.aborted;
  }

  private async fetchPaced(request: PageRequest, fetchPage: FetchPage): Promise<PageResult> {
    const pace = new RequestPace(this.signal);
    for (const { host, crawlDelayMs, lastSentAtMs } of this.hosts.values()) {
      const url = new URL(`http://${host}`);
      pace.learn(url, crawlDelayMs);
      if (lastSentAtMs !== null) pace.sent(url, lastSentAtMs);
    }
    const signal = request.signal ? AbortSignal.any([request.signal, this.signal]) : this.signal;
    const deadline = request.deadline.within(this.terms.deadline.remainingMs());
    try {
      return await fetchPage({ ...request, deadline, signal, pace });
    } finally {
      this.remember(pace.visits());
    }
  }

  private remember(visits: readonly HostVisit[]): void {
    for (const visit of visits) {
      const before = this.hosts.get(visit.host)?.lastSentAtMs ?? null;
      const lastSentAtMs =
        before === null || visit.lastSentAtMs === null
          ? (visit.lastSentAtMs ?? before)
          : Math.max(before, visit.lastSentAtMs);
      this.hosts.set(visit.host, { ...visit, lastSentAtMs });
    }
  }

  /** Resolves when the visit has ended; running work may notice that a little later. */
  private ended(): { readonly promise: Promise<null>; readonly forget: () => void } {
    const { promise, resolve } = Promise.withResolvers<null>();
    const end = (): void => resolve(null);
    this.signal.addEventListener('abort', end, { once: true });
    if (this.signal.aborted) end();
    return { promise, forget: () => this.signal.removeEventListener('abort', end) };
  }
}

/** The end of the visit aborted it, not the site. */
function isOutOfTime(result: PageResult, { aborted }: AbortSignal): boolean {
  return aborted && result.kind === 'failed' && result.errorClass === 'timeout';
}
