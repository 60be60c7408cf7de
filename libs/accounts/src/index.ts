export { findBillingAccount } from './billing/billing-account.js';
export { receivePaymentEvent } from './billing/payment-events.js';
export { settleCredits } from './credits/settle-credits.js';
export { charge, type ChargedOperation, isCharged } from './credits/credit-ledger.js';
export type { CreditTenant } from './credits/credit-terms.js';
export { grantCreditsIn } from './credits/grant-credits.js';
export { settleJobCredits } from './credits/job-credits.js';
export { reserveCredits } from './credits/reserve-credits.js';
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
} from './credits/read-balance.js';
export { readUsage, type Usage, usageByDay, type UsageDay } from './credits/read-usage.js';
export { setPayment, setPlanIn } from './credits/set-plan.js';
export {
  claimKey,
  type ClaimOutcome,
  completeClaim,
  confirmClaim,
  dropClaim,
  extendClaims,
  type KeptAnswer,
  type KeyClaim,
  readKey,
  releaseClaim,
  sweepIdempotencyKeys,
} from './idempotency/idempotency.js';
export { API_KEY_PREFIX, type ApiKey, KEY_ORIGINS } from './keys/api-key.js';
export { findTenantByKey } from './keys/find-tenant.js';
export {
  createApiKey,
  issueApiKey,
  issueKey,
  KeyLimitError,
  MAX_ACTIVE_KEYS,
} from './keys/issue-key.js';
export { findApiKey, listApiKeys, ownerOfKey } from './keys/list-keys.js';
export { provisionKey, type ProvisionOutcome, sweepKeyProvisions } from './keys/provision-key.js';
export { type KeyOfTenant, revokeApiKey, revokeApiKeyById, revokeKey } from './keys/revoke-key.js';
export {
  DEFAULT_OVERLAP_SECONDS,
  MAX_OVERLAP_SECONDS,
  rotateApiKey,
  rotateKey,
} from './keys/rotate-key.js';
export { AdmissionGate, type RequestAdmission } from './limits/admission-gate.js';
export { RateGate } from './limits/rate-gate.js';
export type { TakenRequests } from './limits/rate-window.js';
export { claimPayment, releasePayment } from './pay-per-call/claim-payment.js';
export { payPerCallTenant } from './pay-per-call/pay-per-call-tenant.js';
export { takePayerRequest } from './pay-per-call/payer-window.js';
export { PAY_PER_CALL_TENANT_ID } from './pay-per-call/tenant-id.js';
export {
  closeSession,
  endSessions,
  findSession,
  openSession,
} from './sessions/account-sessions.js';
export { setSignInAddress } from './sessions/sign-in-address.js';
export { takeSignInRequest } from './sessions/sign-in-requests.js';
export { dropSignInLinks, issueSignInLinks, useSignInLink } from './sessions/sign-in-links.js';
export { listAdminActs, recordAdminAct } from './tenants/admin-acts.js';
export {
  addTenant,
  type Agreed,
  changeAgreement,
  createFirstTenant,
  createTenant,
  findTenant,
  findTenantsNamed,
  FIRST_TENANT_REQUESTS_PER_MINUTE,
  listTenants,
  NOTHING_AGREED,
  type Tenant,
  type TenantRecord,
} from './tenants/tenants.js';
export { BillingCustomers, type Customer } from './billing/billing-customers.js';
export { paidPlanOf } from './billing/entitled-plan.js';
export { missingSettings, openPayments, type Payments } from './billing/open-payments.js';
export { paymentError } from './billing/payment-error.js';
export {
  CreditCharges,
  type ChargeIds,
  type ChargedCall,
  type CreditUse,
  type ChargedResult,
} from './credits/credit-charges.js';
export { answerPlace } from './idempotency/answer-place.js';
export { copyStream, keepBytes } from './idempotency/kept-body.js';
export { CLAIM_LEASE_MS, LiveClaims } from './idempotency/live-claims.js';
export { EMAIL_PATTERN, isEmail, MAX_EMAIL_CHARS } from './keys/email-pattern.js';
export { releaseDaily, reserveDaily, sweepDailyQuotas, utcDay } from './limits/daily-quota.js';
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
export { type SignInMail, openMail } from './sessions/open-mail.js';
export { openAccountLoops } from './account-loops.js';
