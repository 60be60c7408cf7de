import { ApiProperty, PickType } from '@nestjs/swagger';
import { JOB_FORMATS } from '@app/contracts';
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

/** Outputs that can be made of a stored page. A screenshot needs the page itself. */
const EXTRACT_FORMATS = [
  ...JOB_FORMATS.filter((format) => format !== 'screenshot'),
  ...(['json', 'summary'] as const),
];
type ExtractFormat = (typeof EXTRACT_FORMATS)[number];

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
  'linkStyle',
] as const) {
  @ChoicesField({
    description:
      'Outputs for each stored page, as fields of its result; `schema` implies `json`. `json` and `summary` use a model; all but these and `markdown` need a job that stored `rawHtml`.',
    choices: EXTRACT_FORMATS,
    example: ['json'],
  })
  formats?: ExtractFormat[];

  @BooleanField({
    description:
      'Read the business listing of each page, as `listing` of its result. By default only if nothing else is requested.',
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
      'Maximum number of pages, starting with the first scraped one, for example to try a schema. Default: all.',
    min: 1,
    example: 10,
  })
  limit?: number;

  @UrlField({ description: 'URL notified when the job completes. Stored with the job.' })
  webhook?: string;

  @UrlField({ description: 'Alias of `webhook`.' })
  webhookUrl?: string;
}

/** Response of POST /v1/crawl/:id/extract. */
export class ReextractAccepted {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['queued'] })
  status: 'queued';
  @ApiProperty({ format: 'uri', description: 'URL of the source job.' })
  url: string;
  @ApiProperty({ format: 'uuid', description: 'The source job.' })
  sourceJobId: string;
  @ApiProperty({ type: 'integer', description: 'Stored pages to read.' })
  pages: number;
  @ApiProperty()
  message: string;
}
