import type { FetchMethod, PageMetadata } from '@app/contracts';

/** How a page was fetched, beside what it says about itself. */
export interface PageOrigin {
  /** As the caller sent it. */
  readonly sourceURL: string;
  /** After redirects. */
  readonly url: string;
  readonly statusCode: number;
  readonly contentType?: string | null | undefined;
  readonly fetchMethod?: FetchMethod | undefined;
  /** Undefined: the page was fetched for this request. */
  readonly cacheAgeMs?: number | undefined;
  readonly creditsUsed: number;
  readonly scrapeId?: string;
  /** Of a document file. */
  readonly pages?: number | undefined;
}

/** Properties of Open Graph with a name of their own. */
const OPEN_GRAPH: Readonly<Record<string, string>> = {
  'og:title': 'ogTitle',
  'og:description': 'ogDescription',
  'og:url': 'ogUrl',
  'og:image': 'ogImage',
  'og:audio': 'ogAudio',
  'og:determiner': 'ogDeterminer',
  'og:locale': 'ogLocale',
  'og:site_name': 'ogSiteName',
  'og:video': 'ogVideo',
};

const OWN = [
  'title',
  'description',
  'language',
  'keywords',
  'robots',
  'favicon',
  'author',
  'publishedTime',
  'modifiedTime',
] as const satisfies readonly (keyof PageMetadata)[];

/** The `metadata` of a document. Fields that the page does not have are absent. */
export function v2Metadata(metadata: PageMetadata, origin: PageOrigin): Record<string, unknown> {
  const own = OWN.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]]));
  return {
    ...Object.fromEntries(own),
    ...openGraph(metadata),
    ...articleOf(metadata),
    ...originOf(origin),
  };
}

function articleOf({ section, tags }: PageMetadata): Record<string, unknown> {
  return {
    ...(section === undefined ? {} : { articleSection: section }),
    ...(tags === undefined ? {} : { articleTag: tags.join(', ') }),
  };
}

function openGraph({ openGraph: properties = {} }: PageMetadata): Record<string, unknown> {
  const named = Object.entries(OPEN_GRAPH).flatMap(([property, name]) =>
    properties[property] === undefined ? [] : [[name, properties[property]]],
  );
  const alternate = properties['og:locale:alternate'];
  return {
    ...Object.fromEntries(named),
    ...(alternate === undefined ? {} : { ogLocaleAlternate: [alternate] }),
  };
}

function originOf(origin: PageOrigin): Record<string, unknown> {
  const { sourceURL, url, statusCode, contentType, fetchMethod, cacheAgeMs } = origin;
  const { creditsUsed, scrapeId, pages } = origin;
  return {
    sourceURL,
    url,
    statusCode,
    ...(contentType ? { contentType } : {}),
    proxyUsed: isStealth(fetchMethod) ? 'stealth' : 'basic',
    cacheState: cacheAgeMs === undefined ? 'miss' : 'hit',
    ...(cacheAgeMs === undefined
      ? {}
      : { cachedAt: new Date(Date.now() - cacheAgeMs).toISOString() }),
    ...(pages === undefined ? {} : { numPages: pages, totalPages: pages }),
    creditsUsed,
    ...(scrapeId === undefined ? {} : { scrapeId }),
  };
}

const STEALTH: ReadonlySet<FetchMethod> = new Set(['stealth', 'hosted_crawler', 'hosted_browser']);

function isStealth(method: FetchMethod | undefined): boolean {
  return method !== undefined && STEALTH.has(method);
}
