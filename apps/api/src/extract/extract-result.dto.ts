import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ListingView } from '../scrape/listing.view.js';
import { ModelUseView } from '../models/model-use.view.js';

/** Values of whatever a schema asks for. */
const ANYTHING = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({
  type: type as 'object',
  ...(type === 'array' ? { items: {} } : {}),
}));

class ExtractMetadataView extends ModelUseView {
  @ApiProperty({ type: 'integer', description: 'Fetch and extraction together, milliseconds.' })
  latencyMs: number;
}

class CutView {
  @ApiPropertyOptional({ description: 'Not the whole content was read.' })
  partial?: true;
  @ApiPropertyOptional({
    description:
      'Why, when `partial`: an error class, or the limit that cut the page, as `max_cpu` for its CPU time.',
  })
  partial_reason?: string;
}

/** Answer without a schema. */
export class ExtractedListing extends CutView {
  @ApiProperty({ type: String, nullable: true, description: 'Null for content without address.' })
  url: string | null;
  @ApiProperty({ type: ListingView, nullable: true, description: 'Null: no business is shown.' })
  data: ListingView | null;
  @ApiPropertyOptional({ enum: ['no_listing'], description: 'Why `data` is null.' })
  reason?: string;
}

/** Answer with a schema. */
export class ExtractedData extends CutView {
  @ApiProperty({ type: String, nullable: true, description: 'Null for content without address.' })
  url: string | null;
  @ApiProperty({
    anyOf: ANYTHING,
    description: 'As `schema` says; null where the content does not say it. Null on a blank page.',
  })
  data: unknown;
  @ApiProperty({ type: Object, description: 'As it was sent.' })
  schema: Record<string, unknown>;
  @ApiProperty({ type: ExtractMetadataView })
  metadata: ExtractMetadataView;
  @ApiProperty({
    type: Object,
    description: 'By JSON pointer into `data`: the words of the content the value was read from.',
  })
  _provenance: Record<string, { quote: string }>;
}

class ExtractItem extends CutView {
  @ApiProperty({ description: 'As it was sent.' })
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

/** Answer for `urls`: one result per entry, in order. */
export class ExtractedMany {
  @ApiProperty({ type: [ExtractItem] })
  results: ExtractItem[];
  @ApiProperty({ type: ExtractSummary })
  summary: ExtractSummary;
}
