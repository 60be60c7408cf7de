import type { SkipReason } from '@app/contracts';
import { compilePathPatterns, namesPlace, type PathPatterns } from './path-pattern.js';

export interface ScopeOptions extends PathPatterns {
  /** Its host and path bound the crawl. */
  readonly seed: string;
  readonly maxDepth: number | null;
  readonly allowBackwardLinks: boolean;
}

/** Extensions that never hold a page; fetching them would spend a page of the limit on a file. */
const NOT_A_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|json|map|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|zip|gz|tgz|bz2|xz|7z|rar|tar|iso|dmg|exe|msi|deb|rpm|apk|jar|bin)$/i;

/** Decides which discovered addresses belong to a crawl. One instance serves a whole job. */
export class Scope {
  private readonly siteHost: string;
  private readonly seedFolder: string;
  private compiled: Matchers | undefined;

  constructor(private readonly options: ScopeOptions) {
    const seed = new URL(options.seed);
    this.siteHost = siteHostOf(seed);
    this.seedFolder = folderOf(seed.pathname);
  }

  get seed(): string {
    return this.options.seed;
  }

  /**
   * The options of a crawl whose start page ended at a URL. Within the scope nothing changes; a URL outside, on another host
   * or in another folder, bounds the crawl as if the caller had named it.
   */
  startedAt(url: URL): ScopeOptions {
    const isWithin = siteHostOf(url) === this.siteHost && this.isReachable(url);
    return isWithin ? this.options : { ...this.options, seed: url.href };
  }

  /** Why a link found at `depth` is not followed, or null when it is. The seed itself is always followed. */
  skipReason(url: URL, depth: number): SkipReason | null {
    if (siteHostOf(url) !== this.siteHost) return 'external';
    if (this.options.maxDepth !== null && depth > this.options.maxDepth) return 'depth';
    if (!this.isReachable(url)) return 'backward';
    const { include, exclude } = this.matchers();
    if (exclude(url)) return 'excluded';
    if (include?.(url) === false) return 'not_included';
    if (NOT_A_PAGE.test(url.pathname)) return 'not_a_page';
    return null;
  }

  /** Below the seed, or where `includePaths` leads away from it. */
  private isReachable(url: URL): boolean {
    if (this.options.allowBackwardLinks || isBelow(url.pathname, this.seedFolder)) return true;
    return this.matchers().places(url);
  }

  /** Compiled when the first link needs them: most pages of some crawls have none. */
  private matchers(): Matchers {
    return (this.compiled ??= matchersOf(this.options));
  }
}

type Matcher = (url: URL) => boolean;

interface Matchers {
  /** Null: all are included. */
  readonly include: Matcher | null;
  /** Those of `include` that apply whatever the seed is. */
  readonly places: Matcher;
  readonly exclude: Matcher;
}

function matchersOf({ includePaths, excludePaths, pathRegexes }: ScopeOptions): Matchers {
  const { include = [], exclude = [], isOnUrl } = pathRegexes ?? {};
  const includesAll = includePaths.length + include.length === 0;
  return {
    include: includesAll ? null : compilePathPatterns(includePaths, include, isOnUrl),
    places: compilePathPatterns(includePaths.filter(namesPlace)),
    exclude: compilePathPatterns(excludePaths, exclude, isOnUrl),
  };
}

/** What the URLs of a crawl begin with, `www.` and the scheme apart. */
export function scopePrefix(seed: string, allowBackwardLinks: boolean): string {
  const { origin, pathname } = new URL(seed);
  const folder = allowBackwardLinks ? '' : folderOf(pathname);
  return origin + (folder === '' ? '/' : folder);
}

/** "Stays on the same domain": the host with its port; a leading `www.` makes no difference. */
export function siteHostOf(url: URL): string {
  return url.host.startsWith('www.') ? url.host.slice(4) : url.host;
}

/**
 * The path that backward links leave. `/docs/` and `/docs` are the section `/docs`; the last segment
 * counts as a file when it has a dot, so the folder of `/docs/index.html` is `/docs`.
 */
export function folderOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const folder = last.includes('.') ? path.slice(0, path.lastIndexOf('/')) : path;
  return folder.replace(/(?<!\/)\/+$/, '');
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
