/** News about a customer. What it says is not used: the customer's state is read anew. */
export interface PaymentEvent {
  /** Given by the provider, the same however often it is sent. */
  readonly id: string;
  /** The provider's word for what happened. */
  readonly type: string;
  readonly customerId: string;
}

/**
 * What came is no event of the provider. The message may be shown to the sender; it has no cause, which
 * would hold what came.
 */
export class PaymentEventError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PaymentEventError';
  }
}
