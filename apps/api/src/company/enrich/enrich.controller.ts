import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ApiErrorCode } from '@app/contracts';
import type { Tenant, ChargeIds } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { EnrichRequest, EnrichWebsiteRequest } from './enrich.dto.js';
import { EnrichResult } from './enrich-result.dto.js';
import { EnrichService, type EnrichAnswer } from './enrich.service.js';

const API_ERRORS: readonly ApiErrorCode[] = [
  'invalid_json',
  'domain_required',
  'invalid_url',
  'blocked_url',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
  ...CREDIT_ERRORS,
  'fetch_failed',
  'scrape_unavailable',
  'draining',
];

@Controller('v1/enrich')
export class EnrichController {
  constructor(private readonly enrichments: EnrichService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Enrich a company from its homepage and the usual pages',
    description:
      'Reads the homepage, /about, /about-us, /team, /our-team, /contact and /contact-us: e-mail addresses, phones, social profiles, technologies, team. Missing pages are not an error. Robots.txt is obeyed.',
    operationId: 'enrich',
  })
  @ApiBody({ type: EnrichRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: EnrichResult })
  @RequiresApiKey({ kind: 'waits', isCompressed: true }, ...API_ERRORS)
  async enrich(
    @Body() body: EnrichRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnrichResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    return answered(reply, await this.enrichments.enrich(body, 'fixed', call));
  }

  @Post('website')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Enrich a company from the most informative pages of its site',
    description:
      'Like POST /v1/enrich, but reads the homepage and the pages it links to: about, team, contact and similar ones, selected by link text and URL in several languages.',
    operationId: 'enrichWebsite',
  })
  @ApiBody({ type: EnrichWebsiteRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: EnrichResult })
  @RequiresApiKey({ kind: 'waits', isCompressed: true }, ...API_ERRORS)
  async enrichWebsite(
    @Body() body: EnrichWebsiteRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnrichResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    return answered(reply, await this.enrichments.enrich(body, 'chosen', call));
  }
}

function answered(reply: FastifyReply, { result, ...spent }: EnrichAnswer): EnrichResult {
  setCreditHeaders(reply, spent);
  return result;
}
