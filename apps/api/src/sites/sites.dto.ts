import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { CrawlRequest } from '../crawl/crawl.dto.js';
import { TextField } from '../http/fields.js';

/** Body of PUT /v1/sites/:name: how the site is crawled, and when. */
export class NamedSiteRequest extends OmitType(CrawlRequest, ['since', 'modifiedSince'] as const) {
  @TextField({
    description:
      'Cron expression of five fields: minute, hour, day, month, day of the week. Without it, the site is crawled when that is requested.',
    maxChars: 100,
    example: '0 7 * * *',
  })
  schedule?: string;

  @TextField({
    description: 'IANA time zone of the schedule; without it, UTC.',
    maxChars: 64,
    example: 'Europe/Berlin',
  })
  timeZone?: string;
}

/** A site under a name. */
export class SiteView {
  @ApiProperty()
  name: string;
  @ApiProperty({ type: Object, description: 'As it was sent, without `schedule` and `timeZone`.' })
  crawl: object;
  @ApiProperty({ type: String, nullable: true })
  schedule: string | null;
  @ApiProperty()
  timeZone: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextRunAt: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Its last crawl.' })
  lastJobId: string | null;
  @ApiPropertyOptional({ description: 'Why the last crawl was not started.' })
  problem?: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

/** All sites of the account. */
export class SiteList {
  @ApiProperty({ type: [SiteView] })
  sites: readonly SiteView[];
}

/** A site was deleted; its crawls stay. */
export class SiteDeleted {
  @ApiProperty()
  name: string;
  @ApiProperty()
  deleted: boolean;
}
