import { address, checked, integer, text, type Field } from '../fields.js';
import { parseMailFrom, parseSmtpUrl } from '../mail-settings.js';
import {
  parseAccount,
  parseFacilitatorUrl,
  parseNetwork,
  parseOfferExtra,
  parseUnits,
} from '../pay-per-call-values.js';
import { parseOrigins, parsePlanPrices } from '../plan-prices.js';

/** Billing, pay-per-call and e-mail. */
export const ACCOUNT_SETTINGS = {
  stripeSecretKey: text(
    'STRIPE_SECRET_KEY',
    'Secret or restricted key of the Stripe account that receives the payments; empty: billing answers 503.',
    { fallback: '', isSecret: true },
  ),
  stripeWebhookSecret: text(
    'STRIPE_WEBHOOK_SECRET',
    'Signing secret (whsec_…) of the Stripe endpoint that sends events to /webhooks/stripe.',
    { fallback: '', isSecret: true },
  ),
  stripePrices: checked(
    'STRIPE_PRICES',
    'Recurring prices in Stripe: comma-separated plan:price, plans hobby, pro, scale; the first of a plan is sold.',
    parsePlanPrices,
    { fallback: '' },
  ),
  stripeApiUrl: address('STRIPE_API_URL', 'Address of the Stripe API.', ['http://', 'https://'], {
    fallback: 'https://api.stripe.com',
  }),
  billingRedirectOrigins: checked(
    'BILLING_REDIRECT_ORIGINS',
    'Allowed origins of successUrl and cancelUrl of a checkout, comma-separated; that of PUBLIC_URL is always allowed; empty: any http(s) URL.',
    parseOrigins,
    { fallback: '' },
  ),
  payPerCallPrice: checked(
    'PAY_PER_CALL_PRICE',
    'Price of a credit for callers that pay by call (x402), in the smallest units of PAY_PER_CALL_ASSET; empty: every call needs a key.',
    parseUnits,
    { fallback: '' },
  ),
  payPerCallNetwork: checked(
    'PAY_PER_CALL_NETWORK',
    'Network of the payments in CAIP-2 form, e.g. eip155:8453.',
    parseNetwork,
    { fallback: '' },
  ),
  payPerCallAsset: checked(
    'PAY_PER_CALL_ASSET',
    'Token of the payments: its address on that network.',
    parseAccount,
    { fallback: '' },
  ),
  payPerCallPayTo: checked(
    'PAY_PER_CALL_PAY_TO',
    'Address that receives the payments.',
    parseAccount,
    {
      fallback: '',
    },
  ),
  payPerCallExtra: checked(
    'PAY_PER_CALL_EXTRA',
    'Further data for payers, a JSON object: for an EVM token the name and version of its signing domain.',
    parseOfferExtra,
    { fallback: '' },
  ),
  payPerCallFacilitatorUrl: checked(
    'PAY_PER_CALL_FACILITATOR_URL',
    'Facilitator that verifies and settles payments: the address before /verify and /settle.',
    parseFacilitatorUrl,
    { fallback: '' },
  ),
  payPerCallFacilitatorToken: text(
    'PAY_PER_CALL_FACILITATOR_TOKEN',
    'Bearer token for the facilitator; empty: none.',
    { fallback: '', isSecret: true },
  ),
  payPerCallRequestsPerMinute: integer(
    'PAY_PER_CALL_REQUESTS_PER_MINUTE',
    'Paid calls that one client address (IPv4, or the /64 of IPv6) may send within a minute.',
    { fallback: 60, min: 1, max: 100_000 },
  ),

  smtpUrl: checked(
    'SMTP_URL',
    'Mail server for sign-in by e-mail: smtp://[user:password@]host[:port], with STARTTLS except on this machine, or smtps://…; empty: embedded starts write the links to their log, clusters offer none.',
    parseSmtpUrl,
    { fallback: '', isSecret: true },
  ),
  mailFrom: checked(
    'MAIL_FROM',
    'Sender of those mails, needed with SMTP_URL: an address, or a name with it in angle brackets.',
    parseMailFrom,
    { fallback: '' },
  ),
} as const satisfies Record<string, Field<unknown>>;
