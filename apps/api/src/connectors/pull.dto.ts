import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PULL_STATES, type PullState } from '@app/runs';
import { IntegerField, TextField } from '../http/fields.js';

/** Body of POST /v1/pull. */
export class PullRequest {
  @TextField({
    required: true,
    description: 'The `jobId` of a preview.',
    maxChars: 64,
    example: '0192f7a5-4c1e-7b1d-9c55-8e1f6f0f3a10',
  })
  jobId: string;

  @IntegerField({ description: 'Most rows; those of the preview at most.', min: 1 })
  maxResults?: number;
}

/** A pull: its state and counts. */
export class PullView {
  @ApiProperty({ format: 'uuid' })
  jobId: string;

  @ApiProperty()
  connectorId: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  params: object;

  @ApiProperty({ enum: [...PULL_STATES] })
  status: PullState;

  @ApiProperty({ type: 'integer', description: 'Rows so far.' })
  total: number;

  @ApiProperty({ type: 'integer', description: 'Most rows.' })
  maxResults: number;

  @ApiProperty({ type: 'integer', description: 'Charged so far.' })
  creditsUsed: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed; its rows stay.' })
  error: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completedAt: string | null;

  @ApiProperty({
    format: 'date-time',
    description: 'Preview: can be pulled until then. Pull: rows are kept until then.',
  })
  expiresAt: string;
}

/** Response of POST /v1/pull. */
export class PullResult extends PullView {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Of a pull that ended while the request waited.',
  })
  rows?: readonly object[];

  @ApiPropertyOptional({ description: 'The same rows as CSV (RFC 4180).' })
  csv?: string;

  @ApiPropertyOptional({ description: 'Of a pull that still runs: where to read it.' })
  message?: string;
}

/** A page of the rows of a pull. */
export class PullRowsPage {
  @ApiProperty({ format: 'uuid' })
  jobId: string;

  @ApiProperty({ enum: [...PULL_STATES] })
  status: PullState;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  rows: readonly object[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page; null if there is none yet.',
  })
  next: string | null;
}

/** Response of DELETE /v1/pull/{id}. */
export class PullCancelled {
  @ApiProperty({ format: 'uuid' })
  jobId: string;

  @ApiProperty({ enum: [...PULL_STATES] })
  status: PullState;

  @ApiProperty()
  cancelled: boolean;
}
