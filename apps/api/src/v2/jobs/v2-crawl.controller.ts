import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CrawlService } from '../../crawl/crawl.service.js';
import { TARGET_BODY_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { ChargeId } from '../../http/idempotency/claimed-requests.js';
import { InjectRuntime } from '../../runtime.token.js';
import type { V2Fields } from '../options/read-options.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings, warningField } from '../options/warnings.js';
import { jobAddress } from './job-address.js';
import { parseV2Crawl } from './parse-v2-crawl.js';
import { V2JobResponses } from './send-v2-job.js';
import {
  JOB_STATE_ERRORS,
  V2CrawlBody,
  V2JobCancelled,
  V2JobStarted,
  V2JobState,
} from './v2-job.dto.js';
import { V2JobsService } from './v2-jobs.service.js';

@ApiTags('v2')
@Controller('v2/crawl')
export class V2CrawlController {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'publicUrl'>,
    private readonly crawls: CrawlService,
    private readonly jobs: V2JobsService,
    private readonly responses: V2JobResponses,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Start a crawl (compatibility set)',
    operationId: 'startCrawlCompatible',
  })
  @ApiBody({ type: V2CrawlBody })
  @ApiOkResponse({ type: V2JobStarted })
  @RequiresV2Key(
    { kind: 'immediate', largeBody: 'patterns' },
    ...TARGET_BODY_ERRORS,
    'payment_required',
    'unsupported_format',
    'unsupported_action',
    'unsupported_option',
    'crawl_unavailable',
  )
  async start(
    @V2Body() body: V2Fields,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const warnings = new Warnings();
    const { request: crawl, extras } = await parseV2Crawl(body, warnings);
    const { text: warning } = warnings;
    const job = { ...extras, v2: { warning } };
    const { paidPages, requestedPages } = await this.crawls.startJob(crawl, tenant, id, job);
    if (paidPages < requestedPages)
      warnings.note(`Your credits cover ${paidPages} of ${requestedPages} pages.`);
    const url = jobAddress(request, `/v2/crawl/${id}`, this.runtime.publicUrl);
    return { success: true, id, url, ...warningField(warnings) };
  }

  @Get(':id')
  @ApiOperation({
    summary: 'State and pages of a crawl (compatibility set)',
    operationId: 'getCrawlCompatible',
  })
  @ApiOkResponse({ type: V2JobState })
  @RequiresV2Key({ kind: 'polls', isWatchable: true }, ...JOB_STATE_ERRORS)
  async view(
    @Param('id') id: string,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.responses.send(reply, tenant, id, 'crawl');
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Cancel a crawl; idempotent (compatibility set)',
    operationId: 'cancelCrawlCompatible',
  })
  @ApiOkResponse({ type: V2JobCancelled })
  @RequiresV2Key('immediate', 'job_not_found')
  cancel(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<object> {
    return this.jobs.cancel(tenant, id, 'crawl');
  }
}
