import { Body, Controller, HttpCode, Post, Res, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { SearchRequest, SearchResult } from './search.dto.js';
import { SearchService } from './search.service.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';
import { ResultPages } from './result-pages.js';

@Controller('v1/search')
class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Search the web, with the pages of the results and a cited answer on request',
    description:
      'The backends of the service are tried in order; the first one with results is used. 2 credits per 10 results begun; a search without results is free. On the plans Pro and Scale, and on custom ones.',
    operationId: 'search',
  })
  @ApiBody({ type: SearchRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: SearchResult })
  @RequiresApiKey(
    { kind: 'waits', isCompressed: true },
    'invalid_json',
    'query_required',
    'invalid_request',
    'body_too_large',
    'unsupported_media_type',
    ...CREDIT_ERRORS,
    'search_not_in_plan',
    'search_refused',
    'search_unavailable',
    'scrape_unavailable',
    'draining',
  )
  async search(
    @Body() body: SearchRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.searches.search(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}

@Module({
  imports: [FetchersModule],
  controllers: [SearchController],
  providers: [SearchService, ResultPages],
  exports: [SearchService],
})
export class SearchModule {}
