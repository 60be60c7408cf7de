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
    'Secret or restricted key of the Stripe account that plans are paid to; empty: billing answers 503.',
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
    'Origins that successUrl and cancelUrl of a checkout may lead to, comma-separated, that of PUBLIC_URL always; empty: any http(s) address.',
    parseOrigins,
    { fallback: '' },
  ),
  payPerCallPrice: checked(
    'PAY_PER_CALL_PRICE',
    'What a credit costs who pays by the call (x402), in the smallest units of PAY_PER_CALL_ASSET; empty: every call needs a key.',
    parseUnits,
    { fallback: '' },
  ),
  payPerCallNetwork: checked(
    'PAY_PER_CALL_NETWORK',
    'Network that calls are paid on, as CAIP-2 writes it, e.g. eip155:8453.',
    parseNetwork,
    { fallback: '' },
  ),
  payPerCallAsset: checked(
    'PAY_PER_CALL_ASSET',
    'Token that calls are paid with: its address on that network.',
    parseAccount,
    { fallback: '' },
  ),
  payPerCallPayTo: checked('PAY_PER_CALL_PAY_TO', 'Address that is paid.', parseAccount, {
    fallback: '',
  }),
  payPerCallExtra: checked(
    'PAY_PER_CALL_EXTRA',
    'What payers need to know besides, a JSON object: of an EVM token the name and version of its signing domain.',
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
    'Sent to the facilitator as a bearer token; empty: none.',
    { fallback: '', isSecret: true },
  ),
  payPerCallRequestsPerMinute: integer(
    'PAY_PER_CALL_REQUESTS_PER_MINUTE',
    'Paid calls that one client address (IPv4, or the /64 of IPv6) may send within any minute.',
    { fallback: 60, min: 1, max: 100_000 },
  ),

  smtpUrl: checked(
    'SMTP_URL',
    'Mail server for signing in by e-mail: smtp://[user:password@]host[:port], with STARTTLS except on this machine, or smtps://…; empty: embedded starts print the links in their log, others offer none.',
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
