export { answerPlace, STORED_ANSWERS } from './answer-place.js';
export {
  CLAIM_LEASE_MS,
  claimKey,
  type ClaimOutcome,
  completeClaim,
  confirmClaim,
  dropClaim,
  extendClaims,
  keepClaims,
  type KeptAnswer,
  type KeyClaim,
  readKey,
  releaseClaim,
  sweepIdempotencyKeys,
} from './idempotency.js';
export { copyStream, keepBytes } from './kept-body.js';
