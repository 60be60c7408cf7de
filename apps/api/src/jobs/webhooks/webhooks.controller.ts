import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DELIVERY_STATES } from '@app/webhooks';
import { type Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { clientGone } from '../../http/client-gone.js';
import { RequiresApiKey } from '../../http/documented.js';
import { EVENT_BODIES } from './describe-webhooks.js';
import { MAX_LISTED_DELIVERIES, type DeliveryQueryText } from './parse-delivery-query.js';
import {
  DeliveryList,
  DeliveryView,
  SecretView,
  ShownSecret,
  TestWebhookRequest,
  TestWebhookResult,
} from './webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiExtraModels(...EVENT_BODIES)
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'List webhooks and their deliveries', operationId: 'listDeliveries' })
  @ApiQuery({
    name: 'jobId',
    required: false,
    description: 'Only the delivery of this job.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({ name: 'state', required: false, enum: DELIVERY_STATES })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'The `next` of the previous page.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_LISTED_DELIVERIES, default: 20 },
  })
  @ApiOkResponse({ type: DeliveryList })
  @RequiresApiKey('immediate', 'invalid_request')
  list(@Query() query: DeliveryQueryText, @CurrentTenant() tenant: Tenant): Promise<DeliveryList> {
    return this.webhooks.list(tenant, query);
  }

  @Get('deliveries/:id')
  @ApiOperation({ summary: 'Get one webhook with its attempts', operationId: 'getDelivery' })
  @ApiOkResponse({ type: DeliveryView })
  @RequiresApiKey('immediate', 'delivery_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<DeliveryView> {
    return this.webhooks.view(tenant, id);
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a webhook again',
    description:
      'In any state: sent at once, with a new schedule and the same `webhook-id`. A URL that a 410 disabled is enabled again.',
    operationId: 'redeliver',
  })
  @ApiResponse({ status: 202, type: DeliveryView })
  @RequiresApiKey('immediate', 'delivery_not_found')
  redeliver(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<DeliveryView> {
    return this.webhooks.redeliver(tenant, id);
  }

  @Post('test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send an example event to a URL',
    description:
      'Once, now, and signed like any other webhook. The response says what the receiver answered. Nothing is logged or retried.',
    operationId: 'testWebhook',
  })
  @ApiBody({ type: TestWebhookRequest })
  @ApiOkResponse({ type: TestWebhookResult })
  @RequiresApiKey('waits', 'invalid_request', 'invalid_url', 'blocked_url')
  test(
    @Body() { url }: TestWebhookRequest,
    @CurrentTenant() tenant: Tenant,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TestWebhookResult> {
    return this.webhooks.test(tenant, url, clientGone(reply));
  }

  @Get('secret')
  @ApiOperation({
    summary: 'Get the secret that signs your webhooks',
    operationId: 'getWebhookSecret',
  })
  @ApiOkResponse({ type: SecretView })
  @RequiresApiKey('immediate', 'webhook_secret_not_found')
  secret(@CurrentTenant() tenant: Tenant): Promise<SecretView> {
    return this.webhooks.secret(tenant);
  }

  @Post('secret')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Show a signing secret, only once',
    description:
      'The first call shows the secret that already signs your deliveries, if there is one. Each further call creates a new secret; the previous one keeps signing too for 24 hours.',
    operationId: 'newWebhookSecret',
  })
  @ApiResponse({ status: 201, type: ShownSecret })
  @RequiresApiKey({ kind: 'immediate', isShownOnce: true })
  newSecret(@CurrentTenant() tenant: Tenant): Promise<ShownSecret> {
    return this.webhooks.newSecret(tenant);
  }
}
