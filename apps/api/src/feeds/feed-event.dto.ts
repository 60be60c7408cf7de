import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** Fields of both events of a feed. */
class FeedEvent {
  @ApiProperty({ format: 'uuid', description: 'Also in the header `webhook-id`.' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  feedId: string;

  @ApiProperty()
  connectorId: string;

  @ApiProperty({ format: 'uuid' })
  runId: string;
}

/** A row that a feed delivers. */
export class FeedEventRow {
  @ApiProperty({ description: 'The id of the row in the files of the feed.' })
  id: string;

  @ApiProperty({ enum: ['new', 'changed'] })
  kind: 'new' | 'changed';

  @ApiProperty({ type: 'object', additionalProperties: true })
  row: object;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Of a changed row: each field `before` and `after`, or what the connector says.',
  })
  changes?: object;
}

/** Body of the webhook of a feed with new rows. */
export class FeedRowsEvent extends FeedEvent {
  @ApiProperty({ enum: ['feed.rows'] })
  type: 'feed.rows';

  @ApiProperty({ format: 'date-time', description: 'When the run was due.' })
  tick: string;

  @ApiProperty({ type: [FeedEventRow], description: 'Up to 100; each row is in one event only.' })
  rows: readonly FeedEventRow[];
}

/** Body of the webhook of a feed that paused itself. */
export class FeedPausedEvent extends FeedEvent {
  @ApiProperty({ enum: ['feed.paused'] })
  type: 'feed.paused';

  @ApiProperty()
  reason: string;
}
