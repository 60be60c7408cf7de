import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import { PaymentEventError, type PaymentEvent, type PaymentProvider } from '@app/providers';
import type { Runtime } from '@app/runtime';
import { receivePaymentEvent } from '@app/billing';
import { InjectRuntime } from '../../runtime.token.js';
import { BillingPayments } from './billing-payments.js';
import type { EventReceipt } from './billing.dto.js';

/** Stores the provider's events; a loop applies them (see EventApplier). */
@Injectable()
export class PaymentEventsService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'log'>,
    private readonly payments: BillingPayments,
  ) {}

  /** Resolves when the event is committed. @throws ApiError */
  async receive(rawBody: string, signature: string | undefined): Promise<EventReceipt> {
    const { provider } = this.payments.require();
    const event = this.read(provider, rawBody, signature);
    if (event !== null) await this.keep(provider.name, event);
    return { received: true };
  }

  private read(
    provider: PaymentProvider,
    rawBody: string,
    signature: string | undefined,
  ): PaymentEvent | null {
    try {
      return provider.parseEvent(rawBody, signature);
    } catch (error) {
      if (!(error instanceof PaymentEventError)) throw error;
      this.runtime.log.warn({ problem: error.message }, 'rejected a payment event');
      throw new ApiError('payment_event_invalid', { problem: error.message });
    }
  }

  private async keep(provider: string, { id, type, customerId }: PaymentEvent): Promise<void> {
    const { database, log } = this.runtime;
    try {
      const isNew = await receivePaymentEvent(database, { provider, id, type, customerId });
      log.info({ eventId: id, type, isNew }, 'payment event');
    } catch (cause) {
      // Whatever the database error is: the provider retries for days.
      throw new ApiError('payment_event_unstored', {}, { cause });
    }
  }
}
