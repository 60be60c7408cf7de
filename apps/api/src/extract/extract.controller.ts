import { Body, Controller, HttpCode, Post, Res, Module } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant, ChargeIds } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { anyOf, CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { ExtractRequest } from './extract.dto.js';
import { ExtractedData, ExtractedListing, ExtractedMany } from './extract-result.dto.js';
import { ExtractService, type ExtractAnswer } from './extract.service.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';

@Controller('v1/extract')
class ExtractController {
  constructor(private readonly extracts: ExtractService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Extract structured data from pages: a business listing, or data by a schema',
    operationId: 'extract',
  })
  @ApiBody({ type: ExtractRequest })
  @ApiExtraModels(ExtractedListing, ExtractedData, ExtractedMany)
  @ApiOkResponse({
    headers: CREDIT_HEADERS,
    schema: anyOf(ExtractedListing, ExtractedData, ExtractedMany),
  })
  @RequiresApiKey(
    { kind: 'waits', largeBody: 'document', isCompressed: true },
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'invalid_urls',
    'fetch_failed',
    'file_unreadable',
    'docx_unavailable',
    'llm_budget',
    'llm_quota',
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
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExtractAnswer['result']> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.extracts.extract(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}

@Module({
  imports: [FetchersModule],
  controllers: [ExtractController],
  providers: [ExtractService],
})
export class ExtractModule {}
