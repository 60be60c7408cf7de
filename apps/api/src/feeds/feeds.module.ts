import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { FeedFilesController } from './feed-files.controller.js';
import { FeedRunner } from './feed-runner.js';
import { FeedsController } from './feeds.controller.js';
import { FeedsService } from './feeds.service.js';

@Module({
  imports: [FetchersModule, ConnectorsModule],
  controllers: [FeedsController, FeedFilesController],
  providers: [FeedRunner, FeedsService],
  exports: [FeedRunner, FeedsService],
})
export class FeedsModule {}
