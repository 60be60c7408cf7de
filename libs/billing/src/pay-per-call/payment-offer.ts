import type { PayPerCallTerms, Settings } from '@app/config';
import type { PaymentTerms } from '@app/providers';

/** The one version of the convention that is spoken here. */
export const X402_VERSION = 2;

/**
 * Price and payment terms of a call (x402 version 2: PaymentRequired, without its `error`). It is
 * the body of a 402 and, in base64, its header.
 */
export interface PaymentOffer {
  readonly x402Version: typeof X402_VERSION;
  readonly resource: {
    readonly url: string;
    readonly description: string;
    readonly mimeType: string;
  };
  /** One way to pay. */
  readonly accepts: readonly [PaymentTerms];
}

type CallTimes = Pick<Settings, 'scrapeTimeoutMs' | 'llmTimeoutMs'>;

/** Maximum of the waits within a page that a call may request. */
const OWN_WAITS_MS = 60_000;
/** For who signs on a slow machine, and for the settlement. */
const GRACE_MS = 60_000;

/** An authorization that ended before its call did could not be settled: it has to outlast the longest. */
export function maxTimeoutSeconds(times: CallTimes): number {
  const { scrapeTimeoutMs, llmTimeoutMs } = times;
  return Math.ceil((scrapeTimeoutMs + llmTimeoutMs + OWN_WAITS_MS + GRACE_MS) / 1_000);
}

/** What a call costs a payer without a key. */
export interface CallPrice {
  readonly name: 'scrape' | 'map';
  /** With data; without data it is free. */
  readonly credits: number;
  /** For wallets, which show it to their people. */
  readonly description: string;
}

/** A call that may be paid for instead of sent with a key. */
export interface PaidOperation extends CallPrice {
  readonly method: string;
  readonly path: string;
}

export interface OfferParts {
  readonly terms: PayPerCallTerms;
  readonly times: CallTimes;
  readonly publicUrl: string;
}

export function offerOf(
  { credits, method, path, description }: PaidOperation,
  { terms, times, publicUrl }: OfferParts,
): PaymentOffer {
  const { network, asset, payTo, extra, unitsPerCredit } = terms;
  return {
    x402Version: X402_VERSION,
    resource: {
      url: publicUrl + path,
      description,
      mimeType: method === 'GET' ? 'text/markdown' : 'application/json',
    },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount: String(unitsPerCredit * BigInt(credits)),
        asset,
        payTo,
        maxTimeoutSeconds: maxTimeoutSeconds(times),
        extra,
      },
    ],
  };
}

/** Header values of the convention. */
export function inHeader(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
