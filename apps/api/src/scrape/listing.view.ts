import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A business listing (specification: Listing). Fields that the page lacks are absent. */
export class ListingView {
  @ApiPropertyOptional()
  name?: string;
  @ApiPropertyOptional()
  description?: string;
  @ApiPropertyOptional()
  address?: string;
  @ApiPropertyOptional()
  city?: string;
  @ApiPropertyOptional()
  state?: string;
  @ApiPropertyOptional()
  zip?: string;
  @ApiPropertyOptional()
  country?: string;
  @ApiPropertyOptional()
  phone?: string;
  @ApiPropertyOptional()
  email?: string;
  @ApiPropertyOptional({ format: 'uri' })
  url?: string;
  @ApiPropertyOptional({ format: 'uri' })
  website?: string;
  @ApiPropertyOptional()
  lat?: number;
  @ApiPropertyOptional()
  lng?: number;
  @ApiPropertyOptional()
  rating?: number;
  @ApiPropertyOptional({ type: 'integer' })
  review_count?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'Same as `review_count`.' })
  reviewCount?: number;
  @ApiPropertyOptional()
  price_range?: string;
  @ApiPropertyOptional()
  price_min?: number;
  @ApiPropertyOptional()
  price_max?: number;
  @ApiPropertyOptional({
    type: Object,
    description: 'By day: `HH:MM-HH:MM`, joined by `, `; `closed`; `00:00-24:00` is all day.',
  })
  hours?: Record<string, string>;
  @ApiPropertyOptional({ type: [String] })
  amenities?: string[];
  @ApiPropertyOptional({ format: 'uri' })
  hero_image?: string;
  @ApiPropertyOptional({ type: [String] })
  photo_urls?: string[];
  @ApiPropertyOptional()
  license_number?: string;
  @ApiPropertyOptional()
  capacity?: number;
  @ApiPropertyOptional()
  founded_year?: number;
  @ApiPropertyOptional({ type: [String], description: 'JSON-LD types of the page.' })
  schema_markup_types?: string[];
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Weighted share of the fields found.' })
  _completeness: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Alias of the score.' })
  _confidence: number;
  @ApiProperty({ enum: ['json-ld', 'microdata', 'regex-cascade', 'heuristic'] })
  _extraction_method: string;
  @ApiPropertyOptional({
    type: Object,
    description:
      'The layer and path of each field. Always included in an extraction, otherwise with `listingProvenance`.',
  })
  _provenance?: Record<string, unknown>;
}
