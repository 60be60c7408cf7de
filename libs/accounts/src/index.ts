export {
  type BillingAccount,
  findBillingAccount,
  keepCustomer,
  openBillingAccount,
  renewClaim,
} from './billing/billing-account.js';
export { type RereadOptions, takeDueRereads } from './billing/due-rereads.js';
export {
  beginRead,
  type BegunRead,
  type Followed,
  followSubscription,
  type Standing,
  type WrittenRead,
} from './billing/follow-subscription.js';
export {
  deferPaymentEvent,
  endPaymentEvent,
  type ReceivedEvent,
  receivePaymentEvent,
  sweepPaymentEvents,
  type TakeEventsOptions,
  type TakenEvent,
  takePaymentEvents,
} from './billing/payment-events.js';
export {
  closeCall,
  type ClosedCall,
  countOpenHolds,
  releaseExpiredHolds,
} from './credits/close-call.js';
export { charge, type ChargedOperation, isCharged } from './credits/credit-ledger.js';
export { type CreditTenant, creditTerms, type CreditTerms } from './credits/credit-terms.js';
export { grantCredits, grantCreditsIn, type TopUp } from './credits/grant-credits.js';
export {
  closeJobHold,
  type JobCredits,
  type OpenedJob,
  openJobHold,
  type SpentJob,
} from './credits/job-holds.js';
export { CALL_HOLD_MS, type CreditCall, openCall, type OpenedCall } from './credits/open-call.js';
export {
  knownJob,
  type MadeJob,
  payForJob,
  unlessUnpaid,
  type UnpaidJob,
} from './credits/pay-for-job.js';
export {
  CREDIT_STATES,
  type CreditBalance,
  type CreditState,
  type PoolBalance,
  readBalance,
  type ReadCredits,
} from './credits/read-balance.js';
export {
  MAX_USAGE_DAYS,
  readUsage,
  type Usage,
  usageByDay,
  type UsageDay,
} from './credits/read-usage.js';
export {
  type CreditDrift,
  type PeriodDrift,
  reconcileCredits,
  type ReconcileOptions,
} from './credits/reconcile.js';
export { rollUpUsage } from './credits/roll-up-usage.js';
export {
  type CreditPayment,
  type PaymentChange,
  type PlanChange,
  setPayment,
  setPaymentIn,
  setPlan,
  setPlanIn,
} from './credits/set-plan.js';
export {
  claimKey,
  type ClaimOptions,
  type ClaimOutcome,
  completeClaim,
  confirmClaim,
  dropClaim,
  extendClaims,
  IDEMPOTENCY_HOURS,
  type KeptAnswer,
  type KeyClaim,
  type KeySlot,
  noteAnswerBlob,
  readKey,
  releaseClaim,
  sweepIdempotencyKeys,
} from './idempotency/idempotency.js';
export { ApiKeyEntity } from './keys/api-key.entity.js';
export {
  API_KEY_PREFIX,
  type ApiKey,
  type IssuedKey,
  KEY_ORIGINS,
  type KeyOrigin,
} from './keys/api-key.js';
export { findTenantByKey } from './keys/find-tenant.js';
export {
  createApiKey,
  issueApiKey,
  issueKey,
  KeyLimitError,
  MAX_ACTIVE_KEYS,
  type NewKey,
} from './keys/issue-key.js';
export { findApiKey, listApiKeys, ownerOfKey } from './keys/list-keys.js';
export {
  type Provision,
  type ProvisionBound,
  provisionKey,
  type ProvisionOutcome,
  sweepKeyProvisions,
} from './keys/provision-key.js';
export { type KeyOfTenant, revokeApiKey, revokeApiKeyById, revokeKey } from './keys/revoke-key.js';
export {
  DEFAULT_OVERLAP_SECONDS,
  MAX_OVERLAP_SECONDS,
  rotateApiKey,
  type RotatedKey,
  rotateKey,
  type Rotation,
} from './keys/rotate-key.js';
export {
  AdmissionGate,
  type KeyedRequest,
  type RequestAdmission,
} from './limits/admission-gate.js';
export {
  admitRequests,
  type AdmittedRequests,
  type AskedAdmission,
} from './limits/admit-requests.js';
export {
  type CallSlot,
  extendCallSlots,
  releaseCallSlot,
  takeCallSlot,
} from './limits/call-slots.js';
export { type AskedRequest, type GateAnswer, RateGate } from './limits/rate-gate.js';
export {
  RATE_SPAN_MS,
  type RateWindow,
  type TakenRequests,
  takeRequests,
  type WantedRequests,
} from './limits/rate-window.js';
export {
  beginSettlement,
  claimPayment,
  endSettlement,
  giveUpSettlements,
  type PaymentClaim,
  releasePayment,
  type SettlementEnd,
  sweepPayments,
} from './pay-per-call/claim-payment.js';
export { payPerCallTenant } from './pay-per-call/pay-per-call-tenant.js';
export { sweepPayerWindows, takePayerRequest } from './pay-per-call/payer-window.js';
export { PAY_PER_CALL_TENANT_ID } from './pay-per-call/tenant-id.js';
export {
  type AccountSession,
  closeSession,
  endSessions,
  findSession,
  MAX_SESSIONS,
  type NewSession,
  openSession,
  SESSION_IDLE_MS,
  SESSION_MS,
  sweepSessions,
} from './sessions/account-sessions.js';
export { setSignInAddress } from './sessions/sign-in-address.js';
export {
  type AskOutcome,
  ASKS_PER_ADDRESS,
  ASKS_PER_NETWORK,
  type SignInAsk,
  sweepSignInAsks,
  takeSignInAsk,
} from './sessions/sign-in-asks.js';
export {
  dropSignInLinks,
  type IssuedLinks,
  issueSignInLinks,
  type LinkedAccount,
  MAX_LINKED_ACCOUNTS,
  SIGN_IN_LINK_MS,
  sweepSignInLinks,
  useSignInLink,
} from './sessions/sign-in-links.js';
export { type AdminAct, listAdminActs, recordAdminAct } from './tenants/admin-acts.js';
export { TenantEntity } from './tenants/tenant.entity.js';
export {
  addTenant,
  type Agreed,
  agreedOf,
  changeAgreement,
  createFirstTenant,
  createTenant,
  findTenant,
  findTenantsNamed,
  FIRST_TENANT_REQUESTS_PER_MINUTE,
  listTenants,
  type NewTenant,
  NOTHING_AGREED,
  type Tenant,
  type TenantRecord,
} from './tenants/tenants.js';
export { BillingCustomers, type Customer } from './billing/billing-customers.js';
export { paidPlanOf } from './billing/entitled-plan.js';
export { openEventLoops } from './billing/open-event-loops.js';
export { missingSettings, openPayments, type Payments } from './billing/open-payments.js';
export { paymentError } from './billing/payment-error.js';
export {
  CreditCharges,
  type ChargeIds,
  type ChargedCall,
  type CreditUse,
  type ChargedResult,
} from './credits/credit-charges.js';
export { CreditRounds } from './credits/credit-rounds.js';
export { answerPlace } from './idempotency/answer-place.js';
export { copyStream, keepBytes } from './idempotency/kept-body.js';
export { CLAIM_LEASE_MS, LiveClaims } from './idempotency/live-claims.js';
export { EMAIL_PATTERN, isEmail, MAX_EMAIL_CHARS } from './keys/email-pattern.js';
export {
  type DailyOperation,
  type DailyQuota,
  releaseDaily,
  reserveDaily,
  sweepDailyQuotas,
  utcDay,
} from './limits/daily-quota.js';
export { LiveSlots, type Release } from './limits/live-slots.js';
export { type Counted, countedIn, windowOf } from './limits/rate-plan.js';
export { openFacilitator } from './pay-per-call/open-facilitator.js';
export {
  PAID_OPERATIONS,
  type PaidOperation,
  paidOperationOf,
} from './pay-per-call/paid-operations.js';
export { paymentId } from './pay-per-call/payment-id.js';
export { paymentLoops } from './pay-per-call/payment-loops.js';
export {
  inHeader,
  offerOf,
  type PaymentOffer,
  X402_VERSION,
} from './pay-per-call/payment-offer.js';
export {
  type ClaimedPayment,
  type SettledPayment,
  settlePayment,
} from './pay-per-call/settle-payment.js';
export { LINK_MINUTES, LINK_PATH } from './sessions/link-mail.js';
export { LinkSender } from './sessions/link-sender.js';
export { type MailDoor, openMail } from './sessions/open-mail.js';
export { openAccountLoops } from './account-loops.js';
