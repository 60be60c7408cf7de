// The Grafana dashboards of the chart. A panel is a title, a unit and its queries by their legends; `{#}` and `{#,…}` in a
// query select the namespace. `npm run format` writes charts/trawl/files/dashboards.
const rate = (metric, by, filter = '') =>
  `sum by (${by}) (rate(${metric}{#${filter && `,${filter}`}}[$__rate_interval]))`;
/** A series that has never been counted is zero. */
const share = (part, whole) => `(${part} or vector(0)) / (${whole} > 0)`;
const quantile = (q, metric, by = '', filter = '') =>
  `histogram_quantile(${q}, ${rate(`${metric}_bucket`, ['le', by].filter(Boolean).join(', '), filter)})`;
const total = (metric, filter = '') =>
  `sum(rate(${metric}{#${filter && `,${filter}`}}[$__rate_interval]))`;

/** Panel of a counter per second, a line for each value of a label. */
const counted = (title, metric, by) => [title, 'cps', { [`{{${by}}}`]: rate(metric, by) }];
/** Panel of the 95th percentile of a histogram of seconds, a line for each value of a label. */
const slowest = (title, metric, by) => [title, 's', { [`{{${by}}}`]: quantile(0.95, metric, by) }];

const overview = {
  name: 'overview',
  title: 'Trawl / Overview',
  panels: [
    ['Requests', 'reqps', { '{{route}}': rate('trawl_http_requests_total', 'route') }],
    [
      'Share of requests answered with a 5xx',
      'percentunit',
      {
        '5xx': share(
          total('trawl_http_requests_total', 'status_code=~"5.."'),
          total('trawl_http_requests_total'),
        ),
      },
    ],
    [
      'Time of a scrape',
      's',
      {
        median: quantile(0.5, 'trawl_http_request_duration_seconds', '', 'route="/v1/scrape"'),
        p95: quantile(0.95, 'trawl_http_request_duration_seconds', '', 'route="/v1/scrape"'),
      },
    ],
    [
      'Slowest hundredth of the routes that wait for no page',
      's',
      {
        '{{route}}': quantile(0.99, 'trawl_http_request_duration_seconds', 'route', 'sync="false"'),
      },
    ],
    counted('Pages', 'trawl_fetch_requests_total', 'outcome'),
    [
      'Share of pages that fail for reasons of the service',
      'percentunit',
      {
        service: share(
          total('trawl_fetch_requests_total', 'error_origin="service"'),
          total('trawl_fetch_requests_total'),
        ),
      },
    ],
    ['Jobs that are not over', 'short', { '{{type}}': 'max by (type) (trawl_jobs_active{#})' }],
    ['Refused requests', 'reqps', { '{{reason}}': rate('trawl_http_rejections_total', 'reason') }],
    [
      'Lateness of the event loop (p99)',
      's',
      { '{{pod}}': 'max by (pod) (nodejs_eventloop_lag_p99_seconds{#})' },
    ],
    ['Memory', 'bytes', { '{{pod}}': 'max by (pod) (process_resident_memory_bytes{#})' }],
    ['Processor', 'short', { '{{pod}}': rate('process_cpu_seconds_total', 'pod') }],
    [
      'Dependencies that answer',
      'short',
      { '{{dependency}}': 'min by (dependency) (trawl_dependency_up{#})' },
    ],
  ],
};

const fetching = {
  name: 'fetch',
  title: 'Trawl / Fetching',
  panels: [
    counted('Attempts by method', 'trawl_fetch_attempts_total', 'rung'),
    [
      'Failed attempts by reason',
      'cps',
      { '{{error_class}}': rate('trawl_fetch_attempts_total', 'error_class', 'outcome="failed"') },
    ],
    slowest('Time of an attempt (p95)', 'trawl_fetch_attempt_duration_seconds', 'rung'),
    slowest('Time of a phase (p95)', 'trawl_fetch_phase_duration_seconds', 'phase'),
    [
      'Steps to a more expensive method',
      'cps',
      {
        '{{from_rung}} to {{to_rung}}: {{reason}}': rate(
          'trawl_fetch_escalations_total',
          'from_rung, to_rung, reason',
        ),
      },
    ],
    [
      'Size of a page (p95)',
      'bytes',
      { '{{rung}}': quantile(0.95, 'trawl_fetch_response_bytes', 'rung') },
    ],
    counted('Page cache', 'trawl_fetch_cache_requests_total', 'result'),
    counted('robots.txt', 'trawl_robots_decisions_total', 'decision'),
    counted('Refused addresses', 'trawl_ssrf_denied_total', 'stage'),
    counted('Hosts that asked for a lower rate', 'trawl_host_backoffs_total', 'reason'),
    slowest('Wait for the Crawl-delay of a host (p95)', 'trawl_host_throttle_wait_seconds', 'rung'),
    counted('Addresses found by crawls', 'trawl_crawl_urls_total', 'decision'),
    counted('Pages of recrawls', 'trawl_recrawl_pages_total', 'change'),
    slowest(
      'Time of a storage operation (p95)',
      'trawl_blob_operation_duration_seconds',
      'operation',
    ),
  ],
};

const browsers = {
  name: 'browsers',
  title: 'Trawl / Browsers',
  panels: [
    ['Chromium processes', 'short', { '{{state}}': 'sum by (state) (trawl_browser_instances{#})' }],
    [
      'Open pages',
      'short',
      { open: 'sum(trawl_browser_pages_open{#})', capacity: 'sum(trawl_browser_pool_capacity{#})' },
    ],
    [
      'Tasks that wait for a page',
      'short',
      { '{{pod}}': 'sum by (pod) (trawl_browser_pool_waiters{#})' },
    ],
    ['Wait for a page (p95)', 's', { wait: quantile(0.95, 'trawl_browser_pool_wait_seconds') }],
    counted('Starts', 'trawl_browser_launches_total', 'result'),
    [
      'Time of a start (p95)',
      's',
      { start: quantile(0.95, 'trawl_browser_launch_duration_seconds') },
    ],
    counted('Lost', 'trawl_browser_crashes_total', 'reason'),
    counted('Replaced', 'trawl_browser_recycles_total', 'reason'),
    [
      'Memory of Chromium',
      'bytes',
      { '{{pod}}': 'max by (pod) (trawl_browser_resident_memory_bytes{#,stat="sum"})' },
    ],
    ['Processes', 'short', { '{{state}}': 'sum by (state) (trawl_browser_processes{#})' }],
    [
      'Shared memory in use',
      'percentunit',
      { '{{pod}}': 'max by (pod) (trawl_shm_used_bytes{#} / trawl_shm_size_bytes{#})' },
    ],
  ],
};

const queues = {
  name: 'queues',
  title: 'Trawl / Queues and jobs',
  panels: [
    [
      'Messages that wait',
      'short',
      { '{{queue}}': 'sum by (queue) (rabbitmq_detailed_queue_messages_ready)' },
    ],
    ['Messages in work', 'short', { '{{queue}}': 'sum by (queue) (trawl_consumer_in_flight{#})' }],
    [
      'Used part of the slots',
      'percentunit',
      {
        '{{queue}}':
          'sum by (queue) (trawl_consumer_in_flight{#}) / (sum by (queue) (trawl_consumer_prefetch{#}) > 0)',
      },
    ],
    [
      'Calls that wait in the API',
      'short',
      { '{{queue}}': 'sum by (queue) (trawl_calls_waiting{#})' },
    ],
    slowest('Time from publish to delivery (p95)', 'trawl_message_age_seconds', 'queue'),
    slowest('Time of work (p95)', 'trawl_message_processing_duration_seconds', 'queue'),
    [
      'Ended messages',
      'cps',
      { '{{queue}} {{result}}': rate('trawl_messages_consumed_total', 'queue, result') },
    ],
    [
      'Tasks given up',
      'cps',
      { '{{queue}} {{reason}}': rate('trawl_messages_dead_lettered_total', 'queue, reason') },
    ],
    [
      'Wait of the oldest job for its first page',
      's',
      { '{{queue}}': 'max by (queue) (trawl_queue_oldest_message_age_seconds{#})' },
    ],
    [
      'Jobs that ended',
      'cps',
      { '{{type}} {{outcome}}': rate('trawl_jobs_completed_total', 'type, outcome') },
    ],
    slowest('Time of a job (p95)', 'trawl_job_duration_seconds', 'type'),
    [
      'Committed messages that wait for the broker',
      'short',
      { pending: 'max(trawl_outbox_pending{#})' },
    ],
    ['Leases that ran out', 'cps', { pages: total('trawl_crawl_leases_expired_total') }],
    [
      'Connections of PostgreSQL',
      'short',
      { '{{state}}': 'sum by (state) (trawl_db_pool_connections{#})' },
    ],
    [
      'Queries that wait for a connection',
      'short',
      { '{{pod}}': 'sum by (pod) (trawl_db_pool_waiters{#})' },
    ],
  ],
};

const tenants = {
  name: 'tenants',
  title: 'Trawl / Tenants and credits',
  panels: [
    counted('Credits charged', 'trawl_credits_charged_total', 'operation'),
    counted('Credits given back', 'trawl_credits_refunded_total', 'reason'),
    counted('Credits that were missing', 'trawl_credits_denied_total', 'reason'),
    [
      'Calls and jobs with reserved credits',
      'short',
      { open: 'max(trawl_credit_reservations_open{#})' },
    ],
    [
      'Difference between balances and ledger',
      'short',
      { credits: 'max(abs(trawl_credit_ledger_drift_credits{#}))' },
    ],
    counted('Jobs accepted', 'trawl_jobs_created_total', 'type'),
    counted('Webhooks', 'trawl_webhook_deliveries_total', 'outcome'),
    slowest('Time of a webhook (p95)', 'trawl_webhook_delivery_duration_seconds', 'outcome'),
    ['Webhooks that wait', 'short', { pending: 'max(trawl_webhook_pending{#})' }],
    counted('Payment events', 'trawl_payment_events_total', 'outcome'),
    counted('Payments by call', 'trawl_pay_per_call_payments_total', 'outcome'),
  ],
};

const techScan = {
  name: 'tech-scan',
  title: 'Trawl / Technology scans',
  panels: [
    counted('Scans', 'trawl_techscan_scans_total', 'outcome'),
    ['Time of a scan (p95)', 's', { scan: quantile(0.95, 'trawl_techscan_scan_duration_seconds') }],
    counted('Threads lost to a page', 'trawl_techscan_worker_terminations_total', 'reason'),
    [
      'Scans that wait for a thread',
      'short',
      { '{{pod}}': 'sum by (pod) (trawl_techscan_pending{#})' },
    ],
    [
      'Fingerprints',
      'short',
      { '{{pod}}': 'max by (pod) (trawl_techscan_fingerprints_loaded{#})' },
    ],
  ],
};

const sources = {
  name: 'sources',
  title: 'Trawl / Search, companies and connectors',
  panels: [
    [
      'Searches',
      'cps',
      { '{{backend}} {{outcome}}': rate('trawl_search_requests_total', 'backend, outcome') },
    ],
    slowest('Time of a search (p95)', 'trawl_search_request_duration_seconds', 'backend'),
    counted('Cited answers', 'trawl_search_answers_total', 'outcome'),
    [
      'Searches of listing scrapers',
      'cps',
      { '{{scraper}} {{outcome}}': rate('trawl_scraper_requests_total', 'scraper, outcome') },
    ],
    counted('Companies looked up', 'trawl_graph_lookups_total', 'key'),
    counted('Changes of the company graph', 'trawl_graph_changes_total', 'change'),
    counted('Previews', 'trawl_previews_total', 'connector'),
    [
      'Pulls that ended',
      'cps',
      { '{{connector}} {{outcome}}': rate('trawl_pulls_total', 'connector, outcome') },
    ],
    [
      'Runs of feeds that ended',
      'cps',
      { '{{connector}} {{outcome}}': rate('trawl_feed_runs_total', 'connector, outcome') },
    ],
    counted('Rows of feeds', 'trawl_feed_rows_total', 'kind'),
    ['Feeds that paused themselves', 'cps', { feeds: total('trawl_feeds_paused_total') }],
    [
      'Messages of chats',
      'cps',
      { '{{kind}} by {{by}}': rate('trawl_chat_messages_total', 'kind, by') },
    ],
  ],
};

const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** The dashboards as Grafana imports them, by their file names. */
export function dashboardFiles() {
  return Object.fromEntries(
    [overview, fetching, browsers, queues, tenants, sources, techScan].map((one) => [
      `${one.name}.json`,
      dashboardOf(one),
    ]),
  );
}

function dashboardOf({ name, title, panels }) {
  return {
    uid: `trawl-${name}`,
    title,
    tags: ['trawl'],
    timezone: 'browser',
    schemaVersion: 41,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [sourceVariable, namespaceVariable] },
    links: [otherDashboards],
    panels: panels.map(panelOf),
  };
}

/** All fields that Grafana's schema of a dashboard requires. */
const otherDashboards = {
  ...{ type: 'dashboards', title: 'Trawl', tags: ['trawl'], icon: 'external link', tooltip: '' },
  ...{ asDropdown: true, includeVars: true, keepTime: true, targetBlank: false },
};

const sourceVariable = {
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
};
const namespaceVariable = {
  name: 'namespace',
  label: 'Namespace',
  type: 'query',
  datasource,
  query: { query: 'label_values(trawl_build_info, namespace)', refId: 'namespace' },
  refresh: 2,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

function panelOf([title, unit, queries], index) {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    gridPos: {
      x: (index % COLUMNS) * WIDTH,
      y: Math.floor(index / COLUMNS) * HEIGHT,
      w: WIDTH,
      h: HEIGHT,
    },
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: Object.entries(queries).map(([legendFormat, query], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource,
      expr: query.replaceAll('{#', '{namespace=~"$namespace"'),
      legendFormat,
    })),
  };
}
