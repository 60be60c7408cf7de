import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JobChanges } from '../job.dto.js';

/** Body of the crawl completion webhook (specification: Events). */
export class EventBody {
  @ApiProperty({ format: 'uuid' })
  jobId: string;
  @ApiProperty({ enum: ['completed', 'failed', 'cancelled'] })
  status: string;
  @ApiProperty({ format: 'uri', description: 'Start page of the crawl.' })
  url: string;
  @ApiProperty({ type: 'integer' })
  pages_scraped: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Signed, expiring URL of the full results; new at each attempt. Set when completed.',
  })
  result_url: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;
  @ApiPropertyOptional({
    type: JobChanges,
    description: 'Of a crawl with `since`: pages by how they differ.',
  })
  changes?: JobChanges;
  @ApiPropertyOptional({
    format: 'uri',
    description: 'Of a crawl with `since`: what it changes in a copy of the site. Needs your key.',
  })
  changes_url?: string;
  @ApiPropertyOptional({ enum: [true], description: 'Of POST /v1/webhooks/test: there is no job.' })
  test?: boolean;
  @ApiPropertyOptional({ enum: [true], description: 'This and the following: of jobs of /v2.' })
  success?: boolean;
  @ApiPropertyOptional({ enum: ['crawl.completed', 'batch_scrape.completed'] })
  type?: string;
  @ApiPropertyOptional({ format: 'uuid', description: 'The same as `jobId`.' })
  id?: string;
  @ApiPropertyOptional({ type: [Object], description: 'Empty: read the pages from the job.' })
  data?: object[];
  @ApiPropertyOptional({ type: Object, description: 'Empty.' })
  metadata?: object;
}
