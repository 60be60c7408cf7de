import { Module, type DynamicModule } from '@nestjs/common';
import type { Runtime } from '@app/runtime';
import { CrawlController } from './crawl/crawl.controller.js';
import { CrawlService } from './crawl/crawl.service.js';
import { DownloadsController } from './downloads/downloads.controller.js';
import { HealthController } from './health/health.controller.js';
import { TargetCheck } from './http/target-check.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsService } from './jobs/jobs.service.js';
import { RUNTIME } from './runtime.token.js';
import { ScrapeController } from './scrape/scrape.controller.js';
import { ScrapeService } from './scrape/scrape.service.js';
import { ScreenshotController } from './screenshot/screenshot.controller.js';
import { ScreenshotService } from './screenshot/screenshot.service.js';
import { FetcherCall } from './http/fetcher-call.js';
import { ImageLinks } from './http/image-links.js';

@Module({})
export class AppModule {
  static for(runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        HealthController,
        ScrapeController,
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
        ScrapeService,
        ScreenshotService,
        CrawlService,
        JobsService,
      ],
    };
  }
}
