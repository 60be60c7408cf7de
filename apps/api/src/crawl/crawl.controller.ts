import { Body, Controller, Delete, Get, HttpCode, Param, Post, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { JobCancelled, JobView } from '../jobs/job.dto.js';
import { JobsService } from '../jobs/jobs.service.js';
import { CrawlAccepted, CrawlRequest } from './crawl.dto.js';
import { CrawlService } from './crawl.service.js';
import { JOB_ROOM_ERRORS } from '../jobs/admit-job.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { JobsModule } from '../jobs/jobs.module.js';

@Controller('v1/crawl')
class CrawlController {
  constructor(
    private readonly crawls: CrawlService,
    private readonly jobs: JobsService,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({ summary: 'Start a crawl', operationId: 'startCrawl' })
  @ApiBody({ type: CrawlRequest })
  @ApiResponse({ status: 202, type: CrawlAccepted })
  @RequiresApiKey(
    { kind: 'immediate', largeBody: 'patterns' },
    ...JOB_ROOM_ERRORS,
    ...TARGET_BODY_ERRORS,
    'payment_required',
    'since_unusable',
    'profile_not_found',
    'profiles_unavailable',
    'crawl_unavailable',
  )
  start(
    @Body() body: CrawlRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
  ): Promise<CrawlAccepted> {
    return this.crawls.start(body, tenant, id);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'State and counts of a crawl (alias of /v1/jobs/{id})',
    operationId: 'getCrawl',
  })
  @ApiOkResponse({ type: JobView })
  @RequiresApiKey('polls', 'job_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<JobView> {
    return this.jobs.view(tenant, id);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Cancel a crawl; idempotent (alias of /v1/jobs/{id})',
    operationId: 'cancelCrawl',
  })
  @ApiOkResponse({ type: JobCancelled })
  @RequiresApiKey('immediate', 'job_not_found')
  cancel(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<JobCancelled> {
    return this.jobs.cancel(tenant, id);
  }
}

@Module({
  imports: [FetchersModule, JobsModule],
  controllers: [CrawlController],
  providers: [CrawlService],
  exports: [CrawlService],
})
export class CrawlModule {}
