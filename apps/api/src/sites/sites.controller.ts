import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Module,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { CrawlAccepted } from '../crawl/crawl.dto.js';
import { CrawlModule } from '../crawl/crawl.controller.js';
import { RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { LongAnswers } from '../http/long-answers.js';
import { queryBoolean } from '../http/query-values.js';
import { NDJSON, sendLines } from '../http/send-lines.js';
import { DIFF_QUERY } from '../jobs/results/results.controller.js';
import { JOB_ROOM_ERRORS } from '../jobs/admit-job.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { SiteDeleted, SiteList, NamedSiteRequest, SiteView } from './sites.dto.js';
import { SiteRunner } from './site-runner.js';
import { SitesService } from './sites.service.js';

@Controller('v1/sites')
class SitesController {
  constructor(
    private readonly sites: SitesService,
    private readonly answers: LongAnswers,
  ) {}

  @Get()
  @ApiOperation({ summary: 'All sites of the account', operationId: 'listSites' })
  @ApiOkResponse({ type: SiteList })
  @RequiresApiKey('immediate')
  async list(@CurrentTenant() tenant: Tenant): Promise<SiteList> {
    return { sites: await this.sites.list(tenant) };
  }

  @Put(':name')
  @ApiOperation({
    summary: 'Keep a site under a name, to be crawled again and again',
    description:
      'The options are those of POST /v1/crawl; `schedule` says when. Each crawl fetches and stores only what has changed since the last one that was completed.',
    operationId: 'putSite',
  })
  @ApiBody({ type: NamedSiteRequest })
  @ApiOkResponse({ type: SiteView })
  @RequiresApiKey(
    { kind: 'immediate', largeBody: 'patterns' },
    ...TARGET_BODY_ERRORS,
    'too_many_sites',
    'feed_too_often',
  )
  put(
    @Param('name') name: string,
    @Body() body: NamedSiteRequest,
    @CurrentTenant() tenant: Tenant,
  ): Promise<SiteView> {
    return this.sites.put(tenant, name, body);
  }

  @Get(':name')
  @ApiOperation({ summary: 'A site', operationId: 'getSite' })
  @ApiOkResponse({ type: SiteView })
  @RequiresApiKey('immediate', 'site_not_found')
  view(@Param('name') name: string, @CurrentTenant() tenant: Tenant): Promise<SiteView> {
    return this.sites.view(tenant, name);
  }

  @Post(':name/crawl')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Crawl a site now',
    description: 'Its schedule stays. While a crawl of the site runs, no other is started.',
    operationId: 'crawlSite',
  })
  @ApiResponse({ status: 202, type: CrawlAccepted })
  @RequiresApiKey(
    'immediate',
    ...JOB_ROOM_ERRORS,
    ...(['site_not_found', 'site_busy', 'payment_required', 'crawl_unavailable'] as const),
    ...(['profile_not_found', 'profiles_unavailable'] as const),
    ...(['invalid_url', 'blocked_url'] as const),
  )
  crawl(
    @Param('name') name: string,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
  ): Promise<CrawlAccepted> {
    return this.sites.crawl(tenant, name, id);
  }

  @Get(':name/changes')
  @ApiOperation({
    summary: 'What the crawls of a site changed in a copy of it, as JSON lines',
    description:
      'Of each crawl that was completed after `since` the lines of GET /v1/crawl/{id}/changes, then `{"op":"crawl","id"}`: the `since` of your next request. Up to 100 crawls.',
    operationId: 'getSiteChanges',
  })
  @ApiQuery({
    name: 'since',
    required: false,
    description: 'A crawl of the site; without it, from the first one that is kept.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery(DIFF_QUERY)
  @ApiProduces(NDJSON)
  @ApiOkResponse({ schema: { type: 'string' } })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    ...(['site_not_found', 'job_not_found', 'invalid_request', 'results_unavailable'] as const),
    ...(['too_many_answers', 'answers_unavailable'] as const),
  )
  async changes(
    @Param('name') name: string,
    @Query('since') since: unknown,
    @Query('diff') diff: unknown,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await this.sites.changes(tenant, name, {
      since,
      isCompared: queryBoolean('diff', diff),
    });
    this.answers.hold(reply, tenant.id);
    await sendLines(reply, lines, acceptEncoding);
  }

  @Delete(':name')
  @ApiOperation({
    summary: 'Forget a site',
    description: 'Its crawls stay, and one that runs goes on.',
    operationId: 'deleteSite',
  })
  @ApiOkResponse({ type: SiteDeleted })
  @RequiresApiKey('immediate', 'site_not_found')
  async delete(@Param('name') name: string, @CurrentTenant() tenant: Tenant): Promise<SiteDeleted> {
    await this.sites.delete(tenant, name);
    return { name, deleted: true };
  }
}

@Module({
  imports: [CrawlModule, JobsModule],
  controllers: [SitesController],
  providers: [SitesService, SiteRunner],
})
export class SitesModule {}
