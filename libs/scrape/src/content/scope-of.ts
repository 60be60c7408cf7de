import { Scope, type ScopeOptions } from '@app/crawl';
import type { CrawlContext } from './crawl-context.js';

/** Scopes of recent jobs; compiling patterns for every page would cost more than matching them. */
const MAX_SCOPES = 200;
/** Characters of their patterns; the compiled ones take about 1 KB each. */
const MAX_PATTERN_CHARS = 100_000;
/** A compiled list keeps states beside its patterns, as much as so many characters. */
const STATES_CHARS = 2_000;

interface KeptScope {
  readonly scope: Scope;
  readonly chars: number;
}

const scopes = new Map<string, KeptScope>();
let keptChars = 0;

/** The scope of a job, compiled once per thread. A job's options never change but for its seed. */
export function scopeOf(jobId: string, options: ScopeOptions): Scope {
  const key = `${jobId} ${options.seed}`;
  const known = scopes.get(key);
  if (known) return known.scope;
  const kept = { scope: new Scope(options), chars: patternChars(options) };
  scopes.set(key, kept);
  keptChars += kept.chars;
  for (const [oldest, { chars }] of scopes) {
    const isOver = scopes.size > MAX_SCOPES || keptChars > MAX_PATTERN_CHARS;
    if (!isOver || oldest === key) break;
    scopes.delete(oldest);
    keptChars -= chars;
  }
  return kept.scope;
}

function patternChars({ includePaths, excludePaths, pathRegexes }: ScopeOptions): number {
  const { include = [], exclude = [] } = pathRegexes ?? {};
  return [includePaths, excludePaths, include, exclude]
    .filter((list) => list.length > 0)
    .reduce((sum, list) => sum + list.join('').length + STATES_CHARS, 0);
}

/** The crawl of a page that ended at a URL. */
export function crawlAt(crawl: CrawlContext, url: string): CrawlContext {
  if (!crawl.movesScope) return crawl;
  return { ...crawl, scope: scopeOf(crawl.jobId, crawl.scope).startedAt(new URL(url)) };
}
