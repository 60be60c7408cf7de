import { RateGate, type Store, type Tenant } from '@app/store';
import { admit } from '../../limits/limit-rate.js';
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

  /** @throws Refusal as a call of the API */
  async pass(tenant: Tenant): Promise<void> {
    await admit(this.gate, tenant, countedIn(SCRAPE, tenant));
  }
}
