import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
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
  @ApiOperation({
    summary: 'Buy a plan or change it',
    description:
      'Returns a page of the payment provider. The plan changes shortly after the payment there. If the account already pays for a plan, the page changes its subscription; for the current plan it is the billing page. So nothing is paid twice.',
    operationId: 'checkout',
  })
  @ApiBody({ type: CheckoutRequest })
  @ApiOkResponse({ type: HostedPage })
  @RequiresApiKey(
    'immediate',
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
  @ApiOperation({
    summary: 'Manage cards, invoices and cancellation on a page of the payment provider',
    operationId: 'billingPortal',
  })
  @ApiOkResponse({ type: HostedPage })
  @RequiresApiKey(
    'immediate',
    'no_billing_account',
    'billing_unavailable',
    'payment_provider_failed',
    'payment_provider_unavailable',
  )
  portal(@CurrentTenant() tenant: Tenant): Promise<HostedPage> {
    return this.billing.portal(tenant);
  }
}
