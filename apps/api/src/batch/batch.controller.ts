import { Body, Controller, Headers, Post, Res, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { NDJSON, wantsLines } from '../http/send-lines.js';
import { sendStream } from '../http/send-stream.js';
import { BatchAccepted, BatchAnswer, BatchRequest } from './batch.dto.js';
import { BatchService } from './batch.service.js';
import { JOB_ROOM_ERRORS } from '../jobs/admit-job.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ScrapeModule } from '../scrape/scrape.controller.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** With `async` it becomes a job and is answered at once. */
const isSynchronous = (body: unknown): boolean =>
  (body as { readonly async?: unknown } | null | undefined)?.async !== true;

@Controller('v1/batch')
class BatchController {
  constructor(private readonly batches: BatchService) {}

  @Post()
  @ApiOperation({
    summary: 'Scrape up to 100 pages in one request, waiting or as a job',
    description: `Items are sent in the order of \`urls\` as they become ready; with \`Accept: ${NDJSON}\` one per line in order of completion, and the summary last. If one page fails, the others still succeed. With \`async: true\` the response is an immediate 202; then poll GET /v1/jobs/{id}.`,
    operationId: 'batch',
  })
  @ApiBody({ type: BatchRequest })
  @ApiProduces('application/json', NDJSON)
  @ApiOkResponse({ type: BatchAnswer })
  @ApiResponse({ status: 202, type: BatchAccepted, description: 'With `async: true`.' })
  @RequiresApiKey(
    { kind: 'waits', waitsFor: isSynchronous },
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    ...JOB_ROOM_ERRORS,
    'invalid_urls',
    'profile_not_found',
    'profiles_unavailable',
    'action_not_available',
    'llm_unavailable',
    'batch_unavailable',
  )
  async batch(
    @Body() body: BatchRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (body.async === true) {
      await reply.status(202).send(await this.batches.start(body, tenant, id));
      return;
    }
    const form = wantsLines(accept) ? 'ndjson' : 'json';
    const call = { tenant, id, signal: clientGone(reply) };
    const answers = await this.batches.answers(body, form, call);
    reply.status(200).header('content-type', form === 'json' ? JSON_TYPE : NDJSON);
    await sendStream(reply, answers);
  }
}

@Module({
  imports: [FetchersModule, ScrapeModule],
  controllers: [BatchController],
  providers: [BatchService],
  exports: [BatchService],
})
export class BatchModule {}
