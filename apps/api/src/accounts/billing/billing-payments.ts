import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { InjectRuntime } from '../../runtime.token.js';
import { missingSettings, openPayments, type Payments } from '@app/billing';

/** The payment provider for requests, if one is configured. */
@Injectable()
export class BillingPayments implements OnModuleDestroy {
  private readonly payments: Payments | null;

  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>) {
    this.payments = openPayments(runtime.settings);
  }

  async onModuleDestroy(): Promise<void> {
    await this.payments?.close();
  }

  /** @throws ApiError that names the missing settings */
  require(): Payments {
    if (this.payments !== null) return this.payments;
    const settings = missingSettings(this.runtime.settings).join(', ');
    throw new ApiError('billing_unavailable', { settings });
  }
}
