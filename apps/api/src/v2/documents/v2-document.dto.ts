import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A page. Outputs that were not requested are absent. */
export class V2Document {
  @ApiPropertyOptional()
  markdown?: string;
  @ApiPropertyOptional({ description: 'Without scripts, styles and comments.' })
  html?: string;
  @ApiPropertyOptional()
  rawHtml?: string;
  @ApiPropertyOptional({ type: [String] })
  links?: string[];
  @ApiPropertyOptional({ description: 'URL or data URI.' })
  screenshot?: string;
  @ApiPropertyOptional({ description: 'By the `schema` of the format.' })
  json?: unknown;
  @ApiPropertyOptional()
  summary?: string;
  @ApiPropertyOptional({ type: Object, additionalProperties: true })
  branding?: Record<string, unknown>;
  @ApiPropertyOptional({
    type: 'object',
    properties: { screenshots: { type: 'array', items: { type: 'string' } } },
    additionalProperties: true,
    description: 'Outputs of the actions, in their order.',
  })
  actions?: Record<string, unknown>;
  @ApiPropertyOptional({ description: 'Ignored options, and what is incomplete.' })
  warning?: string;
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description:
      'The page (`title`, `description`, `ogTitle`, …) and its fetch: `sourceURL`, `url`, `statusCode`, `contentType`, `proxyUsed`, `cacheState`, `creditsUsed`, `scrapeId`, `numPages`.',
  })
  metadata: Record<string, unknown>;
}

/** Response of POST /v2/scrape and POST /v2/parse. */
export class V2ScrapeResult {
  @ApiProperty({ enum: [true] })
  success: boolean;
  @ApiProperty({ type: V2Document })
  data: V2Document;
  @ApiPropertyOptional({ description: 'The same as `data.warning`.' })
  warning?: string;
}
