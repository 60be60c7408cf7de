export { type Conversation, findConversation, keepConversation } from './conversations.js';
export {
  createPreview,
  type NewPreview,
  type PullPrice,
  type StartedPull,
  startPull,
} from './create-pull.js';
export { isEndedPull, type Pull, PULL_STATES, type PullState } from './pull.js';
export { findPull, listPulls, readPullRows, type StoredRow } from './read-pulls.js';
export {
  addPullRows,
  cancelPull,
  type ClaimedPull,
  claimPull,
  endPull,
  type KeyedRow,
  releasePull,
  renewPull,
  retryPull,
} from './run-pull.js';
export { sweepConversations } from './conversations.js';
export { deleteTenantPulls, sweepPulls } from './sweep-pulls.js';
