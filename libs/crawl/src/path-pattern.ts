export type PathPattern = (path: string) => boolean;

/** Longest pattern accepted from a request. */
export const MAX_PATH_PATTERN_CHARS = 500;

/**
 * `includePaths` and `excludePaths` grammar. Without a `*`, a path and everything below it: `/docs`
 * matches `/docs` and `/docs/a` but not `/docs-old`. With a `*`, a glob over the whole path: `*`
 * stands for any characters but `/`, `**` for any characters. A missing leading slash is added.
 */
export function compilePathPattern(text: string): PathPattern {
  const pattern = text.startsWith('/') || text.startsWith('*') ? text : `/${text}`;
  return pattern.includes('*') ? compileGlob(pattern) : compilePrefix(pattern);
}

function compilePrefix(pattern: string): PathPattern {
  const folder = pattern.replace(/\/+$/, '');
  return (path) =>
    pattern.endsWith('/')
      ? path.startsWith(pattern)
      : path === folder || path.startsWith(`${folder}/`);
}

/**
 * Matched by the two-pointer walk for wildcards, linear in practice and without backtracking
 * explosions: a pattern comes from a request and must not be able to hang a fetcher.
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
