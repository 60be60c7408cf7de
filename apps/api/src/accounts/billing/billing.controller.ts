import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Tenant } from '@app/accounts';
import { CurrentTenant } from '../auth/require-key.js';
import { RequiresApiKey } from '../../http/documented.js';
import { ChargeId } from '../../http/idempotency/claimed-requests.js';
import { CheckoutRequest, HostedPage } from './billing.dto.js';
import { BillingService } from './billing.service.js';

@Controller('v1/billing')
export class BillingController {
  constructor(private readonly billing: BillingService) {}

  @Post('checkout')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Buy a plan, or change to another',
    description:
      'Answers with a page of the payment provider. The plan changes shortly after it was paid there. An account that pays for a plan already gets the page that changes its subscription, or its own billing page where it asks for the plan it has, so that nothing is paid twice.',
    operationId: 'checkout',
  })
  @ApiBody({ type: CheckoutRequest })
  @ApiOkResponse({ type: HostedPage })
  @RequiresApiKey(
    'invalid_json',
    'plan_required',
    'success_url_required',
    'cancel_url_required',
    'redirect_not_allowed',
    'unknown_plan',
    'invalid_request',
    'tenant_not_found',
    'body_too_large',
    'unsupported_media_type',
    'billing_unavailable',
    'payment_provider_failed',
    'payment_provider_unavailable',
  )
  checkout(
    @Body() body: CheckoutRequest,
    @CurrentTenant() tenant: Tenant,
    @ChargeId() chargeId: string,
  ): Promise<HostedPage> {
    return this.billing.checkout(body, tenant, chargeId);
  }

  @Get('portal')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Cards, invoices and cancelling, on a page of the payment provider',
    operationId: 'billingPortal',
  })
  @ApiOkResponse({ type: HostedPage })
  @RequiresApiKey(
    'no_billing_account',
    'billing_unavailable',
    'payment_provider_failed',
    'payment_provider_unavailable',
  )
  portal(@CurrentTenant() tenant: Tenant): Promise<HostedPage> {
    return this.billing.portal(tenant);
  }
}
