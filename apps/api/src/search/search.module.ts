import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ResultPages } from './result-pages.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [FetchersModule],
  controllers: [SearchController],
  providers: [SearchService, ResultPages],
  exports: [SearchService],
})
export class SearchModule {}
