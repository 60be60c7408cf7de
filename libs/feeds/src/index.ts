export { claimFeed, type ClaimedFeed, type RunTerms } from './claim-feed.js';
export {
  deleteFeed,
  deleteTenantFeeds,
  pauseFeed,
  renewFeedAddresses,
  requestFeedRun,
  resumeFeed,
  sweepFeedEvents,
} from './change-feed.js';
export { createFeed } from './create-feed.js';
export { feedToken, FEED_FORMATS, readFeedToken } from './feed-address.js';
export { feedFile, FEED_TYPES, feedItemId } from './feed-file.js';
export {
  type Feed,
  FEED_STATES,
  type FeedRun,
  type FeedState,
  FIRST_RUNS,
  type FirstRun,
  MAX_FAILURES,
  MAX_RUN_CHARS,
  MAX_RUN_ROWS,
  RUN_STATES,
  type RunState,
} from './feed.js';
export { fieldDiff } from './field-diff.js';
export { findFeed, findSignedFeed, listFeedRuns, listFeeds, readFeedItems } from './read-feeds.js';
export {
  addFeedRows,
  type CountedRow,
  endFeedRun,
  knownRows,
  releaseFeed,
  renewFeed,
} from './run-feed.js';
export { nextTick, scheduleProblem, shortestGapMinutes } from './schedule.js';
