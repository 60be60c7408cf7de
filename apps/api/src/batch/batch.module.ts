import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ScrapeModule } from '../scrape/scrape.module.js';
import { BatchController } from './batch.controller.js';
import { BatchService } from './batch.service.js';

@Module({
  imports: [FetchersModule, ScrapeModule],
  controllers: [BatchController],
  providers: [BatchService],
  exports: [BatchService],
})
export class BatchModule {}
