import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FitsOneOf } from '../http/alternatives.js';
import { IntegerField, ParsedField, StateField, TextField } from '../http/fields.js';

export const MAX_TERMS = 25;
const MAX_TERM_CHARS = 200;
export const DEFAULT_BUSINESSES = 50;
/** More are not refused: they count as this (specification: POST /v1/graph/query, `limit`). */
export const MAX_BUSINESSES = 200;
const MAX_LIMIT = 1_000_000;
const MAX_CURSOR_CHARS = 100;

const TERM = { type: 'string', minLength: 1, maxLength: MAX_TERM_CHARS } as const;
const TERMS = { type: 'array', items: TERM, maxItems: MAX_TERMS } as const;

const FILTERS = ['tech', 'techAny', 'industry', 'state', 'city'] as const;
const NOT_EMPTY = { type: ['string', 'array'], minLength: 1, minItems: 1 };

/** Body of POST /v1/graph/query. */
@FitsOneOf(...FILTERS.map((name) => ({ required: [name], properties: { [name]: NOT_EMPTY } })))
export class GraphQueryRequest {
  @ParsedField({
    description: `Technologies that a business uses, all of them; at most ${MAX_TERMS}. Case does not matter.`,
    schema: { oneOf: [TERM, TERMS] },
    example: ['WordPress'],
  })
  tech?: unknown;

  @ParsedField({
    description: `Technologies of which a business uses at least one; at most ${MAX_TERMS}.`,
    schema: TERMS,
  })
  techAny?: unknown;

  @ParsedField({
    description: `Technologies that a business does not use; at most ${MAX_TERMS}.`,
    schema: TERMS,
  })
  notTech?: unknown;

  @TextField({
    description:
      'Words of the NAICS title (`dentists`), all of them, or two to six leading digits of the NAICS code.',
    maxChars: MAX_TERM_CHARS,
  })
  industry?: string;

  @StateField()
  state?: string;

  @TextField({ description: 'Case and accents do not matter.', maxChars: MAX_TERM_CHARS })
  city?: string;

  @ParsedField({
    description: 'Only businesses with a website, or only those without.',
    schema: { type: 'boolean' },
  })
  hasDomain?: unknown;

  @IntegerField({
    description: `Businesses per page; more than ${MAX_BUSINESSES} count as ${MAX_BUSINESSES}.`,
    min: 1,
    max: MAX_LIMIT,
    fallback: DEFAULT_BUSINESSES,
  })
  limit?: number;

  @TextField({ description: '`cursor` of the page before.', maxChars: MAX_CURSOR_CHARS })
  cursor?: string;
}

/** A business with its public facts only. */
export class GraphRowView {
  @ApiProperty({ description: 'For GET /v1/graph/business/{idOrDomain}.' })
  id: string;
  @ApiProperty({ type: String, nullable: true })
  domain: string | null;
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'NAICS 2022 title.' })
  industry: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'NAICS 2022 code.' })
  naics: string | null;
  @ApiProperty({ type: [String] })
  tech_stack: readonly string[];
  @ApiProperty({ type: String, nullable: true })
  city: string | null;
  @ApiProperty({ type: String, nullable: true })
  state: string | null;
  @ApiProperty({ type: String, nullable: true, example: '11-50' })
  employee_band: string | null;
  @ApiProperty({ format: 'date-time', description: 'When its newest fact was seen.' })
  _freshness: string;
}

/** The filters that were applied. */
export class GraphCriteriaView {
  @ApiPropertyOptional({ type: [String] })
  tech?: readonly string[];
  @ApiPropertyOptional({ type: [String] })
  techAny?: readonly string[];
  @ApiPropertyOptional({ type: [String] })
  notTech?: readonly string[];
  @ApiPropertyOptional()
  industry?: string;
  @ApiPropertyOptional()
  state?: string;
  @ApiPropertyOptional()
  city?: string;
  @ApiPropertyOptional()
  hasDomain?: boolean;
  @ApiProperty({ type: 'integer' })
  limit: number;
}

/** Response of POST /v1/graph/query. */
export class GraphQueryResult {
  @ApiProperty({
    type: 'integer',
    description: 'Businesses that meet the criteria, on all pages. Exact up to 10,000.',
  })
  count: number;
  @ApiPropertyOptional({
    description: 'True if `count` is an estimate: there are more than 10,000.',
  })
  count_estimated?: boolean;
  @ApiProperty({ type: [GraphRowView] })
  results: readonly GraphRowView[];
  @ApiPropertyOptional({ description: 'For the next page; absent on the last one.' })
  cursor?: string;
  @ApiProperty({ type: GraphCriteriaView })
  criteria: GraphCriteriaView;
}

/** Response of GET /v1/graph/business/{idOrDomain}. */
export class GraphBusinessView extends GraphRowView {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the site says about the company, without contact data.',
  })
  marketing_summary: string | null;
  @ApiProperty({ type: 'integer', description: 'Number of facts that the graph has.' })
  signal_count: number;
}
