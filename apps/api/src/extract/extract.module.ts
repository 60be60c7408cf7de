import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ExtractController } from './extract.controller.js';
import { ExtractService } from './extract.service.js';

@Module({
  imports: [FetchersModule],
  controllers: [ExtractController],
  providers: [ExtractService],
})
export class ExtractModule {}
