import type { CrawlInput } from '@app/client';
import type { GlobalFlags } from '../cli.js';
import { pageFields, type PageFlags } from './options.js';

export interface CrawlFlags extends GlobalFlags, PageFlags {
  readonly limit?: number;
  readonly depth?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly backward?: boolean;
  readonly strictScope?: boolean;
  readonly sitemap?: CrawlInput['sitemap'];
  readonly source?: CrawlInput['sources'];
  readonly ignoreRobots?: boolean;
  readonly respectUse?: CrawlInput['respectUse'];
  readonly webhook?: string;
  readonly format?: NonNullable<CrawlInput['scrapeOptions']>['formats'];
  readonly since?: string;
  readonly modifiedSince?: string;
  readonly index?: boolean;
  readonly out?: string;
  readonly resume?: string;
  readonly after?: number;
  readonly detach?: boolean;
  readonly cancelOnExit?: boolean;
}

/** The fields of the API for these flags. */
export function crawlFields(flags: CrawlFlags): CrawlInput {
  return {
    limit: flags.limit,
    maxDepth: flags.depth,
    includePaths: flags.include && [...flags.include],
    excludePaths: flags.exclude && [...flags.exclude],
    allowBackwardLinks: flags.backward,
    strictScope: flags.strictScope,
    sitemap: flags.sitemap,
    sources: flags.source,
    ignoreRobotsTxt: flags.ignoreRobots,
    respectUse: flags.respectUse,
    webhook: flags.webhook,
    index: flags.index,
    since: flags.since,
    modifiedSince: flags.modifiedSince,
    scrapeOptions: { ...pageFields(flags), formats: flags.format },
  };
}
