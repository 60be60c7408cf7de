import { randomUUID } from 'node:crypto';
import { createApiKey, createTenant } from '@app/accounts';
import type { Database } from '@app/database';
import { createLogger } from '@app/telemetry';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import {
  deleteTenantRequests,
  findForm,
  KEPT_DAYS,
  MAX_KEPT,
  MAX_PER_SECOND,
  recentRequests,
  RequestHistory,
  sweepRequests,
  type LoggedRequest,
} from './request-log.js';

const LOG = createLogger({ level: 'fatal', component: 'spec' });

describe('the list of requests', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let requests: RequestHistory;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    requests = new RequestHistory({ database, log: LOG });
  });

  const request = (more: Partial<LoggedRequest> = {}): LoggedRequest => ({
    ...{ tenantId, requestId: 'r1', keyId: null, runId: null, method: 'POST', path: '/v1/scrape' },
    ...{ status: 200, credits: 1, ms: 12, form: null, ...more },
  });
  const listed = (options: { before?: string; isRun?: boolean } = {}) =>
    recentRequests(database, tenantId, { limit: 50, ...options });
  const count = async (): Promise<number> =>
    (
      await database.query<{ n: number }>(
        {
          name: 'spec_count',
          text: 'SELECT count(*)::int AS n FROM request_log WHERE tenant_id = $1',
        },
        [tenantId],
      )
    )[0]?.n ?? 0;

  it('has what was requested, newest first, with the name of the key', async () => {
    await createApiKey(database, tenantId, 'mine');
    const [key] = await database.query<{ id: string }>(
      { name: 'spec_key', text: 'SELECT id FROM api_keys WHERE tenant_id = $1' },
      [tenantId],
    );
    const runId = randomUUID();
    requests.note(request({ keyId: key?.id ?? null, path: `/v1/${'x'.repeat(500)}` }));
    requests.note(request({ runId, status: 422, credits: null, requestId: 'r2' }));
    await requests.close();
    const [last, first, ...others] = await listed();
    const { form: _form, ...shown } = request({
      ...{ runId, status: 422, credits: null, requestId: 'r2' },
    });
    expect(last).toMatchObject({ ...shown, label: null });
    expect(first).toMatchObject({
      label: 'mine',
      credits: 1,
      path: expect.stringMatching(/^.{300}$/),
    });
    expect(others).toEqual([]);
    expect(await listed({ isRun: true })).toEqual([last]);
    expect(await listed({ before: last?.id ?? '' })).toEqual([first]);
  });

  it('knows what was filled in to a form, unless it is long, for its tenant alone', async () => {
    const form = { endpoint: 'scrape', request: { url: 'https://a.example/', z: 1, b: 2 } };
    const [short, long] = [randomUUID(), randomUUID()];
    requests.note(request({ runId: short, form }));
    requests.note(
      request({ runId: long, form: { ...form, request: { html: 'x'.repeat(9_000) } } }),
    );
    await requests.close();
    expect(JSON.stringify(await findForm(database, tenantId, short))).toBe(JSON.stringify(form));
    expect(await findForm(database, tenantId, long)).toBeNull();
    const { id } = await createTenant(database, 'other', 'free');
    expect(await findForm(database, id, short)).toBeNull();
  });

  it('has no requests of other tenants', async () => {
    const { id } = await createTenant(database, 'other', 'free');
    requests.note(request({ tenantId: id }));
    await requests.close();
    expect(await listed()).toEqual([]);
  });

  it('has ten of a tenant that floods, and those of the others', async () => {
    const { id } = await createTenant(database, 'other', 'free');
    for (let n = 0; n < 100; n++) requests.note(request());
    requests.note(request({ tenantId: id }));
    await requests.close();
    expect(await count()).toBe(MAX_PER_SECOND);
    expect(await recentRequests(database, id, { limit: 2 })).toHaveLength(1);
  });

  it('loses nothing of others when a tenant was deleted meanwhile', async () => {
    requests.note(request({ tenantId: randomUUID() }));
    requests.note(request());
    await requests.close();
    expect(await count()).toBe(1);
  });

  it('is cut to the newest of a tenant', async () => {
    const text = `INSERT INTO request_log (id, tenant_id, at, request_id, method, path, status, ms)
      SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, now(), 'r', 'POST', '/', 200, 1
      FROM generate_series(1, $2::int) AS n`;
    await database.query({ name: 'spec_fill', text }, [tenantId, MAX_KEPT]);
    // A tenant's requests are counted now and then.
    for (let second = 0; second < 50; second++) {
      for (let n = 0; n < MAX_PER_SECOND; n++) requests.note(request());
      await requests.close();
    }
    expect(await count()).toBe(MAX_KEPT);
    expect((await listed())[0]?.requestId).toBe('r1');
  });

  it('is kept for thirty days', async () => {
    requests.note(request());
    await requests.close();
    const after = (days: number): Date => new Date(Date.now() + days * 86_400_000);
    expect(await sweepRequests(database, { limit: 100, now: after(KEPT_DAYS - 1) })).toBe(0);
    expect(await count()).toBe(1);
    await sweepRequests(database, { limit: 10_000, now: after(KEPT_DAYS + 1) });
    expect(await count()).toBe(0);
  });

  it('goes with the data of its tenant', async () => {
    for (let n = 0; n < 3; n++) requests.note(request());
    await requests.close();
    const erase = (tenant: string, until: Date) =>
      deleteTenantRequests(database, { tenantId: tenant, until, limit: 2 });
    const later = new Date(Date.now() + 60_000);
    expect(await erase(randomUUID(), later)).toBe(0);
    expect(await erase(tenantId, new Date(0))).toBe(0);
    expect(await erase(tenantId, later)).toBe(2);
    expect(await erase(tenantId, later)).toBe(1);
    expect(await count()).toBe(0);
  });

  it('fails no request when the database does not answer', async () => {
    const broken = { query: () => Promise.reject(new Error('gone')) } as unknown as Database;
    const lost = new RequestHistory({ database: broken, log: LOG });
    lost.note(request());
    await expect(lost.close()).resolves.toBeUndefined();
  });
});
