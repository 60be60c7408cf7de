import { ApiProperty, OmitType } from '@nestjs/swagger';
import { JOB_STATUSES, PAGE_KINDS, PAGE_STATES } from '@app/contracts';
import { PageCounts } from '../job.dto.js';

/** Addresses of a job by state; they add up to `discovered`. */
export class LedgerCountsView extends OmitType(PageCounts, ['discovered'] as const) {}

/** What a job did with one address, and why. */
export class LedgerEntryView {
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty({ enum: PAGE_STATES })
  state: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Error class of a failure, reason of a skip; null otherwise.',
  })
  reason: string | null;
  @ApiProperty({ enum: PAGE_KINDS })
  kind: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Rung of the cascade that brought it.',
  })
  rung: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  status_code: number | null;
  @ApiProperty({ type: 'integer', description: 'Times a fetcher took it up.' })
  attempts: number;
  @ApiProperty({ type: 'integer', description: 'Links from the start page.' })
  depth: number;
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Page it was first found on; null for the start page.',
  })
  parent: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Milliseconds its last attempt took, conversion included.',
  })
  ms: number | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;
}

/** A page of the ledger. */
export class LedgerPage {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: JOB_STATUSES })
  status: string;
  @ApiProperty({ type: 'integer' })
  discovered: number;
  @ApiProperty({ type: LedgerCountsView })
  counts: LedgerCountsView;
  @ApiProperty({ type: [LedgerEntryView], description: 'In the order they were discovered.' })
  urls: LedgerEntryView[];
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Cursor of the next page; null when these are the last for now. With a filter that few fit, a page may hold fewer than `limit` and still have a next.',
  })
  next: string | null;
}
