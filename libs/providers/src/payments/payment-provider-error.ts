/**
 * `unreachable`: no answer, whether it was done is unknown. `unreadable`: an answer that says nothing,
 * whether it was done is unknown. `busy`: too many requests. `conflict`: another request with the same
 * key is under way. `failed`: it says that it failed. `refused`: it will not do this however often it is
 * asked. `customer_gone`: the customer is no longer there.
 */
export type PaymentFailure =
  'unreachable' | 'unreadable' | 'busy' | 'conflict' | 'failed' | 'refused' | 'customer_gone';

/** A request to the provider that was not done. The message is for logs: it never holds the key. */
export class PaymentProviderError extends Error {
  constructor(
    readonly failure: PaymentFailure,
    message: string,
  ) {
    super(message);
    this.name = 'PaymentProviderError';
  }
}
