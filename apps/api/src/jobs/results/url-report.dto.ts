import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { JOB_STATUSES, PAGE_KINDS, PAGE_STATES } from '@app/contracts';
import { PageCounts } from '../job.dto.js';

/** URLs of a job by state; they add up to `discovered`. */
@ApiSchema({ name: 'LedgerCountsView' })
export class UrlReportCountsView extends OmitType(PageCounts, ['discovered'] as const) {}

/** The outcome of one URL of a job, and why. */
@ApiSchema({ name: 'LedgerEntryView' })
export class UrlReportEntryView {
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
    description: 'Rung of the cascade that fetched it.',
  })
  rung: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  status_code: number | null;
  @ApiProperty({ type: 'integer', description: 'Number of fetch attempts.' })
  attempts: number;
  @ApiProperty({ type: 'integer', description: 'Distance from the start page, in links.' })
  depth: number;
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Page that first linked to it; null for the start page.',
  })
  parent: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Milliseconds of the last attempt, including conversion.',
  })
  ms: number | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;
}

/** A page of the URL report. */
@ApiSchema({ name: 'LedgerPage' })
export class UrlReportPage {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: JOB_STATUSES })
  status: string;
  @ApiProperty({ type: 'integer' })
  discovered: number;
  @ApiProperty({ type: UrlReportCountsView })
  counts: UrlReportCountsView;
  @ApiProperty({ type: [UrlReportEntryView], description: 'In the order they were discovered.' })
  urls: UrlReportEntryView[];
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Cursor of the next page; null if there are no more for now. With a filter that few URLs match, a page may contain fewer than `limit` entries and still have a `next`.',
  })
  next: string | null;
}
