import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { ListingsRow, MapsRow, ReviewsRow } from '@app/connectors';
import type { OpeningHours } from '@app/contracts';
import { IntegerField, TextField } from '../http/fields.js';
import {
  DEFAULT_MAX_RESULTS,
  MAX_LOCATION_CHARS,
  MAX_RESULTS,
  MAX_SCRAPER_QUERY_CHARS,
} from './scraper-limits.js';

const LOCATION = {
  description: 'Town or region, as sources write it.',
  maxChars: MAX_LOCATION_CHARS,
  example: 'Austin, TX',
};

/** Body of POST /v1/scrapers/maps. */
export class MapsScraperRequest {
  @TextField({
    required: true,
    description: 'Kind of business, or a name.',
    maxChars: MAX_SCRAPER_QUERY_CHARS,
    example: 'dentists',
  })
  query: string;

  @TextField(LOCATION)
  location?: string;

  @IntegerField({
    description: 'Maximum number of rows.',
    min: 1,
    max: MAX_RESULTS,
    fallback: DEFAULT_MAX_RESULTS,
  })
  maxResults?: number;
}

/** Body of POST /v1/scrapers/reviews and /v1/scrapers/listings. */
export class LocatedScraperRequest extends OmitType(MapsScraperRequest, ['location'] as const) {
  @TextField({ ...LOCATION, required: true })
  location: string;
}

class BusinessRowView {
  @ApiProperty()
  name: string;

  @ApiPropertyOptional()
  address?: string;

  @ApiPropertyOptional()
  phone?: string;

  @ApiPropertyOptional({ description: 'Only where the source states one.' })
  rating?: number;

  @ApiPropertyOptional({ type: 'integer' })
  review_count?: number;
}

export class MapsRowView extends BusinessRowView implements MapsRow {
  @ApiPropertyOptional()
  category?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Only where the source states them: `mon` to `sun`, such as `09:00-17:00`.',
  })
  hours?: OpeningHours;

  @ApiPropertyOptional({ format: 'uri' })
  website?: string;

  @ApiPropertyOptional({ format: 'uri', description: "The source's page about the business." })
  maps_url?: string;

  @ApiPropertyOptional({ enum: [true], description: 'A sample row: no real business.' })
  mock?: true;
}

export class ReviewsRowView extends BusinessRowView implements ReviewsRow {
  @ApiPropertyOptional({ example: '$$' })
  price_range?: string;

  @ApiPropertyOptional({ type: [String] })
  categories?: readonly string[];

  @ApiPropertyOptional({ description: 'Only where the source states it.' })
  is_open_now?: boolean;

  @ApiPropertyOptional({ format: 'uri', description: "The source's page about the business." })
  reviews_url?: string;
}

export class ListingsRowView extends BusinessRowView implements ListingsRow {
  @ApiPropertyOptional()
  category?: string;

  @ApiPropertyOptional({ format: 'uri' })
  website?: string;

  @ApiPropertyOptional({ format: 'uri', description: "The source's page about the business." })
  directory_url?: string;
}

class ScraperResult {
  @ApiProperty({ type: 'integer', description: 'Number of `results`.' })
  total: number;

  @ApiProperty({ description: 'As sent.' })
  query: string;

  @ApiProperty({ type: String, nullable: true, description: 'As sent.' })
  location: string | null;

  @ApiProperty({
    description: "The operator's name of the source whose rows these are; `mock` for sample rows.",
    example: 'openstreetmap',
  })
  source: string;

  @ApiPropertyOptional({ description: 'Credit that the licence of the data requires.' })
  attribution?: string;
}

/** Response of POST /v1/scrapers/maps. */
export class MapsScraperResult extends ScraperResult {
  @ApiProperty({ type: [MapsRowView] })
  results: readonly MapsRowView[];

  @ApiPropertyOptional({
    enum: [true],
    description:
      'Sample rows that name no real business: on the Free plan, until the operator enables the live scraper for the account. They are free.',
  })
  mock?: true;
}

export class ReviewsScraperResult extends ScraperResult {
  @ApiProperty({ type: [ReviewsRowView] })
  results: readonly ReviewsRowView[];
}

export class ListingsScraperResult extends ScraperResult {
  @ApiProperty({ type: [ListingsRowView] })
  results: readonly ListingsRowView[];
}
