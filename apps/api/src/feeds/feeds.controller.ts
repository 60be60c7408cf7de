import { Body, Controller, Delete, Get, HttpCode, Param, Post, Module } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { RequiresApiKey } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { FeedDeleted, FeedList, FeedRequest, FeedRunList, FeedView } from './feeds.dto.js';
import { FeedsService } from './feeds.service.js';
import { ConnectorsModule } from '../connectors/connectors.module.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { FeedFilesController } from './feed-files.controller.js';
import { FeedRunner } from '../runs/feed-runner.js';

@Controller('v1/feeds')
class FeedsController {
  constructor(private readonly feeds: FeedsService) {}

  @Post()
  @ApiOperation({
    summary: 'Watch a connector by a schedule, and deliver its new rows',
    description:
      'New rows are posted to `webhookUrl`, signed like other webhooks, and are in the files at `addresses`. A new or changed row costs the price of the connector, a known one a tenth.',
    operationId: 'createFeed',
  })
  @ApiBody({ type: FeedRequest })
  @ApiCreatedResponse({ type: FeedView })
  @RequiresApiKey(
    'immediate',
    ...(['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const),
    ...(['connector_not_found', 'search_not_in_plan', 'too_many_feeds', 'feed_too_often'] as const),
    ...(['invalid_url', 'blocked_url', 'draining'] as const),
  )
  create(
    @Body() body: FeedRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
  ): Promise<FeedView> {
    return this.feeds.create(body, tenant, id);
  }

  @Get()
  @ApiOperation({ summary: 'All feeds of the account', operationId: 'listFeeds' })
  @ApiOkResponse({ type: FeedList })
  @RequiresApiKey('immediate')
  async list(@CurrentTenant() tenant: Tenant): Promise<FeedList> {
    return { feeds: await this.feeds.list(tenant) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'A feed', operationId: 'getFeed' })
  @ApiOkResponse({ type: FeedView })
  @RequiresApiKey('immediate', 'feed_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedView> {
    return this.feeds.view(tenant, id);
  }

  @Get(':id/runs')
  @ApiOperation({ summary: 'The history of a feed', operationId: 'listFeedRuns' })
  @ApiOkResponse({ type: FeedRunList })
  @RequiresApiKey('immediate', 'feed_not_found')
  async runs(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedRunList> {
    return { runs: await this.feeds.runs(tenant, id) };
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Pauses a feed',
    description: 'No run starts any more; one in progress ends. Idempotent.',
    operationId: 'pauseFeed',
  })
  @ApiOkResponse({ type: FeedView })
  @RequiresApiKey('immediate', 'feed_not_found')
  pause(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedView> {
    return this.feeds.pause(tenant, id);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Resumes a paused feed at its next tick',
    description: 'Runs that were missed while it was paused are left out. Idempotent.',
    operationId: 'resumeFeed',
  })
  @ApiOkResponse({ type: FeedView })
  @RequiresApiKey('immediate', 'feed_not_found')
  resume(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedView> {
    return this.feeds.resume(tenant, id);
  }

  @Post(':id/run')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Runs a feed now',
    description: 'Also a paused one. Its schedule stays; a run in progress is not repeated.',
    operationId: 'runFeed',
  })
  @ApiAcceptedResponse({ type: FeedView })
  @RequiresApiKey('immediate', 'feed_not_found', 'draining')
  runNow(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedView> {
    return this.feeds.runNow(tenant, id);
  }

  @Post(':id/addresses')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Renews the signed addresses of a feed',
    description: 'For when one got into wrong hands: the former ones are good no more.',
    operationId: 'renewFeedAddresses',
  })
  @ApiOkResponse({ type: FeedView })
  @RequiresApiKey('immediate', 'feed_not_found')
  renewAddresses(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedView> {
    return this.feeds.renewAddresses(tenant, id);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Deletes a feed',
    description:
      'With its rows, history and pending deliveries. What runs have cost stays charged.',
    operationId: 'deleteFeed',
  })
  @ApiOkResponse({ type: FeedDeleted })
  @RequiresApiKey('immediate', 'feed_not_found')
  delete(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<FeedDeleted> {
    return this.feeds.delete(tenant, id);
  }
}

@Module({
  imports: [FetchersModule, ConnectorsModule],
  controllers: [FeedsController, FeedFilesController],
  providers: [FeedRunner, FeedsService],
  exports: [FeedRunner, FeedsService],
})
export class FeedsModule {}
