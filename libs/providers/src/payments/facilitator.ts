/**
 * The price of one call (x402 version 2: PaymentRequirements). Clients and the facilitator get it unchanged.
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
  /** How long the authorization must be valid after it is signed. */
  readonly maxTimeoutSeconds: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The payload a client signed (PaymentPayload), unchanged: only the facilitator verifies it. */
export type SignedPayment = Readonly<Record<string, unknown>>;

/** Reasons are the facilitator's texts: printable ASCII, at most 200 characters. */
export type PaymentVerification =
  | { readonly kind: 'valid'; readonly payer: string | null }
  | { readonly kind: 'invalid'; readonly reason: string };

export type Settlement =
  | {
      readonly kind: 'settled';
      /** Its id on the network. */
      readonly transaction: string;
      readonly payer: string | null;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly payer: string | null };

/**
 * `unreachable`: no response. `unreadable`: a response without a result. After either, it is unknown whether a
 * settlement moved money.
 */
export type FacilitatorFailure = 'unreachable' | 'unreadable';

/** The result of the request is unknown. The message is for logs: it contains neither token nor payment. */
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

/** Verifies payments and moves the money. Both methods reject with {@link FacilitatorError}. */
export interface Facilitator {
  /** Whether the payment is valid now; moves no money. */
  verify(payment: SignedPayment, terms: PaymentTerms): Promise<PaymentVerification>;
  /** Moves the money: call it only once for a payment. */
  settle(payment: SignedPayment, terms: PaymentTerms): Promise<Settlement>;
}
