import { Refusal } from '@app/contracts';
import { RateGate, type Store, type Tenant } from '@app/store';
import { RETRY_AFTER_SECONDS } from '../../limits/limit-rate.js';
import { countedIn } from '../../limits/rate-plan.js';

/** What the playground sends, for the table of what counts where. */
const SCRAPE = { method: 'POST', route: '/v1/scrape' } as const;

/**
 * Counts scrapes of the playground in the same windows as those of the API, whose own count is a matter
 * of requests with a key.
 */
export class CallLimit {
  private readonly gate: RateGate;

  constructor(store: Store) {
    this.gate = new RateGate(store);
  }

  /** @throws Refusal when the window of the tenant is full, or cannot be read */
  async pass(tenant: Tenant): Promise<void> {
    const counted = countedIn(SCRAPE, tenant);
    const asked = { tenantId: tenant.id, ...counted };
    const { isAdmitted } = await this.gate.pass(asked).catch((cause: unknown) => {
      throw new Refusal('auth_unavailable', {}, { cause });
    });
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (!isAdmitted) throw new Refusal('rate_limited', { limit: counted.limit, retryAfterSeconds });
  }
}
