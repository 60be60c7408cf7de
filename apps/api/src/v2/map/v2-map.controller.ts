import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../../accounts/credits/set-credit-headers.js';
import { clientGone } from '../../http/client-gone.js';
import { CREDIT_ERRORS, TARGET_BODY_ERRORS, RequiresV2Key } from '../../http/documented.js';
import { ChargeId } from '../../http/idempotency/claimed-requests.js';
import { parseBody } from '../../http/validation.pipe.js';
import { MapRequest } from '../../map/map.dto.js';
import { MapService } from '../../map/map.service.js';
import { readOptions, type V2Fields } from '../options/read-options.js';
import { withScheme } from '../options/target.js';
import { V2Body } from '../options/v2-body.js';
import { Warnings, warningField } from '../options/warnings.js';
import { V2MapBody, V2MapResult } from './v2-map.dto.js';

@ApiTags('v2')
@Controller('v2/map')
export class V2MapController {
  constructor(private readonly maps: MapService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'List the URLs of a site (compatibility set)',
    operationId: 'mapCompatible',
  })
  @ApiBody({ type: V2MapBody })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: V2MapResult })
  @RequiresV2Key(
    { kind: 'waits', isCompressed: true },
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'map_fetch_failed',
    'map_timeout',
    'scrape_unavailable',
    'draining',
  )
  async map(
    @V2Body() body: V2Fields,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const warnings = new Warnings();
    const { url, limit, search } = readOptions(body, { honoured: HONOURED }, warnings);
    const request = await parseBody(MapRequest, { url: withScheme(url), limit, search });
    const call = { tenant, requestId: id, signal: clientGone(reply) };
    const { result, ...spent } = await this.maps.map(request, call);
    setCreditHeaders(reply, spent);
    const { links, timedOut, cuts = [] } = result;
    if (timedOut) warnings.note('The time limit was reached; the list is incomplete.');
    else if (cuts.length > 0) warnings.note(`The list is incomplete: ${cuts.join(', ')}.`);
    return {
      success: true,
      id,
      links: links.map((link) => ({ url: link })),
      ...warningField(warnings),
    };
  }
}

const HONOURED = ['url', 'limit', 'search'];
