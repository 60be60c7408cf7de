import { Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiResponse,
} from '@nestjs/swagger';
import { DELIVERY_STATES } from '@app/jobs';
import { type Tenant } from '@app/accounts';
import { CurrentTenant } from '../../accounts/auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import { EventBody } from './event.dto.js';
import { MAX_DELIVERIES, type DeliveryQueryText } from './parse-delivery-query.js';
import { DeliveryList, DeliveryView, SecretView, ShownSecret } from './webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiExtraModels(EventBody)
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'Webhooks and how they were delivered', operationId: 'listDeliveries' })
  @ApiQuery({
    name: 'jobId',
    required: false,
    description: 'Only that of this job.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({ name: 'state', required: false, enum: DELIVERY_STATES })
  @ApiQuery({
    name: 'cursor',
    required: false,
    description: 'The `next` of the page before.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_DELIVERIES, default: 20 },
  })
  @ApiOkResponse({ type: DeliveryList })
  @RequiresApiKey('invalid_request')
  list(@Query() query: DeliveryQueryText, @CurrentTenant() tenant: Tenant): Promise<DeliveryList> {
    return this.webhooks.list(tenant, query);
  }

  @Get('deliveries/:id')
  @ApiOperation({ summary: 'One webhook with its attempts', operationId: 'getDelivery' })
  @ApiOkResponse({ type: DeliveryView })
  @RequiresApiKey('delivery_not_found')
  view(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<DeliveryView> {
    return this.webhooks.view(tenant, id);
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a webhook again',
    description:
      'Whatever its state: at once, by a new schedule, under the same `webhook-id`. An address that was disabled by a 410 is enabled again.',
    operationId: 'redeliver',
  })
  @ApiResponse({ status: 202, type: DeliveryView })
  @RequiresApiKey('delivery_not_found')
  redeliver(@Param('id') id: string, @CurrentTenant() tenant: Tenant): Promise<DeliveryView> {
    return this.webhooks.redeliver(tenant, id);
  }

  @Get('secret')
  @ApiOperation({ summary: 'Which secret signs your webhooks', operationId: 'getWebhookSecret' })
  @ApiOkResponse({ type: SecretView })
  @RequiresApiKey('webhook_secret_not_found')
  secret(@CurrentTenant() tenant: Tenant): Promise<SecretView> {
    return this.webhooks.secret(tenant);
  }

  @Post('secret')
  @HttpCode(201)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Show a signing secret, once',
    description:
      'The one that signed deliveries before you asked for any, else a new one; the one before then signs beside it for 24 hours.',
    operationId: 'newWebhookSecret',
  })
  @ApiResponse({ status: 201, type: ShownSecret })
  @RequiresApiKey()
  newSecret(@CurrentTenant() tenant: Tenant): Promise<ShownSecret> {
    return this.webhooks.newSecret(tenant);
  }
}
