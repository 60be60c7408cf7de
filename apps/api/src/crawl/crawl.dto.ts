import { DEFAULT_CRAWL_PAGES } from '@app/jobs';
import { ApiProperty } from '@nestjs/swagger';
import { SITEMAP_MODES, type SitemapMode } from '@app/contracts';
import { MAX_PATH_PATTERN_CHARS, pathPatternProblem } from '@app/crawl';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ParsedField,
  TextsField,
  UrlField,
} from '../http/fields.js';
import { JobScrapeFields } from '../scrape/job-scrape.js';

const MAX_PATTERNS = 50;

/** Body of POST /v1/crawl. */
export class CrawlRequest {
  @UrlField({
    required: true,
    description: 'Start page; the crawl stays on the same domain.',
    example: 'https://example.com/',
  })
  url: string;

  @IntegerField({
    description: 'Most pages to scrape; larger values are clamped to the ceiling of the service.',
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
    description: 'Links this far from the start page are followed; the start page has depth 0.',
    min: 0,
    max: 10_000,
  })
  maxDepth?: number;

  @TextsField({
    description:
      'Only these paths: a path with everything below it, or a glob (`*` within a segment, `**` across segments). Patterns that begin with a path lead away from the path of the start page; those that begin with `*` stay below it.',
    maxItems: MAX_PATTERNS,
    maxChars: MAX_PATH_PATTERN_CHARS,
    problem: pathPatternProblem,
    example: ['/docs', '/blog/**'],
  })
  includePaths?: string[];

  @TextsField({
    description: 'Not these paths; same grammar, wins over `includePaths`.',
    maxItems: MAX_PATTERNS,
    maxChars: MAX_PATH_PATTERN_CHARS,
    problem: pathPatternProblem,
  })
  excludePaths?: string[];

  @BooleanField({
    description: 'Also follow links above the path of the start page.',
    fallback: false,
  })
  allowBackwardLinks?: boolean;

  @BooleanField({ description: 'Fetch although robots.txt forbids it.', fallback: false })
  ignoreRobotsTxt?: boolean;

  @ChoiceField({
    description:
      "Whether the addresses in the site's sitemaps are followed beside its links (include), not at all (skip), or instead of them (only).",
    choices: SITEMAP_MODES,
    fallback: 'include',
  })
  sitemap?: SitemapMode;

  @ParsedField({
    description:
      'How each page is scraped. Headers and cookies are for the origin of `url` alone and are erased when the crawl ends.',
    schema: { type: JobScrapeFields },
  })
  scrapeOptions?: unknown;

  @UrlField({ description: 'Address told when the crawl completes. Stored with the job.' })
  webhook?: string;

  @UrlField({ description: 'Alias of `webhook`.' })
  webhookUrl?: string;
}

/** Answer to POST /v1/crawl. */
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
