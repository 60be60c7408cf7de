import type { Deadline, TaskOwner } from '@app/contracts';
import { slotsByTenant } from '@app/turns';
import type { BrowserContext, CDPSession, Page } from 'playwright';
import type { BrowserPoolEvents } from './pool-events.js';
import { defaultScratchRoot } from './scratch-folder.js';

/** A port of the filtering proxy for one context: the part of egress's `ProxySession` used here. */
export interface ProxyPort {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly usage: {
    readonly requests: number;
    readonly bytesIn: number;
    readonly bytesOut: number;
    readonly blocked: number;
  };
  /** How a target (a URL, or `host:port`) was refused on this page; null: it was not. */
  refusalOf(target: string): 'blocked' | 'network' | 'timeout' | 'budget' | null;
  /**
   * Begins a new page on the same port: usage to zero, the budget whole again, nothing refused. A
   * port without it serves one page, so its context is never reused.
   */
  renew?(): void;
  close(): Promise<void>;
}

export interface ProxyPortOptions {
  readonly country: string | null;
  readonly maxRequests: number;
  readonly maxBytes: number;
}

/** What a context is opened with. */
export interface ContextLook {
  /** ISO 3166-1 alpha-2: language, time zone and way out of the page. */
  readonly country: string | null;
  /** Looks like a person's browser; else its user agent names us. */
  readonly stealth: boolean;
  readonly mobile: boolean;
  readonly viewport: { readonly width: number; readonly height: number };
}

export interface LeaseRequest extends ContextLook {
  /** Tasks of one key may follow each other in one context, cleared in between. */
  readonly contextKey: string | null;
  readonly priority: 'interactive' | 'crawl';
  /** The tenant that waits; interactive tasks of one tenant share its part of the slots. */
  readonly owner?: TaskOwner;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  /** The work may be done twice: it is begun once more if its browser is lost meanwhile. @default false */
  readonly isRepeatable?: boolean;
}

export interface LeasedPage<D extends ProxyPort = ProxyPort> {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly session: D;
  /** A raw session on the page, for what Playwright has no word for. The pool detaches it. */
  readonly cdp: CDPSession;
  /** The context served another page of the same key before: its HTTP cache is warm. */
  readonly isReused: boolean;
  /** No other page may follow in this context: it has not come to rest, or is not what it was. */
  discard(): void;
}

export interface BrowserPoolOptions<D extends ProxyPort = ProxyPort> {
  readonly executablePath: string;
  /** Address that refuses every request: the browser's own way out. */
  readonly refusingUrl: string;
  readonly openSession: (options: ProxyPortOptions) => Promise<D>;
  /** Appended to the user agent of pages that are not `stealth`: `TrawlBot/0.1 (+https://…)`. */
  readonly userAgentSuffix: string;
  /** `auto`: on, unless this machine cannot (root, no user namespaces). @default 'auto' */
  readonly sandbox?: 'auto' | 'on' | 'off';
  /** @default 1 */
  readonly maxBrowsers?: number;
  /** Pages of one tenant, or of crawls, open at once in one browser; see {@link slotsPerBrowser}. @default 4 */
  readonly pagesPerBrowser?: number;
  /** Browsers kept up though idle. @default 0 */
  readonly warmBrowsers?: number;
  /** Tasks that may wait for a page slot. @default 64 */
  readonly maxWaiting?: number;
  /** A browser is replaced after so many pages. @default 200 */
  readonly maxPagesPerBrowser?: number;
  /** … or so long. @default 30 minutes */
  readonly maxBrowserAgeMs?: number;
  /** … or when its processes hold more. @default 1536 */
  readonly maxRssMiB?: number;
  /** Above it the heaviest page is ended; where none is heavy, the browser with all of them. @default 3072 */
  readonly killRssMiB?: number;
  /** No browser is launched while all together hold more. @default 4096 */
  readonly maxTotalRssMiB?: number;
  /** Script heap of one page. @default 512 */
  readonly maxHeapMiB?: number;
  /** An idle browser is closed after this. @default 60 s */
  readonly idleBrowserMs?: number;
  /** Times a context serves its key. @default 50 */
  readonly maxContextUses?: number;
  /** An idle context of a key is dropped after this. @default 3 s */
  readonly keepContextMs?: number;
  /** A context that was made ahead of the next task is dropped after this; 0: none is made. @default 0 */
  readonly spareContextMs?: number;
  /** What one page may ask of the network. @default 2000 requests, 128 MiB */
  readonly pageBudget?: { readonly maxRequests: number; readonly maxBytes: number };
  /** @default 20 s */
  readonly launchTimeoutMs?: number;
  /** A context that is not closed in this time costs its browser. @default 3 s */
  readonly closeTimeoutMs?: number;
  /** A browser that does not respond to a probe in this time is killed. @default 5 s */
  readonly probeTimeoutMs?: number;
  /** Pause between two checks of memory and health. @default 2 s */
  readonly lookEveryMs?: number;
  readonly scratchRoot?: string;
  /** Below this much free disk no browser is launched. @default 256 */
  readonly minFreeMiB?: number;
  readonly events?: BrowserPoolEvents;
}

/** A tenant alone may use `pagesPerBrowser` of them; those that come meanwhile find half as many more. */
export function slotsPerBrowser({
  pagesPerBrowser,
}: Pick<PoolSettings, 'pagesPerBrowser'>): number {
  return slotsByTenant(pagesPerBrowser).total;
}

export type PoolSettings<D extends ProxyPort = ProxyPort> = Required<BrowserPoolOptions<D>>;

export function poolSettings<D extends ProxyPort>(options: BrowserPoolOptions<D>): PoolSettings<D> {
  return {
    sandbox: 'auto',
    maxBrowsers: 1,
    pagesPerBrowser: 4,
    warmBrowsers: 0,
    maxWaiting: 64,
    maxPagesPerBrowser: 200,
    maxBrowserAgeMs: 30 * 60_000,
    maxRssMiB: 1536,
    killRssMiB: 3072,
    maxTotalRssMiB: 4096,
    maxHeapMiB: 512,
    idleBrowserMs: 60_000,
    maxContextUses: 50,
    keepContextMs: 3_000,
    spareContextMs: 0,
    pageBudget: { maxRequests: 2_000, maxBytes: 128 * 1024 ** 2 },
    launchTimeoutMs: 20_000,
    closeTimeoutMs: 3_000,
    probeTimeoutMs: 5_000,
    lookEveryMs: 2_000,
    scratchRoot: defaultScratchRoot(),
    minFreeMiB: 256,
    events: {},
    ...options,
  };
}
