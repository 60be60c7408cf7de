import { DEFAULT_CRAWL_PAGES } from '@app/jobs';
import { ApiProperty } from '@nestjs/swagger';
import { SITEMAP_MODES, type SitemapMode } from '@app/contracts';
import {
  MAX_PATH_PATTERN_CHARS,
  MAX_PATH_PATTERNS,
  pathPatternProblem,
  SEED_SOURCES,
  type SeedSource,
} from '@app/crawl';
import { CONTENT_USES, type ContentUse } from '@app/uses';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  IntegerField,
  ParsedField,
  TextField,
  TextsField,
  UrlField,
} from '../http/fields.js';
import { JobScrapeFields } from '../scrape/job-scrape.js';

/** Pages of a crawl that has a search index without being asked for one: it adds a third to the CPU time of a page. */
export const MAX_INDEXED_UNASKED = 1_000;

/** Body of POST /v1/crawl. */
export class CrawlRequest {
  @UrlField({
    required: true,
    description:
      'Start page; the crawl stays on the same domain. If it redirects to another one, the crawl goes on there: see `strictScope`.',
    example: 'https://example.com/',
  })
  url: string;

  @IntegerField({
    description:
      "Maximum number of pages to scrape; larger values are clamped to the service's maximum.",
    min: 1,
    fallback: DEFAULT_CRAWL_PAGES,
  })
  maxPages?: number;

  @IntegerField({
    description: 'Alias of `maxPages`; wins when both are set.',
    min: 1,
    example: 50,
  })
  limit?: number;

  @IntegerField({
    description: 'Maximum distance in links from the start page, which has depth 0.',
    min: 0,
    max: 10_000,
  })
  maxDepth?: number;

  @TextsField({
    description:
      'Only these paths: a path with everything below it, or a glob (`*` within a segment, `**` across segments). A pattern with `?` is compared with path and query; `?name=` alone is any URL with a parameter that begins so. Patterns that begin with a path may leave the path of the start page; those that begin with `*` or `?` stay below it.',
    maxItems: MAX_PATH_PATTERNS,
    maxChars: MAX_PATH_PATTERN_CHARS,
    problem: pathPatternProblem,
    example: ['/docs', '/blog/**'],
  })
  includePaths?: string[];

  @TextsField({
    description:
      'Exclude these paths; same syntax as `includePaths`, and takes precedence over it.',
    maxItems: MAX_PATH_PATTERNS,
    maxChars: MAX_PATH_PATTERN_CHARS,
    problem: pathPatternProblem,
  })
  excludePaths?: string[];

  @BooleanField({
    description: 'Also follow links above the path of the start page.',
    fallback: false,
  })
  allowBackwardLinks?: boolean;

  @BooleanField({
    description:
      'Stay on the host and below the path of `url` even if the start page redirects elsewhere. By default the crawl then goes on where the start page ended, as if `url` were that URL.',
    fallback: false,
  })
  strictScope?: boolean;

  @BooleanField({ description: 'Ignore robots.txt.', fallback: false })
  ignoreRobotsTxt?: boolean;

  @ChoiceField({
    description:
      'Your use of the pages. Those whose site refuses it by Content-Signal, Content-Usage, TDMRep or RSL are skipped with the reason `content_use`. Not with `ignoreRobotsTxt`.',
    choices: CONTENT_USES,
  })
  respectUse?: ContentUse;

  @ChoiceField({
    description:
      "Whether URLs from the site's sitemaps are followed in addition to its links (include), not at all (skip), or instead of links (only).",
    choices: SITEMAP_MODES,
    fallback: 'include',
  })
  sitemap?: SitemapMode;

  @ChoicesField({
    description:
      'Further lists of pages to read: the llms.txt of the site and of the folder of `url` (`llms.txt`), the feeds that the start page names (`feeds`). A start page that is itself an llms.txt, a feed or an OPML file is always read as one.',
    choices: SEED_SOURCES,
    example: ['llms.txt', 'feeds'],
  })
  sources?: SeedSource[];

  @ParsedField({
    description:
      'Scrape options for each page. Headers and cookies are sent only to the origin of `url` and deleted when the crawl ends.',
    schema: { type: JobScrapeFields },
  })
  scrapeOptions?: unknown;

  @BooleanField({
    description: `Keep a search index of the pages: GET /v1/crawl/{id}/search finds those that match a query. A crawl of more than ${MAX_INDEXED_UNASKED} pages has one only if it is \`true\`.`,
    fallback: true,
  })
  index?: boolean;

  @TextField({
    description:
      'Id of an earlier crawl of the site: only what has changed since is fetched and stored anew. The results are those of the whole site; `changes` of the job, and `reason` of each URL, say what is new, changed, the same or gone. Ten unchanged pages cost a credit.',
    maxChars: 36,
  })
  since?: string;

  @TextField({
    description:
      'A day (its begin in UTC), or an instant with its zone. Pages whose site says that they are older are skipped with the reason `not_modified`: by `lastmod` of sitemaps they are not fetched, by `Last-Modified` not stored, but their links followed. Pages without such a date are stored, and so is the start page. Not with `since`, which needs no dates.',
    maxChars: 40,
    example: '2026-11-01',
  })
  modifiedSince?: string;

  @UrlField({ description: 'URL notified when the crawl completes. Stored with the job.' })
  webhook?: string;

  @UrlField({ description: 'Alias of `webhook`.' })
  webhookUrl?: string;
}

/** Response of POST /v1/crawl. */
export class CrawlAccepted {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['queued'] })
  status: 'queued';
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty()
  message: string;
}
