export { openBillingLoops } from './billing-loops.js';
export { claimPayment, releasePayment } from './pay-per-call/claim-payment.js';
export { openFacilitator } from './pay-per-call/open-facilitator.js';
export { payPerCallTenant } from './pay-per-call/pay-per-call-tenant.js';
export { takePayerRequest } from './pay-per-call/payer-window.js';
export { paymentId } from './pay-per-call/payment-id.js';
export { paymentLoops } from './pay-per-call/payment-loops.js';
export {
  type CallPrice,
  inHeader,
  offerOf,
  type PaidOperation,
  type PaymentOffer,
  X402_VERSION,
} from './pay-per-call/payment-offer.js';
export {
  type ClaimedPayment,
  type SettledPayment,
  settlePayment,
} from './pay-per-call/settle-payment.js';
export { findBillingAccount } from './subscriptions/billing-account.js';
export { BillingCustomers, type Customer } from './subscriptions/billing-customers.js';
export { paidPlanOf } from './subscriptions/entitled-plan.js';
export { missingSettings, openPayments, type Payments } from './subscriptions/open-payments.js';
export { paymentError } from './subscriptions/payment-error.js';
export { receivePaymentEvent } from './subscriptions/payment-events.js';
