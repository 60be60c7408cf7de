/** A notification about a customer. Its content is not used: the customer's state is read again. */
export interface PaymentEvent {
  /** The provider's id, the same for each repetition. */
  readonly id: string;
  /** The provider's event type. */
  readonly type: string;
  readonly customerId: string;
}

/**
 * The request contains no event of the provider. The message may be shown to the sender; it has no cause, which
 * would contain the request.
 */
export class PaymentEventError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PaymentEventError';
  }
}
