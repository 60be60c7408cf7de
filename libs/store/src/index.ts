export * from './admin-acts.js';
export * from './admit-ahead.js';
export * from './api-key.entity.js';
export * from './billing/billing-account.js';
export { takeDueRereads, type RereadOptions } from './billing/due-rereads.js';
export {
  beginRead,
  followSubscription,
  type BegunRead,
  type Followed,
  type Standing,
  type WrittenRead,
} from './billing/follow-subscription.js';
export {
  deferPaymentEvent,
  endPaymentEvent,
  receivePaymentEvent,
  sweepPaymentEvents,
  takePaymentEvents,
  type ReceivedEvent,
  type TakeEventsOptions,
  type TakenEvent,
} from './billing/payment-events.js';
export * from './company-contacts.js';
export * from './company-graph.js';
export * from './crawl-options.js';
export * from './create-batch.js';
export * from './create-crawl.js';
export * from './create-reextraction.js';
export {
  closeCall,
  countOpenHolds,
  releaseExpiredHolds,
  type ClosedCall,
} from './credits/close-call.js';
export { creditTerms, type CreditTenant, type CreditTerms } from './credits/credit-terms.js';
export { grantCredits, grantCreditsIn, type TopUp } from './credits/grant-credits.js';
export {
  closeJobHold,
  openJobHold,
  type JobCredits,
  type OpenedJob,
  type SpentJob,
} from './credits/job-holds.js';
export { CALL_HOLD_MS, openCall, type CreditCall, type OpenedCall } from './credits/open-call.js';
export type { MadeJob, UnpaidJob } from './credits/pay-for-job.js';
export {
  CREDIT_STATES,
  readBalance,
  type CreditBalance,
  type CreditState,
  type PoolBalance,
  type ReadCredits,
} from './credits/read-balance.js';
export {
  MAX_USAGE_DAYS,
  readUsage,
  usageByDay,
  type Usage,
  type UsageDay,
} from './credits/read-usage.js';
export {
  reconcileCredits,
  type CreditDrift,
  type PeriodDrift,
  type ReconcileOptions,
} from './credits/reconcile.js';
export { rollUpUsage } from './credits/roll-up-usage.js';
export {
  setPayment,
  setPaymentIn,
  setPlan,
  setPlanIn,
  type CreditPayment,
  type PaymentChange,
  type PlanChange,
} from './credits/set-plan.js';
export * from './daily-quota.js';
export * from './finish-job.js';
export * from './frontier/claim-pages.js';
export * from './frontier/dispatch-pages.js';
export * from './frontier/dispatch-rounds.js';
export * from './frontier/end-leases.js';
export * from './frontier/finish-pages.js';
export * from './frontier/page-outcome.js';
export * from './host-memory.js';
export * from './idempotency.js';
export * from './job.entity.js';
export {
  API_KEY_PREFIX,
  KEY_ORIGINS,
  type ApiKey,
  type IssuedKey,
  type KeyOrigin,
} from './keys/api-key.js';
export * from './keys/find-tenant.js';
export {
  createApiKey,
  issueApiKey,
  issueKey,
  KeyLimitError,
  MAX_ACTIVE_KEYS,
  type NewKey,
} from './keys/issue-key.js';
export * from './keys/list-keys.js';
export * from './keys/provision-key.js';
export * from './keys/revoke-key.js';
export * from './keys/rotate-key.js';
export * from './limits/admission-gate.js';
export * from './limits/admit-requests.js';
export * from './limits/call-slots.js';
export * from './limits/rate-gate.js';
export * from './limits/rate-window.js';
export * from './notifications.js';
export * from './open-store.js';
export * from './outbox.js';
export * from './page-cache.js';
export * from './page-ledger.js';
export {
  beginSettlement,
  claimPayment,
  endSettlement,
  giveUpSettlements,
  releasePayment,
  sweepPayments,
  type PaymentClaim,
  type SettlementEnd,
} from './pay-per-call/claim-payment.js';
export { payPerCallTenant } from './pay-per-call/pay-per-call-tenant.js';
export { sweepPayerWindows, takePayerRequest } from './pay-per-call/payer-window.js';
export { PAY_PER_CALL_TENANT_ID } from './pay-per-call/tenant-id.js';
export * from './retention/data-deletion.js';
export * from './retention/expire-jobs.js';
export * from './retention/sweep-hosts.js';
export { DatabaseAccountError, FETCHER_GRANTS } from './second-lock/fetcher-role.js';
export {
  closeSession,
  endSessions,
  findSession,
  MAX_SESSIONS,
  openSession,
  SESSION_IDLE_MS,
  SESSION_MS,
  sweepSessions,
  type AccountSession,
  type NewSession,
} from './sessions/account-sessions.js';
export { setSignInAddress } from './sessions/sign-in-address.js';
export {
  ASKS_PER_ADDRESS,
  ASKS_PER_NETWORK,
  sweepSignInAsks,
  takeSignInAsk,
  type AskOutcome,
  type SignInAsk,
} from './sessions/sign-in-asks.js';
export {
  dropSignInLinks,
  issueSignInLinks,
  MAX_LINKED_ACCOUNTS,
  SIGN_IN_LINK_MS,
  sweepSignInLinks,
  useSignInLink,
  type IssuedLinks,
  type LinkedAccount,
} from './sessions/sign-in-links.js';
export * from './sweep-page-cache.js';
export * from './tenant.entity.js';
export { sweepTaskKeys, TaskKeys } from './task-keys.js';
export * from './tenants.js';
export * from './ledger.js';
export * from './wait-at-most.js';
export * from './watch-jobs.js';
export * from './webhooks/delivery.js';
export * from './webhooks/delivery-log.js';
export * from './webhooks/record-attempt.js';
export * from './webhooks/signing-secrets.js';
export * from './webhooks/take-deliveries.js';
