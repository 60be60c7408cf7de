export { answerPlace } from './answer-place.js';
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
} from './idempotency.js';
export { copyStream, keepBytes } from './kept-body.js';
export { CLAIM_LEASE_MS, LiveClaims } from './live-claims.js';
