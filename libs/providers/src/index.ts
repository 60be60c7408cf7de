export type { AnswerSchema } from './llm/dialect.js';
export { LlmBudget } from './llm/llm-budget.js';
export { LlmClient, type LlmClientOptions, type ModelUse } from './llm/llm-client.js';
export { textMessage, type LlmMessage } from './llm/llm-message.js';
export { LoggedMail } from './mail/logged-mail.js';
export { MailError, type Mail, type MailSender } from './mail/mail-sender.js';
export { SmtpMailSender } from './mail/smtp-mail-sender.js';
export {
  FacilitatorError,
  type Facilitator,
  type PaymentTerms,
  type SignedPayment,
} from './payments/http-facilitator.js';
export { HttpFacilitator } from './payments/http-facilitator.js';
export { PaymentEventError, type PaymentEvent } from './payments/payment-event.js';
export { PaymentProviderError, type PaymentFailure } from './payments/stripe-subscription.js';
export type {
  PaymentProvider,
  Subscription,
  SubscriptionItem,
} from './payments/payment-provider.js';
export { StripePayments } from './payments/stripe-payments.js';
export type { BackendTerms, SearchBackend } from './search/search-backend.js';
export {
  SearchChain,
  type BackendAdmission,
  type BackendBreaker,
  type ChainReply,
} from './search/search-chain.js';
export { SearxngBackend } from './search/searxng-backend.js';
export { TemplateBackend } from './search/template-backend.js';
export { ApiSource } from './businesses/api-source.js';
export type { BusinessQuery, BusinessSource } from './businesses/business-source.js';
export { HtmlSource, type FetchDirectoryPage } from './businesses/html-source.js';
export { NominatimSource, OverpassSource } from './businesses/osm-sources.js';
export { backendFailure } from './search/search-backend.js';
