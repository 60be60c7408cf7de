import { randomBytes } from 'node:crypto';

/** An offer as a 402 has it (x402 version 2: PaymentRequired). */
export interface PaymentRequired {
  readonly x402Version: number;
  readonly error: string;
  readonly resource: { readonly url: string };
  readonly accepts: readonly {
    readonly amount: string;
    readonly payTo: string;
    readonly maxTimeoutSeconds: number;
  }[];
}

/** What a test changes of a payment that would hold. */
export interface PaymentChanges {
  readonly from?: string;
  readonly nonce?: string;
  readonly signature?: string;
  readonly validForSeconds?: number;
  readonly x402Version?: number;
  /** Instead of the offer's first terms. */
  readonly accepted?: object;
}

/** A payment for an offer as a client's wallet makes it, which the fake facilitator believes. */
export function signedPayment(offer: PaymentRequired, changes: PaymentChanges = {}): object {
  const [terms] = offer.accepts;
  if (!terms) throw new Error('an offer without terms');
  const validBefore = Math.floor(Date.now() / 1_000) + (changes.validForSeconds ?? 300);
  return {
    x402Version: changes.x402Version ?? 2,
    resource: offer.resource,
    accepted: changes.accepted ?? terms,
    payload: {
      signature: changes.signature ?? '0xgood',
      authorization: {
        from: changes.from ?? `0x${randomBytes(20).toString('hex')}`,
        to: terms.payTo,
        value: terms.amount,
        validAfter: '0',
        validBefore: String(validBefore),
        nonce: changes.nonce ?? `0x${randomBytes(32).toString('hex')}`,
      },
    },
  };
}

/** As it is in a header. */
export function paymentHeader(payment: object): string {
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

/** What a header of the convention says. */
export function readPaymentHeader<T>(text: string | null): T {
  return JSON.parse(Buffer.from(text ?? '', 'base64').toString('utf8')) as T;
}
