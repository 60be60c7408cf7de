import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PAGE_STATES } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { clientGone } from '../../http/client-gone.js';
import { RequiresApiKey } from '../../http/documented.js';
import { LongAnswers } from '../../http/long-answers.js';
import { NDJSON, sendLines, wantsLines } from '../../http/send-lines.js';
import { UrlReportPage } from './url-report.dto.js';
import { UrlReportService } from './url-report.service.js';
import {
  DEFAULT_URLS,
  MAX_REPORTED_URLS,
  parseUrlQuery,
  type RawUrlQuery,
} from './parse-url-query.js';

/** Generated clients group operations by tag, so the tag keeps its public name. */
@ApiTags('Ledger')
@Controller('v1/crawl/:id/urls')
export class UrlReportController {
  constructor(
    private readonly report: UrlReportService,
    private readonly answers: LongAnswers,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'URL report: the outcome of every URL of a job, and why; also while it runs',
    description: `Paged by cursor; with \`Accept: ${NDJSON}\` streamed, one URL per line. Accepts the id of any job.`,
    operationId: 'getCrawlUrls',
  })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'The `next` of the previous page.',
    schema: { type: 'string', pattern: '^[0-9]{1,18}$' },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_REPORTED_URLS, default: DEFAULT_URLS },
  })
  @ApiQuery({ name: 'state', required: false, enum: PAGE_STATES })
  @ApiQuery({
    name: 'reason',
    required: false,
    description: 'Error class of a failure, or reason of a skip.',
    example: 'robots',
    schema: { type: 'string', pattern: '^[a-z0-9_]{1,64}$' },
  })
  @ApiProduces('application/json', NDJSON)
  @ApiOkResponse({ type: UrlReportPage })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    'job_not_found',
    'results_expired',
    'invalid_request',
    'too_many_answers',
    'answers_unavailable',
  )
  async urls(
    @Param('id') id: string,
    @Query() raw: RawUrlQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isStream = wantsLines(accept);
    const query = parseUrlQuery(raw, isStream);
    if (isStream) {
      const lines = await this.report.lines(tenant, id, query, clientGone(reply));
      this.answers.hold(reply, tenant.id);
      return sendLines(reply, lines, acceptEncoding);
    }
    reply.header('vary', 'accept');
    await reply.send(await this.report.page(tenant, id, query));
  }
}
