import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ConnectorRegistry, RegisteredConnector } from '@app/connectors';
import { PLAN_LIMITS, type Plan } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../accounts/auth/require-key.js';
import { clientGone } from '../http/client-gone.js';
import { RequiresApiKey } from '../http/documented.js';
import { ChargeId } from '../http/idempotency/claimed-requests.js';
import { ConnectorCatalog, type ConnectorView } from './connectors.dto.js';
import { InjectConnectors } from './connectors.token.js';
import { PreviewRequest, PreviewResult } from './preview.dto.js';
import { PreviewService } from './preview.service.js';

@Controller('v1')
export class ConnectorsController {
  constructor(
    @InjectConnectors() private readonly connectors: ConnectorRegistry,
    private readonly previews: PreviewService,
  ) {}

  @Get('connectors')
  @ApiOperation({
    summary: 'The catalog of connectors',
    description: 'Sources of rows that can be previewed and pulled, with their schemas and prices.',
    operationId: 'listConnectors',
  })
  @ApiOkResponse({ type: ConnectorCatalog })
  @RequiresApiKey({ kind: 'immediate', isCompressed: true })
  catalog(@CurrentTenant() { plan }: Tenant): ConnectorCatalog {
    return { connectors: this.connectors.all.map((one) => presentConnector(one, plan)) };
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The first rows of a connector, and what a pull would cost',
    description:
      'Free, a limited number a day. The `jobId` can be pulled once by POST /v1/pull, within 24 hours.',
    operationId: 'preview',
  })
  @ApiBody({ type: PreviewRequest })
  @ApiOkResponse({ type: PreviewResult })
  @RequiresApiKey(
    { kind: 'waits', isCompressed: true },
    ...(['invalid_json', 'invalid_request', 'body_too_large', 'unsupported_media_type'] as const),
    ...(['connector_not_found', 'search_not_in_plan', 'preview_quota'] as const),
    ...([
      'scraper_not_set_up',
      'scraper_unavailable',
      'search_refused',
      'search_unavailable',
    ] as const),
    ...(['scrape_unavailable', 'draining'] as const),
  )
  preview(
    @Body() body: PreviewRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PreviewResult> {
    return this.previews.preview(body, { tenant, id, signal: clientGone(reply) });
  }
}

function presentConnector({ connector, price }: RegisteredConnector, plan: Plan): ConnectorView {
  const { id, title, description, params, schema, pricePerRecordUsd, needsSearchPlan } = connector;
  return {
    ...{ id, title, description, params, schema, pricePerRecordUsd },
    credits: price.credits,
    rowsPerCharge: price.rows,
    available: needsSearchPlan !== true || PLAN_LIMITS[plan].hasSearch,
  };
}
