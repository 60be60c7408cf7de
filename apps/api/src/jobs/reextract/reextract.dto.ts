import { ApiProperty, PickType } from '@nestjs/swagger';
import { EXTRACT_FORMATS, type ExtractFormat } from '@app/contracts';
import { COMPLEXITIES } from '../../extract/extract.dto.js';
import { FitsOneOf, SENT } from '../../http/alternatives.js';
import {
  BooleanField,
  ChoiceField,
  ChoicesField,
  IntegerField,
  UrlField,
} from '../../http/fields.js';
import { ScrapeRequest } from '../../scrape/scrape.dto.js';

const OBJECT = { type: 'object' } as const;

/** Body of POST /v1/crawl/:id/extract. */
@FitsOneOf(
  { properties: { extractListing: { enum: [true, null] } } },
  { required: ['formats'], properties: { formats: SENT } },
  { required: ['schema'], properties: { schema: OBJECT } },
  { required: ['jsonSchema'], properties: { jsonSchema: OBJECT } },
)
export class ReextractRequest extends PickType(ScrapeRequest, [
  'schema',
  'jsonSchema',
  'onlyMainContent',
  'includeTags',
  'excludeTags',
  'removeBase64Images',
] as const) {
  @ChoicesField({
    description:
      'What is made of each stored page, as fields of its result; `json` comes with `schema`. `json` and `summary` ask a model. `rawHtml`, `links` and `branding` need a job that kept `rawHtml`.',
    choices: EXTRACT_FORMATS,
    example: ['json'],
  })
  formats?: ExtractFormat[];

  @BooleanField({
    description:
      'Read the business listing that a page shows, as `listing` of its result. By default only when nothing else is asked for.',
    fallback: false,
  })
  extractListing?: boolean;

  @ChoiceField({
    description: 'high: a stronger model. Used with `schema`.',
    choices: COMPLEXITIES,
    fallback: 'low',
  })
  complexity?: (typeof COMPLEXITIES)[number];

  @IntegerField({
    description:
      'Only so many pages, from the first that was scraped: to try a schema. All without it.',
    min: 1,
    example: 10,
  })
  limit?: number;

  @UrlField({ description: 'Address told when the job completes. Stored with the job.' })
  webhook?: string;

  @UrlField({ description: 'Alias of `webhook`.' })
  webhookUrl?: string;
}

/** Answer to POST /v1/crawl/:id/extract. */
export class ReextractAccepted {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['queued'] })
  status: 'queued';
  @ApiProperty({ format: 'uri', description: 'As of the job that is read.' })
  url: string;
  @ApiProperty({ format: 'uuid', description: 'The job that is read.' })
  sourceJobId: string;
  @ApiProperty({ type: 'integer', description: 'Stored pages that are read.' })
  pages: number;
  @ApiProperty()
  message: string;
}
