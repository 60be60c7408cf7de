import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const NAMES = { nullable: true, type: 'array' as const, items: {} };

/** Body of POST /v2/search. Other options are ignored and named in `warning`. */
export class V2SearchBody {
  @ApiProperty({ maxLength: 2_048, example: 'open source web crawlers' })
  query: string;
  @ApiPropertyOptional({ nullable: true, type: 'integer', minimum: 1, maximum: 100, default: 10 })
  limit?: number;
  @ApiPropertyOptional({ nullable: true, description: 'Time filter, such as qdr:w.' })
  tbs?: string;
  @ApiPropertyOptional({ nullable: true, description: 'Two-letter code.' })
  country?: string;
  @ApiPropertyOptional({ nullable: true, type: [String], maxItems: 20 })
  includeDomains?: string[];
  @ApiPropertyOptional({ nullable: true, type: [String], maxItems: 20 })
  excludeDomains?: string[];
  @ApiPropertyOptional({ ...NAMES, description: 'github, research or pdf.' })
  categories?: unknown[];
  @ApiPropertyOptional({
    ...NAMES,
    description: 'Only web is searched; news and images are returned in `unsupported`.',
  })
  sources?: unknown[];
  @ApiPropertyOptional({
    nullable: true,
    type: Object,
    additionalProperties: true,
    description: 'With `formats` markdown, each result has the Markdown of its page.',
  })
  scrapeOptions?: Record<string, unknown>;
}

class V2WebResult {
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty()
  title: string;
  @ApiProperty()
  description: string;
  @ApiProperty({ type: 'integer', description: 'From 1.' })
  position: number;
  @ApiPropertyOptional()
  markdown?: string;
}

class V2SearchData {
  @ApiProperty({ type: [V2WebResult] })
  web: V2WebResult[];
}

/** Response of POST /v2/search. */
export class V2SearchResult {
  @ApiProperty({ enum: [true] })
  success: boolean;
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ type: V2SearchData })
  data: V2SearchData;
  @ApiPropertyOptional({ type: [String], description: 'Sources that were not searched.' })
  unsupported?: string[];
  @ApiProperty({ type: 'integer' })
  creditsUsed: number;
  @ApiPropertyOptional()
  warning?: string;
}
