import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ScrapeController } from './scrape.controller.js';
import { ScrapeService } from './scrape.service.js';

@Module({
  imports: [FetchersModule],
  controllers: [ScrapeController],
  providers: [ScrapeService],
  exports: [ScrapeService],
})
export class ScrapeModule {}
