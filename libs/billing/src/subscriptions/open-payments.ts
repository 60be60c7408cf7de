import { parsePlanPrices, type PlanPrice, type Settings } from '@app/config';
import { EgressGuard, HttpClient } from '@app/egress';
import { StripePayments, type PaymentProvider } from '@app/providers';
import { VERSION } from '@app/runtime';

/** Stripe's servers keep idle connections for longer. */
const KEEP_ALIVE_MS = 4_000;

/** The payment provider of this deployment, and the plans of its prices. */
export interface Payments {
  readonly provider: PaymentProvider;
  readonly prices: readonly PlanPrice[];
  /** Aborts requests in flight. */
  abort(): void;
  /** Aborts, and ends the connections. */
  close(): Promise<void>;
}

type BillingSettings = Pick<
  Settings,
  'stripeSecretKey' | 'stripeWebhookSecret' | 'stripePrices' | 'stripeApiUrl'
>;

/** Names of the settings without which nothing can be sold; none: billing is on. */
export function missingSettings(settings: BillingSettings): readonly string[] {
  const { stripeSecretKey, stripeWebhookSecret, stripePrices } = settings;
  return [
    ...(stripeSecretKey === '' ? ['STRIPE_SECRET_KEY'] : []),
    ...(stripeWebhookSecret === '' ? ['STRIPE_WEBHOOK_SECRET'] : []),
    ...(parsePlanPrices(stripePrices).length === 0 ? ['STRIPE_PRICES'] : []),
  ];
}

/** Null when billing is not configured. Its requests leave for the configured address and no other. */
export function openPayments(settings: BillingSettings): Payments | null {
  if (missingSettings(settings).length > 0) return null;
  const url = settings.stripeApiUrl;
  const http = new HttpClient({
    guard: EgressGuard.forEndpoint(url),
    userAgent: `Trawl-Billing/${VERSION}`,
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const provider = new StripePayments({
    http,
    url,
    secretKey: settings.stripeSecretKey,
    webhookSecret: settings.stripeWebhookSecret,
  });
  return {
    provider,
    prices: parsePlanPrices(settings.stripePrices),
    abort: () => provider.close(),
    async close() {
      provider.close();
      await http.close();
    },
  };
}
