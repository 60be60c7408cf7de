export { charge, chargesSql, type ChargedOperation, isCharged } from './credits/reserve-credits.js';
export type { CreditTenant } from './credits/credit-terms.js';
export { grantCreditsIn } from './credits/grant-credits.js';
export { reserveJobCredits, settleJobCredits } from './credits/job-credits.js';
export {
  knownJob,
  type MadeJob,
  payForJob,
  unlessUnpaid,
  UnpaidJobError,
  type UnpaidJob,
} from './credits/pay-for-job.js';
export {
  CREDIT_STATES,
  type CreditBalance,
  type PoolBalance,
  readBalance,
} from './credits/read-balance.js';
export { readUsage, type Usage, usageByDay } from './credits/read-usage.js';
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
export { type KeyOfTenant, revokeApiKeyById, revokeKey } from './keys/revoke-key.js';
export {
  DEFAULT_OVERLAP_SECONDS,
  MAX_OVERLAP_SECONDS,
  rotateApiKey,
  rotateKey,
} from './keys/rotate-key.js';
export { AdmissionGate, type RequestAdmission } from './limits/admit-requests.js';
export { countedIn, RateGate, type TakenRequests, windowOf } from './limits/rate-window.js';
export { hasLiveMaps, setLiveMapsIn } from './tenants/live-maps.js';
export { PAY_PER_CALL_TENANT_ID } from './tenants/tenants.js';
export {
  closeSession,
  endSession,
  endSessions,
  findSession,
  listSessions,
  openSession,
} from './sessions/account-sessions.js';
export { setSignInAddress } from './sessions/sign-in-address.js';
export { takeSignInRequest } from './sessions/sign-in-requests.js';
export { dropSignInLinks, useSignInLink } from './sessions/sign-in-links.js';
export { newToken } from './sessions/account-sessions.js';
export { listAdminActs, recordAdminAct } from './tenants/admin-acts.js';
export {
  addTenant,
  type Agreed,
  changeAgreement,
  createFirstTenant,
  createTenant,
  findTenant,
  findTenantsNamed,
  listTenants,
  type Tenant,
  type TenantRecord,
} from './tenants/tenants.js';
export {
  CreditCharges,
  type ChargeIds,
  type ChargedCall,
  type CreditUse,
  type ChargedResult,
} from './credits/credit-charges.js';
export { EMAIL_PATTERN, isEmail, MAX_EMAIL_CHARS } from './keys/email-pattern.js';
export {
  releaseDaily,
  reserveDaily,
  reserveModelCall,
  secondsToNextDay,
  utcDay,
} from './limits/daily-quota.js';
export {
  countStored,
  forgetStored,
  STORED_OBJECT_BYTES,
  storedObjectBytes,
} from './limits/stored-objects.js';
export { LiveSlots, type Release } from './limits/call-slots.js';
export { issueSignInLink, LINK_MINUTES, LINK_PATH } from './sessions/link-sender.js';
export { LinkSender } from './sessions/link-sender.js';
export { type SignInMail, openMail } from './sessions/open-mail.js';
export { openAccountLoops } from './account-loops.js';
export { type CreditPayment, setPaymentIn, setPlanIn } from './credits/set-plan.js';
export {
  CREDIT_COSTS,
  CREDIT_POOLS,
  hasNoData,
  type CreditOperation,
  type CreditPool,
  OPERATION_POOLS,
} from './credits/credit-costs.js';
