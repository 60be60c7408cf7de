import type { PayPerCallTerms } from '@app/config';
import { EgressGuard, HttpClient } from '@app/egress';
import { HttpFacilitator, type Facilitator } from '@app/providers';
import { VERSION } from '@app/runtime';

/** Less than servers keep an idle connection: one that is found dead fails a settlement. */
const KEEP_ALIVE_MS = 4_000;

/** The facilitator of this deployment. */
export interface OpenFacilitator {
  readonly facilitator: Facilitator;
  /** Aborts requests in flight, and closes the connections. */
  close(): Promise<void>;
}

/** Its requests leave for the configured address and no other. */
export function openFacilitator({
  facilitatorUrl: url,
  facilitatorToken: token,
}: PayPerCallTerms): OpenFacilitator {
  const http = new HttpClient({
    guard: EgressGuard.forEndpoint(url),
    userAgent: `Trawl-Payments/${VERSION}`,
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const facilitator = new HttpFacilitator({ http, url, token });
  return {
    facilitator,
    async close() {
      facilitator.close();
      await http.close();
    },
  };
}
