export { localeOf } from './accept-language.js';
export * from './browser/index.js';
export * from './cascade.js';
export { eligibleRungs } from './escalation.js';
export * from './fetch-rung.js';
export * from './robots/robots-cache.js';
export * from './robots/robots-rules.js';
export * from './rungs/hosted-browser.rung.js';
export * from './rungs/hosted-crawler.rung.js';
export * from './rungs/plain.rung.js';
export { isBrowserLost } from './render/render-error.js';
export {
  BROWSER_FAILURES,
  HeadlessRung,
  type HeadlessRungOptions,
  lackOfBrowser,
  leaseRequest,
  MISSING_BROWSER,
} from './rungs/headless.rung.js';
export * from './rungs/unblock.rung.js';
export * from './spend.js';
export * from './unblock/http-provider-setting.js';
export * from './unblock/http.provider.js';
export * from './unblock/impersonating.provider.js';
export type { UnblockProvider } from './unblock/unblock-provider.js';
export type { JudgeInput } from './verdict/evidence.js';
export * from './verdict/judge-page.js';
