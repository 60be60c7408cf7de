import { LinearPattern, patternProblem } from '@app/patterns';

export type PathPattern = (path: string) => boolean;

/** Longest pattern accepted from a request. */
export const MAX_PATH_PATTERN_CHARS = 500;
/** Most wildcards in one pattern: what a pattern costs per address grows with them. */
export const MAX_WILDCARDS = 8;

/** Why a pattern of a request is refused, or null. */
export function pathPatternProblem(text: string): string | null {
  const wildcards = text.match(/\*+/g)?.length ?? 0;
  return wildcards > MAX_WILDCARDS ? `has more than ${MAX_WILDCARDS} wildcards` : null;
}

/**
 * `includePaths` and `excludePaths` grammar. Without a `*`, a path and everything below it: `/docs`
 * matches `/docs` and `/docs/a` but not `/docs-old`. With a `*`, a glob over the whole path: `*`
 * matches any characters but `/`, `**` any characters. A missing leading slash is added.
 */
export function compilePathPattern(text: string): PathPattern {
  const pattern = text.startsWith('/') || text.startsWith('*') ? text : `/${text}`;
  return pattern.includes('*') ? compileGlob(pattern) : compilePrefix(pattern);
}

/** Whether a pattern says where in the site its paths are; `*.html` and such do not. */
export function namesPlace(text: string): boolean {
  return !text.startsWith('*');
}

/** Patterns of a crawl that are regular expressions: searched in the path, in linear time. */
export interface PathRegexes {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** States of all regular expressions of a crawl: each address may cost this much per character. */
export const MAX_REGEX_STATES = 1_000;

/** Why the regular expressions of a request are refused, or null. */
export function pathRegexesProblem({ include, exclude }: PathRegexes): string | null {
  let states = 0;
  for (const [name, sources] of Object.entries({ includePaths: include, excludePaths: exclude }))
    for (const source of sources) {
      const problem = patternProblem(source);
      if (problem !== null) return `an entry of \`${name}\` ${problem}`;
      states += new LinearPattern(source).states;
    }
  return states > MAX_REGEX_STATES
    ? 'the regular expressions of `includePaths` and `excludePaths` are too complex together'
    : null;
}

export function compilePathRegex(source: string): PathPattern {
  const pattern = new LinearPattern(source);
  return (path) => pattern.test(path);
}

function compilePrefix(pattern: string): PathPattern {
  const folder = pattern.replace(/(?<!\/)\/+$/, '');
  return (path) =>
    pattern.endsWith('/')
      ? path.startsWith(pattern)
      : path === folder || path.startsWith(`${folder}/`);
}

/**
 * Matched by carrying the set of positions that can be reached, so the cost is at most pattern
 * parts times path length: a pattern comes from a request and must not be able to hang a fetcher.
 */
function compileGlob(pattern: string): PathPattern {
  const tokens = pattern.match(/\*\*|\*|[^*]+/g) ?? [];
  return (path) => matchTokens(tokens, path);
}

function matchTokens(tokens: readonly string[], path: string): boolean {
  // reachable: positions in `path` where the tokens read so far can end.
  let reachable = new Set<number>([0]);
  for (const token of tokens) {
    reachable = advance(token, path, reachable);
    if (reachable.size === 0) return false;
  }
  return reachable.has(path.length);
}

function advance(token: string, path: string, from: ReadonlySet<number>): Set<number> {
  const next = new Set<number>();
  if (token !== '*' && token !== '**') {
    for (const at of from) if (path.startsWith(token, at)) next.add(at + token.length);
    return next;
  }
  for (const at of from) {
    if (next.has(at)) continue;
    for (let end = at; end <= path.length; end++) {
      next.add(end);
      if (token === '*' && path[end] === '/') break;
    }
  }
  return next;
}
