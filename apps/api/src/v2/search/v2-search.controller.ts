import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import type { SearchResultItem } from '../../search/search.dto.js';
import { SearchService } from '../../search/search.service.js';
import type { V2Fields } from '../options/read-options.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings, warningField } from '../options/warnings.js';
import { parseV2Search } from './parse-v2-search.js';
import { V2SearchBody, V2SearchResult } from './v2-search.dto.js';

@ApiTags('v2')
@Controller('v2/search')
export class V2SearchController {
  constructor(private readonly searches: SearchService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Search the web (compatibility set)',
    operationId: 'searchCompatible',
  })
  @ApiBody({ type: V2SearchBody })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: V2SearchResult })
  @RequiresV2Key(
    { kind: 'waits', isCompressed: true },
    ...CREDIT_ERRORS,
    'query_required',
    'invalid_request',
    'unsupported_format',
    'unsupported_action',
    'unsupported_option',
    'search_not_in_plan',
    'search_refused',
    'search_unavailable',
    'scrape_unavailable',
    'draining',
  )
  async search(
    @V2Body() body: V2Fields,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<V2SearchResult> {
    const warnings = new Warnings();
    const { request, unsupported } = await parseV2Search(body, warnings);
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.searches.search(request, call);
    setCreditHeaders(reply, spent);
    return {
      success: true,
      id: work.requestId,
      data: { web: result.results.map(presentWebResult) },
      ...(unsupported.length > 0 ? { unsupported: [...unsupported] } : {}),
      creditsUsed: spent.credits,
      ...warningField(warnings),
    };
  }
}

/** `markdown` is absent where there is none: clients read null as a text. */
function presentWebResult({
  url,
  title,
  snippet,
  position,
  markdown,
}: SearchResultItem): V2SearchResult['data']['web'][number] {
  return { url, title, description: snippet, position, ...(markdown === null ? {} : { markdown }) };
}
