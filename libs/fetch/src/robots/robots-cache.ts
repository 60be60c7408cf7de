import { Deadline, type ErrorClass } from '@app/contracts';
import { BlockedUrlError, type HttpClient, HttpFetchError, type HttpResponse } from '@app/egress';
import {
  ALLOW_ALL,
  DISALLOW_ALL,
  MAX_ROBOTS_BYTES,
  parseRobots,
  type RobotsRules,
} from './robots-rules.js';

/**
 * What a site's robots.txt means for us now.
 * `found`: it was read. `absent`: there is none, all is allowed. `unreachable`: the site cannot
 * say, so nothing is allowed (RFC 9309 2.3.1.4).
 */
export interface RobotsDecision {
  readonly state: 'found' | 'absent' | 'unreachable';
  /** Why the site is `unreachable`; null otherwise. */
  readonly failure: RobotsFailure | null;
  isAllowed(url: URL | string): boolean;
  readonly crawlDelayMs: number | null;
  readonly sitemaps: readonly string[];
}

/** Why a robots.txt could not be read. */
export interface RobotsFailure {
  readonly errorClass: ErrorClass;
  readonly statusCode: number | null;
  /**
   * The system's or resolver's code, e.g. `ENOTFOUND`, where the site's own host failed; null where
   * the host responded, or where another one that robots.txt redirects to failed.
   */
  readonly hostCode: string | null;
}

export interface RobotsCacheOptions {
  readonly http: Pick<HttpClient, 'fetch'>;
  /** Product token that rules are matched with, e.g. `TrawlBot`. */
  readonly agentToken: string;
  /** How long a response counts. RFC 9309 2.4 allows a day. @default 3_600_000 */
  readonly ttlMs?: number;
  /** How long a failure counts. @default 60_000 */
  readonly unreachableTtlMs?: number;
  /** Origins remembered; the least recently used go first. @default 10_000 */
  readonly maxHosts?: number;
  /** Memory the files of all origins may take. @default 67_108_864 */
  readonly maxTotalBytes?: number;
  /** Bytes read of one file. @default 512_000 */
  readonly maxBytes?: number;
  /** Bound of one look-up, however many callers wait for it. @default 10_000 */
  readonly fetchTimeoutMs?: number;
  /** @default Date.now */
  readonly now?: () => number;
}

export interface RobotsCallOptions {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
}

interface Entry {
  readonly verdict: RobotsDecision;
  readonly expiresAtMs: number;
  /** When the file was last read; a failure later on does not make it unknown. */
  readonly readAtMs: number;
  readonly bytes: number;
}

const MAX_REDIRECTS = 5;
/**
 * A file read before counts on while the site fails, for as long as a fresh one could (RFC 9309
 * 2.4).
 */
const MAX_STALE_MS = 86_400_000;
/** Memory of an entry beside its file. */
const ENTRY_BYTES = 512;

/** A chain of redirects that leads nowhere: the file is not there (RFC 9309, 2.3.1.2). */
const LOST_CODES: ReadonlySet<string> = new Set(['too_many_redirects', 'redirect_loop']);

/** The robots.txt of each origin (scheme, host, port), fetched once for all callers. */
export class RobotsCache {
  private readonly entries = new Map<string, Entry>();
  private readonly pending = new Map<string, Promise<RobotsDecision>>();
  private readonly options: Required<RobotsCacheOptions>;
  private totalBytes = 0;

  constructor(options: RobotsCacheOptions) {
    this.options = {
      ttlMs: 3_600_000,
      unreachableTtlMs: 60_000,
      maxHosts: 10_000,
      maxTotalBytes: 67_108_864,
      maxBytes: MAX_ROBOTS_BYTES,
      fetchTimeoutMs: 10_000,
      now: Date.now,
      ...options,
    };
  }

  /**
   * The verdict on the URL's origin. A site that fails in any way is a verdict, too, not an error.
   * @throws HttpFetchError (`timeout`) when the caller's own deadline or signal ends the wait;
   *   BlockedUrlError when the guard refuses the origin itself.
   */
  async rulesFor(url: URL, { deadline, signal }: RobotsCallOptions): Promise<RobotsDecision> {
    const origin = url.origin;
    const entry = this.entries.get(origin);
    if (entry !== undefined && entry.expiresAtMs > this.options.now()) {
      this.touch(origin, entry);
      return entry.verdict;
    }
    return within(this.load(origin), deadline, signal);
  }

  private load(origin: string): Promise<RobotsDecision> {
    const running = this.pending.get(origin);
    if (running !== undefined) return running;
    const loading = this.fetchDecision(origin).finally(() => this.pending.delete(origin));
    this.pending.set(origin, loading);
    return loading;
  }

  private async fetchDecision(origin: string): Promise<RobotsDecision> {
    const { agentToken, ttlMs, unreachableTtlMs, now } = this.options;
    const fetched = await this.fetchRules(origin);
    const readAtMs = now();
    if (fetched.state !== 'unreachable') {
      const verdict = toDecision(fetched, agentToken);
      this.remember(origin, {
        verdict,
        expiresAtMs: readAtMs + ttlMs,
        readAtMs,
        bytes: fetched.bytes,
      });
      return verdict;
    }
    const previous = this.entries.get(origin);
    const isStillGood =
      previous?.verdict.state === 'found' && readAtMs - previous.readAtMs < MAX_STALE_MS;
    const kept = isStillGood
      ? previous
      : { verdict: toDecision(fetched, agentToken), readAtMs, bytes: 0 };
    this.remember(origin, { ...kept, expiresAtMs: readAtMs + unreachableTtlMs });
    return kept.verdict;
  }

  private async fetchRules(origin: string): Promise<FetchedRules> {
    const { http, maxBytes, fetchTimeoutMs } = this.options;
    let isOwnHost = true;
    try {
      const response = await http.fetch({
        url: `${origin}/robots.txt`,
        headers: { accept: 'text/plain,*/*;q=0.5' },
        deadline: Deadline.after(fetchTimeoutMs),
        maxBytes,
        maxRedirects: MAX_REDIRECTS,
        onRedirect: async () => void (isOwnHost = false),
      });
      return readResponse(response);
    } catch (error) {
      // The page itself lies where nothing may be fetched: its caller says so.
      if (error instanceof BlockedUrlError && error.stage !== 'redirect') throw error;
      // Endless redirects lead to no file (RFC 9309 2.3.1.2). Everything else leaves the rules
      // unknown, a redirect to a host that the guard refuses included: allowing all would reward
      // it.
      const isLost = error instanceof HttpFetchError && LOST_CODES.has(error.code);
      return isLost ? ABSENT : unreachable(failureOf(error, isOwnHost));
    }
  }

  private touch(origin: string, entry: Entry): void {
    this.entries.delete(origin);
    this.entries.set(origin, entry);
  }

  private remember(origin: string, entry: Entry): void {
    this.forget(origin);
    this.entries.set(origin, entry);
    this.totalBytes += entry.bytes + ENTRY_BYTES;
    for (const oldest of this.entries.keys()) {
      const isFull =
        this.entries.size > this.options.maxHosts || this.totalBytes > this.options.maxTotalBytes;
      if (!isFull || oldest === origin) break;
      this.forget(oldest);
    }
  }

  private forget(origin: string): void {
    const entry = this.entries.get(origin);
    if (entry === undefined) return;
    this.entries.delete(origin);
    this.totalBytes -= entry.bytes + ENTRY_BYTES;
  }
}

interface FetchedRules {
  readonly state: RobotsDecision['state'];
  readonly failure: RobotsFailure | null;
  readonly rules: RobotsRules;
  readonly bytes: number;
}

const ABSENT: FetchedRules = { state: 'absent', failure: null, rules: ALLOW_ALL, bytes: 0 };

function unreachable(failure: RobotsFailure): FetchedRules {
  return { state: 'unreachable', failure, rules: DISALLOW_ALL, bytes: 0 };
}

function failureOf(error: unknown, isOwnHost: boolean): RobotsFailure {
  if (!(error instanceof HttpFetchError))
    return { errorClass: 'blocked', statusCode: null, hostCode: null };
  const { errorClass, code } = error;
  return { errorClass, statusCode: null, hostCode: isOwnHost ? code : null };
}

function readResponse({ status, body, truncation }: HttpResponse): FetchedRules {
  // 429 is a 4xx that means "not now", so Google, and we, count it with the server's failures.
  if (status >= 500 || status === 429) {
    return unreachable({ errorClass: 'http_error', statusCode: status, hostCode: null });
  }
  if (status < 200 || status >= 300) return ABSENT;
  // Of a file that broke off, the rules that are missing may be the ones that forbid.
  if (truncation !== null && truncation !== 'byte_cap') {
    return unreachable({ errorClass: 'network', statusCode: status, hostCode: null });
  }
  const rules = parseRobots(body);
  return { state: 'found', failure: null, rules, bytes: rules.memoryBytes };
}

function toDecision({ state, failure, rules }: FetchedRules, agentToken: string): RobotsDecision {
  return {
    state,
    failure,
    isAllowed: (url) => rules.isAllowed(url, agentToken),
    crawlDelayMs: rules.crawlDelayMs(agentToken),
    sitemaps: rules.sitemaps,
  };
}

/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2_147_483_647;

/** Waits no longer than the caller may; the shared look-up goes on for the others. */
function within<T>(
  work: Promise<T>,
  deadline: Deadline,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (code: string) => reject(new HttpFetchError('timeout', code));
    const onAbort = () => giveUp('aborted');
    const timer = setTimeout(
      () => giveUp('deadline'),
      Math.min(deadline.remainingMs(), MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
