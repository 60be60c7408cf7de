import { Module } from '@nestjs/common';
import { FetcherCall } from './fetcher-call.js';
import { PageCall } from './page-call.js';
import { Conversions } from './conversions.js';
import { ImageLinks } from './image-links.js';
import { TargetCheck } from './target-check.js';
import { ProfileCheck } from '../profiles/profile-check.js';

/** Tasks for the fetchers, and the helpers that requests need. */
@Module({
  providers: [FetcherCall, PageCall, Conversions, ImageLinks, TargetCheck, ProfileCheck],
  exports: [FetcherCall, PageCall, Conversions, ImageLinks, TargetCheck, ProfileCheck],
})
export class FetchersModule {}
