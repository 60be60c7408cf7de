import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { anyOf, CREDIT_REFUSALS, Keyed, TARGET_BODY_REFUSALS } from '../http/documented.js';
import { CurrentWork, type Work } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, tellCredits } from '../http/tell-credits.js';
import { ExtractRequest } from './extract.dto.js';
import { ExtractedData, ExtractedListing, ExtractedMany } from './extract-result.dto.js';
import { ExtractService, type ExtractAnswer } from './extract.service.js';

@Controller('v1/extract')
export class ExtractController {
  constructor(private readonly extracts: ExtractService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Read structured data from pages: a business listing, or what a schema asks for',
    operationId: 'extract',
  })
  @ApiBody({ type: ExtractRequest })
  @ApiExtraModels(ExtractedListing, ExtractedData, ExtractedMany)
  @ApiOkResponse({
    headers: CREDIT_HEADERS,
    schema: anyOf(ExtractedListing, ExtractedData, ExtractedMany),
  })
  @Keyed(
    ...TARGET_BODY_REFUSALS,
    ...CREDIT_REFUSALS,
    'invalid_urls',
    'fetch_failed',
    'file_unreadable',
    'docx_unavailable',
    'llm_budget',
    'llm_invalid',
    'llm_schema',
    'llm_failed',
    'llm_unavailable',
    'scrape_unavailable',
    'draining',
    'browser_unavailable',
  )
  async extract(
    @Body() body: ExtractRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentWork() work: Work,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExtractAnswer['result']> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.extracts.extract(body, call);
    tellCredits(reply, spent);
    return result;
  }
}
