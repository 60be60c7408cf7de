import type { JobScrape, SitemapMode } from '@app/contracts';

/** What a fetcher needs to know to run one page of a crawl; stored as JSON on the job. */
export interface CrawlOptions {
  readonly maxDepth: number | null;
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  readonly allowBackwardLinks: boolean;
  readonly ignoreRobotsTxt: boolean;
  readonly sitemap: SitemapMode;
  readonly scrape: JobScrape;
}
