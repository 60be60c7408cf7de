import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, TARGET_BODY_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import { ScrapeService } from '../../scrape/scrape.service.js';
import { presentV2Page } from '../documents/present-document.js';
import { V2ScrapeResult } from '../documents/v2-document.dto.js';
import type { V2Fields } from '../options/read-options.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings, warningField } from '../options/warnings.js';
import { parseV2Scrape } from './parse-v2-scrape.js';
import { V2ScrapeBody } from './v2-scrape.dto.js';

@ApiTags('v2')
@Controller('v2/scrape')
export class V2ScrapeController {
  constructor(private readonly scrapes: ScrapeService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Fetch one page (compatibility set)', operationId: 'scrapeCompatible' })
  @ApiBody({ type: V2ScrapeBody })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: V2ScrapeResult })
  @RequiresV2Key(
    { kind: 'waits', isCompressed: true },
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'unsupported_format',
    'unsupported_action',
    'unsupported_option',
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
    @V2Body() body: V2Fields,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const warnings = new Warnings();
    const { request, extras, formats, sourceUrl } = await parseV2Scrape(body, warnings);
    const call = { tenant, ...work, signal: clientGone(reply) };
    const scraped = await this.scrapes.scrapePage(request, call, extras);
    const { page, screenshot, ...spent } = scraped;
    setCreditHeaders(reply, spent);
    const terms = { names: formats.names, sourceUrl, screenshot, warnings };
    const data = presentV2Page(page, {
      ...terms,
      credits: spent.credits,
      scrapeId: work.requestId,
    });
    return { success: true, data, ...warningField(warnings) };
  }
}
