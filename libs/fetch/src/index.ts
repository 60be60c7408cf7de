export { localeOf } from './accept-language.js';
export { BrowserPool } from './browser/browser-pool.js';
export { playwright } from './browser/playwright.js';
export type {
  BrowserPoolEvents,
  BrowserPoolSnapshot,
  LaunchResult,
} from './browser/pool-events.js';
export type { BrowserPoolOptions } from './browser/pool-options.js';
export {
  type Shortcoming,
  type AssessedPage,
  type ServedPage,
  type CascadeOutcome,
  runCascade,
} from './cascade.js';
export { UseFiles } from './content-use/use-files.js';
export { eligibleRungs } from './escalation.js';
export {
  type FetchRequest,
  type RenderRequest,
  PLAIN_RENDER,
  type Validators,
  type FetchedPage,
  type Screenshot,
  type RungFailure,
  type RungResult,
  type FetchRung,
} from './fetch-rung.js';
export { type RobotsDecision, type RobotsFailure, RobotsCache } from './robots/robots-cache.js';
export { parseRobots } from './robots/robots-rules.js';
export { HostedBrowserRung } from './rungs/hosted-browser.rung.js';
export { HostedCrawlerRung } from './rungs/hosted-crawler.rung.js';
export * from './rungs/plain.rung.js';
export { isBrowserLost } from './render/render-error.js';
export {
  BROWSER_FAILURES,
  isRepeatable,
  HeadlessRung,
  lackOfBrowser,
  MISSING_BROWSER,
} from './rungs/headless.rung.js';
export { UnblockRung } from './rungs/unblock.rung.js';
export * from './spend.js';
export { parseHttpProviders, parseHttpProvider } from './unblock/http-provider-setting.js';
export { HttpProvider } from './unblock/http.provider.js';
export { createImpersonatingProvider } from './unblock/impersonating.provider.js';
export type { UnblockProvider } from './unblock/unblock-provider.js';
