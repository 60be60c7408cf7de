import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { JobsController } from './jobs.controller.js';
import { ResultsController } from './results/results.controller.js';
import { UrlReportController } from './results/url-report.controller.js';
import { PageSearchController } from './results/page-search.controller.js';
import { EventsController } from './results/events.controller.js';
import { ReextractController } from './reextract/reextract.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { DataController } from './retention/data.controller.js';
import { DownloadsController } from './downloads/downloads.controller.js';
import { JobsService } from './jobs.service.js';
import { ResultsService } from './results/results.service.js';
import { UrlReportService } from './results/url-report.service.js';
import { PageSearchService } from './results/page-search.service.js';
import { LiveJobs } from './results/live-jobs.js';
import { ReextractService } from './reextract/reextract.service.js';
import { WebhooksService } from './webhooks/webhooks.service.js';
import { DataService } from './retention/data.service.js';

/** Jobs of any kind: state, results, webhooks, re-extraction, retention. */
@Module({
  imports: [FetchersModule],
  controllers: [
    JobsController,
    ResultsController,
    UrlReportController,
    PageSearchController,
    EventsController,
    ReextractController,
    WebhooksController,
    DataController,
    DownloadsController,
  ],
  providers: [
    JobsService,
    ResultsService,
    UrlReportService,
    PageSearchService,
    LiveJobs,
    ReextractService,
    WebhooksService,
    DataService,
  ],
  exports: [JobsService, LiveJobs, ResultsService],
})
export class JobsModule {}
