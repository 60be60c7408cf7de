import { ApiError, type ApiErrorCode } from '@app/contracts';
import { PaymentProviderError, type PaymentFailure } from '@app/providers';

/** The error that a route answers when the provider failed. */
export function paymentError(error: unknown): unknown {
  if (!(error instanceof PaymentProviderError)) return error;
  return new ApiError(codeOf(error.failure), {}, { cause: error });
}

function codeOf(failure: PaymentFailure): ApiErrorCode {
  switch (failure) {
    case 'unreachable':
    case 'busy':
    case 'conflict':
      return 'payment_provider_unavailable';
    case 'unreadable':
    case 'failed':
    case 'refused':
    case 'customer_gone':
      return 'payment_provider_failed';
  }
}
