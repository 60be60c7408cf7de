import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { CrawlController } from './crawl.controller.js';
import { CrawlService } from './crawl.service.js';

@Module({
  imports: [FetchersModule, JobsModule],
  controllers: [CrawlController],
  providers: [CrawlService],
  exports: [CrawlService],
})
export class CrawlModule {}
