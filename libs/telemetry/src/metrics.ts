import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
} from 'prom-client';
import { ERROR_CLASSES, JOB_TYPES, QUEUES, RUNGS, type JobType } from '@app/contracts';
import { BUILT_IN_CONNECTORS, GRAPH_CONNECTOR_ID, SCRAPERS, SOURCE_KINDS } from '@app/connectors';
import { RECRAWL_CHANGES } from '@app/crawl';
import { SEARCH_SOURCES } from '@app/search';

const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const ATTEMPT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120];
const PHASE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const AGE_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800];
const PROCESSING_SECONDS = [0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const JOB_SECONDS = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600];
const WAIT_SECONDS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30];
const HOST_WAIT_SECONDS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60];
const LAUNCH_SECONDS = [0.25, 0.5, 1, 2, 4, 8, 15, 30];
const BLOB_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
const WEBHOOK_SECONDS = [0.05, 0.1, 0.5, 1, 2, 5, 10, 30];
const OUTBOX_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60];
const SCAN_SECONDS = [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const GRAPH_AGE_SECONDS = [60, 3_600, 86_400, 604_800, 2_592_000, 7_776_000, 31_536_000];
const RESPONSE_BYTES = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536].map((kib) => kib * 1024);

/** What is charged by the call, and the pages of crawls and batches. */
const CHARGED = [
  ...['scrape', 'map', 'search', 'screenshot', 'extract', 'parse', 'enrich', 'brand', 'crawl'],
  ...['resolve', 'scraper', 'pull', 'feed'],
];

const SEARCH_OUTCOMES = [
  ...['results', 'empty', 'skipped', 'drift', 'timeout', 'network'],
  ...['http_error', 'blocked', 'provider_error', 'parse_error'],
];

const GRAPH_KEYS = [
  ...['domain', 'uei', 'license', 'phone', 'name', 'name+state', 'name+zip', 'name+state+zip'],
  'miss',
];

const SCAN_OUTCOMES = [
  'complete',
  'partial',
  'worker_terminated',
  'queue_timeout',
  'worker_error',
  'tenant_cooldown',
];

/** Gauges of prom-client whose names end in `_total`, which Prometheus' own linter refuses. */
const MISNAMED_DEFAULTS = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/**
 * Every series a process exposes. Labels are closed sets: never a URL, host, tenant or job. One
 * instance per process; the apps of a standalone share it.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly collectors: (() => Promise<void>)[] = [];

  readonly httpRequests = this.counter('http_requests_total', 'Requests answered by the API.', [
    'method',
    'route',
    'status_code',
  ]);
  readonly httpSeconds = this.histogram(
    'http_request_duration_seconds',
    'Time to answer a request; sync: it waited for a scrape.',
    ['method', 'route', 'sync'],
    HTTP_SECONDS,
  );
  readonly httpInFlight = this.gauge('http_requests_in_flight', 'Requests being answered.', []);
  readonly httpRejections = this.counter(
    'http_rejections_total',
    'Requests refused before work started.',
    ['reason'],
  );

  readonly securityEvents = this.counter(
    'security_events_total',
    'Refused keys and addresses, unknown ids, sessions, and keys that were made or ended.',
    ['event'],
  );

  readonly jobsCreated = this.counter('jobs_created_total', 'Jobs accepted.', ['type']);
  readonly jobsCompleted = this.counter('jobs_completed_total', 'Jobs ended.', ['type', 'outcome']);
  readonly jobSeconds = this.histogram(
    'job_duration_seconds',
    'Time from acceptance to end of a job.',
    ['type', 'outcome'],
    JOB_SECONDS,
  );
  readonly jobsActive = this.gauge(
    'jobs_active',
    'Jobs that are not over, of all processes: take the maximum, not the sum.',
    ['type'],
  );
  readonly queueOldestSeconds = this.gauge(
    'queue_oldest_message_age_seconds',
    'How long the oldest job has waited for its first page, of all processes.',
    ['queue'],
  );
  readonly crawlUrls = this.counter('crawl_urls_total', 'Decisions about crawl addresses.', [
    'decision',
  ]);
  readonly recrawledPages = this.counter(
    'recrawl_pages_total',
    'Pages of recrawls by how they differ from the crawl before.',
    ['change'],
  );
  readonly leasesExpired = this.counter(
    'crawl_leases_expired_total',
    'Pages taken back from fetchers that stopped answering.',
    [],
  );

  readonly published = this.counter('messages_published_total', 'Messages handed to the broker.', [
    'queue',
    'result',
  ]);
  readonly consumed = this.counter('messages_consumed_total', 'Messages taken from the broker.', [
    'queue',
    'result',
    'redelivered',
  ]);
  readonly deadLettered = this.counter('messages_dead_lettered_total', 'Messages given up.', [
    'queue',
    'reason',
  ]);
  readonly messageAge = this.histogram(
    'message_age_seconds',
    'Time from publish to delivery.',
    ['queue'],
    AGE_SECONDS,
  );
  readonly processingSeconds = this.histogram(
    'message_processing_duration_seconds',
    'Time to work on a message.',
    ['queue', 'result'],
    PROCESSING_SECONDS,
  );
  readonly consumerInFlight = this.gauge('consumer_in_flight', 'Messages being worked on.', [
    'queue',
  ]);
  readonly consumerPrefetch = this.gauge(
    'consumer_prefetch',
    'Tasks this process works on at once; 0 while its consumer is paused or drains.',
    ['queue'],
  );
  readonly callsWaiting = this.gauge(
    'calls_waiting',
    'Calls that wait in the API process for the turn of their tenant, before the broker.',
    ['queue'],
  );
  readonly amqpConnected = this.gauge('amqp_connected', '1 while connected to the broker.', []);
  readonly amqpReconnects = this.counter(
    'amqp_reconnects_total',
    'Times the broker connection was made again.',
    [],
  );
  readonly outboxPending = this.gauge(
    'outbox_pending',
    'Committed messages not confirmed by the broker yet.',
    [],
  );
  readonly outboxOldestSeconds = this.gauge(
    'outbox_oldest_pending_age_seconds',
    'Age of the oldest of them.',
    [],
  );
  readonly outboxLag = this.histogram(
    'outbox_publish_lag_seconds',
    'Time from commit to confirm.',
    [],
    OUTBOX_SECONDS,
  );

  readonly webhookDeliveries = this.counter(
    'webhook_deliveries_total',
    'Attempts to deliver a webhook; event: kind and end of the job.',
    ['event', 'outcome'],
  );
  readonly webhookSeconds = this.histogram(
    'webhook_delivery_duration_seconds',
    'Time of one attempt.',
    ['outcome'],
    WEBHOOK_SECONDS,
  );
  readonly webhookPending = this.gauge(
    'webhook_pending',
    'Webhooks to be delivered, now or at their next attempt.',
    [],
  );
  readonly webhookOldestSeconds = this.gauge(
    'webhook_oldest_pending_age_seconds',
    'How long the receiver that waits longest has waited for its turn; not the time until a next attempt.',
    [],
  );

  readonly fetches = this.counter(
    'fetch_requests_total',
    'Pages fetched, each retry of a crawl included, by how they ended.',
    ['outcome', 'final_rung', 'error_origin'],
  );
  readonly attempts = this.counter('fetch_attempts_total', 'Attempts of rungs.', [
    'rung',
    'outcome',
    'error_class',
  ]);
  readonly attemptSeconds = this.histogram(
    'fetch_attempt_duration_seconds',
    'Time of one attempt.',
    ['rung', 'outcome'],
    ATTEMPT_SECONDS,
  );
  readonly phaseSeconds = this.histogram(
    'fetch_phase_duration_seconds',
    'Time of one phase of a fetch.',
    ['rung', 'phase'],
    PHASE_SECONDS,
  );
  readonly escalations = this.counter(
    'fetch_escalations_total',
    'Steps up the cascade, by what they were taken for.',
    ['from_rung', 'to_rung', 'reason'],
  );
  readonly cacheRequests = this.counter(
    'fetch_cache_requests_total',
    'Scrapes, by what the page cache had.',
    ['result'],
  );
  readonly responseBytes = this.histogram(
    'fetch_response_bytes',
    'Bytes of a page after decompression.',
    ['rung'],
    RESPONSE_BYTES,
  );
  readonly ssrfDenied = this.counter('ssrf_denied_total', 'Addresses the egress guard refused.', [
    'stage',
  ]);
  readonly robotsDecisions = this.counter('robots_decisions_total', 'Answers of robots.txt.', [
    'decision',
  ]);
  readonly hostWaitSeconds = this.histogram(
    'host_throttle_wait_seconds',
    'How long requests of a crawled page waited for the Crawl-delay of their host.',
    ['rung'],
    HOST_WAIT_SECONDS,
  );
  readonly hostBackoffs = this.counter(
    'host_backoffs_total',
    'Times a host requested a lower rate.',
    ['reason'],
  );

  readonly browserInstances = this.gauge('browser_instances', 'Chromium processes.', ['state']);
  readonly browserCapacity = this.gauge('browser_pool_capacity', 'Pages that may be open.', []);
  readonly browserWaiters = this.gauge('browser_pool_waiters', 'Tasks waiting for a page.', []);
  readonly browserPagesOpen = this.gauge('browser_pages_open', 'Pages that are open.', []);
  readonly browserWaitSeconds = this.histogram(
    'browser_pool_wait_seconds',
    'Time a task waited for a page.',
    [],
    WAIT_SECONDS,
  );
  readonly browserLaunches = this.counter('browser_launches_total', 'Chromium starts.', ['result']);
  readonly browserLaunchSeconds = this.histogram(
    'browser_launch_duration_seconds',
    'Time to start Chromium.',
    [],
    LAUNCH_SECONDS,
  );
  readonly browserCrashes = this.counter(
    'browser_crashes_total',
    'Browsers lost without being asked; process: the process that controls them.',
    ['reason'],
  );
  readonly browserRecycles = this.counter(
    'browser_recycles_total',
    'Chromium processes replaced.',
    ['reason'],
  );
  readonly browserMemory = this.gauge(
    'browser_resident_memory_bytes',
    'Memory of Chromium with its children.',
    ['stat'],
  );
  readonly browserProcesses = this.gauge('browser_processes', 'Processes of Chromium.', ['state']);
  readonly shmUsed = this.gauge('shm_used_bytes', 'Shared memory in use.', []);
  readonly shmSize = this.gauge('shm_size_bytes', 'Shared memory there is.', []);
  readonly blobSeconds = this.histogram(
    'blob_operation_duration_seconds',
    'Time of a storage operation.',
    ['operation', 'outcome'],
    BLOB_SECONDS,
  );
  readonly blobBytes = this.counter(
    'blob_transferred_bytes_total',
    'Bytes moved to and from storage.',
    ['operation'],
  );
  readonly dbConnections = this.gauge(
    'db_pool_connections',
    'Database connections of this process.',
    ['state'],
  );
  readonly dbWaiters = this.gauge('db_pool_waiters', 'Queries waiting for a connection.', []);

  readonly paymentEvents = this.counter(
    'payment_events_total',
    'Events of the payment provider, by what became of them.',
    ['outcome'],
  );
  readonly paymentRereads = this.counter(
    'payment_rereads_total',
    'Customers whose subscriptions were read without an event; changed: an event was lost.',
    ['outcome'],
  );
  readonly payPerCallPayments = this.counter(
    'pay_per_call_payments_total',
    'Payments sent with calls, by what became of them.',
    ['outcome'],
  );
  readonly creditsCharged = this.counter('credits_charged_total', 'Credits charged.', [
    'operation',
  ]);
  readonly creditsRefunded = this.counter(
    'credits_refunded_total',
    'Credits of calls that were held and went back; what jobs did not spend is not counted.',
    ['reason'],
  );
  readonly creditsDenied = this.counter(
    'credits_denied_total',
    'Credits that requests needed and did not get.',
    ['reason'],
  );
  readonly creditReservations = this.gauge(
    'credit_reservations_open',
    'Calls and jobs with reserved credits, of all processes.',
    [],
  );
  readonly creditDrift = this.gauge(
    'credit_ledger_drift_credits',
    'By how many credits balances and closed months differed from the credit ledger, of those that this process checked in the last half hour.',
    [],
  );
  readonly searchRequests = this.counter(
    'search_requests_total',
    'Searches by backend and how they ended there. empty: it found nothing; skipped: it was left out after failures; drift: the structure of its results has changed.',
    ['backend', 'outcome'],
  );
  readonly searchSeconds = this.histogram(
    'search_request_duration_seconds',
    'Time of one search in a backend, all its pages.',
    ['backend'],
    ATTEMPT_SECONDS,
  );
  readonly scraperRequests = this.counter(
    'scraper_requests_total',
    'Searches of listing scrapers by kind of source and how they ended there, as trawl_search_requests_total.',
    ['scraper', 'kind', 'outcome'],
  );
  readonly scraperSeconds = this.histogram(
    'scraper_request_duration_seconds',
    'Time of one search of a listing scraper in a source, all its pages.',
    ['scraper', 'kind'],
    ATTEMPT_SECONDS,
  );
  readonly previews = this.counter(
    'previews_total',
    "Previews by connector; own: the operator's.",
    ['connector'],
  );
  readonly pulls = this.counter('pulls_total', 'Pulls by connector and how they ended.', [
    'connector',
    'outcome',
  ]);
  readonly feedRuns = this.counter(
    'feed_runs_total',
    'Runs of feeds by connector and how they ended.',
    ['connector', 'outcome'],
  );
  readonly feedRows = this.counter('feed_rows_total', 'Rows of feeds by what a run knew of them.', [
    'kind',
  ]);
  readonly feedsPaused = this.counter(
    'feeds_paused_total',
    'Feeds that paused themselves after failed runs.',
    [],
  );
  readonly chatMessages = this.counter(
    'chat_messages_total',
    'Messages of chats, by what they meant and who understood it.',
    ['kind', 'by'],
  );
  readonly searchAnswers = this.counter(
    'search_answers_total',
    'Answers that cite results, by what became of them.',
    ['outcome'],
  );
  readonly graphLookups = this.counter(
    'graph_lookups_total',
    'Companies that were looked up in the company graph, by the key that found them. miss: none did.',
    ['key'],
  );
  readonly graphAge = this.histogram(
    'graph_record_age_seconds',
    'Age of the records that lookups in the company graph returned.',
    [],
    GRAPH_AGE_SECONDS,
  );
  readonly graphChanges = this.counter(
    'graph_changes_total',
    'Businesses that readings of sites added to the company graph, and those that they merged.',
    ['change'],
  );
  readonly techScans = this.counter(
    'techscan_scans_total',
    'Technology scans, by how they ended.',
    ['outcome'],
  );
  readonly techScanSeconds = this.histogram(
    'techscan_scan_duration_seconds',
    'Time a thread worked on a scan.',
    [],
    SCAN_SECONDS,
  );
  readonly techScanTerminations = this.counter(
    'techscan_worker_terminations_total',
    'Scan threads lost to a page.',
    ['reason'],
  );
  readonly techScansPending = this.gauge(
    'techscan_pending',
    'Scans that wait for a thread of this process.',
    [],
  );
  readonly techScanFingerprints = this.gauge(
    'techscan_fingerprints_loaded',
    'Fingerprints of this build and of the operator.',
    [],
  );
  readonly draining = this.gauge('draining', '1 while the process finishes its work to stop.', []);
  readonly drainAbandoned = this.counter(
    'drain_abandoned_jobs_total',
    'Tasks returned to the queue because the drain time ended.',
    [],
  );
  readonly dependencyUp = this.gauge(
    'dependency_up',
    '1 when a dependency answered its last check.',
    ['dependency'],
  );
  readonly buildInfo = this.gauge(
    'build_info',
    'Always 1; revision: the commit, if the build knew it.',
    [...(['version', 'revision', 'component'] as const)],
  );
  readonly schemaVersion = this.gauge(
    'schema_version',
    'Migrations that have run in the database this process uses.',
    [],
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED_DEFAULTS) this.registry.removeSingleMetric(name);
    this.startAtZero();
  }

  /** rate() misses the first increment of a series that did not exist before. */
  private startAtZero(): void {
    for (const queue of QUEUES) {
      for (const result of ['confirmed', 'nacked', 'returned', 'timeout'])
        this.published.inc({ queue, result }, 0);
      this.consumerInFlight.set({ queue }, 0);
      this.consumerPrefetch.set({ queue }, 0);
    }
    for (const rung of RUNGS) {
      this.attempts.inc({ rung, outcome: 'ok', error_class: 'none' }, 0);
      for (const errorClass of ERROR_CLASSES) {
        this.attempts.inc({ rung, outcome: 'failed', error_class: errorClass }, 0);
      }
    }
    for (const result of ['hit', 'miss', 'stale', 'bypass']) this.cacheRequests.inc({ result }, 0);
    for (const result of ['ok', 'error']) this.browserLaunches.inc({ result }, 0);
    for (const reason of ['signal', 'disconnected', 'unresponsive', 'oom', 'launch', 'process'])
      this.browserCrashes.inc({ reason }, 0);
    for (const reason of ['pages', 'age', 'rss', 'error', 'idle'])
      this.browserRecycles.inc({ reason }, 0);
    for (const stage of ['parse', 'dns', 'redirect', 'connect', 'subresource'])
      this.ssrfDenied.inc({ stage }, 0);
    for (const outcome of ['succeeded', 'failed', 'blocked'])
      for (const error_origin of outcome === 'succeeded' ? ['none'] : ['target', 'service'])
        this.fetches.inc({ outcome, error_origin, final_rung: 'none' }, 0);
    for (const type of JOB_TYPES) {
      this.jobsCreated.inc({ type }, 0);
      this.jobsActive.set({ type }, 0);
      for (const status of ['completed', 'failed', 'cancelled']) {
        this.jobsCompleted.inc({ type, outcome: status }, 0);
        for (const outcome of ['delivered', 'retried', 'exhausted', 'ssrf_denied', 'disabled'])
          this.webhookDeliveries.inc({ event: `${type}.${status}`, outcome }, 0);
      }
    }
    for (const outcome of ['applied', 'ignored', 'retried', 'given_up'])
      this.paymentEvents.inc({ outcome }, 0);
    for (const outcome of ['same', 'changed', 'failed']) this.paymentRereads.inc({ outcome }, 0);
    for (const outcome of ['settled', 'unspent', 'refused', 'failed', 'unknown'])
      this.payPerCallPayments.inc({ outcome }, 0);
    for (const backend of SEARCH_SOURCES)
      for (const outcome of SEARCH_OUTCOMES) this.searchRequests.inc({ backend, outcome }, 0);
    for (const scraper of SCRAPERS)
      for (const kind of SOURCE_KINDS)
        for (const outcome of SEARCH_OUTCOMES)
          this.scraperRequests.inc({ scraper, kind, outcome }, 0);
    const connectors = BUILT_IN_CONNECTORS.map(({ id }) => id);
    for (const connector of [...connectors, GRAPH_CONNECTOR_ID, 'own']) {
      this.previews.inc({ connector }, 0);
      for (const outcome of ['completed', 'failed']) this.pulls.inc({ connector, outcome }, 0);
      for (const outcome of ['completed', 'failed']) this.feedRuns.inc({ connector, outcome }, 0);
    }
    for (const change of RECRAWL_CHANGES) this.recrawledPages.inc({ change }, 0);
    for (const kind of ['new', 'changed', 'known']) this.feedRows.inc({ kind }, 0);
    for (const kind of ['new', 'refine', 'help'])
      for (const by of ['rules', 'model']) this.chatMessages.inc({ kind, by }, 0);
    for (const outcome of ['answered', 'omitted', 'unsupported'])
      this.searchAnswers.inc({ outcome }, 0);
    for (const key of GRAPH_KEYS) this.graphLookups.inc({ key }, 0);
    for (const change of ['created', 'merged']) this.graphChanges.inc({ change }, 0);
    for (const outcome of SCAN_OUTCOMES) this.techScans.inc({ outcome }, 0);
    for (const reason of ['timeout', 'memory', 'crash'])
      this.techScanTerminations.inc({ reason }, 0);
    for (const operation of CHARGED) this.creditsCharged.inc({ operation }, 0);
    for (const reason of ['no_data', 'failed', 'client_gone', 'expired'])
      this.creditsRefunded.inc({ reason }, 0);
    for (const reason of ['balance', 'unavailable']) this.creditsDenied.inc({ reason }, 0);
    for (const reason of [
      ...['auth', 'rate_limit', 'concurrency', 'credits', 'body', 'validation', 'overload'],
    ])
      this.httpRejections.inc({ reason }, 0);
  }

  /** Counts the end of a job, and how long it took. */
  jobEnded(labels: { readonly type: JobType; readonly outcome: string }, seconds: number): void {
    this.jobsCompleted.inc(labels);
    this.jobSeconds.observe(labels, seconds);
  }

  /** Called before each scrape of the metrics: for gauges that are cheaper to read than to keep. */
  onCollect(read: () => Promise<void>): void {
    this.collectors.push(read);
  }

  /** All series, in the format of `registry.contentType`. */
  async text(): Promise<string> {
    // A reader that fails leaves its gauges as they were; the other gauges are still returned.
    await Promise.allSettled(this.collectors.map((read) => read()));
    return this.registry.metrics();
  }

  private counter<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
  ): Counter<L> {
    const configuration: CounterConfiguration<L> = {
      name: `trawl_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    };
    return new Counter(configuration);
  }

  private gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({
      name: `trawl_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  private histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ): Histogram<L> {
    return new Histogram({
      name: `trawl_${name}`,
      help,
      labelNames: [...labelNames],
      buckets,
      registers: [this.registry],
    });
  }
}
