import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JOB_TYPES, type JobType } from '@app/contracts';

/** The discovered URLs of a job by state; they add up to `discovered`. */
export class PageCounts {
  @ApiProperty({ type: 'integer' })
  discovered: number;
  @ApiProperty({ type: 'integer' })
  pending: number;
  @ApiProperty({ type: 'integer' })
  leased: number;
  @ApiProperty({ type: 'integer' })
  scraped: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
  @ApiProperty({ type: 'integer' })
  skipped: number;
  @ApiProperty({ type: 'integer' })
  cancelled: number;
}

/** An item of GET /v1/jobs. */
export class JobSummary {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: JOB_TYPES })
  type: JobType;
  @ApiProperty({ format: 'uri' })
  url: string;
  @ApiProperty({ enum: ['queued', 'running', 'processing', 'completed', 'failed', 'cancelled'] })
  status: string;
  @ApiProperty({ type: 'integer' })
  pages_scraped: number;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;
}

/** Pages of a crawl by how they differ from those of an earlier one. */
export class JobChanges {
  @ApiProperty({ type: 'integer', description: 'Not among the results of the earlier crawl.' })
  new: number;
  @ApiProperty({ type: 'integer', description: 'Title or Markdown are others.' })
  changed: number;
  @ApiProperty({ type: 'integer' })
  same: number;
  @ApiProperty({
    type: 'integer',
    description:
      'Twice not found (404, 410), or no page of the crawl any more: it leads to another, or may not be stored.',
  })
  gone: number;
}

/** A job with its counts. */
export class JobView extends JobSummary {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Signed, expiring URL of the full results; new at each GET. Set when completed.',
  })
  result_url: string | null;
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
  @ApiProperty({ type: PageCounts })
  pages: PageCounts;
  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'integer' },
    description: 'Skipped URLs by reason.',
  })
  skipped: Record<string, number>;
  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'integer' },
    description: 'Failed pages by error class.',
  })
  failed: Record<string, number>;
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Of a crawl with `since`: the crawl that it compares the site with.',
  })
  since?: string;
  @ApiPropertyOptional({
    type: JobChanges,
    description: 'Of a crawl with `since`: pages by how they differ.',
  })
  changes?: JobChanges;
  @ApiProperty({
    description: 'The job reached its maximum number of recorded URLs; further links were dropped.',
  })
  discovery_capped: boolean;
  @ApiPropertyOptional({
    format: 'uri',
    description:
      'For a crawl: what the URLs that it follows begin with, `www.` and http or https apart. Differs from `url` once the start page has redirected elsewhere.',
  })
  scope?: string;
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'For a job of type `extract`: the source job of the stored pages.',
  })
  source_job_id?: string;
}

/** Response of DELETE /v1/jobs/:id and DELETE /v1/crawl/:id. */
export class JobCancelled {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['completed', 'failed', 'cancelled'], description: 'State of the job now.' })
  status: string;
  @ApiProperty({ description: 'True if the job is cancelled, by this call or before.' })
  cancelled: boolean;
}

export class JobList {
  @ApiProperty({ type: [JobSummary] })
  jobs: JobSummary[];
}
