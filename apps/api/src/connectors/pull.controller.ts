import { Body, Controller, Delete, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { isEndedPull } from '@app/runs';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { preferredType } from '../http/accept-type.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { LongAnswers } from '../http/long-answers.js';
import { queryNumber } from '../http/query-values.js';
import { NDJSON, sendLines } from '../http/send-lines.js';
import { sendFile } from '../http/send-stream.js';
import { PullCancelled, PullRequest, PullResult, PullRowsPage, PullView } from './pull.dto.js';
import { PullService } from './pull.service.js';

const CSV = 'text/csv';
const DEFAULT_ROWS = 100;
const MAX_ROWS = 1_000;
const MAX_INTEGER = 2 ** 31 - 1;

@Controller('v1/pull')
export class PullController {
  constructor(
    private readonly pulls: PullService,
    private readonly answers: LongAnswers,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'The rows of a preview',
    description:
      'A preview can be pulled once; a retry with the same Idempotency-Key gets the same pull. A pull of up to 100 rows that ends within 25 seconds is returned with its rows; any other is a job: 202. Each row is charged once.',
    operationId: 'pull',
  })
  @ApiBody({ type: PullRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: PullResult })
  @ApiResponse({ status: 202, type: PullResult, description: 'It runs as a job.' })
  @RequiresApiKey(
    { kind: 'waits', isCompressed: true },
    ...(['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const),
    ...(['job_not_found', 'preview_expired', 'already_pulled'] as const),
    ...(['connector_not_found', 'search_not_in_plan', 'draining'] as const),
    ...CREDIT_ERRORS,
  )
  async pull(
    @Body() body: PullRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() { chargeId }: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PullResult> {
    const call = { tenant, chargeId, signal: clientGone(reply) };
    const result = await this.pulls.pull(body, call);
    const isEnded = isEndedPull(result.status);
    reply.status(isEnded ? 200 : 202);
    if (isEnded) setCreditHeaders(reply, { credits: result.creditsUsed, remaining: null });
    return result;
  }

  @Get(':id')
  @ApiOperation({ summary: 'The state of a pull', operationId: 'getPull' })
  @ApiOkResponse({ type: PullView })
  @RequiresApiKey('immediate', 'job_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<PullView> {
    return this.pulls.view(tenant, id);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Cancels a pull',
    description: 'Its rows so far stay, and stay charged. Idempotent.',
    operationId: 'cancelPull',
  })
  @ApiOkResponse({ type: PullCancelled })
  @RequiresApiKey('immediate', 'job_not_found')
  cancel(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<PullCancelled> {
    return this.pulls.cancel(tenant, id);
  }

  @Get(':id/results')
  @ApiOperation({
    summary: 'The rows of a pull, also while it runs',
    description: `Paged by cursor; with \`Accept: ${NDJSON}\` or \`${CSV}\` streamed, all rows so far.`,
    operationId: 'getPullResults',
  })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'The `next` of the previous page: the number of rows to skip.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_INTEGER },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'Streamed rows have no maximum.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS },
  })
  @ApiProduces('application/json', NDJSON, CSV)
  @ApiOkResponse({ type: PullRowsPage })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    'job_not_found',
    'invalid_request',
    'too_many_answers',
    'answers_unavailable',
  )
  async read(
    @Param('id') id: string,
    @Query() query: { readonly cursor?: unknown; readonly limit?: unknown },
    @Headers('accept') accept: string | undefined,
    @Headers('accept-encoding') acceptEncoding: string | undefined,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = queryNumber('cursor', query.cursor, { fallback: 0, min: 0, max: MAX_INTEGER });
    const type = preferredType(accept, ['application/json', NDJSON, CSV]);
    reply.header('vary', 'accept');
    if (type === 'application/json') {
      const bounds = { fallback: DEFAULT_ROWS, min: 1, max: MAX_ROWS };
      const most = queryNumber('limit', query.limit, bounds);
      return void (await reply.send(await this.pulls.page(tenant, id, { after, most })));
    }
    const bounds = { fallback: MAX_INTEGER, min: 1, max: MAX_INTEGER };
    const most = queryNumber('limit', query.limit, bounds);
    const form = type === NDJSON ? 'ndjson' : 'csv';
    const lines = await this.pulls.lines(tenant, id, { after, most, form });
    this.answers.hold(reply, tenant.id);
    if (form === 'ndjson') return sendLines(reply, lines, acceptEncoding);
    const contentType = `${CSV}; charset=utf-8`;
    await sendFile(reply, lines, { contentType, fileName: `pull-${id}.csv` });
  }
}
