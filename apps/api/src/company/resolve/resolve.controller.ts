import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ChargeIds, Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import { ResolveRequest, ResolveResult } from './resolve.dto.js';
import { ResolveService } from './resolve.service.js';

@Controller('v1/resolve')
export class ResolveController {
  constructor(private readonly companies: ResolveService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Resolve a domain, an e-mail address or a name to one company record',
    description:
      'A company that the graph knows is returned at once; one that it does not know is read from its site and stored. `{resolved: false, error}` when the site cannot be read. 1 credit for a record, none without one.',
    operationId: 'resolve',
  })
  @ApiBody({ type: ResolveRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: ResolveResult })
  @RequiresApiKey(
    { kind: 'immediate', isCompressed: true },
    'invalid_json',
    'company_required',
    'invalid_url',
    'blocked_url',
    ...CREDIT_ERRORS,
    'company_not_found',
    'invalid_request',
    'body_too_large',
    'unsupported_media_type',
    'graph_disabled',
    'scrape_unavailable',
    'draining',
  )
  async resolve(
    @Body() body: ResolveRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ResolveResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.companies.resolve(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}
