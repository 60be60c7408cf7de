import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ListingView } from '../scrape/listing.view.js';
import { ModelUseView } from '../models/model-use.view.js';

/** Values of any schema. */
const ANYTHING = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({
  type: type as 'object',
  ...(type === 'array' ? { items: {} } : {}),
}));

class ExtractMetadataView extends ModelUseView {
  @ApiProperty({ type: 'integer', description: 'Fetch and extraction together, milliseconds.' })
  latencyMs: number;
}

class CutView {
  @ApiPropertyOptional({ description: 'Only part of the content was read.' })
  partial?: true;
  @ApiPropertyOptional({
    description:
      'Reason if `partial`: an error class, or the limit that cut the page, such as `max_cpu` for CPU time.',
  })
  partial_reason?: string;
}

/** Response without a schema. */
export class ExtractedListing extends CutView {
  @ApiProperty({ type: String, nullable: true, description: 'Null for content without a URL.' })
  url: string | null;
  @ApiProperty({
    type: ListingView,
    nullable: true,
    description: 'Null: the page shows no business.',
  })
  data: ListingView | null;
  @ApiPropertyOptional({ enum: ['no_listing'], description: 'Why `data` is null.' })
  reason?: string;
}

/** Response with a schema. */
export class ExtractedData extends CutView {
  @ApiProperty({ type: String, nullable: true, description: 'Null for content without a URL.' })
  url: string | null;
  @ApiProperty({
    anyOf: ANYTHING,
    description: 'Data by `schema`; null for values that the content lacks. Null on a blank page.',
  })
  data: unknown;
  @ApiProperty({ type: Object, description: 'The schema as sent.' })
  schema: Record<string, unknown>;
  @ApiProperty({ type: ExtractMetadataView })
  metadata: ExtractMetadataView;
  @ApiProperty({
    type: Object,
    description: 'Quotes of the content that support each value, by JSON pointer into `data`.',
  })
  _provenance: Record<string, { quote: string }>;
}

class ExtractItem extends CutView {
  @ApiProperty({ description: 'The URL as sent.' })
  url: string;
  @ApiProperty()
  ok: boolean;
  @ApiPropertyOptional({ anyOf: ANYTHING, description: 'As without `urls`, when `ok`.' })
  data?: unknown;
  @ApiPropertyOptional({ description: 'When not `ok`.' })
  error?: string;
  @ApiPropertyOptional({ enum: ['no_listing'], description: 'Why `data` is null.' })
  reason?: string;
  @ApiPropertyOptional({ type: ExtractMetadataView })
  metadata?: ExtractMetadataView;
  @ApiPropertyOptional({ type: Object })
  _provenance?: Record<string, { quote: string }>;
}

class ExtractSummary {
  @ApiProperty({ type: 'integer' })
  total: number;
  @ApiProperty({ type: 'integer' })
  ok: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
}

/** Response for `urls`: one result per entry, in order. */
export class ExtractedMany {
  @ApiProperty({ type: [ExtractItem] })
  results: ExtractItem[];
  @ApiProperty({ type: ExtractSummary })
  summary: ExtractSummary;
}
