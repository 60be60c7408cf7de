import { Deadline, type ErrorClass } from '@app/contracts';
import { BlockedUrlError, type HttpClient, HttpFetchError, type HttpResponse } from '@app/egress';
import type { DeclaredUse } from '@app/uses';
import {
  ALLOW_ALL,
  DISALLOW_ALL,
  MAX_ROBOTS_BYTES,
  parseRobots,
  type RobotsRules,
} from './robots-rules.js';
import {
  leadsNowhere,
  SiteFileCache,
  type KeptFile,
  type SiteFileCall,
} from './site-file-cache.js';

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
  /** What the file declares about the use of a page of the origin; undefined: nothing. */
  declaredUse(url: URL): DeclaredUse | undefined;
  /** URLs of RSL documents, as written. */
  readonly licenses: readonly string[];
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

interface Entry extends KeptFile {
  readonly verdict: RobotsDecision;
  /** When the file was last read; a failure later on does not make it unknown. */
  readonly readAtMs: number;
}

const MAX_REDIRECTS = 5;
/**
 * A file read before counts on while the site fails, for as long as a fresh one could (RFC 9309
 * 2.4).
 */
const MAX_STALE_MS = 86_400_000;

/** The robots.txt of each origin (scheme, host, port), fetched once for all callers. */
export class RobotsCache {
  private readonly files: SiteFileCache<Entry>;
  private readonly options: Required<RobotsCacheOptions>;

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
    const { maxHosts: maxFiles, maxTotalBytes, now } = this.options;
    this.files = new SiteFileCache({ maxFiles, maxTotalBytes, now });
  }

  /**
   * The verdict on the URL's origin. A site that fails in any way is a verdict, too, not an error.
   * @throws HttpFetchError (`timeout`) when the caller's own deadline or signal ends the wait;
   *   BlockedUrlError when the guard refuses the origin itself.
   */
  async rulesFor({ origin }: URL, call: SiteFileCall): Promise<RobotsDecision> {
    const load = (previous: Entry | undefined) => this.fetchDecision(origin, previous);
    return (await this.files.get(origin, load, call)).verdict;
  }

  private async fetchDecision(origin: string, previous: Entry | undefined): Promise<Entry> {
    const { agentToken, ttlMs, unreachableTtlMs, now } = this.options;
    const fetched = await this.fetchRules(origin);
    const readAtMs = now();
    const verdict = toDecision(fetched, agentToken);
    if (fetched.state !== 'unreachable')
      return { verdict, expiresAtMs: readAtMs + ttlMs, readAtMs, bytes: fetched.bytes };
    const isStillGood =
      previous?.verdict.state === 'found' && readAtMs - previous.readAtMs < MAX_STALE_MS;
    const kept = isStillGood ? previous : { verdict, readAtMs, bytes: 0 };
    return { ...kept, expiresAtMs: readAtMs + unreachableTtlMs };
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
      return leadsNowhere(error) ? ABSENT : unreachable(failureOf(error, isOwnHost));
    }
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
    declaredUse: (url) => (failure === null ? rules.declaredUse(url, agentToken) : undefined),
    licenses: rules.licenses,
  };
}
