import type { SkipReason } from '@app/contracts';
import {
  compilePathPattern,
  compilePathRegex,
  namesPlace,
  type PathPattern,
  type PathRegexes,
} from './path-pattern.js';

export interface ScopeOptions {
  readonly seed: string;
  readonly maxDepth: number | null;
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  /** Match beside them. @default none */
  readonly pathRegexes?: PathRegexes;
  readonly allowBackwardLinks: boolean;
}

/** Extensions that never hold a page; fetching them would spend a page of the limit on a file. */
const NOT_A_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|css|m?js|json|map|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|zip|gz|tgz|bz2|xz|7z|rar|tar|iso|dmg|exe|msi|deb|rpm|apk|jar|bin)$/i;

/** Decides which discovered addresses belong to a crawl. One instance serves a whole job. */
export class Scope {
  private readonly siteHost: string;
  private readonly seedFolder: string;
  private readonly include: readonly PathPattern[];
  /** Those of `include` that apply whatever the seed is. */
  private readonly places: readonly PathPattern[];
  private readonly exclude: readonly PathPattern[];

  constructor(private readonly options: ScopeOptions) {
    const seed = new URL(options.seed);
    this.siteHost = siteHostOf(seed);
    this.seedFolder = folderOf(seed.pathname);
    const { include = [], exclude = [] } = options.pathRegexes ?? {};
    this.include = [
      ...options.includePaths.map(compilePathPattern),
      ...include.map(compilePathRegex),
    ];
    this.places = options.includePaths.filter(namesPlace).map(compilePathPattern);
    this.exclude = [
      ...options.excludePaths.map(compilePathPattern),
      ...exclude.map(compilePathRegex),
    ];
  }

  /** Why a link found at `depth` is not followed, or null when it is. The seed itself is always followed. */
  skipReason(url: URL, depth: number): SkipReason | null {
    if (siteHostOf(url) !== this.siteHost) return 'external';
    if (this.options.maxDepth !== null && depth > this.options.maxDepth) return 'depth';
    const path = url.pathname;
    if (!this.isReachable(path)) return 'backward';
    if (this.exclude.some((matches) => matches(path))) return 'excluded';
    if (this.include.length > 0 && !this.include.some((matches) => matches(path)))
      return 'not_included';
    if (NOT_A_PAGE.test(path)) return 'not_a_page';
    return null;
  }

  /** Below the seed, or where `includePaths` leads away from it. */
  private isReachable(path: string): boolean {
    if (this.options.allowBackwardLinks || isBelow(path, this.seedFolder)) return true;
    return this.places.some((matches) => matches(path));
  }
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
