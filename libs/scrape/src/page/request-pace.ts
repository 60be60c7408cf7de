import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline, Rung } from '@app/contracts';
import { pageHoldMs } from '@app/crawl';
import type { FetchedPage, FetchRequest, FetchRung, RungResult } from '@app/fetch';

/** A host that received a request for a page, or was about to. */
export interface HostVisit {
  readonly host: string;
  /** From robots.txt; undefined if it was not read. */
  readonly crawlDelayMs: number | null | undefined;
  /**
   * When the last request was sent, or later if the exact time is unknown (`performance.now`); null: none was.
   */
  readonly lastSentAtMs: number | null;
}

/**
 * Keeps the Crawl-delay between the requests for one crawled page, and records the last request to each host, so
 * that the next page keeps it as well. These count: each attempt of the cascade, and each hop of a redirect.
 * Requests of a browser while it loads a page do not: the page ends before the next one begins. robots.txt is
 * fetched when the page is due, and the page follows at once: a fetcher reads it once an hour. Screenshots and
 * scrapes act for their caller and have no pace.
 * A worker waits for {@link pageHoldMs} at most; a longer delay is kept only from page to page.
 */
export class RequestPace {
  private readonly hosts = new Map<string, HostVisit>();
  private heldMs = 0;

  constructor(
    private readonly signal: AbortSignal,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Called before a request to the host. */
  learn({ host }: URL, crawlDelayMs: number | null | undefined): void {
    const lastSentAtMs = this.hosts.get(host)?.lastSentAtMs ?? null;
    this.hosts.set(host, { host, crawlDelayMs, lastSentAtMs });
  }

  /** A request to the host was sent at this time. */
  sent({ host }: URL, atMs = this.now()): void {
    const { crawlDelayMs, lastSentAtMs } = this.visitOf(host);
    this.hosts.set(host, {
      host,
      crawlDelayMs,
      lastSentAtMs: Math.max(atMs, lastSentAtMs ?? atMs),
    });
  }

  /**
   * Waits until the host may receive the next request. An aborted wait ends at once, as the request would.
   * Returns the milliseconds of the wait.
   */
  async turn({ host }: URL): Promise<number> {
    const { crawlDelayMs, lastSentAtMs } = this.visitOf(host);
    if (!crawlDelayMs || lastSentAtMs === null) return 0;
    const wantedMs = lastSentAtMs + crawlDelayMs - this.now();
    const waitMs = Math.ceil(Math.min(wantedMs, this.mayHoldMs(crawlDelayMs)));
    if (waitMs <= 0) return 0;
    this.heldMs += waitMs;
    await waitUnlessAborted(waitMs, this.signal);
    return waitMs;
  }

  /** Time the waits may still take, to be added to the page's deadline. */
  leftMs({ host }: URL): number {
    return this.mayHoldMs(this.visitOf(host).crawlDelayMs ?? 0);
  }

  visits(): readonly HostVisit[] {
    return [...this.hosts.values()];
  }

  private mayHoldMs(crawlDelayMs: number): number {
    return Math.max(0, pageHoldMs(crawlDelayMs) - this.heldMs);
  }

  private visitOf(host: string): HostVisit {
    return this.hosts.get(host) ?? { host, crawlDelayMs: undefined, lastSentAtMs: null };
  }
}

/** Waits at least `ms`: Node's timers may fire a fraction of a millisecond early. */
export async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(Math.ceil(ms) + 1, undefined, { signal });
  } catch {
    // Aborted: the caller checks the signal next.
  }
}

export interface PacedPage {
  readonly pace: RequestPace;
  /** The page's deadline; waits do not count against the rung's share. */
  readonly whole: Deadline;
  /** Called with each wait for a host, 0 ms included. */
  readonly onWait?: (rung: Rung, ms: number) => void;
}

/** The rung under the pace of its page. */
export function pacedRung(rung: FetchRung, page: PacedPage): FetchRung {
  return withFetch(rung, (request) => fetchInTurn(rung, request, page));
}

/** The same rung with another `run`; rungs are class instances, which a spread would not copy completely. */
export function withFetch(rung: FetchRung, fetch: FetchRung['fetch']): FetchRung {
  return {
    rung: rung.rung,
    fetchMethod: rung.fetchMethod,
    network: rung.network,
    runsScripts: rung.runsScripts,
    costMicroUsd: rung.costMicroUsd,
    ...(rung.onlyAfterBlocked === undefined ? {} : { onlyAfterBlocked: rung.onlyAfterBlocked }),
    fetch,
  };
}

async function fetchInTurn(
  rung: FetchRung,
  request: FetchRequest,
  { pace, whole, onWait }: PacedPage,
): Promise<RungResult> {
  const shareMs = request.deadline.remainingMs();
  const turn = async (url: URL): Promise<void> => {
    const waitedMs = await pace.turn(url);
    onWait?.(rung.rung, waitedMs);
  };
  await turn(request.url);
  let asked = request.url;
  const onRedirect = async (target: URL): Promise<void> => {
    pace.sent(asked);
    await request.onRedirect?.(target);
    await turn(target);
    asked = target;
  };
  const deadline = whole.within(shareMs + pace.leftMs(request.url));
  try {
    const result = await rung.fetch({ ...request, deadline, onRedirect });
    pace.sent(asked, performance.now() - agoMs(rung, result));
    return result;
  } catch (error) {
    pace.sent(asked);
    throw error;
  }
}

/** Time between a rung's last request and its end, if known. */
function agoMs({ rung }: FetchRung, result: RungResult): number {
  if (!result.ok || !('page' in result)) return 0;
  switch (rung) {
    case 'plain':
      return sinceSent(result.page);
    case 'unblock':
    case 'headless':
    case 'hosted_crawler':
    case 'hosted_browser':
      return 0;
  }
}

function sinceSent({ timings }: FetchedPage): number {
  return (timings['ttfbMs'] ?? 0) + (timings['downloadMs'] ?? 0);
}
