import { Module, type DynamicModule } from '@nestjs/common';
import type { Runtime } from '@app/runtime';
import { CrawlController } from './crawl/crawl.controller.js';
import { CrawlService } from './crawl/crawl.service.js';
import { DownloadsController } from './downloads/downloads.controller.js';
import { ExtractController } from './extract/extract.controller.js';
import { ExtractService } from './extract/extract.service.js';
import { HealthController } from './health/health.controller.js';
import { Bookings } from './http/bookings.js';
import { Conversions } from './http/conversions.js';
import { FetcherCall } from './http/fetcher-call.js';
import { ImageLinks } from './http/image-links.js';
import { PageCall } from './http/page-call.js';
import { TargetCheck } from './http/target-check.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsService } from './jobs/jobs.service.js';
import { ParseController } from './parse/parse.controller.js';
import { ParseService } from './parse/parse.service.js';
import { RUNTIME } from './runtime.token.js';
import { ScrapeController } from './scrape/scrape.controller.js';
import { ScrapeService } from './scrape/scrape.service.js';
import { ScreenshotController } from './screenshot/screenshot.controller.js';
import { ScreenshotService } from './screenshot/screenshot.service.js';

@Module({})
export class AppModule {
  static for(runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        HealthController,
        ScrapeController,
        ExtractController,
        ParseController,
        ScreenshotController,
        CrawlController,
        JobsController,
        DownloadsController,
      ],
      providers: [
        { provide: RUNTIME, useValue: runtime },
        TargetCheck,
        FetcherCall,
        ImageLinks,
        Bookings,
        Conversions,
        PageCall,
        ScrapeService,
        ExtractService,
        ParseService,
        ScreenshotService,
        CrawlService,
        JobsService,
      ],
    };
  }
}
