import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
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
import type { Tenant } from '@app/store';
import { CurrentTenant } from '../auth/require-key.js';
import { Keyed, TARGET_BODY_REFUSALS } from '../http/documented.js';
import { JobView } from '../jobs/job.dto.js';
import { JobsService } from '../jobs/jobs.service.js';
import { CrawlAccepted, CrawlCancelled, CrawlRequest, ResultsPage } from './crawl.dto.js';
import { CrawlService } from './crawl.service.js';

const NDJSON = 'application/x-ndjson';

@Controller('v1/crawl')
export class CrawlController {
  constructor(
    private readonly crawls: CrawlService,
    private readonly jobs: JobsService,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({ summary: 'Start a crawl', operationId: 'startCrawl' })
  @ApiBody({ type: CrawlRequest })
  @ApiResponse({ status: 202, type: CrawlAccepted })
  @Keyed(...TARGET_BODY_REFUSALS, 'crawl_unavailable')
  start(@Body() body: CrawlRequest, @CurrentTenant() tenant: Tenant): Promise<CrawlAccepted> {
    return this.crawls.start(body, tenant);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'State and counts of a crawl (alias of /v1/jobs/{id})',
    operationId: 'getCrawl',
  })
  @ApiOkResponse({ type: JobView })
  @Keyed('job_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<JobView> {
    return this.jobs.view(tenant, id);
  }

  @Get(':id/results')
  @ApiOperation({
    summary: 'Documents of a crawl, also while it runs',
    description: `Paged by cursor; with \`Accept: ${NDJSON}\` all documents are streamed, one per line.`,
    operationId: 'getCrawlResults',
  })
  @ApiQuery({ name: 'cursor', required: false, description: 'The `next` of the page before.' })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  })
  @ApiProduces('application/json', NDJSON)
  @ApiOkResponse({ type: ResultsPage })
  @Keyed('job_not_found', 'invalid_request')
  async results(
    @Param('id') id: string,
    @Query('cursor') cursor: string | undefined,
    @Query('limit') limit: string | undefined,
    @Headers('accept') accept: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (accept?.includes(NDJSON)) {
      const lines = await this.crawls.resultLines(tenant, id);
      return void (await reply.header('content-type', NDJSON).send(lines));
    }
    const query = {
      ...(cursor === undefined ? {} : { cursor }),
      ...(limit === undefined ? {} : { limit }),
    };
    await reply.send(await this.crawls.resultsPage(tenant, id, query));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Cancel a crawl; idempotent', operationId: 'cancelCrawl' })
  @ApiOkResponse({ type: CrawlCancelled })
  @Keyed('job_not_found')
  cancel(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<CrawlCancelled> {
    return this.crawls.cancel(tenant, id);
  }
}
