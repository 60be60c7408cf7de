import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import type { V2Job } from '@app/jobs';
import type { Runtime } from '@app/runtime';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { BatchService, type BatchExtras } from '../../batch/batch.service.js';
import { TARGET_BODY_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { ChargeId } from '../../http/idempotency/claimed-requests.js';
import { InjectRuntime } from '../../runtime.token.js';
import {
  booleanOption,
  integerOption,
  readOptions,
  type V2Fields,
} from '../options/read-options.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings, warningField } from '../options/warnings.js';
import { jobAddress } from './job-address.js';
import { V2JobResponses } from './send-v2-job.js';
import { JOB_STATE_ERRORS, V2BatchBody, V2BatchStarted, V2JobState } from './v2-job.dto.js';
import { BatchRequest, MAX_BATCH_URLS } from '../../batch/batch.dto.js';
import { parseBody } from '../../http/validation.pipe.js';
import { withScheme } from '../options/target.js';
import { webhookOf } from '../options/webhook.js';
import { JOB_PAGE_OPTIONS, jobPageOptions, REFUSED_ON_JOBS } from './parse-v2-crawl.js';

const RULES = {
  honoured: ['urls', 'ignoreInvalidURLs', 'maxConcurrency', 'webhook', ...JOB_PAGE_OPTIONS],
  refused: { ...REFUSED_ON_JOBS, appendToId: 'a batch is complete when it starts' },
};

interface V2Batch {
  readonly request: BatchRequest;
  readonly extras: BatchExtras;
  readonly schemeless: readonly number[];
}

/** A batch of /v2 in the terms of POST /v1/batch with `async`. @throws ApiError */
export async function parseV2Batch(body: V2Fields, warnings: Warnings): Promise<V2Batch> {
  const options = readOptions(body, RULES, warnings);
  const { urls: sent, ignoreInvalidURLs, maxConcurrency, webhook } = options;
  const { urls, schemeless } = completed(sent);
  const request = await parseBody(BatchRequest, {
    urls,
    async: true,
    extractListing: false,
    webhook: webhookOf(webhook, warnings),
    ...jobPageOptions(options, '', warnings),
  });
  const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const workers = integerOption(maxConcurrency, 'maxConcurrency', bounds);
  const skipsInvalid = booleanOption(ignoreInvalidURLs, 'ignoreInvalidURLs') ?? false;
  return {
    request,
    extras: { ...(workers === undefined ? {} : { workers }), skipsInvalid },
    schemeless,
  };
}

function completed(urls: unknown): Pick<V2Batch, 'schemeless'> & { readonly urls: unknown } {
  if (!Array.isArray(urls)) return { urls, schemeless: [] };
  if (urls.length > MAX_BATCH_URLS) throw new ApiError('too_many_urls', { limit: MAX_BATCH_URLS });
  const whole = urls.map(withScheme);
  const schemeless = whole.flatMap((url, index) => (url === urls[index] ? [] : [index]));
  return { urls: whole, schemeless };
}

const REFUSED_HEADER = 'x-idempotency-key';

@ApiTags('v2')
@Controller('v2/batch/scrape')
export class V2BatchController {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'publicUrl'>,
    private readonly batches: BatchService,
    private readonly responses: V2JobResponses,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Scrape up to 100 pages as a job (compatibility set)',
    operationId: 'startBatchCompatible',
  })
  @ApiBody({ type: V2BatchBody })
  @ApiOkResponse({ type: V2BatchStarted })
  @RequiresV2Key(
    'immediate',
    ...TARGET_BODY_ERRORS,
    'payment_required',
    'invalid_urls',
    'too_many_urls',
    'idempotency_unsupported',
    'unsupported_format',
    'unsupported_action',
    'unsupported_option',
    'batch_unavailable',
  )
  async start(
    @V2Body() body: V2Fields,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    if (request.headers[REFUSED_HEADER] !== undefined)
      throw new ApiError('idempotency_unsupported');
    const warnings = new Warnings();
    const { request: batch, extras, schemeless } = await parseV2Batch(body, warnings);
    const v2: V2Job = {
      warning: warnings.text,
      ...(schemeless.length === 0 ? {} : { schemeless }),
    };
    const started = await this.batches.startJob(batch, tenant, id, { ...extras, v2 });
    const { pages, paidPages, refused } = started;
    if (paidPages < pages) warnings.note(`Your credits cover ${paidPages} of ${pages} pages.`);
    return {
      success: true,
      id,
      url: jobAddress(request, `/v2/batch/scrape/${id}`, this.runtime.publicUrl),
      ...(extras.skipsInvalid
        ? { invalidURLs: refused.map(({ place, url }) => sentAt(body, place) ?? url) }
        : {}),
      ...warningField(warnings),
    };
  }

  @Get(':id')
  @ApiOperation({
    summary: 'State and pages of a batch (compatibility set)',
    operationId: 'getBatchCompatible',
  })
  @ApiOkResponse({ type: V2JobState })
  @RequiresV2Key({ kind: 'polls', isWatchable: true }, ...JOB_STATE_ERRORS)
  async view(
    @Param('id') id: string,
    @CurrentTenant() tenant: Tenant,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.responses.send(reply, tenant, id, 'batch');
  }
}

/** An entry of `urls` as sent; null if it was no text. */
function sentAt({ urls }: V2Fields, place: number): string | null {
  const entry: unknown = Array.isArray(urls) ? urls[place] : null;
  return typeof entry === 'string' ? entry : null;
}
