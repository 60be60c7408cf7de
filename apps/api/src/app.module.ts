import { Module, type DynamicModule } from '@nestjs/common';
import type { Runtime } from '@app/runtime';
import { HealthModule } from './health/health.module.js';
import { ScrapeModule } from './scrape/scrape.module.js';
import { MapModule } from './map/map.module.js';
import { ExtractModule } from './extract/extract.module.js';
import { CompanyModule } from './company/company.module.js';
import { GraphModule } from './graph/graph.module.js';
import { ParseModule } from './parse/parse.module.js';
import { SearchModule } from './search/search.module.js';
import { ChatModule } from './chat/chat.module.js';
import { ConnectorsModule } from './connectors/connectors.module.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { ScrapersModule } from './scrapers/scrapers.module.js';
import { ScreenshotModule } from './screenshot/screenshot.module.js';
import { BatchModule } from './batch/batch.module.js';
import { CrawlModule } from './crawl/crawl.module.js';
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
  CrawlModule,
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
