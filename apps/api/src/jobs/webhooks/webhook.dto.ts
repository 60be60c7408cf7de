import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UrlField } from '../../http/fields.js';
import { EventBody } from './event.dto.js';
import { ATTEMPT_ERRORS, DELIVERY_STATES } from '@app/webhooks';

/** One delivery attempt. */
export class AttemptView {
  @ApiProperty({ type: 'integer', description: 'Counted over all schedules of the delivery.' })
  no: number;
  @ApiProperty({ format: 'date-time' })
  at: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status; null: no response.',
  })
  status: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null while it runs.' })
  ms: number | null;
  @ApiProperty({
    type: String,
    enum: ATTEMPT_ERRORS,
    nullable: true,
    description: 'Null: a 2xx came.',
  })
  error: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: "Start of the receiver's response, at most 1 KiB.",
  })
  answer: string | null;
}

/** A webhook and its delivery. */
export class DeliveryView {
  @ApiProperty({ format: 'uuid', description: 'Sent as `webhook-id`, the same at every attempt.' })
  id: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null: it is of a feed.',
  })
  jobId: string | null;
  @ApiPropertyOptional({ format: 'uuid' })
  feedId?: string;
  @ApiProperty({
    description: 'Job type and outcome, `feed.rows` or `feed.paused`.',
    example: 'crawl.completed',
  })
  event: string;
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty({
    enum: DELIVERY_STATES,
    description:
      'pending: will be sent, now or at `next_attempt_at`; delivered: the receiver returned a 2xx; failed: all attempts failed; disabled: the URL returned 410, to this or an earlier delivery.',
  })
  state: string;
  @ApiProperty({ type: 'integer' })
  attempt_count: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Status of the last attempt.' })
  last_status: number | null;
  @ApiProperty({ type: String, enum: ATTEMPT_ERRORS, nullable: true })
  last_error: string | null;
  @ApiProperty({ format: 'date-time', description: 'When the job ended.' })
  created_at: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was delivered or failed for good.',
  })
  ended_at: string | null;
  @ApiProperty({ type: [AttemptView], description: 'The newest 20, oldest first.' })
  attempts: AttemptView[];
}

/** Response of GET /v1/webhooks/deliveries. */
export class DeliveryList {
  @ApiProperty({ type: [DeliveryView], description: 'Newest first.' })
  deliveries: DeliveryView[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page; null if there is none.',
  })
  next: string | null;
}

/** Body of POST /v1/webhooks/test. */
export class TestWebhookRequest {
  @UrlField({
    required: true,
    description: 'Receives the event.',
    example: 'https://example.com/hook',
  })
  url: string;
}

/** Response of POST /v1/webhooks/test. */
export class TestWebhookResult {
  @ApiProperty({ format: 'uuid', description: 'Sent as `webhook-id`.' })
  id: string;
  @ApiProperty({ description: 'Whether a 2xx came.' })
  delivered: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null: no response.' })
  status: number | null;
  @ApiProperty({ type: String, enum: ATTEMPT_ERRORS, nullable: true })
  error: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: "Start of the receiver's response, at most 1 KiB.",
  })
  answer: string | null;
  @ApiProperty({ type: 'integer' })
  ms: number;
  @ApiProperty({ type: EventBody, description: 'What was sent.' })
  body: EventBody;
}

/** A previous secret. */
export class PreviousSecret {
  @ApiProperty({ description: 'Its first characters.', example: 'whsec_Ab12Cd' })
  prefix: string;
  @ApiProperty({ format: 'date-time', description: 'Deliveries carry its signature until then.' })
  expires_at: string;
}

/** The secret that signs deliveries, without its value. */
export class SecretView {
  @ApiProperty({ description: 'Its first characters.', example: 'whsec_Ab12Cd' })
  prefix: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({
    type: [PreviousSecret],
    description: 'Previous secrets that still sign deliveries too, newest first.',
  })
  previous: PreviousSecret[];
}

/** Response of POST /v1/webhooks/secret. */
export class ShownSecret extends SecretView {
  @ApiProperty({
    description: 'For a Standard Webhooks library. Shown only once.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret: string;
}
