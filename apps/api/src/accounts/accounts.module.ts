import { Module } from '@nestjs/common';
import { KeysController } from './keys/keys.controller.js';
import { ProvisionController } from './keys/provision.controller.js';
import { BillingController } from './billing/billing.controller.js';
import { PaymentEventsController } from './billing/payment-events.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { PricingController } from './pricing/pricing.controller.js';
import { KeysService } from './keys/keys.service.js';
import { ProvisionService } from './keys/provision.service.js';
import { BillingPayments } from './billing/billing-payments.js';
import { BillingService } from './billing/billing.service.js';
import { PaymentEventsService } from './billing/payment-events.service.js';
import { UsageService } from './usage/usage.service.js';

/** Keys, billing, usage, prices. */
@Module({
  controllers: [
    KeysController,
    ProvisionController,
    BillingController,
    PaymentEventsController,
    UsageController,
    PricingController,
  ],
  providers: [
    KeysService,
    ProvisionService,
    BillingPayments,
    BillingService,
    PaymentEventsService,
    UsageService,
  ],
})
export class AccountsModule {}
