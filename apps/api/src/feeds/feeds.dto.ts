import { ApiProperty } from '@nestjs/swagger';
import {
  FEED_STATES,
  FIRST_RUNS,
  MAX_RUN_ROWS,
  RUN_STATES,
  type FeedState,
  type FirstRun,
  type RunState,
} from '@app/runs';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ParsedField,
  TextField,
  UrlField,
} from '../http/fields.js';

export const DEFAULT_FEED_ROWS = 100;

/** Body of POST /v1/feeds. */
export class FeedRequest {
  @TextField({
    required: true,
    description: 'A connector of GET /v1/connectors.',
    maxChars: 40,
    example: 'sitemap_urls',
  })
  connectorId: string;

  @ParsedField({
    description: 'Parameters by the schema of the connector.',
    schema: { type: 'object', additionalProperties: true },
  })
  params?: unknown;

  @TextField({
    required: true,
    description: 'Cron expression of five fields: minute, hour, day, month, day of the week.',
    maxChars: 100,
    example: '0 7 * * *',
  })
  schedule: string;

  @TextField({
    description: 'IANA time zone of the schedule; without it, UTC.',
    maxChars: 64,
    example: 'Europe/Berlin',
  })
  timeZone?: string;

  @UrlField({ description: 'Receives new rows, signed. Without it, read the feed as a file.' })
  webhookUrl?: string;

  @ChoiceField({
    description:
      'full: the first run delivers all of its rows; silent: it only notes them, so that later runs deliver those that are new.',
    choices: FIRST_RUNS,
    fallback: 'silent',
  })
  firstRun?: FirstRun;

  @BooleanField({
    description: 'Whether rows whose fields changed are delivered too, with the difference.',
    fallback: false,
  })
  changed?: boolean;

  @IntegerField({
    description: 'Most rows of a run; clamped by the plan.',
    min: 1,
    max: MAX_RUN_ROWS,
    fallback: DEFAULT_FEED_ROWS,
  })
  maxResults?: number;
}

/** Signed addresses of a feed: a feed reader needs no key. */
export class FeedAddresses {
  @ApiProperty({ format: 'uri', description: 'RSS 2.0.' })
  rss: string;

  @ApiProperty({ format: 'uri', description: 'Atom (RFC 4287).' })
  atom: string;

  @ApiProperty({ format: 'uri', description: 'JSON Feed 1.1.' })
  json: string;
}

/** A feed. */
export class FeedView {
  @ApiProperty({ format: 'uuid' })
  feedId: string;

  @ApiProperty()
  connectorId: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  params: object;

  @ApiProperty()
  schedule: string;

  @ApiProperty()
  timeZone: string;

  @ApiProperty({ type: String, format: 'uri', nullable: true })
  webhookUrl: string | null;

  @ApiProperty({ enum: [...FIRST_RUNS] })
  firstRun: FirstRun;

  @ApiProperty()
  changed: boolean;

  @ApiProperty({ type: 'integer', description: 'Most rows of a run.' })
  maxResults: number;

  @ApiProperty({ enum: [...FEED_STATES] })
  status: FeedState;

  @ApiProperty({ type: String, nullable: true, description: 'Why the feed paused itself.' })
  pausedReason: string | null;

  @ApiProperty({ type: 'integer', description: 'Failed runs since the last complete one.' })
  failures: number;

  @ApiProperty({ description: 'Whether a run is in progress.' })
  running: boolean;

  @ApiProperty({ type: 'integer', description: 'Rows that it knows.' })
  total: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextRunAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastRunAt: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: FeedAddresses })
  addresses: FeedAddresses;
}

/** Response of GET /v1/feeds. */
export class FeedList {
  @ApiProperty({ type: [FeedView], description: 'Newest first.' })
  feeds: readonly FeedView[];
}

/** A run of a feed. */
export class FeedRunView {
  @ApiProperty({ format: 'uuid' })
  runId: string;

  @ApiProperty({ format: 'date-time', description: 'When it was due.' })
  tick: string;

  @ApiProperty({ enum: ['schedule', 'request'] })
  startedBy: 'schedule' | 'request';

  @ApiProperty({ enum: [...RUN_STATES] })
  status: RunState;

  @ApiProperty({ type: 'integer' })
  newRows: number;

  @ApiProperty({ type: 'integer' })
  changedRows: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows that were known before, or only noted by a silent first run.',
  })
  knownRows: number;

  @ApiProperty({ type: 'integer' })
  creditsUsed: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed; its rows stay.' })
  error: string | null;

  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endedAt: string | null;
}

/** Response of GET /v1/feeds/{id}/runs. */
export class FeedRunList {
  @ApiProperty({ type: [FeedRunView], description: 'The newest 100, newest first.' })
  runs: readonly FeedRunView[];
}

/** Response of DELETE /v1/feeds/{id}. */
export class FeedDeleted {
  @ApiProperty({ format: 'uuid' })
  feedId: string;

  @ApiProperty({ enum: [true] })
  deleted: boolean;
}
