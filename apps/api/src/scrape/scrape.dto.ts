import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FORMATS, type Format } from '@app/contracts';
import { BooleanField, ChoicesField, IntegerField, UrlField } from '../http/fields.js';

/** Body of POST /v1/scrape. */
export class ScrapeRequest {
  @UrlField({
    required: true,
    description: 'Page to fetch, http:// or https://.',
    example: 'https://example.com/',
  })
  url: string;

  @ChoicesField({
    description: 'Outputs wanted; they are returned under `formats`.',
    choices: FORMATS,
    fallback: ['markdown'],
    example: ['markdown', 'links'],
  })
  formats?: Format[];

  @BooleanField({ description: 'Adds the page source as `html`.', fallback: false })
  includeHtml?: boolean;

  @BooleanField({ description: 'Fetch although robots.txt forbids it.', fallback: false })
  ignoreRobotsTxt?: boolean;

  @IntegerField({
    description:
      'Accept a cached copy younger than this many milliseconds. Only 0, always fresh, is available.',
    min: 0,
    max: 0,
    fallback: 0,
  })
  maxAge?: number;
}

class CascadeAttemptView {
  @ApiProperty({ enum: ['unblock', 'plain', 'headless', 'hosted_crawler', 'hosted_browser'] })
  rung: string;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 4 })
  level: number;
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', minimum: 0 })
  latency_ms: number;
  @ApiProperty({ type: String, nullable: true, description: 'Null when the attempt succeeded.' })
  error_class: string | null;
}

class CascadeView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Level of the rung that served; null when none did.',
  })
  level: number | null;
  @ApiProperty({ type: [CascadeAttemptView] })
  attempts: CascadeAttemptView[];
}

class UnblockView {
  @ApiProperty({ type: [Object] })
  attempts: object[];
}

class ScrapeMetadataView {
  @ApiPropertyOptional({ description: 'Title of the page.' })
  title?: string;
  @ApiPropertyOptional()
  description?: string;
  @ApiPropertyOptional()
  language?: string;
  @ApiPropertyOptional()
  contentType?: string;
  @ApiProperty({ description: 'Address as it was asked for.' })
  sourceURL: string;
  @ApiProperty({
    enum: ['fetch', 'plain', 'headless', 'stealth', 'hosted_crawler', 'hosted_browser'],
  })
  fetchMethod: string;
  @ApiProperty({ type: 'integer', description: 'Fetch and extraction together, milliseconds.' })
  latencyMs: number;
  @ApiProperty()
  cached: boolean;
}

/** Scrape result. */
export class ScrapeResult {
  @ApiProperty({ format: 'uri', description: 'Address after redirects.' })
  url: string;
  @ApiProperty()
  ok: boolean;
  @ApiPropertyOptional({ description: 'The page as Markdown.' })
  markdown?: string;
  @ApiPropertyOptional({ description: 'Page source, with `includeHtml`.' })
  html?: string;
  @ApiPropertyOptional({
    type: Object,
    description: 'Requested outputs by name, when `formats` was sent.',
  })
  formats?: Record<string, unknown>;
  @ApiProperty({ type: 'integer' })
  statusCode: number;
  @ApiPropertyOptional({ description: 'Content is incomplete or blank.' })
  partial?: true;
  @ApiPropertyOptional({ description: 'Why, when `partial`.' })
  partial_reason?: string;
  @ApiProperty({ type: ScrapeMetadataView })
  metadata: ScrapeMetadataView;
  @ApiProperty({ type: CascadeView })
  cascade: CascadeView;
  @ApiProperty({ type: UnblockView })
  unblock: UnblockView;
}
