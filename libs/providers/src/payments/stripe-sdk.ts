import { createRequire } from 'node:module';
import type Stripe from 'stripe';

let loaded: typeof Stripe | undefined;

/** Stripe's SDK, loaded when it is first needed: it takes 35 MiB, which a process without billing saves. */
export function stripeSdk(): typeof Stripe {
  loaded ??= createRequire(import.meta.url)('stripe') as typeof Stripe;
  return loaded;
}
