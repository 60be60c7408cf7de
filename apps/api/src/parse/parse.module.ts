import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ParseController } from './parse.controller.js';
import { ParseService } from './parse.service.js';

@Module({
  imports: [FetchersModule],
  controllers: [ParseController],
  providers: [ParseService],
  exports: [ParseService],
})
export class ParseModule {}
