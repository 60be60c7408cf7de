/**
 * `unreachable`: no response, the effect is unknown. `unreadable`: a response without a result, the effect is
 * unknown. `busy`: too many requests. `conflict`: another request with the same key is running. `failed`: the
 * provider reports a failure. `refused`: the provider will never do this. `customer_gone`: the customer no
 * longer exists.
 */
export type PaymentFailure =
  'unreachable' | 'unreadable' | 'busy' | 'conflict' | 'failed' | 'refused' | 'customer_gone';

/** A request to the provider that had no effect. The message is for logs: it never contains the key. */
export class PaymentProviderError extends Error {
  constructor(
    readonly failure: PaymentFailure,
    message: string,
  ) {
    super(message);
    this.name = 'PaymentProviderError';
  }
}
