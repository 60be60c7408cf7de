import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import { ChargeId } from '../../http/idempotency/claimed-requests.js';
import { ReextractAccepted, ReextractRequest } from './reextract.dto.js';
import { ReextractService } from './reextract.service.js';
import { JOB_ROOM_ERRORS } from '../admit-job.js';

@Controller('v1/crawl/:id/extract')
export class ReextractController {
  constructor(private readonly reextractions: ReextractService) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Extract new outputs from the stored pages of an ended job',
    description:
      'Starts a new job that fetches nothing: other formats, a listing, or data by a schema, from the stored pages of a crawl or an async batch. Poll it, read it, cancel it and get its webhook like any other job.',
    operationId: 'startReextraction',
  })
  @ApiBody({ type: ReextractRequest })
  @ApiResponse({ status: 202, type: ReextractAccepted })
  @RequiresApiKey(
    'immediate',
    'invalid_json',
    'invalid_url',
    'blocked_url',
    'invalid_request',
    'body_too_large',
    'unsupported_media_type',
    'payment_required',
    ...JOB_ROOM_ERRORS,
    'job_not_found',
    'job_running',
    'nothing_stored',
    'results_expired',
    'llm_unavailable',
    'extraction_unavailable',
  )
  start(
    @Param('id') sourceId: string,
    @Body() body: ReextractRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
  ): Promise<ReextractAccepted> {
    return this.reextractions.start({ sourceId, body, tenant, id });
  }
}
