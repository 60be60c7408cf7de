import { ApiError } from '@app/contracts';
import { PaymentProviderError, type PaymentProvider } from '@app/providers';
import {
  keepCustomer,
  openBillingAccount,
  renewClaim,
  type BillingAccount,
} from './billing-account.js';
import { type Database } from '@app/database';

/** Another process makes the same customer: it is there within this time, or it died over it. */
const CONFLICT_TRIES = 20;
const CONFLICT_PAUSE_MS = 250;

/** The tenant's customer at the provider. */
export interface Customer {
  readonly tenantId: string;
  readonly customerId: string;
  readonly claimId: string;
  /** Made by this call: it has paid for nothing yet. */
  readonly isNew: boolean;
}

/**
 * Makes each tenant's customer once. Calls in one process wait for one another; those of several go by
 * the same key, which the provider answers with the same customer, also when the first died over it.
 */
export class BillingCustomers {
  private readonly opening = new Map<string, Promise<Customer>>();

  constructor(private readonly database: Database) {}

  /** @throws Refusal | PaymentProviderError */
  ensure(provider: PaymentProvider, tenantId: string): Promise<Customer> {
    const running = this.opening.get(tenantId);
    if (running) return running;
    const made = this.open(provider, tenantId).finally(() => this.opening.delete(tenantId));
    this.opening.set(tenantId, made);
    return made;
  }

  /** The provider no longer has this customer: the next one is made anew. */
  async forget(customer: Customer): Promise<void> {
    await renewClaim(this.database, customer);
  }

  private async open(provider: PaymentProvider, tenantId: string): Promise<Customer> {
    for (let tries = 1; ; tries++) {
      const account = await openBillingAccount(this.database, {
        tenantId,
        provider: provider.name,
      });
      if (account === null) throw new ApiError('tenant_not_found');
      const { customerId, claimId } = account;
      if (customerId !== null) return { tenantId, customerId, claimId, isNew: false };
      const made = await this.make(provider, account);
      if (made !== null) return { tenantId, customerId: made, claimId, isNew: true };
      if (tries >= CONFLICT_TRIES) {
        throw new PaymentProviderError('conflict', 'another request is creating the customer');
      }
      await new Promise((resolve) => setTimeout(resolve, CONFLICT_PAUSE_MS));
    }
  }

  /** Null: another request is creating it, or created it meanwhile. */
  private async make(
    provider: PaymentProvider,
    { tenantId, claimId }: BillingAccount,
  ): Promise<string | null> {
    try {
      const idempotencyKey = `customer-${claimId}`;
      const customerId = await provider.createCustomer({ tenantId, idempotencyKey });
      const isKept = await keepCustomer(this.database, { tenantId, claimId, customerId });
      return isKept ? customerId : null;
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error;
      if (error.failure === 'conflict') return null;
      // The provider would repeat its failure for as long as it remembers the key.
      const isFinal = error.failure === 'failed' || error.failure === 'refused';
      if (isFinal) await renewClaim(this.database, { tenantId, claimId });
      throw error;
    }
  }
}
