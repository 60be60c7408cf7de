import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/store';
import { CurrentTenant } from '../auth/require-key.js';
import { Keyed, TARGET_BODY_REFUSALS } from '../http/documented.js';
import { ScrapeRequest, ScrapeResult } from './scrape.dto.js';
import { ScrapeService } from './scrape.service.js';

@Controller('v1/scrape')
export class ScrapeController {
  constructor(private readonly scrapes: ScrapeService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Fetch one page as Markdown, HTML or links', operationId: 'scrape' })
  @ApiBody({ type: ScrapeRequest })
  @ApiOkResponse({ type: ScrapeResult })
  @Keyed(...TARGET_BODY_REFUSALS, 'fetch_failed', 'scrape_unavailable')
  async scrape(
    @Body() body: ScrapeRequest,
    @CurrentTenant() tenant: Tenant,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScrapeResult> {
    const abort = new AbortController();
    // Fires when the answer was sent, too; nobody waits by then.
    reply.raw.once('close', () => abort.abort(new Error('client went away')));
    const { result, credits } = await this.scrapes.scrape(body, tenant, abort.signal);
    void reply.header('x-credits-consumed', credits);
    return result;
  }
}
