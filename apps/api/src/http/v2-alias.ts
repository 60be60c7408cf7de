/** Some clients put this name before the paths of /v2. */
const ALIAS = 'firecrawl';

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** The first two segments of a path. A longer one is not the name, however it is escaped. */
const HEAD = /^\/+([^/?#;]{1,40})(\/+([^/?#;]{1,10}))(?![^/?#;])/;

/**
 * The request target without the alias: `/firecrawl/v2/scrape` becomes `/v2/scrape`. Names are compared as the router
 * compares them: decoded, and case-sensitive. Anything else is returned unchanged.
 */
export function withoutV2Alias(target: string): string {
  const origin = ORIGIN.exec(target)?.[0] ?? '';
  const path = target.slice(origin.length);
  const [head, first = '', , second = ''] = HEAD.exec(path) ?? [];
  if (head === undefined || !isAlias(first, second)) return target;
  const slashes = path.length - path.replace(/^\/+/, '').length;
  return origin + path.slice(1, slashes) + path.slice(slashes + first.length);
}

function isAlias(first: string, second: string): boolean {
  // The family of routes is told apart by its name in any case: see versionOfPath.
  return decoded(first) === ALIAS && decoded(second)?.toLowerCase() === 'v2';
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
