import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { anyOf, CREDIT_REFUSALS, Keyed, TARGET_BODY_REFUSALS } from '../http/documented.js';
import { CurrentWork, type Work } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, tellCredits } from '../http/tell-credits.js';
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
  @Keyed(
    ...TARGET_BODY_REFUSALS,
    ...CREDIT_REFUSALS,
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
    @CurrentWork() work: Work,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScrapeResult | ScrapedFile> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.scrapes.scrape(body, call);
    tellCredits(reply, spent);
    return result;
  }
}
