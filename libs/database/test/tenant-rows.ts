import type { Database } from '../src/database.js';

/** An id of a row of the tenant that is `$1`: the same in every statement. */
const idOf = (what: string): string => `md5($1::text || '${what}')::uuid`;
const HASH = `sha256($1::text::bytea)`;
const LATER = `now() + interval '1 hour'`;

/** Shared by all tenants. */
const BUSINESS = `'00000000-0000-4000-8000-000000000001'::uuid`;

/**
 * A row of tenant `$1` in every table with tenants' rows, in an order that references allow. A table that is
 * missing here fails the spec of tenant isolation.
 */
export const TENANT_ROWS: Readonly<Record<string, string>> = {
  tenants: `(id, name, plan) VALUES ($1::uuid, 't', 'pro')`,
  api_keys: `(id, tenant_id, prefix, secret_hash, label)
    VALUES (${idOf('key')}, $1::uuid, left(md5($1::text), 12), ${HASH}, 'l')`,
  jobs: `(id, tenant_id, type, url, status, options, page_limit, deadline_at, discovered, scraped, skipped)
    VALUES (${idOf('job')}, $1::uuid, 'crawl', 'http://a.example/', 'running', '{}', 10, ${LATER}, 2, 1, 1)`,
  job_reasons: `(job_id, state, reason, pages) VALUES (${idOf('job')}, 'skipped', 'duplicate_content', 1)`,
  job_hosts: `(job_id, host) VALUES (${idOf('job')}, 'a.example')`,
  job_shapes: `(job_id, shape, seen) VALUES (${idOf('job')}, 's', 1)`,
  pages: `(job_id, url_key, url, host, depth, state, reason, content_hash, result_no, segment_key, segment_offset,
      segment_bytes, finished_at)
    VALUES (${idOf('job')}, ${idOf('page')}, 'http://a.example/', 'a.example', 0, 'scraped', NULL, ${idOf('content')},
        1, 's', 0, 1, now()),
      (${idOf('job')}, ${idOf('copy')}, 'http://a.example/copy', 'a.example', 1, 'skipped', 'duplicate_content',
        ${idOf('content')}, NULL, NULL, NULL, NULL, now())`,
  page_texts: `(job_id, language, url_key, fence, url, title, body, terms)
    VALUES (${idOf('job')}, 'simple', ${idOf('page')}, 1, 'http://a.example/', 't', 'b', '')`,
  pulls: `(id, tenant_id, connector_id, params, status, row_limit, price_credits, price_rows, expires_at)
    VALUES (${idOf('pull')}, $1::uuid, 'maps', '{}', 'completed', 10, 1, 1, ${LATER})`,
  pull_rows: `(pull_id, position, key, data) VALUES (${idOf('pull')}, 1, ${HASH}, '{}')`,
  conversations: `(id, tenant_id, connector_id, params, expires_at)
    VALUES (${idOf('conversation')}, $1::uuid, 'maps', '{}', ${LATER})`,
  feeds: `(id, tenant_id, connector_id, params, schedule, time_zone, first_run, delivers_changed, max_rows)
    VALUES (${idOf('feed')}, $1::uuid, 'maps', '{}', '0 7 * * *', 'UTC', 'silent', false, 10)`,
  feed_runs: `(id, feed_id, tick, is_manual, is_silent, row_limit, price_credits, price_rows, is_reserved)
    VALUES (${idOf('run')}, ${idOf('feed')}, now(), false, false, 10, 1, 1, false)`,
  feed_rows: `(feed_id, key, data, run_id, seen_at) VALUES (${idOf('feed')}, ${HASH}, '{}', ${idOf('run')}, now())`,
  sites: `(tenant_id, name, request, time_zone) VALUES ($1::uuid, 'spec', '{}', 'UTC')`,
  profiles: `(tenant_id, name, version, hosts, cookie_names, key_id, box, expires_at)
    VALUES ($1::uuid, 'spec', ${idOf('profile')}, '{a.example}', '{s}', 'k', 'b', ${LATER})`,
  saved_schemas: `(tenant_id, name, schema) VALUES ($1::uuid, 'spec', '{}')`,
  request_log: `(id, tenant_id, at, request_id, method, path, status, ms)
    VALUES (${idOf('request')}, $1::uuid, now(), 'r', 'POST', '/v1/scrape', 200, 1)`,
  feed_events: `(id, feed_id, run_id, type, body)
    VALUES (${idOf('event')}, ${idOf('feed')}, ${idOf('run')}, 'feed.rows', '{}')`,
  credit_ledger: `(tenant_id, operation, reference, item, credits)
    VALUES ($1::uuid, 'scrape', ${idOf('call')}, ${idOf('item')}, 1)`,
  credit_usage_days: `(tenant_id, day, operation, credits, calls, cost_micro_usd)
    VALUES ($1::uuid, current_date, 'scrape', 1, 1, 0)`,
  credit_balances: `(tenant_id, period) VALUES ($1::uuid, '2026-11')`,
  credit_periods: `(tenant_id, period) VALUES ($1::uuid, '2026-11')`,
  credit_holds: `(id, tenant_id, operation, period, from_grant, from_topup, from_overage, opened_at)
    VALUES (${idOf('hold')}, $1::uuid, 'scrape', '2026-11', 1, 0, 0, now())`,
  credit_transfers: `(tenant_id, period, from_account, to_account, credits, reference, created_at)
    VALUES ($1::uuid, '2026-11', 'issued', 'grant', 1, ${idOf('hold')}, now())`,
  page_cache_usage: `(tenant_id, bytes) VALUES ($1::uuid, 1)`,
  page_cache: `(tenant_id, variant, url, blob_key, bytes, expires_at)
    VALUES ($1::uuid, ${HASH}, 'http://a.example/', 'b', 1, ${LATER})`,
  daily_quotas: `(tenant_id, operation, day, used) VALUES ($1::uuid, 'screenshot', current_date, 1)`,
  webhook_deliveries: `(id, tenant_id, job_id, url, url_key, next_at)
    VALUES (${idOf('delivery')}, $1::uuid, ${idOf('job')}, 'http://h.example/', ${HASH}, ${LATER})`,
  webhook_attempts: `(delivery_id, no, at) VALUES (${idOf('delivery')}, 1, now())`,
  webhook_receivers: `(tenant_id, receiver, next_at) VALUES ($1::uuid, 'http://h.example', ${LATER})`,
  webhook_secrets: `(id, tenant_id, secret) VALUES (${idOf('secret')}, $1::uuid, ${HASH})`,
  webhook_disabled: `(tenant_id, url_key, url) VALUES ($1::uuid, ${HASH}, 'http://h.example/')`,
  idempotency_keys: `(tenant_id, key, id, status, headers, body, created_at, expires_at)
    VALUES ($1::uuid, 'k' || $1::text, ${idOf('answer')}, 200, '{}', '', now(), ${LATER})`,
  data_deletions: `(id, tenant_id, requested_at, due_at) VALUES (${idOf('deletion')}, $1::uuid, now(), ${LATER})`,
  business_readers: `(business_id, tenant_id, source, read_at)
    VALUES (${BUSINESS}, $1::uuid, 'enrich', now())`,
  admin_acts: `(actor, act, tenant_id) VALUES ('spec', 'spec', $1::uuid)`,
  rate_windows: `(tenant_id, kind) VALUES ($1::uuid, 'calls')`,
  rate_slots: `(window_id, slot, at) SELECT id, 0, now() FROM rate_windows WHERE tenant_id = $1::uuid`,
  call_slots: `(tenant_id, slot, call_id, until) VALUES ($1::uuid, 0, ${idOf('call')}, ${LATER})`,
  billing_accounts: `(tenant_id, provider, claim_id) VALUES ($1::uuid, 'stripe', ${idOf('claim')})`,
  account_sessions: `(token_hash, tenant_id, created_at, seen_at, expires_at)
    VALUES (${HASH}, $1::uuid, now(), now(), ${LATER})`,
  sign_in_links: `(token_hash, tenant_id, created_at, expires_at) VALUES (${HASH}, $1::uuid, now(), ${LATER})`,
};

/** Ids of the rows from {@link fillTenant}. */
export interface FilledTenant {
  readonly tenantId: string;
  readonly jobId: string;
  readonly keyId: string;
  readonly deliveryId: string;
  readonly deletionId: string;
  readonly pageKey: string;
  readonly idempotencyKey: string;
}

/** Creates a tenant with a row in every table. */
export async function fillTenant(database: Database, tenantId: string): Promise<FilledTenant> {
  const host = `INSERT INTO hosts (host, window_size) VALUES ('a.example', 2) ON CONFLICT DO NOTHING`;
  await database.query({ name: 'fill hosts', text: host });
  const business = `INSERT INTO businesses (id) VALUES (${BUSINESS}) ON CONFLICT DO NOTHING`;
  await database.query({ name: 'fill businesses', text: business });
  for (const [table, row] of Object.entries(TENANT_ROWS))
    await database.query({ name: `fill ${table}`, text: `INSERT INTO ${table} ${row}` }, [
      tenantId,
    ]);
  const text = `SELECT ${['job', 'key', 'delivery', 'deletion', 'page']
    .map((what) => `${idOf(what)} AS ${what}`)
    .join(', ')}`;
  const [ids] = await database.query<Record<string, string>>({ name: 'fill ids', text }, [
    tenantId,
  ]);
  return {
    tenantId,
    jobId: ids?.['job'] ?? '',
    keyId: ids?.['key'] ?? '',
    deliveryId: ids?.['delivery'] ?? '',
    deletionId: ids?.['deletion'] ?? '',
    pageKey: ids?.['page'] ?? '',
    idempotencyKey: `k${tenantId}`,
  };
}
