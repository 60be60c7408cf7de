import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IntegerField, ParsedField, TextField } from '../http/fields.js';
import { DEFAULT_PULL_ROWS } from './connector-limits.js';

/** Body of POST /v1/preview. */
export class PreviewRequest {
  @TextField({
    required: true,
    description: 'A connector of GET /v1/connectors.',
    maxChars: 40,
    example: 'maps',
  })
  connectorId: string;

  @TextField({
    description:
      'A request in words, such as `dentists in Austin`, or the `query` of the connector. Leave it out if `params` has everything.',
    maxChars: 2_000,
    example: 'dentists in Austin, TX',
  })
  query?: string;

  @ParsedField({
    description: 'Parameters by the schema of the connector; they win over `query`.',
    schema: { type: 'object', additionalProperties: true },
  })
  params?: unknown;

  @IntegerField({
    description: 'Most rows of the pull; clamped by the plan.',
    min: 1,
    fallback: DEFAULT_PULL_ROWS,
  })
  maxResults?: number;
}

/** Response of POST /v1/preview. */
export class PreviewResult {
  @ApiProperty()
  connectorId: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The parameters that a pull runs with.',
  })
  params: object;

  @ApiProperty({
    type: 'integer',
    description:
      'Rows that a pull would have, `maxResults` at most; a guess where only the first page is known.',
  })
  estimatedRows: number;

  @ApiProperty({ description: 'Price of that many rows at the list price of the connector.' })
  estimatedCostUsd: number;

  @ApiProperty({ type: 'integer', description: 'Credits of that many rows.' })
  estimatedCredits: number;

  @ApiProperty({ description: 'What the preview cost the operator of the service.' })
  cogsUsd: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The first rows, five at most.',
  })
  sample: readonly object[];

  @ApiProperty({ format: 'uuid', description: 'For POST /v1/pull, once.' })
  jobId: string;

  @ApiProperty({ format: 'date-time', description: 'The preview can be pulled until then.' })
  expiresAt: string;

  @ApiPropertyOptional({ enum: [true], description: 'Sample rows that name nothing real; free.' })
  mock?: true;
}
