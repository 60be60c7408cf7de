export { findConversation, keepConversation } from './pulls/conversations.js';
export { createPreview, startPull } from './pulls/create-pull.js';
export { isEndedPull, type Pull, PULL_STATES, type PullState } from './pulls/pull.js';
export { findPull, listPulls, readPullRows, type StoredRow } from './pulls/read-pulls.js';
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
} from './pulls/run-pull.js';
export { sweepConversations } from './pulls/conversations.js';
export { deleteTenantPulls, sweepPulls } from './pulls/sweep-pulls.js';
export { claimFeed, type ClaimedFeed, type RunTerms } from './feeds/claim-feed.js';
export {
  deleteFeed,
  deleteTenantFeeds,
  pauseFeed,
  renewFeedAddresses,
  requestFeedRun,
  resumeFeed,
  sweepFeedEvents,
} from './feeds/change-feed.js';
export { createFeed } from './feeds/create-feed.js';
export { feedToken, readFeedToken } from './feeds/feed-file.js';
export { feedFile, FEED_TYPES, feedItemId } from './feeds/feed-file.js';
export {
  type Feed,
  FEED_STATES,
  type FeedRun,
  type FeedState,
  FIRST_RUNS,
  type FirstRun,
  MAX_RUN_CHARS,
  MAX_RUN_ROWS,
  RUN_STATES,
  type RunState,
} from './feeds/feed.js';
export { fieldDiff } from './feeds/field-diff.js';
export {
  findFeed,
  findSignedFeed,
  listFeedRuns,
  listFeeds,
  readFeedEvents,
  readFeedItems,
} from './feeds/feed-file.js';
export {
  addFeedRows,
  type CountedRow,
  endFeedRun,
  knownRows,
  releaseFeed,
  renewFeed,
} from './feeds/run-feed.js';
export { nextTick, scheduleProblem, shortestGapMinutes } from './feeds/schedule.js';
export {
  claimDueSite,
  claimSite,
  type ClaimedSite,
  completedCrawls,
  deleteSite,
  deleteTenantSites,
  findSite,
  listSites,
  putSite,
  releaseSite,
  type Site,
} from './sites/sites.js';
