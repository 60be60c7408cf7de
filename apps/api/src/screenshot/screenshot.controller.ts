import { Body, Controller, HttpCode, Post, Res, Module } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant, ChargeIds } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_ERRORS, RequiresApiKey, TARGET_BODY_ERRORS } from '../http/documented.js';
import { CurrentCharge } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, setCreditHeaders } from '../accounts/credits/set-credit-headers.js';
import { ScreenshotRequest, ScreenshotResult } from './screenshot.dto.js';
import { ScreenshotService } from './screenshot.service.js';
import { FetchersModule } from '../fetchers/fetchers.module.js';

@Controller('v1/screenshot')
class ScreenshotController {
  constructor(private readonly screenshots: ScreenshotService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Picture of a page', operationId: 'screenshot' })
  @ApiBody({ type: ScreenshotRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: ScreenshotResult })
  @RequiresApiKey(
    'waits',
    ...TARGET_BODY_ERRORS,
    ...CREDIT_ERRORS,
    'fetch_failed',
    'screenshot_quota',
    'screenshot_failed',
    'screenshot_unavailable',
    'scrape_unavailable',
    'draining',
  )
  async screenshot(
    @Body() body: ScreenshotRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentCharge() work: ChargeIds,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScreenshotResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.screenshots.shoot(body, call);
    setCreditHeaders(reply, spent);
    return result;
  }
}

@Module({
  imports: [FetchersModule],
  controllers: [ScreenshotController],
  providers: [ScreenshotService],
})
export class ScreenshotModule {}
