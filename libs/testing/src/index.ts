export * from './ad-hoc-statement.js';
export * from './companies/load-company-sites.js';
export { startCompanySites, type CompanyServers } from './companies/start-company-sites.js';
export * from './debian-package.js';
export * from './full-frontier.js';
export { growthOf, isFarBelowSquared, cpuCost, type Cost, LINEAR_GROWTH } from './growth.js';
export * from './leak-check.js';
export * from './proc/listening-process.js';
export { readMachineTimes, idleShare } from './proc/machine-load.js';
export * from './proc/process-table.js';
export * from './proc/remote-chromium.js';
export { type ResourceUsage, UsageMeter } from './proc/usage-meter.js';
export * from './project-root.js';
export { startFakeFacilitator, type FakeFacilitator } from './providers/fake-facilitator.js';
export { startFakeHostedCrawler, type FakeHostedCrawler } from './providers/fake-hosted-crawler.js';
export { startFakeSearch } from './providers/fake-search.js';
export * from './providers/fake-smtp.js';
export { startFakeStripe, type FakeStripe } from './providers/fake-stripe.js';
export {
  startFakeUnblockProvider,
  type FakeUnblockProvider,
} from './providers/fake-unblock-provider.js';
export { startLoopbackServer, type ProviderRequest } from './providers/loopback-server.js';
export { startFakeLlm, type LlmMode, type FakeLlmServer } from './providers/llm-server.js';
export type { FakeCheckout } from './providers/stripe-account.js';
export { SMTP_MODES } from './providers/smtp-session.js';
export { StripeEvents, type FakeStripeEvent } from './providers/stripe-events.js';
export type { FakeSubscription } from './providers/stripe-objects.js';
export * from './providers/signed-payment.js';
export * from './providers/webhook-receiver.js';
export * from './seeded-random.js';
export { articleHtml, articleMarker } from './site/article.js';
export { pdfOf, encryptedPdf, docxOf, DOCX_TYPE } from './site/documents.js';
export { startFixtureSite, type FixtureSite } from './site/fixture-site.js';
export * from './site/folder-site.js';
export { SMALL_SITE_PATHS, treeMarker } from './site/linked-routes.js';
export type { SiteRequest } from './site/request-log.js';
export { htmlPage, sendHtml } from './site/route.js';
export { ForwardProxy } from './site/forward-proxy.js';
export {
  waitUnlessClosed,
  type Visit,
  type Serve,
  type OwnPage,
  SiteServer,
} from './site/site-server.js';
export * from './site/sitemap-files.js';
export { spawnApp, usualNodeFlags, type AppName, type SpawnedApp } from './spawn-app.js';
export { type Exit, type LogLine, SpawnedProcess } from './spawned-process.js';
export {
  answersOf,
  type Trap,
  type TrapAnswer,
  type TrapPage,
  type TrapFailure,
} from './traps/trap.js';
export * from './traps/traps.js';
export { type ResultPage, type JobResponse, type Answer, TrawlClient } from './trawl-client.js';
export { until, pause } from './until.js';
