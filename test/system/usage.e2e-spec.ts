import { createApiKey, createTenant } from '@app/accounts';
import {
  adHocStatement,
  startFixtureSite,
  TrawlClient,
  until,
  type FixtureSite,
} from '@app/testing';
import type { Plan } from '@app/contracts';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

describe.each(MODES)('GET /v1/usage (%s)', (mode) => {
  let service: Service;
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startFixtureSite();
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  interface Account {
    readonly id: string;
    readonly key: string;
    readonly client: TrawlClient;
  }
  const account = async (plan: Plan): Promise<Account> => {
    const { id } = await createTenant(service.database, 'usage', plan);
    const key = await createApiKey(service.database, id, 'usage');
    return { id, key, client: new TrawlClient(service.url, key) };
  };
  const get = async (key: string | null, path = '/v1/usage') => {
    const headers = key === null ? undefined : { 'x-api-key': key };
    const answer = await fetch(`${service.url}${path}`, { headers });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const sql = (text: string, values: readonly unknown[] = []) =>
    service.database.query(adHocStatement(text), values);
  const month = () => new Date().toISOString().slice(0, 7);

  it('shows a new account zeros, by the fields of the specification, and its pools', async () => {
    const { key } = await account('free');
    const credits = { state: 'ok', period: month(), prior_periods_unresolved: false };
    const pool = (granted: number) => ({ granted, topped_up: 0, remaining: granted });
    const { status, body } = await get(key);
    expect([status, body]).toEqual([
      200,
      {
        plan: 'free',
        pages_scraped: 0,
        pages_quota: 1_000,
        llm_extractions: 0,
        extract_quota: 0,
        cost_usd: 0,
        year_month: credits.period,
        credits,
        credit_pools: { scrape: pool(1_000), enrich: pool(1_000), kyb: pool(0) },
        storage: { bytes: 0, limit: 500_000_000 },
      },
    ]);
  });

  it('shows what is stored; no job starts where it is full, or enough pages cost nothing', async () => {
    const { id, key } = await account('free');
    const start = async (path: string, body: object) => {
      const headers = { 'x-api-key': key ?? '', 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${service.url}${path}`, init);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const crawl = () => start('/v1/crawl', { url: site.url('/'), limit: 1 });
    // Not by the API: the plan allows few calls.
    const open = `SELECT 1 FROM jobs WHERE tenant_id = $1 AND status NOT IN ('completed', 'failed')`;
    const crawlsEnd = () =>
      until(async () => (await sql(open, [id])).length === 0, { what: 'the end of the crawls' });
    const { jobId } = (await crawl()).body as { jobId: string };
    await crawlsEnd();
    await sql('UPDATE jobs SET result_bytes = 499900000 WHERE id = $1', [jobId]);
    const { bytes } = (await get(key)).body['storage'] as { bytes: number };
    expect(bytes).toBeGreaterThan(499_900_000);
    expect((await crawl()).status).toBe(202);
    await sql('UPDATE jobs SET result_bytes = 500000000 WHERE id = $1', [jobId]);
    const batch = { urls: [site.url('/')], async: true };
    for (const refused of [await crawl(), await start('/v1/batch', batch)]) {
      expect(refused).toMatchObject({ status: 413, body: { limit: 500_000_000 } });
      expect(refused.body['error']).toMatch(/^Your storage is full: 5000\d{5} of 500000000 bytes/);
    }
    const picture = await start('/v1/screenshot', { url: site.url('/') });
    expect(picture).toMatchObject({ status: 200, body: { base64: expect.any(String) } });
    await crawlsEnd();
    await sql('UPDATE jobs SET result_bytes = 0 WHERE id = $1', [jobId]);
    const before = ((await get(key)).body['storage'] as { bytes: number }).bytes;
    const stored = await start('/v1/screenshot', { url: site.url('/') });
    const after = ((await get(key)).body['storage'] as { bytes: number }).bytes;
    // The embedded service has no object storage: pictures are in the response whatever room there is.
    const isStored = mode === 'cluster';
    const field = isStored ? 'imageUrl' : 'base64';
    expect(stored).toMatchObject({ status: 200, body: { [field]: expect.any(String) } });
    expect(after > before).toBe(isStored);
    await sql(
      `INSERT INTO daily_quotas (tenant_id, operation, day, used)
       VALUES ($1, 'unpaid_page', (now() AT TIME ZONE 'utc')::date, 2000)
       ON CONFLICT (tenant_id, operation, day) DO UPDATE SET used = 2000`,
      [id],
    );
    expect(await crawl()).toMatchObject({ status: 429, body: { limit: 2_000, tier: 'free' } });
  });

  it('accepts no new Idempotency-Key where it is full of responses, and replays those that it has', async () => {
    const { id, key } = await account('free');
    const scrape = (idempotencyKey?: string) =>
      fetch(`${service.url}/v1/scrape`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({ url: site.url('/') }),
      });
    expect((await scrape('before')).status).toBe(200);
    await sql(
      `INSERT INTO daily_quotas (tenant_id, operation, day, used)
       VALUES ($1, 'stored_answer_kib', (now() AT TIME ZONE 'utc')::date, 500000)`,
      [id],
    );
    const refused = await scrape('new');
    expect([refused.status, await refused.json()]).toMatchObject([413, { limit: 500_000_000 }]);
    const replayed = await scrape('before');
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect((await scrape()).status).toBe(200);
    await sql("DELETE FROM daily_quotas WHERE operation = 'stored_answer_kib'");
    expect((await scrape('new')).status).toBe(200);
  });

  it.each<[Plan, string, number]>([
    ['hobby', 'starter', 5_000],
    ['pro', 'pro', 100_000],
    ['scale', 'business', 500_000],
    ['custom', 'enterprise', 9_007_199_254_740_991],
  ])('names plan %s as before', async (plan, name, quota) => {
    const { key } = await account(plan);
    const { body } = await get(key);
    expect(body).toMatchObject({ plan: name, pages_quota: quota, extract_quota: quota });
  });

  it('counts the scrapes of this account and this month, under both addresses', async () => {
    const { key, id, client } = await account('pro');
    await client.scrape({ url: site.url('/tree/3') });
    const { jobId } = await client.crawl({ url: site.url('/'), limit: 2 });
    await client.waitForEnd(jobId);
    await sql(
      `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, created_at)
       VALUES ($1, 'scrape', gen_random_uuid(), gen_random_uuid(), 1, now() - interval '32 days')`,
      [id],
    );
    const [usage, alias] = [await get(key), await get(key, '/v1/billing/usage')];
    expect(usage).toMatchObject({ status: 200, body: { pages_scraped: 3 } });
    expect(alias).toEqual(usage);
  });

  it.each(['/v1/usage', '/v1/billing/usage'])('needs a key: %s', async (path) => {
    expect(await get(null, path)).toEqual({
      status: 401,
      body: { error: 'API key required. Pass via x-api-key header.', hint: expect.any(String) },
    });
  });

  it('reports that the credit ledger cannot be read, and its recovery', async () => {
    const { key } = await account('free');
    await sql('ALTER TABLE credit_balances RENAME TO credit_balances_gone');
    try {
      const { status, body } = await get(key);
      expect([status, body['credits'], body['pages_quota']]).toEqual([
        200,
        { state: 'unavailable', period: month(), prior_periods_unresolved: false },
        1_000,
      ]);
    } finally {
      await sql('ALTER TABLE credit_balances_gone RENAME TO credit_balances');
    }
    expect(await get(key)).toMatchObject({ body: { credits: { state: 'ok' } } });
  });
});
