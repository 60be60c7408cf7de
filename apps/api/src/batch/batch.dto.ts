import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { JOB_FORMATS } from '@app/contracts';
import { FitsOneOf, NOT_SENT } from '../http/alternatives.js';
import { BooleanField, ParsedField, UrlField } from '../http/fields.js';
import { ScrapeRequest } from '../scrape/scrape.dto.js';

/** Fields that one page at a time can have: a page of a job is loaded afresh, not acted on, without a model. */
export const SYNC_ONLY = ['actions', 'schema', 'jsonSchema', 'minAge', 'maxAge'] as const;

/** Specification: Request-shape limits. */
export const MAX_URLS = 100;

/** What only a batch that is waited for may have, and what only a job. */
const WAITED_FOR = {
  properties: { async: { enum: [false, null] }, webhook: NOT_SENT, webhookUrl: NOT_SENT },
};
const AS_A_JOB = {
  required: ['async'],
  properties: {
    async: { enum: [true] },
    formats: { items: { enum: [...JOB_FORMATS] } },
    ...Object.fromEntries(SYNC_ONLY.map((name) => [name, NOT_SENT])),
    // What asks for nothing.
    actions: { maxItems: 0 },
    minAge: { enum: [0, null] },
    maxAge: { enum: [0, null] },
  },
};

/** Body of POST /v1/batch: the fields of POST /v1/scrape, for a list of addresses. */
@FitsOneOf(WAITED_FOR, AS_A_JOB)
export class BatchRequest extends OmitType(ScrapeRequest, ['url'] as const) {
  @ParsedField({
    required: true,
    description:
      'Pages to scrape, http:// or https://. One that is named twice is fetched and charged once.',
    schema: {
      type: 'array',
      // What is no address fails by itself, and not the batch.
      items: { type: 'string' },
      minItems: 1,
      maxItems: MAX_URLS,
    },
    example: ['https://example.com/', 'https://example.org/'],
  })
  urls: unknown;

  @BooleanField({
    description:
      'Answer 202 at once and work on the list as a job: poll GET /v1/jobs/{id}. Without `actions`, `schema`, `maxAge`, `minAge` and formats json and summary.',
    fallback: false,
  })
  async?: boolean;

  @UrlField({ description: 'With `async`: address told when the job ends. Stored with the job.' })
  webhook?: string;

  @UrlField({ description: 'Alias of `webhook`.' })
  webhookUrl?: string;
}

/** One entry of `urls`: the answer of POST /v1/scrape for it, or why there is none. */
export class BatchItem {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Place in `urls`.' })
  index: number;
  @ApiProperty({ description: 'When `ok` the address after redirects, else as it was sent.' })
  url: string;
  @ApiProperty({ description: 'True: every other field is as in the answer of POST /v1/scrape.' })
  ok: boolean;
  @ApiPropertyOptional({ description: 'When not `ok`: for people.' })
  error?: string;
  @ApiPropertyOptional({ description: 'When not `ok`: what to do about it.' })
  hint?: string;
  @ApiPropertyOptional({
    description: 'When not `ok`: for programs, such as fetch_failed, blocked_url or batch_timeout.',
  })
  code?: string;
  @ApiPropertyOptional({ description: 'When `ok`, unless `formats` leaves it out.' })
  markdown?: string;
  @ApiPropertyOptional({ type: Object, description: 'When `ok`; see POST /v1/scrape.' })
  metadata?: Record<string, unknown>;
  @ApiPropertyOptional({ type: Object, description: 'What was tried; see POST /v1/scrape.' })
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

/** Answer to a POST /v1/batch that waits. */
export class BatchAnswer {
  @ApiProperty({ type: [BatchItem], description: 'One per entry of `urls`, in its order.' })
  results: BatchItem[];
  @ApiProperty({ type: BatchSummary })
  summary: BatchSummary;
  @ApiProperty({
    type: 'integer',
    description: 'Known at the end only, so it is here and not in a header.',
  })
  creditsUsed: number;
}

/** Answer to a POST /v1/batch with `async`. */
export class BatchAccepted {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['queued'] })
  status: 'queued';
  @ApiProperty({ format: 'uri', description: 'The first of `urls`, which the job is shown by.' })
  url: string;
  @ApiProperty({ type: 'integer', description: 'Entries of `urls`.' })
  total: number;
  @ApiProperty({ type: 'integer', description: 'Pages of the job: `total` less repetitions.' })
  pages: number;
  @ApiProperty()
  message: string;
}
