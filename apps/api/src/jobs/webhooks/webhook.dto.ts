import { ApiProperty } from '@nestjs/swagger';
import { ATTEMPT_ERRORS, DELIVERY_STATES } from '@app/jobs';

/** One attempt to deliver. */
export class AttemptView {
  @ApiProperty({ type: 'integer', description: 'Counted over all schedules of the delivery.' })
  no: number;
  @ApiProperty({ format: 'date-time' })
  at: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status; null: none came.',
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
    description: 'Beginning of what the receiver answered, at most 1 KiB.',
  })
  answer: string | null;
}

/** A webhook and how its delivery went. */
export class DeliveryView {
  @ApiProperty({ format: 'uuid', description: 'Sent as `webhook-id`, the same at every attempt.' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ description: 'Kind and end of the job.', example: 'crawl.completed' })
  event: string;
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty({
    enum: DELIVERY_STATES,
    description:
      'pending: to be sent, now or at `next_attempt_at`; delivered: a 2xx came; failed: every attempt was used up; disabled: the address answered 410, to this or an earlier delivery.',
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
    description: 'When it was delivered or given up.',
  })
  ended_at: string | null;
  @ApiProperty({ type: [AttemptView], description: 'The newest 20, oldest first.' })
  attempts: AttemptView[];
}

/** Answer to GET /v1/webhooks/deliveries. */
export class DeliveryList {
  @ApiProperty({ type: [DeliveryView], description: 'Newest first.' })
  deliveries: DeliveryView[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cursor of the next page; null when there is none.',
  })
  next: string | null;
}

/** A secret before the current one. */
export class PreviousSecret {
  @ApiProperty({ description: 'Its first characters.', example: 'whsec_Ab12Cd' })
  prefix: string;
  @ApiProperty({ format: 'date-time', description: 'Deliveries carry its signature until then.' })
  expires_at: string;
}

/** What deliveries are signed with, without the secret itself. */
export class SecretView {
  @ApiProperty({ description: 'Its first characters.', example: 'whsec_Ab12Cd' })
  prefix: string;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({
    type: [PreviousSecret],
    description: 'Secrets whose signatures are still sent beside, newest first.',
  })
  previous: PreviousSecret[];
}

/** Answer to POST /v1/webhooks/secret. */
export class ShownSecret extends SecretView {
  @ApiProperty({
    description: 'For a Standard Webhooks library. Shown this once.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret: string;
}
