export type { AnswerSchema } from './llm/dialect.js';
export { LlmBudget, type TokenPrice } from './llm/llm-budget.js';
export { LlmClient, type LlmCall, type LlmClientOptions, type ModelUse } from './llm/llm-client.js';
export { textMessage, type LlmMessage, type LlmPart } from './llm/llm-message.js';
export type { LlmCallFailure, LlmResult } from './llm/llm-result.js';
export type { LlmHttp } from './llm/post.js';
export { LoggedMail } from './mail/logged-mail.js';
export { MailError, type Mail, type MailFailure, type MailSender } from './mail/mail-sender.js';
export { SmtpMailSender, type SmtpMailOptions } from './mail/smtp-mail-sender.js';
export {
  FacilitatorError,
  type Facilitator,
  type FacilitatorFailure,
  type PaymentTerms,
  type Settlement,
  type SignedPayment,
  type Verdict,
} from './payments/facilitator.js';
export {
  HttpFacilitator,
  type FacilitatorHttp,
  type HttpFacilitatorOptions,
} from './payments/http-facilitator.js';
export { PaymentEventError, type PaymentEvent } from './payments/payment-event.js';
export { PaymentProviderError, type PaymentFailure } from './payments/payment-provider-error.js';
export type {
  PaymentProvider,
  Subscription,
  SubscriptionItem,
} from './payments/payment-provider.js';
export type { PaymentsHttp } from './payments/stripe-http.js';
export { StripePayments, type StripePaymentsOptions } from './payments/stripe-payments.js';
