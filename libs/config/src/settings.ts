import { parseAllowPrivate, parseEgressDeny, parseOutboundProxies } from '@app/egress';
import { address, checked, flag, integer, listOf, oneOf, text, type Field } from './fields.js';
import {
  parseAccount,
  parseFacilitatorUrl,
  parseNetwork,
  parseOfferExtra,
  parseUnits,
} from './pay-per-call.js';
import { parseMailFrom, parseSmtpUrl } from './mail-settings.js';
import { parseOrigins, parsePlanPrices } from './plan-prices.js';
import { parseTrustProxy } from './trust-proxy.js';

/**
 * Every setting of every process. The variable name is the interface to operators: the chart, the
 * compose file and the README are compared with this table by tests.
 */
export const SETTINGS = {
  databaseUrl: address(
    'DATABASE_URL',
    'PostgreSQL; embedded start: a server of its own in DATA_DIR.',
    ['postgres://', 'postgresql://'],
    { isSecret: true },
  ),
  databasePoolSize: integer('DATABASE_POOL_SIZE', 'Database connections one process may hold.', {
    fallback: 10,
    min: 2,
    max: 200,
  }),
  brokerUrl: address(
    'BROKER_URL',
    'RabbitMQ; embedded start: memory: (in this process).',
    ['memory:', 'amqp://', 'amqps://'],
    { isSecret: true },
  ),
  brokerPrefix: text(
    'BROKER_PREFIX',
    'First part of every queue name; lets deployments share a broker.',
    { fallback: 'trawl' },
  ),
  storageUrl: address(
    'STORAGE_URL',
    'Documents and results: file:/folder or s3+http(s)://KEY:SECRET@host/bucket; embedded start: a folder in DATA_DIR.',
    ['file:', 's3+http://', 's3+https://'],
    { isSecret: true },
  ),
  storagePublicUrl: address(
    'STORAGE_PUBLIC_URL',
    'Address under which clients reach S3, when it differs from STORAGE_URL.',
    ['http://', 'https://'],
  ),
  dataDir: text('DATA_DIR', 'Folder of the embedded database, documents and first key.', {
    fallback: '.data',
  }),
  host: text('HOST', 'Address the API listens on.', { fallback: '127.0.0.1' }),
  port: integer('PORT', 'Port the API listens on; 0 picks a free one.', {
    fallback: 3000,
    min: 0,
    max: 65_535,
  }),
  publicUrl: address(
    'PUBLIC_URL',
    'Address under which clients reach the API; default http://HOST:PORT.',
    ['http://', 'https://'],
  ),
  metricsHost: text('METRICS_HOST', 'Address metrics and health of a process listen on.', {
    fallback: '127.0.0.1',
  }),
  metricsPort: integer(
    'METRICS_PORT',
    'Port of metrics and health, apart from the API; 0 picks a free one.',
    { fallback: 0, min: 0, max: 65_535 },
  ),
  logLevel: oneOf(
    'LOG_LEVEL',
    'Least level that is logged.',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    { fallback: 'info' },
  ),
  bodyLimitBytes: integer('BODY_LIMIT_BYTES', 'Largest request body of the API.', {
    fallback: 1_048_576,
    min: 1_024,
    max: 104_857_600,
  }),
  drainSeconds: integer(
    'DRAIN_SECONDS',
    'How long a stopping process finishes what is in flight.',
    { fallback: 30, min: 0, max: 3_600 },
  ),
  migrateOnStart: flag(
    'MIGRATE_ON_START',
    'The API brings the database schema up to date when it starts.',
    { fallback: true },
  ),
  bootstrapTenant: flag(
    'BOOTSTRAP_TENANT',
    'The API makes a first tenant with a key when the database has none, and prints the key once.',
    { fallback: false },
  ),
  trustProxy: checked(
    'TRUST_PROXY',
    'Proxies before the API whose X-Forwarded-For is believed: comma-separated addresses and CIDRs, or their number where nothing reaches the API past them; empty: the address of the connection counts.',
    parseTrustProxy,
    { fallback: '' },
  ),
  provisionPerIpPerDay: integer(
    'PROVISION_PER_IP_PER_DAY',
    'Keys that one client address (IPv4, or the /64 of IPv6) may make for itself within 24 hours; 0: self-serve keys are off.',
    { fallback: 5, min: 0, max: 1_000_000 },
  ),
  provisionPerNetworkPerDay: integer(
    'PROVISION_PER_NETWORK_PER_DAY',
    'Keys that all clients of one network (IPv4 /24, IPv6 /48) together may make for themselves within 24 hours.',
    { fallback: 20, min: 1, max: 1_000_000 },
  ),
  downloadSecret: text(
    'DOWNLOAD_SECRET',
    'Signs download links; needed only where several API processes share a file: storage.',
    { isSecret: true },
  ),
  exampleUrl: address(
    'EXAMPLE_URL',
    'Page named in the example commands printed at the first start.',
    ['http://', 'https://'],
    { fallback: 'https://example.com/' },
  ),

  userAgent: text(
    'USER_AGENT',
    'User-Agent of every fetch; its first word is the name robots.txt rules are looked up by.',
    { fallback: 'TrawlBot/0.1 (+https://github.com/trawl/trawl)' },
  ),
  fetchAllowPrivate: checked(
    'FETCH_ALLOW_PRIVATE',
    'Private targets that may be fetched: comma-separated cidr:port for URLs with an address, host:port for a name. Never metadata addresses.',
    parseAllowPrivate,
    { fallback: '' },
  ),
  egressDeny: checked(
    'EGRESS_DENY',
    'Address ranges that are never fetched and get no webhooks, comma-separated CIDRs: public addresses that lead inside, such as those of a NAT or of the nodes of a cluster. Wins over FETCH_ALLOW_PRIVATE; addresses of own interfaces are refused anyhow.',
    parseEgressDeny,
    { fallback: '' },
  ),
  fetchTimeoutMs: integer(
    'FETCH_TIMEOUT_MS',
    'Longest time one crawled page may take, all steps together.',
    { fallback: 30_000, min: 1_000, max: 600_000 },
  ),
  fetchMaxBytes: integer(
    'FETCH_MAX_BYTES',
    'Bytes read of one page after decompression; the rest is cut and named.',
    { fallback: 10_485_760, min: 1_024, max: 268_435_456 },
  ),
  scrapeTimeoutMs: integer(
    'SCRAPE_TIMEOUT_MS',
    'Deadline of one scrape or screenshot; waits that the request asks for come on top.',
    {
      fallback: 60_000,
      min: 1_000,
      max: 600_000,
    },
  ),
  batchTimeoutMs: integer(
    'BATCH_TIMEOUT_MS',
    'How long a batch that is waited for begins further pages; those begun have SCRAPE_TIMEOUT_MS each.',
    { fallback: 600_000, min: 1_000, max: 86_400_000 },
  ),
  mapTimeoutMs: integer(
    'MAP_TIMEOUT_MS',
    'Time of one map; what was found by then is the answer.',
    { fallback: 25_000, min: 1_000, max: 25_000 },
  ),
  mapConcurrency: integer(
    'MAP_CONCURRENCY',
    'Maps one fetcher works on at once, shared between tenants like SCRAPE_CONCURRENCY.',
    {
      fallback: 4,
      min: 1,
      max: 1_000,
    },
  ),
  brandTimeoutMs: integer(
    'BRAND_TIMEOUT_MS',
    'Time of one brand: the homepage, its style sheets (6 s at most) and reading them.',
    { fallback: 30_000, min: 1_000, max: 600_000 },
  ),
  brandConcurrency: integer(
    'BRAND_CONCURRENCY',
    'Brands one fetcher works on at once, shared between tenants like SCRAPE_CONCURRENCY.',
    {
      fallback: 4,
      min: 1,
      max: 1_000,
    },
  ),
  enrichTimeoutMs: integer(
    'ENRICH_TIMEOUT_MS',
    'Time of one enrichment; what was found by then is the answer. That of a model comes on top.',
    { fallback: 60_000, min: 1_000, max: 600_000 },
  ),
  enrichConcurrency: integer(
    'ENRICH_CONCURRENCY',
    'Enrichments one fetcher works on at once, shared between tenants like SCRAPE_CONCURRENCY.',
    {
      fallback: 16,
      min: 1,
      max: 1_000,
    },
  ),
  scrapeConcurrency: integer(
    'SCRAPE_CONCURRENCY',
    'Scrapes of one tenant that a fetcher works on at once; half as many on top are for other tenants, and the free plan gets half of it at most.',
    { fallback: 8, min: 1, max: 1_000 },
  ),
  outstandingCalls: integer(
    'OUTSTANDING_CALLS',
    'Calls of one kind (scrapes, maps …) and one tenant that an API process has with the fetchers at a time; half as many on top are for other tenants, and the free plan gets half of it at most. More wait in the API process. A fetcher takes as many ahead as one API process hands out. Set it alike in both.',
    { fallback: 64, min: 1, max: 1_000 },
  ),
  scrapeQueueMax: integer(
    'SCRAPE_QUEUE_MAX',
    'Scrape requests that may wait in the broker; more are refused with 503.',
    { fallback: 1_000, min: 1, max: 100_000 },
  ),
  crawlConcurrency: integer('CRAWL_CONCURRENCY', 'Crawl pages one fetcher works on at once.', {
    fallback: 16,
    min: 1,
    max: 1_000,
  }),
  crawlQueueTarget: integer(
    'CRAWL_QUEUE_TARGET',
    'Most crawl pages that wait in the broker; a quarter of those that are worked on does. More stay in the database, where cancel and fairness reach them.',
    { fallback: 64, min: 1, max: 100_000 },
  ),
  contentThreads: integer(
    'CONTENT_THREADS',
    'Threads that convert pages in one fetcher, and as many again that read for models; 0 means one less than the processors.',
    { fallback: 0, min: 0, max: 256 },
  ),
  contentCpuMs: integer(
    'CONTENT_CPU_MS',
    'CPU time in milliseconds that the conversion of one page may take; the result is what was made until then (`max_cpu`).',
    { fallback: 5_000, min: 100, max: 600_000 },
  ),
  crawlMaxPages: integer('CRAWL_MAX_PAGES', "Ceiling of a crawl's page limit.", {
    fallback: 1_000,
    min: 1,
    max: 100_000_000,
  }),
  crawlDeadlineHours: integer(
    'CRAWL_DEADLINE_HOURS',
    'A crawl that runs longer ends with what it has.',
    { fallback: 72, min: 1, max: 8_760 },
  ),
  leaseMs: integer(
    'LEASE_MS',
    'A page of a fetcher that stopped answering is given to another after this time.',
    { fallback: 30_000, min: 2_000, max: 30_000 },
  ),
  pageAttempts: integer(
    'PAGE_ATTEMPTS',
    'Tries of one page of a crawl before it counts as failed.',
    { fallback: 3, min: 1, max: 20 },
  ),
  hostWindowStart: integer('HOST_WINDOW_START', 'Requests in flight to a host not seen before.', {
    fallback: 2,
    min: 1,
    max: 1_000,
  }),
  hostWindowMax: integer(
    'HOST_WINDOW_MAX',
    'Most requests in flight to one host, whole cluster together.',
    { fallback: 16, min: 1, max: 1_000 },
  ),
  resultUrlSeconds: integer(
    'RESULT_URL_SECONDS',
    'How long a result_url is valid after it was shown.',
    { fallback: 3_600, min: 10, max: 604_800 },
  ),
  resultDays: integer(
    'RESULT_DAYS',
    'How long results of jobs, their pages, webhook deliveries and stored screenshots are kept.',
    { fallback: 30, min: 1, max: 3_650 },
  ),
  jobDays: integer(
    'JOB_DAYS',
    'How long the state and counts of a job are kept; never shorter than RESULT_DAYS.',
    { fallback: 365, min: 1, max: 36_500 },
  ),
  companyContactsDays: integer(
    'COMPANY_CONTACTS_DAYS',
    'How long e-mail addresses, phone numbers and people of companies are kept after the reading that last saw them.',
    { fallback: 180, min: 1, max: 3_650 },
  ),
  webhookTimeoutMs: integer(
    'WEBHOOK_TIMEOUT_MS',
    'Time a webhook receiver has to answer, connecting included.',
    { fallback: 15_000, min: 100, max: 60_000 },
  ),
  webhookConcurrency: integer(
    'WEBHOOK_CONCURRENCY',
    'Webhooks one API process sends at once; a quarter of them to one tenant.',
    { fallback: 16, min: 1, max: 1_000 },
  ),

  outboundProxies: checked(
    'OUTBOUND_PROXIES',
    'Proxies that fetches go out through: comma-separated [CC=]http://user:password@host:port, CC a country code.',
    parseOutboundProxies,
    { fallback: '', isSecret: true },
  ),
  outboundProxyResolvesNames: flag(
    'OUTBOUND_PROXY_RESOLVES_NAMES',
    'Outbound proxies are given names instead of vetted addresses: only for networks where nothing else can resolve.',
    { fallback: false },
  ),
  unblockProviders: listOf(
    'UNBLOCK_PROVIDERS',
    'Providers of the unblock rung in order: impersonate (free), http (UNBLOCK_HTTP); empty: no such rung.',
    ['impersonate', 'http'],
    { fallback: [] },
  ),
  unblockHttp: text(
    'UNBLOCK_HTTP',
    'JSON that describes the paid provider `http`; see the README.',
    { isSecret: true },
  ),
  hostedCrawlerUrl: address(
    'HOSTED_CRAWLER_URL',
    'API with /v2/scrape that fetches what this service could not; default: no such rung.',
    ['http://', 'https://'],
  ),
  hostedCrawlerKey: text('HOSTED_CRAWLER_KEY', 'Its key.', { fallback: '', isSecret: true }),
  hostedCrawlerCostMicroUsd: integer(
    'HOSTED_CRAWLER_COST_MICRO_USD',
    'What one of its fetches costs, in millionths of a dollar; counts against cost ceilings.',
    { fallback: 0, min: 0, max: 1_000_000_000 },
  ),
  browserWsUrl: address(
    'BROWSER_WS_URL',
    'Remote browser (DevTools protocol) tried last; default: no such rung.',
    ['ws://', 'wss://', 'http://', 'https://'],
    { isSecret: true },
  ),
  browserWsCostMicroUsd: integer(
    'BROWSER_WS_COST_MICRO_USD',
    'What one of its pages costs, in millionths of a dollar.',
    { fallback: 0, min: 0, max: 1_000_000_000 },
  ),
  costCeilingMicroUsd: integer(
    'COST_CEILING_MICRO_USD',
    'Most one page may cost in paid rungs, in millionths of a dollar; a request may ask for less.',
    { fallback: 1_000_000_000, min: 0, max: 1_000_000_000 },
  ),
  hostMemorySeconds: integer(
    'HOST_MEMORY_SECONDS',
    'How long the rung that worked for a host is begun with.',
    { fallback: 1_800, min: 1, max: 604_800 },
  ),
  cacheMaxMib: integer('CACHE_MAX_MIB', 'Cached pages of one tenant, MiB; 0: no cache.', {
    fallback: 256,
    min: 0,
    max: 1_048_576,
  }),
  cacheHours: integer('CACHE_HOURS', 'How long a cached page is kept.', {
    fallback: 48,
    min: 1,
    max: 8_760,
  }),

  uploadMaxBytes: integer(
    'UPLOAD_MAX_BYTES',
    'Largest file of POST /v1/parse, and largest body of POST /v1/extract.',
    { fallback: 33_554_432, min: 1_024, max: 1_073_741_824 },
  ),
  convertConcurrency: integer(
    'CONVERT_CONCURRENCY',
    'Uploads one fetcher converts at once, shared between tenants like SCRAPE_CONCURRENCY.',
    {
      fallback: 4,
      min: 1,
      max: 1_000,
    },
  ),
  fileThreads: integer(
    'FILE_THREADS',
    'Threads that read PDF and DOCX files in one fetcher; as many again for crawls.',
    {
      fallback: 1,
      min: 1,
      max: 256,
    },
  ),
  fileMaxPages: integer('FILE_MAX_PAGES', 'Pages read of one PDF; the rest is cut and named.', {
    fallback: 1_000,
    min: 1,
    max: 100_000,
  }),
  llmBaseUrl: address(
    'LLM_BASE_URL',
    'API in the form of OpenAI (…/v1) for json, summary and extraction by schema; default: none.',
    ['http://', 'https://'],
  ),
  llmApiKey: text('LLM_API_KEY', 'Its key.', { fallback: '', isSecret: true }),
  llmModelFree: text('LLM_MODEL_FREE', 'Model for tenants on the free plan.', { fallback: '' }),
  llmModelLow: text('LLM_MODEL_LOW', 'Model for paid plans.', { fallback: '' }),
  llmModelHigh: text('LLM_MODEL_HIGH', 'Model for `complexity: high`.', { fallback: '' }),
  llmModelTop: text('LLM_MODEL_TOP', 'Model for extraction without a schema.', { fallback: '' }),
  llmModelVision: text(
    'LLM_MODEL_VISION',
    'Model that reads the pictures of scanned PDFs; default: they are refused with 422.',
    { fallback: '' },
  ),
  llmBudgetMicroUsd: integer(
    'LLM_BUDGET_MICRO_USD',
    'Most that models may cost one page or document, in millionths of a dollar.',
    { fallback: 100_000, min: 0, max: 1_000_000_000 },
  ),
  llmTimeoutMs: integer(
    'LLM_TIMEOUT_MS',
    'Time a model may take for one page; comes on top of the time to fetch.',
    { fallback: 60_000, min: 1_000, max: 600_000 },
  ),

  stripeSecretKey: text(
    'STRIPE_SECRET_KEY',
    'Secret or restricted key of the Stripe account that plans are paid to; empty: billing answers 503.',
    { fallback: '', isSecret: true },
  ),
  stripeWebhookSecret: text(
    'STRIPE_WEBHOOK_SECRET',
    'Signing secret (whsec_…) of the Stripe endpoint that sends events to /webhooks/stripe.',
    { fallback: '', isSecret: true },
  ),
  stripePrices: checked(
    'STRIPE_PRICES',
    'Recurring prices in Stripe: comma-separated plan:price, plans hobby, pro, scale; the first of a plan is sold.',
    parsePlanPrices,
    { fallback: '' },
  ),
  stripeApiUrl: address('STRIPE_API_URL', 'Address of the Stripe API.', ['http://', 'https://'], {
    fallback: 'https://api.stripe.com',
  }),
  billingRedirectOrigins: checked(
    'BILLING_REDIRECT_ORIGINS',
    'Origins that successUrl and cancelUrl of a checkout may lead to, comma-separated, that of PUBLIC_URL always; empty: any http(s) address.',
    parseOrigins,
    { fallback: '' },
  ),
  payPerCallPrice: checked(
    'PAY_PER_CALL_PRICE',
    'What a credit costs who pays by the call (x402), in the smallest units of PAY_PER_CALL_ASSET; empty: every call needs a key.',
    parseUnits,
    { fallback: '' },
  ),
  payPerCallNetwork: checked(
    'PAY_PER_CALL_NETWORK',
    'Network that calls are paid on, as CAIP-2 writes it, e.g. eip155:8453.',
    parseNetwork,
    { fallback: '' },
  ),
  payPerCallAsset: checked(
    'PAY_PER_CALL_ASSET',
    'Token that calls are paid with: its address on that network.',
    parseAccount,
    { fallback: '' },
  ),
  payPerCallPayTo: checked('PAY_PER_CALL_PAY_TO', 'Address that is paid.', parseAccount, {
    fallback: '',
  }),
  payPerCallExtra: checked(
    'PAY_PER_CALL_EXTRA',
    'What payers need to know besides, a JSON object: of an EVM token the name and version of its signing domain.',
    parseOfferExtra,
    { fallback: '' },
  ),
  payPerCallFacilitatorUrl: checked(
    'PAY_PER_CALL_FACILITATOR_URL',
    'Facilitator that verifies and settles payments: the address before /verify and /settle.',
    parseFacilitatorUrl,
    { fallback: '' },
  ),
  payPerCallFacilitatorToken: text(
    'PAY_PER_CALL_FACILITATOR_TOKEN',
    'Sent to the facilitator as a bearer token; empty: none.',
    { fallback: '', isSecret: true },
  ),
  payPerCallRequestsPerMinute: integer(
    'PAY_PER_CALL_REQUESTS_PER_MINUTE',
    'Paid calls that one client address (IPv4, or the /64 of IPv6) may send within any minute.',
    { fallback: 60, min: 1, max: 100_000 },
  ),

  smtpUrl: checked(
    'SMTP_URL',
    'Mail server for signing in by e-mail: smtp://[user:password@]host[:port], with STARTTLS except on this machine, or smtps://…; empty: embedded starts print the links in their log, others offer none.',
    parseSmtpUrl,
    { fallback: '', isSecret: true },
  ),
  mailFrom: checked(
    'MAIL_FROM',
    'Sender of those mails, needed with SMTP_URL: an address, or a name with it in angle brackets.',
    parseMailFrom,
    { fallback: '' },
  ),

  techFingerprintsPath: text(
    'TECH_FINGERPRINTS_PATH',
    'File or folder of further fingerprints, JSON as Wappalyzer has it; default: only those of this build.',
    { fallback: '' },
  ),
  techScanThreads: integer(
    'TECH_SCAN_THREADS',
    'Threads of one scanner that scan pages for one tenant at a time; one more is kept for the others. 0 means one less than the processors.',
    { fallback: 0, min: 0, max: 256 },
  ),
  techScanConcurrency: integer(
    'TECH_SCAN_CONCURRENCY',
    'Scans one scanner takes from the queue at once, those that wait for a thread included; shared between tenants like SCRAPE_CONCURRENCY.',
    { fallback: 64, min: 1, max: 1_000 },
  ),
  techScanBudgetMs: integer(
    'TECH_SCAN_BUDGET_MS',
    'Time to match one page; a scan that reaches it answers with what it found.',
    { fallback: 1_000, min: 10, max: 60_000 },
  ),
  techScanHardMs: integer(
    'TECH_SCAN_HARD_MS',
    'A scan that does not answer by then is ended with its thread.',
    { fallback: 3_000, min: 50, max: 120_000 },
  ),
  techScanMaxOldSpaceMib: integer(
    'TECH_SCAN_MAX_OLD_SPACE_MIB',
    'Heap of one scan thread, MiB; a scan that needs more is ended with it.',
    { fallback: 512, min: 64, max: 1_048_576 },
  ),
  techCooldownMinutes: integer(
    'TECH_COOLDOWN_MINUTES',
    'How long a tenant gets no scans after 5 of them were ended within 10 minutes, counted in each scanner.',
    { fallback: 10, min: 1, max: 10_080 },
  ),
  techRequestBudgetMs: integer(
    'TECH_REQUEST_BUDGET_MS',
    'Time for the scans of all pages of one enrichment together.',
    { fallback: 20_000, min: 100, max: 600_000 },
  ),
  techDeepBudgetMs: integer(
    'TECH_DEEP_BUDGET_MS',
    'Time for the deep scan of one enrichment: pages in a browser, and what they load.',
    { fallback: 15_000, min: 100, max: 600_000 },
  ),

  chromiumPath: text('CHROMIUM_PATH', 'Chromium to use; default: found on the machine.'),
  browserSandbox: oneOf(
    'BROWSER_SANDBOX',
    'Sandbox of Chromium; auto: on where the machine allows it, and said at start where not.',
    ['auto', 'on', 'off'],
    { fallback: 'auto' },
  ),
  browserMax: integer('BROWSER_MAX', 'Chromium processes of one fetcher; 0: no browser.', {
    fallback: 2,
    min: 0,
    max: 256,
  }),
  browserPages: integer('BROWSER_PAGES', 'Pages one Chromium has open at once.', {
    fallback: 4,
    min: 1,
    max: 64,
  }),
  browserWarm: integer('BROWSER_WARM', 'Chromium processes kept started.', {
    fallback: 0,
    min: 0,
    max: 256,
  }),
  browserRecyclePages: integer(
    'BROWSER_RECYCLE_PAGES',
    'Pages after which a Chromium is replaced.',
    { fallback: 200, min: 1, max: 1_000_000 },
  ),
  browserRecycleMinutes: integer(
    'BROWSER_RECYCLE_MINUTES',
    'Minutes after which a Chromium is replaced.',
    { fallback: 60, min: 1, max: 100_000 },
  ),
  browserMaxRssMib: integer(
    'BROWSER_MAX_RSS_MIB',
    'Memory of one Chromium with its children above which it is replaced.',
    { fallback: 2_048, min: 128, max: 1_048_576 },
  ),
  browserPageRequests: integer('BROWSER_PAGE_REQUESTS', 'Requests one page may make.', {
    fallback: 1_000,
    min: 1,
    max: 1_000_000,
  }),
  browserPageMib: integer('BROWSER_PAGE_MIB', 'MiB one page may load.', {
    fallback: 100,
    min: 1,
    max: 1_048_576,
  }),
  browserStealth: flag(
    'BROWSER_STEALTH',
    'A page that answered the browser with a bot wall is tried once more with the marks of automation taken off.',
    { fallback: true },
  ),
  screenshotConcurrency: integer(
    'SCREENSHOT_CONCURRENCY',
    'Screenshot requests one fetcher works on at once, shared between tenants like SCRAPE_CONCURRENCY.',
    { fallback: 4, min: 1, max: 1_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;

type Table = typeof SETTINGS;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type WithDefault = {
  [K in keyof Table]: K extends NoDefault ? never : K;
}[keyof Table];
type NoDefault =
  | 'databaseUrl'
  | 'brokerUrl'
  | 'storageUrl'
  | 'storagePublicUrl'
  | 'publicUrl'
  | 'downloadSecret'
  | 'unblockHttp'
  | 'hostedCrawlerUrl'
  | 'browserWsUrl'
  | 'llmBaseUrl'
  | 'chromiumPath';

export type Settings = { readonly [K in WithDefault]: ValueOf<Table[K]> } & {
  readonly [K in NoDefault]: ValueOf<Table[K]> | undefined;
};

/** Names of all environment variables that are settings. */
export const SETTING_NAMES: readonly string[] = Object.values(SETTINGS).map((field) => field.env);
