/**
 * What one call is paid with (x402 version 2: PaymentRequirements). It goes to clients and to the
 * facilitator as it stands here.
 */
export interface PaymentTerms {
  /** An authorization for exactly this amount, spent once. */
  readonly scheme: 'exact';
  /** CAIP-2. */
  readonly network: string;
  /** In the smallest units of the asset, decimal. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  /** For so long the authorization has to hold from when it is signed. */
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What a client signed (PaymentPayload), as it came: the facilitator alone judges it. */
export type SignedPayment = Readonly<Record<string, unknown>>;

/** Reasons are the facilitator's words: printable ASCII, at most 200 characters. */
export type Verdict =
  | { readonly kind: 'valid'; readonly payer: string | null }
  | { readonly kind: 'invalid'; readonly reason: string };

export type Settlement =
  | {
      readonly kind: 'settled';
      /** Names it on the network. */
      readonly transaction: string;
      readonly payer: string | null;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly payer: string | null };

/**
 * `unreachable`: no answer. `unreadable`: an answer that says nothing. Of a settlement either leaves
 * unknown whether money moved.
 */
export type FacilitatorFailure = 'unreachable' | 'unreadable';

/** Nothing is known of what was asked. The message is for logs: it holds neither token nor payment. */
export class FacilitatorError extends Error {
  constructor(
    readonly failure: FacilitatorFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'FacilitatorError';
  }
}

/** Who judges a payment and moves the money. Both methods reject with {@link FacilitatorError}. */
export interface Facilitator {
  /** Whether the payment would hold now; moves nothing. */
  verify(payment: SignedPayment, terms: PaymentTerms): Promise<Verdict>;
  /** Moves the money, once: to be asked once for a payment. */
  settle(payment: SignedPayment, terms: PaymentTerms): Promise<Settlement>;
}
