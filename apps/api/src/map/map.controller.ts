import { Body, Controller, HttpCode, Post, Res, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CREDIT_COSTS, type Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { MapRequest, MapResult } from './map.dto.js';
import { MapService } from './map.service.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';

const PRICE = {
  name: 'map',
  credits: CREDIT_COSTS.map,
  description: 'The addresses of a web site',
} as const;

@Controller('v1/map')
class MapController {
  constructor(private readonly maps: MapService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'List the URLs of a site, from its sitemaps or its pages',
    description:
      'Reads the sitemap of the folder of `url`, the sitemaps that robots.txt names, /sitemap.xml and /sitemap_index.xml, with up to 15 children of indexes. For a site without sitemaps it returns the internal links of the page at `url` and of the homepage; that page is also read, and its links come first, when the sitemaps list none in its folder. Links to other hosts are excluded; a leading `www.` makes no difference.',
    operationId: 'map',
  })
  @ApiBody({ type: MapRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: MapResult })
  @RequiresApiKey(
    { kind: 'waits', price: PRICE, isCompressed: true },
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'map_fetch_failed',
    'map_timeout',
    'scrape_unavailable',
    'draining',
  )
  async map(
    @Body() body: MapRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MapResult> {
    const { result, ...spent } = await this.maps.map(body, {
      tenant,
      requestId,
      signal: clientGone(reply),
    });
    setCreditHeaders(reply, spent);
    return result;
  }
}

@Module({
  imports: [FetchersModule],
  controllers: [MapController],
  providers: [MapService],
  exports: [MapService],
})
export class MapModule {}
