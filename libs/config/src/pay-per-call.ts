import { parseOfferExtra, parseUnits } from './pay-per-call-values.js';
import type { Settings } from './settings.js';

/**
 * Terms under which calls without a key are sold. Amounts are in the smallest units of the asset.
 */
export interface PayPerCallTerms {
  readonly unitsPerCredit: bigint;
  /** CAIP-2, e.g. `eip155:8453`. */
  readonly network: string;
  /** Token address. */
  readonly asset: string;
  /** Who is paid. */
  readonly payTo: string;
  /** Fields that the scheme needs besides, e.g. the EIP-712 domain of the token. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Without a slash at its end. */
  readonly facilitatorUrl: string;
  /** Empty: it needs none. */
  readonly facilitatorToken: string;
  /** Of one address, within any minute. */
  readonly requestsPerMinute: number;
}

type PayPerCallSettings = Pick<
  Settings,
  | 'payPerCallPrice'
  | 'payPerCallNetwork'
  | 'payPerCallAsset'
  | 'payPerCallPayTo'
  | 'payPerCallExtra'
  | 'payPerCallFacilitatorUrl'
  | 'payPerCallFacilitatorToken'
  | 'payPerCallRequestsPerMinute'
>;

/** Payments need all of these; all of them empty: pay-per-call is off. */
const NEEDED = [
  ['payPerCallPrice', 'PAY_PER_CALL_PRICE'],
  ['payPerCallNetwork', 'PAY_PER_CALL_NETWORK'],
  ['payPerCallAsset', 'PAY_PER_CALL_ASSET'],
  ['payPerCallPayTo', 'PAY_PER_CALL_PAY_TO'],
  ['payPerCallFacilitatorUrl', 'PAY_PER_CALL_FACILITATOR_URL'],
] as const;

/** Null: pay-per-call is off. */
export function payPerCallTerms(settings: PayPerCallSettings): PayPerCallTerms | null {
  if (settings.payPerCallPrice === '') return null;
  return {
    unitsPerCredit: parseUnits(settings.payPerCallPrice),
    network: settings.payPerCallNetwork,
    asset: settings.payPerCallAsset,
    payTo: settings.payPerCallPayTo,
    extra: parseOfferExtra(settings.payPerCallExtra),
    facilitatorUrl: settings.payPerCallFacilitatorUrl.replace(/(?<!\/)\/+$/, ''),
    facilitatorToken: settings.payPerCallFacilitatorToken,
    requestsPerMinute: settings.payPerCallRequestsPerMinute,
  };
}

/**
 * Half an offer is a mistake: the missing settings are named, so that no operator expects payments
 * that cannot arrive.
 */
export function payPerCallProblems(settings: PayPerCallSettings): readonly string[] {
  const missing = NEEDED.filter(([field]) => settings[field] === '').map(([, env]) => env);
  if (missing.length === 0 || missing.length === NEEDED.length) return [];
  return missing.map((env) => `${env}: is not set, though other settings of pay-per-call are.`);
}
