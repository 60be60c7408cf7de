import type { Settings } from './settings.js';

/** What calls without a key are sold for, where they are. Amounts are in the smallest units of the asset. */
export interface PayPerCallTerms {
  readonly unitsPerCredit: bigint;
  /** CAIP-2, e.g. `eip155:8453`. */
  readonly network: string;
  /** What is paid with: the address of a token. */
  readonly asset: string;
  /** Who is paid. */
  readonly payTo: string;
  /** What the scheme needs besides, e.g. the EIP-712 domain of the token. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Without a slash at its end. */
  readonly facilitatorUrl: string;
  /** Empty: it asks for none. */
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

/** Without these nobody can pay; all of them empty: pay-per-call is off. */
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

/** Half of an offer is a mistake: what is missing is named, so that nobody believes to be paid. */
export function payPerCallProblems(settings: PayPerCallSettings): readonly string[] {
  const missing = NEEDED.filter(([field]) => settings[field] === '').map(([, env]) => env);
  if (missing.length === 0 || missing.length === NEEDED.length) return [];
  return missing.map((env) => `${env}: is not set, though other settings of pay-per-call are.`);
}

/** More digits than any token has units. */
const UNITS = /^[1-9]\d{0,29}$/;

/** @throws Error with the rule */
export function parseUnits(text: string): bigint {
  if (!UNITS.test(text)) throw new Error('must be a whole number of units above 0');
  return BigInt(text);
}

/** CAIP-2: namespace and reference. @throws Error with the rule */
export function parseNetwork(text: string): string {
  if (!/^[a-z0-9-]{3,8}:[\w-]{1,32}$/.test(text)) {
    throw new Error('must be a network as CAIP-2 writes it, such as eip155:8453');
  }
  return text;
}

/** @throws Error with the rule */
export function parseAccount(text: string): string {
  if (!/^[\w:.-]{1,128}$/.test(text)) throw new Error('must be an address on that network');
  return text;
}

/** Goes into a header with the rest of the offer. */
const MAX_EXTRA_CHARS = 1_000;

/** A JSON object; empty text is an empty one. @throws Error with the rule */
export function parseOfferExtra(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  const value = text.length <= MAX_EXTRA_CHARS ? parsed(text) : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`must be a JSON object of at most ${MAX_EXTRA_CHARS} characters`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Said by the caller, as for any other text that is no object.
    return null;
  }
}

/** @throws Error with the rule */
export function parseFacilitatorUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || /[@?#]/.test(text)) {
    throw new Error('must be an http(s) address without user, query or fragment');
  }
  return text;
}
