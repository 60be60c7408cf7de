import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.controller.js';
import { CrawlModule } from '../crawl/crawl.controller.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MapModule } from '../map/map.controller.js';
import { ParseModule } from '../parse/parse.controller.js';
import { ScrapeModule } from '../scrape/scrape.controller.js';
import { SearchModule } from '../search/search.controller.js';
import { V2JobResponses } from './jobs/send-v2-job.js';
import { V2BatchController } from './jobs/v2-batch.controller.js';
import { V2CrawlController } from './jobs/v2-crawl.controller.js';
import { V2JobsService } from './jobs/v2-jobs.service.js';
import { V2MapController } from './map/v2-map.controller.js';
import { V2ParseController } from './parse/v2-parse.controller.js';
import { V2ScrapeController } from './scrape/v2-scrape.controller.js';
import { V2SearchController } from './search/v2-search.controller.js';
import { JobWatch } from './watch/job-watch.js';

/** The compatibility set: other request and response shapes over the services of /v1. */
@Module({
  imports: [
    BatchModule,
    CrawlModule,
    JobsModule,
    MapModule,
    ParseModule,
    ScrapeModule,
    SearchModule,
  ],
  controllers: [
    V2ScrapeController,
    V2SearchController,
    V2MapController,
    V2CrawlController,
    V2BatchController,
    V2ParseController,
  ],
  providers: [V2JobsService, V2JobResponses, JobWatch],
  exports: [V2JobsService],
})
export class V2Module {}
