import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { JOB_FORMATS } from '@app/contracts';
import { FitsOneOf, NOT_SENT } from '../http/alternatives.js';
import { BooleanField, ParsedField, UrlField } from '../http/fields.js';
import { ScrapeRequest } from '../scrape/scrape.dto.js';

/** Options of a single page only: a page of a job is always fetched anew, without actions and without a model. */
export const SYNC_ONLY = ['actions', 'schema', 'jsonSchema', 'minAge', 'maxAge'] as const;

/** Specification: Request-shape limits. */
export const MAX_BATCH_URLS = 100;

/** Options that only a sync batch may have, and those that only a job may have. */
const WAITED_FOR = {
  properties: {
    async: { enum: [false, null] },
    index: { enum: [false, null] },
    webhook: NOT_SENT,
    webhookUrl: NOT_SENT,
  },
};
const AS_A_JOB = {
  required: ['async'],
  properties: {
    async: { enum: [true] },
    formats: { items: { anyOf: [{ enum: [...JOB_FORMATS] }, { type: 'object' }] } },
    ...Object.fromEntries(SYNC_ONLY.map((name) => [name, NOT_SENT])),
    // Values that request nothing.
    actions: { maxItems: 0 },
    minAge: { enum: [0, null] },
    maxAge: { enum: [0, null] },
  },
};

/** Body of POST /v1/batch: the fields of POST /v1/scrape, for a list of URLs. */
@FitsOneOf(WAITED_FOR, AS_A_JOB)
export class BatchRequest extends OmitType(ScrapeRequest, ['url'] as const) {
  @ParsedField({
    required: true,
    description:
      'Pages to scrape, http:// or https://. A URL listed twice is fetched and charged once.',
    schema: {
      type: 'array',
      // An invalid entry fails alone, without failing the batch.
      items: { type: 'string' },
      minItems: 1,
      maxItems: MAX_BATCH_URLS,
    },
    example: ['https://example.com/', 'https://example.org/'],
  })
  urls: unknown;

  @BooleanField({
    description:
      'Return 202 at once and process the list as a job: poll GET /v1/jobs/{id}. Does not support `actions`, `schema`, `maxAge`, `minAge` and the formats json and summary.',
    fallback: false,
  })
  async?: boolean;

  @BooleanField({
    description:
      'With `async`: keep a search index of the pages: GET /v1/crawl/{id}/search finds those that match a query.',
    fallback: false,
  })
  index?: boolean;

  @UrlField({ description: 'With `async`: URL notified when the job ends. Stored with the job.' })
  webhook?: string;

  @UrlField({ description: 'Alias of `webhook`.' })
  webhookUrl?: string;
}

/** One entry of `urls`: its response of POST /v1/scrape, or its error. */
export class BatchItem {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Place in `urls`.' })
  index: number;
  @ApiProperty({ description: 'The URL after redirects if `ok`, else as sent.' })
  url: string;
  @ApiProperty({
    description: 'If true, every other field is as in the response of POST /v1/scrape.',
  })
  ok: boolean;
  @ApiPropertyOptional({ description: 'If not `ok`: the error text.' })
  error?: string;
  @ApiPropertyOptional({ description: 'If not `ok`: how to fix it.' })
  hint?: string;
  @ApiPropertyOptional({
    description: 'If not `ok`: the error code, such as fetch_failed, blocked_url or batch_timeout.',
  })
  code?: string;
  @ApiPropertyOptional({ description: 'When `ok`, unless `formats` leaves it out.' })
  markdown?: string;
  @ApiPropertyOptional({ type: Object, description: 'When `ok`; see POST /v1/scrape.' })
  metadata?: Record<string, unknown>;
  @ApiPropertyOptional({ type: Object, description: 'The attempts made; see POST /v1/scrape.' })
  cascade?: Record<string, unknown>;
}

export class BatchSummary {
  @ApiProperty({ type: 'integer' })
  total: number;
  @ApiProperty({ type: 'integer' })
  ok: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
}

/** Response of a sync POST /v1/batch. */
export class BatchAnswer {
  @ApiProperty({ type: [BatchItem], description: 'One per entry of `urls`, in its order.' })
  results: BatchItem[];
  @ApiProperty({ type: BatchSummary })
  summary: BatchSummary;
  @ApiProperty({
    type: 'integer',
    description: 'In the body, not in a header, because it is known only at the end.',
  })
  creditsUsed: number;
}

/** Response of a POST /v1/batch with `async`. */
export class BatchAccepted {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['queued'] })
  status: 'queued';
  @ApiProperty({ format: 'uri', description: 'The first of `urls`; represents the job in lists.' })
  url: string;
  @ApiProperty({ type: 'integer', description: 'Entries of `urls`.' })
  total: number;
  @ApiProperty({ type: 'integer', description: 'Pages of the job: `total` without duplicates.' })
  pages: number;
  @ApiProperty()
  message: string;
}
