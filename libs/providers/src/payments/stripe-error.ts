import type Stripe from 'stripe';
import { PaymentProviderError, type PaymentFailure } from './payment-provider-error.js';
import { stripeSdk } from './stripe-sdk.js';

/** The error for an error of the SDK. Its text is kept only if it is about the request. */
export function toProviderError(error: unknown, secretKey: string): PaymentProviderError {
  if (error instanceof PaymentProviderError) return error;
  const { StripeConnectionError, StripeError } = stripeSdk().errors;
  if (error instanceof StripeConnectionError) {
    return new PaymentProviderError('unreachable', 'Stripe did not respond');
  }
  if (!(error instanceof StripeError) || error.statusCode === undefined) {
    return new PaymentProviderError('unreadable', 'Stripe returned an unexpected response');
  }
  return new PaymentProviderError(failureOf(error), describe(error).replaceAll(secretKey, '[key]'));
}

function failureOf(error: Stripe.errors.StripeError): PaymentFailure {
  const { statusCode = 0, code, param } = error;
  if (statusCode === 429) return 'busy';
  if (statusCode === 409) return 'conflict';
  if (statusCode >= 500) return 'failed';
  return code === 'resource_missing' && param === 'customer' ? 'customer_gone' : 'refused';
}

/** The text about a refused key is dropped: it contains parts of the key. */
function describe(error: Stripe.errors.StripeError): string {
  const { statusCode, code, param, requestId, message } = error;
  const isAboutRequest = error instanceof stripeSdk().errors.StripeInvalidRequestError;
  const facts = [
    `Stripe answered ${statusCode}`,
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(param === undefined ? [] : [`of ${param}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(isAboutRequest ? [message.slice(0, 500)] : []),
  ];
  return facts.join(', ');
}
