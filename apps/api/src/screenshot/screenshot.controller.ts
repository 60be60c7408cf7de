import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { CREDIT_REFUSALS, Keyed, TARGET_BODY_REFUSALS } from '../http/documented.js';
import { CurrentWork, type Work } from '../http/idempotency/claimed-requests.js';
import { CREDIT_HEADERS, tellCredits } from '../http/tell-credits.js';
import { ScreenshotRequest, ScreenshotResult } from './screenshot.dto.js';
import { ScreenshotService } from './screenshot.service.js';

@Controller('v1/screenshot')
export class ScreenshotController {
  constructor(private readonly screenshots: ScreenshotService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Picture of a page', operationId: 'screenshot' })
  @ApiBody({ type: ScreenshotRequest })
  @ApiOkResponse({ headers: CREDIT_HEADERS, type: ScreenshotResult })
  @Keyed(
    ...TARGET_BODY_REFUSALS,
    ...CREDIT_REFUSALS,
    'screenshot_quota',
    'screenshot_failed',
    'screenshot_unavailable',
    'scrape_unavailable',
    'draining',
  )
  async screenshot(
    @Body() body: ScreenshotRequest,
    @CurrentTenant() tenant: Tenant,
    @CurrentWork() work: Work,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScreenshotResult> {
    const call = { tenant, ...work, signal: clientGone(reply) };
    const { result, ...spent } = await this.screenshots.shoot(body, call);
    tellCredits(reply, spent);
    return result;
  }
}
