import { Module } from '@nestjs/common';
import { BatchModule } from '../batch/batch.controller.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { BusinessCall } from './business-call.js';
import { DirectoryController } from './directory.controller.js';
import { DirectoryService } from './directory.service.js';
import { ScrapersController } from './scrapers.controller.js';
import { ScrapersService } from './scrapers.service.js';

@Module({
  imports: [FetchersModule, BatchModule],
  controllers: [ScrapersController, DirectoryController],
  providers: [BusinessCall, ScrapersService, DirectoryService],
  exports: [BusinessCall, ScrapersService],
})
export class ScrapersModule {}
