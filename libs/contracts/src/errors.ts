interface ApiErrorRow {
  readonly status: number;
  readonly text: string;
  /** Present where the specification shows `ok: false` beside the text. */
  readonly ok?: false;
  /** Further fields of the body. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Only the operator can change it: no Retry-After. @default false */
  readonly isPermanent?: true;
}

/**
 * Every refused request answers with a row of this table: stable code, HTTP status, exact text of the specification.
 * `{name}` in a text is filled from the error's details. Presenters shape rows for /v1 and /v2.
 */
export const API_ERRORS = {
  invalid_json: { status: 400, text: 'Invalid JSON body' },
  /** These three come from the parser of HTTP: there is no request that a route could answer. */
  malformed_request: { status: 400, text: 'Malformed HTTP request' },
  headers_too_large: { status: 431, text: 'Request headers too large: the limit is {limit} bytes' },
  request_timeout: { status: 408, text: 'The request did not arrive in time' },
  url_required: { status: 400, text: '`url` is required' },
  domain_required: { status: 400, text: '`domain` is required' },
  invalid_url: { status: 400, text: 'Invalid URL' },
  blocked_url: { status: 400, text: 'Blocked URL: {url}', ok: false },
  invalid_request: { status: 400, text: '{problem}' },
  body_too_large: { status: 413, text: 'Request body too large: the limit is {limit} bytes' },
  unsupported_media_type: { status: 415, text: 'Unsupported content type: send application/json' },
  api_key_required: { status: 401, text: 'API key required. Pass via x-api-key header.' },
  api_key_invalid: { status: 401, text: 'Invalid or revoked API key.' },
  auth_unavailable: { status: 503, text: 'Auth backend not configured.' },
  /** The body names `balance` and `required` (specification: Errors, 402). */
  payment_required: {
    status: 402,
    text: 'Not enough credits: this request needs {required}, {balance} are left. New credits are granted on the 1st of the month (UTC); POST /v1/billing/checkout changes the plan.',
  },
  credits_unavailable: {
    status: 503,
    text: 'Credits are temporarily unavailable. The request was not run and nothing was charged. Retry it.',
  },
  /** The call ran, but its result is withheld. Whether the charge was made is not known where its confirmation was lost. */
  credits_unsettled: {
    status: 503,
    text: 'The request ran, but its charge could not be confirmed, so the result is withheld. Retry the request; with the same Idempotency-Key it is charged at most once.',
  },
  /** The window of one minute is full; the body names `limit`, `tier` and `retryAfterSeconds` (specification: Errors). */
  rate_limited: { status: 429, text: 'Rate limit exceeded' },
  /** The plan's concurrent requests are all in use; the body is that of `rate_limited` (specification: Errors). */
  too_many_requests: {
    status: 429,
    text: 'Rate limit exceeded: {limit} concurrent requests on this plan. Retry after one of your running requests completes.',
  },
  /** Pay-per-call (specification: Authentication 6). The body of these is the offer too: PaymentRequired of x402. */
  payment_offered: {
    status: 402,
    text: 'Payment required: pay for this call by one of `accepts`, or pass an API key via x-api-key header.',
  },
  payment_refused: {
    status: 402,
    text: 'Payment refused: {problem}. The request was not run and nothing was charged.',
  },
  payment_used: {
    status: 402,
    text: 'This payment was already used for another call. The request was not run and nothing was charged: sign a new payment.',
  },
  /** The call ran, but its result is withheld. */
  payment_unsettled: {
    status: 402,
    text: 'Payment not settled: {problem}. Nothing was charged, and the result is withheld: sign a new one.',
  },
  payment_unreadable: {
    status: 400,
    text: 'Payment not readable: {problem}. The request was not run and nothing was charged.',
  },
  payments_unavailable: {
    status: 503,
    text: 'Payments are temporarily unavailable. Nothing was charged. Retry the request.',
  },
  method_not_allowed: { status: 405, text: 'Method not allowed: {path} takes {methods}' },
  key_not_found: { status: 404, text: 'Key not found' },
  key_ended: {
    status: 409,
    text: 'This key is revoked or expired and cannot be rotated. POST /v1/keys makes a new one.',
  },
  too_many_keys: {
    status: 409,
    text: 'An account may have at most {limit} active keys, including those in an overlap. Revoke one first (DELETE /v1/keys/:id), or rotate with `overlapSeconds` 0.',
  },
  /** Specification: Key provisioning; the threshold is a setting. */
  provision_limited: {
    status: 429,
    text: 'Too many keys were provisioned from this address: {limit} per day. Use the key you have, or retry after {retryAfterSeconds} seconds.',
  },
  provision_network_limited: {
    status: 429,
    text: 'Too many keys were provisioned from this network (IPv4 /24, IPv6 /48): {limit} per day. Use the key you have, or retry after {retryAfterSeconds} seconds.',
  },
  provision_disabled: {
    status: 403,
    text: 'Self-serve keys are disabled. Request a key from the operator.',
  },
  tenant_not_found: { status: 404, text: 'Tenant not found' },
  /** Specification: Endpoints, Billing. */
  plan_required: { status: 400, text: '`plan` is required' },
  success_url_required: { status: 400, text: '`successUrl` is required' },
  cancel_url_required: { status: 400, text: '`cancelUrl` is required' },
  redirect_not_allowed: {
    status: 400,
    text: 'successUrl/cancelUrl must be an allowed http(s) URL',
  },
  unknown_plan: { status: 400, text: 'Unknown plan: {plan}' },
  no_billing_account: { status: 400, text: 'No billing account found for this tenant' },
  billing_unavailable: {
    status: 503,
    text: 'Billing not configured: set {settings}.',
    isPermanent: true,
  },
  /** The payment provider answered with something unexpected. */
  payment_provider_failed: {
    status: 502,
    text: 'The payment provider could not complete the request. Nothing was changed or charged. Retry; if it fails again, send the request id to the operator.',
  },
  payment_provider_unavailable: {
    status: 503,
    text: 'The payment provider is not responding. Nothing was changed or charged. Retry the request.',
  },
  /** An event with an invalid signature, time or form; the provider sends it again. */
  payment_event_invalid: { status: 400, text: 'Payment event refused: {problem}' },
  payment_event_unstored: {
    status: 503,
    text: 'The event could not be stored. Send it again.',
  },
  job_not_found: { status: 404, text: 'Job not found' },
  not_found: { status: 404, text: 'Not found' },
  download_expired: {
    status: 403,
    text: 'Download link expired or invalid. Fetch the job again for a fresh one.',
  },
  jobs_unreadable: { status: 500, text: 'Failed to fetch jobs' },
  /** Specification: POST /v1/brand. */
  /** POST /v1/resolve without domain, email and name. */
  company_required: {
    status: 400,
    text: 'At least one of `domain`, `email` and `name` is required',
  },
  company_not_found: { status: 404, text: 'No company matches' },
  /** POST /v1/graph/query (specification: at least one of them). */
  filter_required: {
    status: 400,
    text: 'At least one of `tech`, `techAny`, `industry`, `state` and `city` is required',
  },
  business_not_found: { status: 404, text: 'Business not found' },
  graph_disabled: { status: 503, text: 'The company graph is disabled' },
  brand_fetch_failed: { status: 400, text: '{problem}', ok: false },
  fetch_failed: { status: 422, text: '{problem}', ok: false },
  /** The site does not allow the use of `respectUse`; the body has `contentUse`. */
  content_use_refused: { status: 422, text: '{problem}', ok: false },
  /** The cookies of the profile are no login any more. */
  auth_expired: { status: 422, text: '{problem}', ok: false },
  /** A cache-only scrape without a copy (specification: POST /v1/scrape). */
  not_cached: {
    status: 404,
    text: 'No cached copy of this page matches. Leave out `minAge` to fetch it.',
  },
  action_not_available: {
    status: 400,
    text: 'action_not_available',
    extra: {
      message:
        'executeJavascript is not available. Use click, scroll, wait, write, press, screenshot or pdf.',
    },
  },
  browser_unavailable: {
    status: 503,
    text: 'Browser unavailable: this request needs a browser and none can be started. Run `npm run doctor` for the reason.',
  },
  screenshot_unavailable: { status: 503, text: 'Screenshot engine unavailable' },
  screenshot_failed: { status: 500, text: 'Screenshot failed: {message}' },
  screenshot_quota: {
    status: 429,
    text: 'Rate limit exceeded: {limit} screenshots per day on this plan. The day ends at midnight UTC.',
  },
  since_unusable: {
    status: 409,
    text: '`since` must be the id of a crawl of the same site that has ended and whose results have not expired.',
  },
  crawl_unavailable: {
    status: 503,
    text: 'Async crawl unavailable: job queue not configured or unreachable. The crawl was not started.',
    extra: { status: 'failed' },
  },
  extraction_unavailable: {
    status: 503,
    text: 'Extraction job unavailable: job queue not configured or unreachable. The job was not started.',
    extra: { status: 'failed' },
  },
  job_running: {
    status: 409,
    text: 'This job is {status}: extraction needs the stored pages of an ended job. Wait until it ends, or cancel it.',
  },
  nothing_stored: {
    status: 409,
    text: 'This job stored no page: there is nothing to extract from.',
  },
  scrape_unavailable: {
    status: 503,
    text: 'No fetcher available: the service is starting or overloaded. Retry after {retryAfterSeconds} seconds.',
  },
  /** Specification: Errors, Parse. */
  file_required: { status: 400, text: '`file` field is required (multipart upload)' },
  invalid_multipart: { status: 400, text: 'Invalid multipart form data' },
  docx_unavailable: { status: 415, text: 'DOCX parsing not available' },
  file_unreadable: { status: 422, text: 'Could not extract text from file / document', ok: false },
  /** The body lists them as `invalidUrls` (specification: POST /v1/extract). */
  invalid_urls: {
    status: 400,
    text: '{count} of `urls` are not fetchable URLs. Nothing was fetched.',
  },
  /** Decided before anything is fetched. */
  llm_unavailable: {
    status: 503,
    text: 'No model configured: `schema`, json and summary need one. Set {settings}.',
    isPermanent: true,
  },
  /** The model did not answer, or not in time. */
  llm_failed: { status: 503, text: 'The model did not answer: {message}' },
  llm_budget: {
    status: 422,
    text: 'The model budget of one request does not cover this content: {message}',
    ok: false,
  },
  llm_quota: { status: 429, text: '{message}' },
  llm_invalid: {
    status: 422,
    text: "The model's output did not match `schema`: {message}",
    ok: false,
  },
  /** Found where the schema is compiled, which the check of the request does not. */
  llm_schema: {
    status: 422,
    text: '`schema` {message}, so no model was called and nothing is charged. Simplify it: fewer sub-schemas and fewer references.',
    ok: false,
  },
  delivery_not_found: { status: 404, text: 'Webhook delivery not found' },
  webhook_secret_not_found: {
    status: 404,
    text: 'No webhook secret yet. POST /v1/webhooks/secret makes one.',
  },
  batch_unavailable: {
    status: 503,
    text: 'Async batch unavailable: job queue not configured or unreachable. The batch was not started.',
    extra: { status: 'failed' },
  },
  /** For one URL of a batch that was not started in time; shown in its item, never as a status. */
  batch_timeout: {
    status: 504,
    text: 'The batch timed out before this URL was started. Send it again, or use `async: true`.',
    ok: false,
  },
  idempotency_key_invalid: {
    status: 400,
    text: '`Idempotency-Key` must be 1 to 255 visible ASCII characters',
  },
  /** An answer with a secret is not stored. */
  idempotency_key_refused: { status: 400, text: 'This endpoint takes no `Idempotency-Key`' },
  idempotency_key_reused: {
    status: 409,
    text: 'This `Idempotency-Key` was used for a different request in the last 24 hours. The request was not run.',
  },
  idempotency_key_running: {
    status: 409,
    text: 'The first request with this `Idempotency-Key` is still running. Retry after {retryAfterSeconds} seconds.',
  },
  idempotency_answer_gone: {
    status: 410,
    text: 'The stored answer for this `Idempotency-Key` no longer exists. The request was not run again. To run it, use another key.',
  },
  results_expired: { status: 410, text: 'The results of this job have expired and are deleted.' },
  job_not_indexed: {
    status: 409,
    text: 'This job has no search index. Start a crawl, or a batch with `async`, with `index: true` to search its pages.',
  },
  job_search_timeout: {
    status: 504,
    text: 'The search took longer than {seconds} s and was stopped. Use fewer or less common words.',
  },
  job_search_busy: {
    status: 503,
    text: 'Too many searches of stored pages are running. Retry the request.',
  },
  deletion_not_found: { status: 404, text: 'Deletion not found' },
  results_unavailable: {
    status: 503,
    text: 'The stored results are temporarily unavailable. Retry the request.',
  },
  too_many_streams: {
    status: 429,
    text: 'Rate limit exceeded: {limit} concurrent event streams per account. Close one, or poll the job.',
  },
  streams_unavailable: {
    status: 503,
    text: 'No event stream is available on this server. Retry, or poll the job.',
  },
  too_many_answers: {
    status: 429,
    text: 'Rate limit exceeded: {limit} concurrent streamed answers per account. Retry after reading one of them.',
  },
  answers_unavailable: {
    status: 503,
    text: 'No streamed answer is available on this server. Retry the request.',
  },
  /** Specification: Errors, Map. The body's `message` says more. */
  map_fetch_failed: { status: 502, text: 'map_fetch_failed', ok: false },
  map_timeout: { status: 504, text: 'map_timeout', ok: false },
  /** Under /v2 only; the specification names most of them. */
  unsupported_format: { status: 400, text: '{problem}' },
  unsupported_action: { status: 400, text: '{problem}' },
  unsupported_option: { status: 400, text: '{problem}' },
  idempotency_unsupported: {
    status: 400,
    text: '`x-idempotency-key` is not supported: retries of a batch are not deduplicated by it. Leave out the header, or send `Idempotency-Key`.',
  },
  too_many_urls: { status: 400, text: '`urls` may hold at most {limit} entries' },
  unsupported_file: {
    status: 415,
    text: 'Unsupported file type: the content is no document that can be read',
  },
  operation_deferred: { status: 404, text: '{problem}' },
  /** A completed job whose pages cannot be read; on the wire `results_unavailable`. */
  results_unreadable: {
    status: 502,
    text: 'The stored pages of this job cannot be read now. Retry the request.',
  },
  /** Specification: POST /v1/search. The body's `message` and `attempts` say more. */
  query_required: { status: 400, text: '`query` is required' },
  search_not_in_plan: {
    status: 403,
    text: 'Search is not part of the plan {plan}: it needs Pro, Scale or a custom plan. POST /v1/billing/checkout changes the plan.',
  },
  search_refused: {
    status: 422,
    text: 'The search engines refuse this query. Nothing was charged. Shorten it, or use fewer operators.',
  },
  search_unavailable: { status: 503, text: 'search_unavailable' },
  /** Listing scrapers. */
  location_required: { status: 400, text: '`location` is required' },
  scraper_not_set_up: {
    status: 503,
    text: 'The {scraper} scraper has no source on this service: its operator sets {setting} (docs/scrapers.md).',
  },
  scraper_unavailable: {
    status: 503,
    text: 'No source of the {scraper} scraper completed, so nothing was charged. Retry the request.',
  },
  /** Connectors. */
  connector_not_found: {
    status: 404,
    text: 'No connector has the id {id}. GET /v1/connectors lists them.',
  },
  storage_full: {
    status: 413,
    text: 'Your storage is full: {stored} of {limit} bytes are used by the results of your jobs, cached pages, screenshots and responses kept for Idempotency-Keys. They expire by themselves; DELETE /v1/data deletes them all now.',
  },
  unpaid_quota: {
    status: 429,
    text: 'Rate limit exceeded: {limit} pages a day that cost nothing (not found, not to be indexed, copies) were fetched for your jobs. Retry tomorrow (UTC).',
  },
  conversation_not_found: {
    status: 404,
    text: 'Conversation not found: it is of another account, or a day has passed since its last message. Leave out `conversationId` to begin one.',
  },
  preview_quota: {
    status: 429,
    text: 'Rate limit exceeded: {limit} previews a day on this plan. Retry tomorrow (UTC), or pull a preview of today.',
  },
  preview_expired: {
    status: 410,
    text: 'The preview has expired: a preview can be pulled for 24 hours. Request a new one by POST /v1/preview.',
  },
  already_pulled: {
    status: 409,
    text: 'This preview was pulled before, so nothing was charged again. Its rows are at GET /v1/pull/{jobId}/results.',
  },
  /** Feeds. */
  site_not_found: { status: 404, text: 'Site not found' },
  too_many_sites: {
    status: 403,
    text: 'This account has {limit} sites, the most of its plan {plan}. Delete one, or change the plan by POST /v1/billing/checkout.',
  },
  site_busy: { status: 409, text: 'A crawl of this site runs, or is being started.' },
  /** Profiles. */
  profile_not_found: { status: 404, text: 'Profile not found: it was deleted, or has expired' },
  too_many_profiles: {
    status: 403,
    text: 'This account has {limit} profiles, the most there may be. Delete one.',
  },
  profiles_unavailable: {
    status: 503,
    text: 'Profiles are not available: PROFILE_KEYS is not set, so nothing can be encrypted',
  },
  feed_not_found: { status: 404, text: 'Feed not found' },
  too_many_feeds: {
    status: 403,
    text: 'This account has {limit} feeds, the most of its plan {plan}. Delete one, or change the plan by POST /v1/billing/checkout.',
  },
  feed_too_often: {
    status: 403,
    text: '`schedule` runs more often than every {minutes} minutes, the least of the plan {plan}. Choose a longer interval, or change the plan by POST /v1/billing/checkout.',
  },
  /** Never sent: the caller hung up before the answer. Logs and metrics show it. */
  client_gone: { status: 499, text: 'The client closed the connection' },
  draining: { status: 503, text: 'This server is shutting down. Retry the request.' },
  internal: { status: 500, text: 'Internal server error' },
} as const satisfies Record<string, ApiErrorRow>;
export type ApiErrorCode = keyof typeof API_ERRORS;

/** Thrown at the HTTP edge only; the exception filter turns it into the wire body. */
export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    readonly details: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions & {
      /** Fields to show in the body beside the text. */
      readonly body?: Readonly<Record<string, unknown>>;
      /** A probable correction or the next step; shown as `hint`. */
      readonly hint?: string | null;
      /** Only the operator can change it. @default that of the row */
      readonly isPermanent?: boolean;
      /** The work took all it may take, so the call costs what it would with data. @default false */
      readonly isCharged?: boolean;
    },
  ) {
    super(fillText(API_ERRORS[code].text, details), options);
    this.name = 'ApiError';
    this.body = options?.body ?? {};
    this.hint = options?.hint ?? null;
    this.isPermanent = options?.isPermanent ?? this.row.isPermanent ?? false;
    this.isCharged = options?.isCharged ?? false;
  }

  readonly body: Readonly<Record<string, unknown>>;
  /** Null: the suggestion for every error of this code. */
  readonly hint: string | null;
  /** Only the operator can change it: no Retry-After. */
  readonly isPermanent: boolean;
  readonly isCharged: boolean;

  get row(): ApiErrorRow {
    return API_ERRORS[this.code];
  }

  /** The text for people. Where that of the specification is the code, the body's `message` says what happened. */
  get sentence(): string {
    const further = this.body['message'] ?? this.row.extra?.['message'];
    return this.message === this.code && typeof further === 'string' ? further : this.message;
  }
}

function fillText(text: string, details: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''));
}
