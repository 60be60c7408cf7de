import {
  DEFAULT_JOB_SCRAPE,
  type JobExtract,
  type JobScrape,
  type SitemapMode,
} from '@app/contracts';
import type { PathRegexes, SeedSource } from '@app/crawl';
import type { ContentUse } from '@app/uses';

/** A job that came by /v2 has documents and an event of another form. */
export interface V2Job {
  /** Repeated by its state: options that were ignored. */
  readonly warning: string | null;
  /** Indexes of the URLs of a batch that were sent without a scheme. */
  readonly schemeless?: readonly number[];
}

/** Options that a fetcher needs to run one page of a crawl; stored as JSON on the job. */
export interface CrawlOptions {
  readonly maxDepth: number | null;
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  readonly allowBackwardLinks: boolean;
  /** The scope stays that of the URL that was sent, wherever its page ends. @default false */
  readonly strictScope?: boolean;
  readonly ignoreRobotsTxt: boolean;
  /** Pages whose site does not allow this use are skipped. @default none */
  readonly respectUse?: ContentUse;
  readonly sitemap: SitemapMode;
  /** Read beside the sitemaps. @default none */
  readonly sources?: readonly SeedSource[];
  readonly scrape: JobScrape;
  /** Match paths beside `includePaths` and `excludePaths`; see `PathRegexes`. */
  readonly pathRegexes?: PathRegexes;
  /** Of jobs that came by /v2, and of no others. */
  readonly v2?: V2Job;
  /** Its pages can be searched. @default false */
  readonly index?: boolean;
  /** Name of the site that it is a crawl of. @default none */
  readonly site?: string;
  /** ISO 8601, UTC. Pages whose site says that they are older are not stored. @default none */
  readonly modifiedSince?: string;
  /** Of a recrawl: the crawl whose pages it looks at again. */
  readonly since?: string;
  /** Of jobs of type `extract`, and of no others. */
  readonly extract?: JobExtract;
}

type StoredOptions = Omit<CrawlOptions, 'sitemap' | 'scrape'> &
  Partial<Pick<CrawlOptions, 'sitemap'>> & { readonly scrape?: Partial<JobScrape> };

/**
 * Options as they were stored: by a version that knew fewer of them, or without the secrets that an
 * ended job no longer holds. A job goes on as it was started: one of a version that read no sitemaps
 * reads none.
 */
export function readCrawlOptions(stored: StoredOptions): CrawlOptions {
  const { scrape = {} } = stored;
  return {
    ...stored,
    sitemap: stored.sitemap ?? 'skip',
    scrape: {
      ...DEFAULT_JOB_SCRAPE,
      ...scrape,
      fetch: { ...DEFAULT_JOB_SCRAPE.fetch, ...scrape.fetch },
      content: { ...DEFAULT_JOB_SCRAPE.content, ...scrape.content },
    },
  };
}

/**
 * Value of `jobs.options` once nothing more is fetched for the job: headers and cookies of the caller
 * are kept for no longer. Part of every statement that ends the fetching of a job.
 */
export const OPTIONS_WITHOUT_SECRETS = `options #- '{scrape,fetch,headers}' #- '{scrape,fetch,cookies}'`;
