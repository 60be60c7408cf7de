import { Module, type DynamicModule } from '@nestjs/common';
import type { Runtime } from '@app/runtime';
import { HealthModule } from './health/health.controller.js';
import { ScrapeModule } from './scrape/scrape.controller.js';
import { MapModule } from './map/map.controller.js';
import { ExtractModule } from './extract/extract.controller.js';
import { CompanyModule } from './company/company.module.js';
import { GraphModule } from './graph/graph.controller.js';
import { ParseModule } from './parse/parse.controller.js';
import { SearchModule } from './search/search.controller.js';
import { ChatModule } from './chat/chat.controller.js';
import { ConnectorsModule } from './connectors/connectors.module.js';
import { FeedsModule } from './feeds/feeds.controller.js';
import { ScrapersModule } from './scrapers/scrapers.module.js';
import { ScreenshotModule } from './screenshot/screenshot.controller.js';
import { BatchModule } from './batch/batch.controller.js';
import { CrawlModule } from './crawl/crawl.controller.js';
import { SitesModule } from './sites/sites.controller.js';
import { ProfilesModule } from './profiles/profiles.controller.js';
import { JobsModule } from './jobs/jobs.module.js';
import { V2Module } from './v2/v2.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import type { LongAnswers } from './http/long-answers.js';
import { ProcessModule } from './process.module.js';

/** A module per resource, over the ports of the process. */
const RESOURCES = [
  HealthModule,
  ScrapeModule,
  MapModule,
  ExtractModule,
  CompanyModule,
  GraphModule,
  ParseModule,
  ScreenshotModule,
  SearchModule,
  ScrapersModule,
  ConnectorsModule,
  ChatModule,
  FeedsModule,
  BatchModule,
  ProfilesModule,
  CrawlModule,
  SitesModule,
  JobsModule,
  AccountsModule,
  V2Module,
];

@Module({})
export class AppModule {
  static for(runtime: Runtime, answers: LongAnswers): DynamicModule {
    return { module: AppModule, imports: [ProcessModule.for(runtime, answers), ...RESOURCES] };
  }
}
