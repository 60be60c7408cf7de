import type { PageAction } from './page-actions.js';

/** How a page is fetched. */
export interface FetchOptions {
  /** Sent to the page's own origin only. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text of a Cookie header: `a=1; b=2`. */
  readonly cookies: string | null;
  /** Name of the tenant's profile whose cookies go to its hosts, in place of `cookies`. @default none */
  readonly profile?: string;
  /**
   * ISO 3166-1 alpha-2, upper case: requested language, and a proxy of that country where there is
   * one.
   */
  readonly country: string | null;
  /** Rungs below the browser are left out. */
  readonly forceHeadless: boolean;
  /** Milliseconds a browser waits after load. */
  readonly waitForMs: number;
  /** Scrolls to the end so that lazy content loads. */
  readonly scroll: boolean;
  /** The plain rung is the first, and requests Markdown before HTML; else the page in Markdown that the HTML names. @default false */
  readonly preferMarkdown?: boolean;
  /** False: a browser loads advertising, analytics, chats and consent managers of third parties, too. @default true */
  readonly blockAds?: boolean;
  readonly actions: readonly PageAction[];
  /** Most that paid rungs may cost, in micro-dollars; null: no ceiling of the request's own. */
  readonly costCeilingMicroUsd: number | null;
}

/** Parts of a page that are kept. */
export interface ContentOptions {
  readonly onlyMainContent: boolean;
  /** CSS selectors kept; empty: all. */
  readonly includeTags: readonly string[];
  /** CSS selectors dropped. */
  readonly excludeTags: readonly string[];
  readonly removeBase64Images: boolean;
  /** Of links and images in Markdown. @default inlined */
  readonly linkStyle?: (typeof LINK_STYLES)[number];
}

/** Where addresses are in Markdown: behind each link, in a numbered list at the end, or nowhere. */
export const LINK_STYLES = ['inlined', 'referenced', 'omitted'] as const;

/**
 * Milliseconds a request has its page wait. Waits for a selector are a bound, not a wish, and do not
 * count.
 */
export function ownWaitsMs({
  waitForMs,
  actions,
}: Pick<FetchOptions, 'waitForMs' | 'actions'>): number {
  return actions.reduce(
    (sum, one) => (one.type === 'wait' && one.selector === undefined ? sum + one.ms : sum),
    waitForMs,
  );
}

export const DEFAULT_FETCH_OPTIONS: FetchOptions = {
  headers: {},
  cookies: null,
  country: null,
  forceHeadless: false,
  waitForMs: 0,
  scroll: false,
  actions: [],
  costCeilingMicroUsd: null,
};

export const DEFAULT_CONTENT_OPTIONS: ContentOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: false,
};

/** For readers of the text alone. */
export const TEXT_CONTENT_OPTIONS: ContentOptions = {
  ...DEFAULT_CONTENT_OPTIONS,
  removeBase64Images: true,
};
