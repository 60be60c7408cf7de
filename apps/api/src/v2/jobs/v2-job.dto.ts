import type { ApiErrorCode } from '@app/contracts';
import { MAX_PATH_PATTERN_CHARS, MAX_PATH_PATTERNS } from '@app/crawl';
import { DEFAULT_CRAWL_PAGES } from '@app/jobs';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_BATCH_URLS } from '../../batch/batch.dto.js';
import { V2Document } from '../documents/v2-document.dto.js';
import { V2PageOptions } from '../scrape/v2-scrape.dto.js';

/** Errors of a job's state with its pages. */
export const JOB_STATE_ERRORS: readonly ApiErrorCode[] = [
  'job_not_found',
  'results_expired',
  'results_unavailable',
  'results_unreadable',
  'too_many_answers',
  'answers_unavailable',
];

const MARKDOWN_ONLY = {
  nullable: true,
  type: 'array' as const,
  items: {
    anyOf: [
      { type: 'string', enum: ['markdown'] },
      {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', enum: ['markdown'] } },
        additionalProperties: true,
      },
    ],
  },
  description: 'Pages of a job have Markdown only.',
};
const WEBHOOK = {
  nullable: true,
  description: 'URL notified when the job completes, or an object with a `url`.',
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      required: ['url'],
      properties: { url: { type: 'string' } },
      additionalProperties: true,
    },
  ],
};

const PATTERNS = {
  nullable: true,
  type: 'array' as const,
  items: { type: 'string', maxLength: MAX_PATH_PATTERN_CHARS },
  maxItems: MAX_PATH_PATTERNS,
};

class V2JobPageOptions extends V2PageOptions {
  @ApiPropertyOptional(MARKDOWN_ONLY)
  formats?: unknown[];
}

/** Body of POST /v2/crawl. Other options are ignored and named in `warning`. */
export class V2CrawlBody {
  @ApiProperty({ description: 'Start page.', maxLength: 2_048, example: 'https://example.com/' })
  url: string;
  @ApiPropertyOptional({
    nullable: true,
    type: 'integer',
    minimum: 1,
    default: DEFAULT_CRAWL_PAGES,
  })
  limit?: number;
  @ApiPropertyOptional({
    ...PATTERNS,
    description:
      'Only these paths: prefixes, globs, or regular expressions, which are searched in the path.',
    example: ['/docs', '^/blog/\\d+'],
  })
  includePaths?: string[];
  @ApiPropertyOptional({ ...PATTERNS, description: 'Not these paths.' })
  excludePaths?: string[];
  @ApiPropertyOptional({
    nullable: true,
    default: false,
    description: 'The patterns are regular expressions, searched in the whole URL with its query.',
  })
  regexOnFullURL?: boolean;
  @ApiPropertyOptional({
    nullable: true,
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
    description: 'Maximum distance in links from the start page.',
  })
  maxDiscoveryDepth?: number;
  @ApiPropertyOptional({
    nullable: true,
    default: false,
    description: 'Also follow links above the path of the start page.',
  })
  crawlEntireDomain?: boolean;
  @ApiPropertyOptional({ nullable: true, default: false })
  ignoreRobotsTxt?: boolean;
  @ApiPropertyOptional(WEBHOOK)
  webhook?: unknown;
  @ApiPropertyOptional({ nullable: true, type: V2JobPageOptions })
  scrapeOptions?: V2JobPageOptions;
}

/** Body of POST /v2/batch/scrape. Other options are ignored and named in `warning`. */
export class V2BatchBody extends V2JobPageOptions {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_BATCH_URLS,
    example: ['https://example.com/', 'https://example.org/'],
  })
  urls: string[];
  @ApiPropertyOptional({
    nullable: true,
    default: false,
    description: 'Entries that are not fetchable URLs are returned as `invalidURLs`.',
  })
  ignoreInvalidURLs?: boolean;
  @ApiPropertyOptional({
    nullable: true,
    type: 'integer',
    minimum: 1,
    description: "Pages in flight at a time, up to the plan's maximum.",
  })
  maxConcurrency?: number;
  @ApiPropertyOptional(WEBHOOK)
  webhook?: unknown;
}

/** Response of POST /v2/crawl. */
export class V2JobStarted {
  @ApiProperty({ enum: [true] })
  success: boolean;
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uri', description: 'Address of its state.' })
  url: string;
  @ApiPropertyOptional()
  warning?: string;
}

/** Response of POST /v2/batch/scrape. */
export class V2BatchStarted extends V2JobStarted {
  @ApiPropertyOptional({ type: [String], description: 'With `ignoreInvalidURLs`.' })
  invalidURLs?: string[];
}

/** State of a job with its pages. */
export class V2JobState {
  @ApiProperty({ enum: [true] })
  success: boolean;
  @ApiProperty({ enum: ['scraping', 'completed', 'failed', 'cancelled'] })
  status: string;
  @ApiProperty({ type: 'integer', description: 'Pages known so far.' })
  total: number;
  @ApiProperty({ type: 'integer', description: 'Pages that have ended, failed ones included.' })
  completed: number;
  @ApiProperty({ type: 'integer' })
  creditsUsed: number;
  @ApiProperty({ format: 'date-time', description: 'When the pages are deleted.' })
  expiresAt: string;
  @ApiProperty({ type: 'null', description: 'All pages are in `data`.' })
  next: null;
  @ApiPropertyOptional({ format: 'date-time' })
  createdAt?: string;
  @ApiPropertyOptional({ format: 'date-time' })
  completedAt?: string;
  @ApiPropertyOptional({ description: 'Options that were ignored.' })
  warning?: string;
  @ApiPropertyOptional({ description: 'Of a job that failed.' })
  error?: string;
  @ApiProperty({ type: [V2Document], description: 'The pages stored so far.' })
  data: V2Document[];
}

/** Response of DELETE /v2/crawl/:id. */
export class V2JobCancelled {
  @ApiProperty({ enum: [true] })
  success: boolean;
  @ApiProperty({ enum: ['completed', 'failed', 'cancelled'], description: 'State of the job now.' })
  status: string;
}
