import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ScraperName } from '@app/connectors';
import type { ApiErrorCode } from '@app/contracts';
import { type ChargeIds, type Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import {
  ListingsScraperResult,
  LocatedScraperRequest,
  MapsScraperRequest,
  MapsScraperResult,
  ReviewsScraperResult,
} from './scrapers.dto.js';
import { ScrapersService, type ScrapedRows } from './scrapers.service.js';

/** Errors of every search scraper. */
const SCRAPER_ERRORS: readonly ApiErrorCode[] = [
  ...(['invalid_json', 'query_required', 'invalid_request'] as const),
  ...(['body_too_large', 'unsupported_media_type'] as const),
  ...CREDIT_ERRORS,
  ...(['scraper_not_set_up', 'scraper_unavailable', 'scrape_unavailable', 'draining'] as const),
];

@Controller('v1/scrapers')
export class ScrapersController {
  constructor(private readonly scrapers: ScrapersService) {}

  @Post('maps')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Local businesses from a maps directory',
    description:
      'Rows of the first source of the operator that has some. A credit per row; a search without rows is free. On the Free plan sample rows, marked `mock`, until the operator enables the live scraper for the account.',
    operationId: 'scrapeMaps',
  })
  @ApiBody({ type: MapsScraperRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: MapsScraperResult })
  @RequiresApiKey({ kind: 'waits', isCompressed: true }, ...SCRAPER_ERRORS)
  maps(
    @Body() body: MapsScraperRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MapsScraperResult> {
    return this.run('maps', body, { tenant, work, reply });
  }

  @Post('reviews')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Local businesses from a reviews site',
    description:
      'Rows of the first source of the operator that has some. A credit per row; a search without rows is free.',
    operationId: 'scrapeReviews',
  })
  @ApiBody({ type: LocatedScraperRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: ReviewsScraperResult })
  @RequiresApiKey({ kind: 'waits', isCompressed: true }, ...SCRAPER_ERRORS, 'location_required')
  reviews(
    @Body() body: LocatedScraperRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReviewsScraperResult> {
    return this.run('reviews', body, { tenant, work, reply });
  }

  @Post('listings')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Local businesses from a phone-book directory',
    description:
      'Rows of the first source of the operator that has some. A credit per row; a search without rows is free.',
    operationId: 'scrapeListings',
  })
  @ApiBody({ type: LocatedScraperRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: ListingsScraperResult })
  @RequiresApiKey({ kind: 'waits', isCompressed: true }, ...SCRAPER_ERRORS, 'location_required')
  listings(
    @Body() body: LocatedScraperRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListingsScraperResult> {
    return this.run('listings', body, { tenant, work, reply });
  }

  private async run(
    scraper: ScraperName,
    body: MapsScraperRequest,
    { tenant, work, reply }: CallParts,
  ): Promise<ScrapedRows> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.scrapers.scrape(scraper, body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}

interface CallParts {
  readonly tenant: Tenant;
  readonly work: ChargeIds;
  readonly reply: FastifyReply;
}
