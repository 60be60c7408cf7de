import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../database/test/explaining-database.js';
import { endJob } from '../../../test/setup/webhook-jobs.js';
import { createTenant } from '@app/accounts';
import { findDelivery, listDeliveries, redeliver, webhookBacklog } from './delivery-log.js';
import { recordAttempt } from './deliverer.js';
import { ensureSecrets, showNewSecret } from './signing-secrets.js';
import { takeDeliveries } from './take-deliveries.js';

/** A log of 40,000 ended deliveries, 10,000 pending ones of 5,000 receivers, 20,000 of feeds, and their rows. */
const FILL = `
  INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 't', 'free' FROM generate_series(1, 200);
  INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, deadline_at)
    SELECT gen_random_uuid(), id, 'crawl', 'http://a.example/', 'completed', '{}', 'http://h' || n || '.example/', 10, now()
    FROM tenants, generate_series(1, 250) n;
  INSERT INTO job_reasons (job_id, state, reason, pages) SELECT id, 'scraped', 'same', 1 FROM jobs;
  INSERT INTO webhook_deliveries (id, tenant_id, job_id, url, url_key, attempts, state, next_at)
    SELECT gen_random_uuid(), tenant_id, id, 'http://h' || (n % 25) || '.example/', sha256(n::text::bytea), 2,
      CASE WHEN n % 5 = 0 THEN 'pending' ELSE 'delivered' END,
      CASE WHEN n % 5 = 0 THEN now() + (n % 100 - 2) * interval '1 minute' END
    FROM (SELECT id, tenant_id, row_number() OVER () AS n FROM jobs) AS numbered;
  INSERT INTO webhook_attempts (delivery_id, no, at) SELECT id, n, now() FROM webhook_deliveries, generate_series(1, 2) n;
  INSERT INTO webhook_receivers (tenant_id, receiver, next_at)
    SELECT tenant_id, receiver, min(next_at) FROM webhook_deliveries WHERE state = 'pending' GROUP BY 1, 2;
  INSERT INTO webhook_disabled (tenant_id, url_key, url)
    SELECT id, sha256(('x' || n)::bytea), 'http://x/' FROM tenants, generate_series(1, 50) n;
  INSERT INTO webhook_secrets (id, tenant_id, secret, expires_at) SELECT gen_random_uuid(), id, '', x
    FROM tenants, unnest(ARRAY[NULL, now() + interval '1 h', now() + interval '2 h']) x;
  INSERT INTO feeds (id, tenant_id, connector_id, params, schedule, time_zone, first_run, delivers_changed, max_rows)
    SELECT gen_random_uuid(), id, 'sitemap_urls', '{}', '0 7 * * *', 'UTC', 'full', false, 100 FROM tenants;
  INSERT INTO feed_events (id, feed_id, run_id, type, body)
    SELECT gen_random_uuid(), id, gen_random_uuid(), 'feed.rows', '{}' FROM feeds, generate_series(1, 100);
  INSERT INTO webhook_deliveries (id, tenant_id, feed_event_id, url, url_key, attempts, state)
    SELECT gen_random_uuid(), f.tenant_id, e.id, 'http://f.example/', sha256('f'), 1, 'delivered'
    FROM feed_events e JOIN feeds f ON f.id = e.feed_id
`;

describe('the statements of webhooks', () => {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    for (const [at, text] of FILL.split(';\n').entries())
      await database.query({ name: `fill_${at}`, text });
    await database.query({ name: 'analyze', text: 'ANALYZE' });
    database.plans.clear();
  });
  afterAll(() => fresh.drop());

  it('read no large table from end to end', async () => {
    const jobId = await endJob(database, tenantId, 'http://hook.example/');
    const query = { jobId: null, state: null, before: null, most: 20 };
    await listDeliveries(database, tenantId, query);
    await listDeliveries(database, tenantId, { ...query, state: 'pending' });
    const [{ id } = { id: '' }] = await listDeliveries(database, tenantId, { ...query, jobId });
    await findDelivery(database, tenantId, id);
    await ensureSecrets(database, tenantId);
    await showNewSecret(database, tenantId);
    await showNewSecret(database, tenantId);
    const limits = { most: 16, perTenant: 4, busy: new Map(), leaseMs: 30_000, maxSteps: 10 };
    const { sends } = await takeDeliveries(database, limits);
    const end = { status: 410, error: 'gone', ms: 1, answer: null } as const;
    for (const one of sends)
      await recordAttempt(database, one, { ...end, after: { state: 'disabled' } });
    await redeliver(database, tenantId, id);
    await webhookBacklog(database);

    expect([...database.plans.keys()].sort()).toEqual(
      [
        'complete_job',
        'list_deliveries',
        'list_deliveries_by_state',
        'list_deliveries_of_job',
        'find_delivery',
        'delivery_attempts',
        'signing_secrets',
        'create_signing_secret',
        'lock_tenant_secrets',
        'show_signing_secret',
        'retire_signing_secret',
        'forget_signing_secrets',
        'lease_webhook_receivers',
        'begin_webhook_attempts',
        'hold_webhook_receiver',
        'release_webhook_receiver',
        'record_webhook_attempt',
        'record_webhook_delivery',
        'disable_webhook',
        'queue_webhook_receiver',
        'redeliver_webhook',
        'webhook_backlog',
      ].sort(),
    );
    for (const [name, plan] of database.plans)
      expect({ name, plan }).toEqual({
        name,
        plan: expect.not.stringMatching(/Seq Scan on [a-z]/),
      });
  });

  it.each([
    ['lease_webhook_receivers', 'webhook_receivers_due'],
    ['begin_webhook_attempts', 'webhook_deliveries_pending'],
    ['release_webhook_receiver', 'webhook_deliveries_pending'],
    ['list_deliveries', 'webhook_deliveries_log'],
    ['list_deliveries_by_state', 'webhook_deliveries_state'],
    ['list_deliveries_of_job', 'webhook_deliveries_job'],
  ])('%s uses %s', (name, index) => {
    expect(database.plans.get(name)).toContain(index);
  });
});
