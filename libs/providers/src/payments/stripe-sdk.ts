import { createRequire } from 'node:module';
import type Stripe from 'stripe';

let loaded: typeof Stripe | undefined;

/** Stripe's SDK, loaded at first use: a process without billing saves its 35 MiB. */
export function stripeSdk(): typeof Stripe {
  loaded ??= createRequire(import.meta.url)('stripe') as typeof Stripe;
  return loaded;
}
