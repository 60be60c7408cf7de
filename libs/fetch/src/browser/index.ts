export * from './browser-errors.js';
export * from './browser-pool.js';
export * from './pool-events.js';
export { playwright } from './playwright.js';
export type {
  BrowserPoolOptions,
  LeaseRequest,
  ProxyPort,
  ProxyPortOptions,
  LeasedPage,
  WithPageOptions,
} from './pool-options.js';
export { reapOrphans, type ReapReport } from './reap-orphans.js';
