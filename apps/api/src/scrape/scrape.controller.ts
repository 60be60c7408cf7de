import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant, ChargeIds } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { anyOf, CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { ScrapeRequest } from './scrape.dto.js';
import { ScrapedFile, ScrapeResult } from './scrape-result.dto.js';
import { ScrapeService } from './scrape.service.js';

@Controller('v1/scrape')
export class ScrapeController {
  constructor(private readonly scrapes: ScrapeService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Fetch one page as Markdown, HTML, links, JSON, summary or branding',
    operationId: 'scrape',
  })
  @ApiBody({ type: ScrapeRequest })
  @ApiExtraModels(ScrapeResult, ScrapedFile)
  @ApiOkResponse({ headers: CREDIT_HEADERS, schema: anyOf(ScrapeResult, ScrapedFile) })
  @RequiresApiKey(
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'action_not_available',
    'not_cached',
    'fetch_failed',
    'file_unreadable',
    'docx_unavailable',
    'llm_unavailable',
    'llm_schema',
    'scrape_unavailable',
    'draining',
    'browser_unavailable',
  )
  async scrape(
    @Body() body: ScrapeRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScrapeResult | ScrapedFile> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.scrapes.scrape(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}
