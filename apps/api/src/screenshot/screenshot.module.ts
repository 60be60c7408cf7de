import { Module } from '@nestjs/common';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ScreenshotController } from './screenshot.controller.js';
import { ScreenshotService } from './screenshot.service.js';

@Module({
  imports: [FetchersModule],
  controllers: [ScreenshotController],
  providers: [ScreenshotService],
})
export class ScreenshotModule {}
