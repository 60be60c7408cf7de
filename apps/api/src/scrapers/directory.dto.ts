import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Listing } from '@app/contracts';
import { BooleanField, IntegerField, ParsedField } from '../http/fields.js';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY, MAX_DIRECTORY_URLS } from './scraper-limits.js';

/** Body of POST /v1/scrapers/directory. */
export class DirectoryRequest {
  @ParsedField({
    required: true,
    description:
      'Pages of listings, http:// or https://. A URL listed twice is fetched and charged once; an invalid one fails alone.',
    schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_DIRECTORY_URLS },
    example: ['https://example.com/', 'https://example.org/'],
  })
  urls: unknown;

  @IntegerField({
    description: 'Pages fetched at a time, at most as many as the plan has batch workers.',
    min: 1,
    max: MAX_CONCURRENCY,
    fallback: DEFAULT_CONCURRENCY,
  })
  concurrency?: number;

  @BooleanField({
    description:
      'Return 202 at once and process the list as a job. A list that does not fit the time of one response becomes a job anyway.',
    fallback: false,
  })
  async?: boolean;
}

export class DirectoryRow {
  @ApiProperty({ description: 'As sent.' })
  url: string;

  @ApiProperty()
  ok: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'When `ok`; see POST /v1/extract.',
  })
  listing?: Omit<Listing, '_provenance'>;

  @ApiPropertyOptional({ description: 'Why the page has no listing.' })
  error?: string;
}

/** Response of POST /v1/scrapers/directory. */
export class DirectoryResult {
  @ApiProperty({ type: [DirectoryRow], description: 'One per entry of `urls`, in its order.' })
  results: readonly DirectoryRow[];

  @ApiProperty({ type: 'integer' })
  total: number;

  @ApiProperty({ type: 'integer' })
  succeeded: number;

  @ApiProperty({ type: 'integer' })
  failed: number;
}
