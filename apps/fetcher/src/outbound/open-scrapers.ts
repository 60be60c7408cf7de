import {
  parseSourcesSetting,
  SCRAPERS,
  type ScraperName,
  type SourceSetting,
} from '@app/connectors';
import type { HttpClient } from '@app/egress';
import {
  ApiSource,
  HtmlSource,
  NominatimSource,
  OverpassSource,
  SearchChain,
  type BusinessQuery,
  type BusinessSource,
  type ChainReply,
  type BackendTerms,
  type FetchDirectoryPage,
} from '@app/providers';
import type { Business } from '@app/connectors';
import type { Runtime } from '@app/runtime';
import { BackendHealth, type ResultThreads } from '@app/scrape';

/** What sources need beyond their setting. */
export interface ScraperParts {
  readonly threads: Pick<ResultThreads, 'readBusinesses'>;
  /** A client for one address of the operator: it reaches that host and nothing else, private or not. */
  readonly clientFor: (endpoint: string) => HttpClient;
  /** Fetches a page of a directory on the web, by the fetch methods of every page. */
  readonly fetchPage: FetchDirectoryPage;
}

type Ports = Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>;

/** The sources of one search scraper. */
export interface ScraperSources {
  readonly sources: readonly BusinessSource[];
  /** By the first source with results, or by one alone. */
  search(
    query: BusinessQuery,
    terms: BackendTerms,
    only: string | null,
  ): Promise<ChainReply<string, Business>>;
}

export type Scrapers = Readonly<Record<ScraperName, ScraperSources>>;

/** The configured sources of each search scraper, in the order of their settings. */
export function openScrapers(ports: Ports, parts: ScraperParts): Scrapers {
  const { scraperMaps, scraperReviews, scraperListings } = ports.settings;
  const open = (name: ScraperName, text: string | undefined): ScraperSources =>
    openScraper(name, openSources(text, parts), ports);
  const scrapers = {
    maps: open('maps', scraperMaps),
    reviews: open('reviews', scraperReviews),
    listings: open('listings', scraperListings),
  };
  const names = SCRAPERS.map((name) => [name, scrapers[name].sources.map(({ source }) => source)]);
  ports.log.info({ scrapers: Object.fromEntries(names) }, 'sources of scrapers');
  return scrapers;
}

function openScraper(
  scraper: ScraperName,
  sources: readonly BusinessSource[],
  { database, log, metrics }: Ports,
): ScraperSources {
  const kinds = new Map(sources.map(({ source, kind }) => [source, kind]));
  const breaker = new BackendHealth<string>({
    database,
    keyOf: (source) => `${scraper}:${source}`,
    onProblem: (err) => log.warn({ err }, 'the health of sources is unavailable'),
  });
  const chainOf = (backends: readonly BusinessSource[]) =>
    new SearchChain<string, BusinessQuery, Business>({
      backends,
      breaker,
      onAttempt: (source, outcome, seconds) => {
        const kind = kinds.get(source) ?? 'api';
        metrics.scraperRequests.inc({ scraper, kind, outcome });
        if (outcome !== 'skipped') metrics.scraperSeconds.observe({ scraper, kind }, seconds);
      },
    });
  const all = chainOf(sources);
  return {
    sources,
    search: (query, terms, only) => {
      const chain = only === null ? all : chainOf(sources.filter(({ source }) => source === only));
      return chain.search(query, terms);
    },
  };
}

function openSources(text: string | undefined, parts: ScraperParts): readonly BusinessSource[] {
  if (text === undefined) return [];
  return parseSourcesSetting(text).map((setting) => openSource(setting, parts));
}

function openSource(
  setting: SourceSetting,
  { threads, clientFor, fetchPage }: ScraperParts,
): BusinessSource {
  const read: ResultThreads['readBusinesses'] = (page, terms) =>
    threads.readBusinesses(page, terms);
  switch (setting.kind) {
    case 'api':
      return new ApiSource({ setting, read, http: clientFor(originOfTemplate(setting.url)) });
    case 'html':
      return new HtmlSource({ setting, read, fetchPage });
    case 'overpass': {
      const { nominatimUrl, url } = setting;
      const geocoder = nominatimUrl === null ? null : clientFor(nominatimUrl);
      return new OverpassSource({ setting, read, geocoder, http: clientFor(url) });
    }
    case 'nominatim':
      return new NominatimSource({ setting, read, http: clientFor(setting.url) });
  }
}

/** The host of a template: placeholders are in path and query only. */
function originOfTemplate(template: string): string {
  return new URL(template.replace(/[{}]/g, '')).origin;
}
