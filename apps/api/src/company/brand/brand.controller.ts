import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant, ChargeIds } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../../http/documented.js';
import { CurrentCharge } from '../../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { BrandRequest, BrandResult } from './brand.dto.js';
import { BrandService } from './brand.service.js';

@Controller('v1/brand')
export class BrandController {
  constructor(private readonly brands: BrandService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Read the brand of a company: logo, colors, fonts, profiles, industry',
    description:
      'Reads the homepage, its style sheets (40 at most, 512 KB each, 2 MB and 6 seconds together) and its web manifest. `brand_meta.reasons` lists the limits that cut it. Robots.txt is obeyed.',
    operationId: 'brand',
  })
  @ApiBody({ type: BrandRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: BrandResult })
  @RequiresApiKey(
    { kind: 'waits', isCompressed: true },
    'invalid_json',
    'domain_required',
    'invalid_url',
    'blocked_url',
    ...CREDIT_ERRORS,
    'brand_fetch_failed',
    'invalid_request',
    'body_too_large',
    'unsupported_media_type',
    'scrape_unavailable',
    'draining',
  )
  async brand(
    @Body() body: BrandRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BrandResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.brands.brand(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}
