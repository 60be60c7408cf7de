import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { API_ERRORS } from '@app/contracts';
import { startFixtureSite, TrawlClient, until, type FixtureSite } from '@app/testing';
import { MODES } from './deployment.js';
import {
  adminCommand,
  adminJson,
  listKeys,
  knock,
  provision,
  runAdminCommand,
  type KeyShown,
  type Provisioned,
} from './keys-run.js';
import { shareWithOwnApi, type OwnApiService, UNKNOWN_ID } from './shared-cluster.js';

const REVOKED = { status: 401, body: { error: API_ERRORS.api_key_invalid.text } };
const UNKNOWN = { status: 404, body: { error: 'Key not found', hint: expect.any(String) } };
const PREFIX = 'trawl_live_';
/** The secret may itself contain underscores. */
const secretOf = (key: string): string => key.slice(`${PREFIX}${'0'.repeat(12)}_`.length);
/** Four times the default of PROVISION_PER_IP_PER_DAY. */
const PER_NETWORK = 20;
const KEY = /^trawl_live_[0-9a-f]{12}_[\w-]{43}$/;

describe.each(MODES)('keys, %s', (mode) => {
  let service: OwnApiService;
  let site: FixtureSite;
  let urls: readonly string[];
  let addresses = 0;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 5 });
    service = await shareWithOwnApi(mode);
    ({ urls } = service);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  /** An address in a network of its own. */
  const newAddress = () => `198.51.${++addresses}.7`;
  const newAccount = async (body?: unknown) => {
    const answer = await provision(service.url, { forwardedFor: newAddress(), body });
    if (answer.status !== 201) throw new Error(`provision answered ${answer.status}`);
    const made = answer.body as Provisioned;
    await allowMany(made.tenantId);
    return { ...made, client: new TrawlClient(service.url, made.apiKey) };
  };
  /** A test asks more often than the free plan allows. */
  const allowMany = (tenantId: string) =>
    service.database.query(
      {
        name: 'allow_many',
        text: 'UPDATE tenants SET agreed_requests_per_minute = 10000 WHERE id = $1',
      },
      [tenantId],
    );
  const everywhere = (key: string) => Promise.all(urls.map((url) => knock(url, key)));
  const statuses = async (key: string) => (await everywhere(key)).map(({ status }) => status);

  it('are provisioned, used for a scrape, listed, rotated and revoked', async () => {
    const answer = await provision(service.url, { forwardedFor: newAddress() });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.body).toEqual({
      apiKey: expect.stringMatching(KEY),
      tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tier: 'free',
      note: expect.stringContaining('POST /v1/billing/checkout'),
    });
    const { apiKey, tenantId } = answer.body as Provisioned;
    await allowMany(tenantId);
    const client = new TrawlClient(service.url, apiKey);
    expect(await client.scrape({ url: site.url('/tree/1') })).toMatchObject({ status: 200 });

    const [key] = await listKeys(client);
    expect(key).toMatchObject({ current: true, origin: 'provisioned', expiresAt: null });
    expect(key?.prefix).toBe(`${apiKey.slice(0, 15)}…`);
    await until(async () => (await listKeys(client))[0]?.lastUsedAt !== null, { what: 'a note' });

    const rotated = await client.call('POST', `/v1/keys/${key?.id}/rotate`, { overlapSeconds: 1 });
    expect(rotated.status).toBe(201);
    expect(rotated.headers.get('cache-control')).toBe('private, no-store');
    const fresh = rotated.body as KeyShown & { apiKey: string; replaces: KeyShown };
    expect(fresh).toMatchObject({ apiKey: expect.stringMatching(KEY), current: false });
    expect(fresh.replaces).toEqual({ id: key?.id, expiresAt: expect.any(String) });
    expect(await statuses(fresh.apiKey)).toEqual(urls.map(() => 200));
    await until(async () => (await knock(service.url, apiKey)).status === 401, {
      what: 'the end of the overlap',
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(fresh.replaces.expiresAt ?? '') - 500);
    for (const one of await everywhere(apiKey)) expect(one).toMatchObject(REVOKED);

    const after = new TrawlClient(service.url, fresh.apiKey);
    const revoked = await after.call('DELETE', `/v1/keys/${fresh.id}`);
    expect(revoked).toMatchObject({
      status: 200,
      body: {
        id: fresh.id,
        current: true,
        revokedAt: expect.any(String),
        note: 'You revoked the key of this request: it no longer works.',
      },
    });
    for (const one of await everywhere(fresh.apiKey)) {
      expect(one).toMatchObject(REVOKED);
      expect(one.text).toMatch(/^\{"error":"Invalid or revoked API key\.","hint":/);
    }
  });

  it('both work in the overlap', async () => {
    const { client, apiKey } = await newAccount();
    const [key] = await listKeys(client);
    const { status, body } = await client.call('POST', `/v1/keys/${key?.id}/rotate`);
    const fresh = body as { apiKey: string; replaces: { expiresAt: string } };
    expect(status).toBe(201);
    const aheadMs = Date.parse(fresh.replaces.expiresAt) - Date.now();
    expect(Math.abs(aheadMs - 86_400_000)).toBeLessThan(60_000);
    expect([...(await statuses(apiKey)), ...(await statuses(fresh.apiKey))]).not.toContain(401);
  });

  it('are made, labelled, and revoked any number of times', async () => {
    const { client } = await newAccount({ label: 'mine', email: 'dev@example.com' });
    const made = await client.call('POST', '/v1/keys', { label: 'büro ✓' });
    expect(made).toMatchObject({
      status: 201,
      body: { label: 'büro ✓', origin: 'account', current: false, apiKey: expect.any(String) },
    });
    expect(made.headers.get('cache-control')).toBe('private, no-store');
    const { id, apiKey } = made.body as { id: string; apiKey: string };
    expect((await listKeys(client)).map(({ label, current }) => [label, current])).toEqual([
      ['büro ✓', false],
      ['mine', true],
    ]);
    expect(await statuses(apiKey)).toEqual(urls.map(() => 200));
    const first = await client.call('DELETE', `/v1/keys/${id}`);
    expect(first).toMatchObject({ status: 200, body: { id, note: null } });
    for (const one of await everywhere(apiKey)) expect(one).toMatchObject(REVOKED);
    expect((await client.call('DELETE', `/v1/keys/${id}`)).body).toEqual(first.body);
    expect(await client.call('POST', `/v1/keys/${id}/rotate`)).toMatchObject({
      status: 409,
      body: { error: API_ERRORS.key_ended.text },
    });
  });

  it('of another account are as unknown as those that never were', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const [key] = await listKeys(other.client);
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const theirs = await one.client.call(method, `/v1/keys/${key?.id}${suffix}`);
      const none = await one.client.call(method, `/v1/keys/${UNKNOWN_ID}${suffix}`);
      expect(theirs).toMatchObject(UNKNOWN);
      expect(theirs.text).toBe(none.text);
    }
    expect(await listKeys(one.client)).toHaveLength(1);
    expect(await statuses(other.apiKey)).not.toContain(401);
  });

  it('are at most 50 in use', async () => {
    const { client, tenantId } = await newAccount();
    const text = `INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label)
      SELECT gen_random_uuid(), $1, gen_random_uuid(), '', 'k' FROM generate_series(2, 50)`;
    await service.database.query({ name: 'more_keys', text }, [tenantId]);
    expect(await client.call('POST', '/v1/keys', { label: 'one more' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('at most 50 active keys') },
    });
    const [last] = await listKeys(client);
    await client.call('DELETE', `/v1/keys/${last?.id}`);
    expect((await client.call('POST', '/v1/keys', { label: 'one more' })).status).toBe(201);
  });

  it('are given to one address five times a day, by all replicas together', async () => {
    const forwardedFor = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        provision(urls[n % urls.length] ?? '', { forwardedFor: `1.1.1.${n}, ${forwardedFor}` }),
      ),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(limited).toHaveLength(15);
    const [{ body, headers }] = limited as [(typeof limited)[number]];
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect(body).toEqual({
      error: `Too many keys were provisioned from this address: 5 per day. Use the key you have, or retry after ${wait} seconds.`,
    });
    expect((await provision(service.url, { forwardedFor: newAddress() })).status).toBe(201);
  });

  it('are given to one network as many times a day as may be, whichever of its addresses ask', async () => {
    const network = ++addresses;
    const answers = await Promise.all(
      Array.from({ length: PER_NETWORK + 5 }, (_, n) =>
        provision(urls[n % urls.length] ?? '', { forwardedFor: `198.51.${network}.${n}` }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(PER_NETWORK);
    expect(refused).toHaveLength(5);
    for (const { body, headers } of refused) {
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
      expect(body).toEqual({
        error: expect.stringContaining('from this network (IPv4 /24, IPv6 /48): 20 per day'),
      });
    }
  });

  it('count the /64 of IPv6', async () => {
    const six = Array.from({ length: 6 }, (_, n) => `2001:db8:0:${addresses}:${n}::1`);
    const got: number[] = [];
    for (const forwardedFor of six)
      got.push((await provision(urls[0] ?? '', { forwardedFor })).status);
    expect(got).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('are in no line that a process logs', async () => {
    const { apiKey, client } = await newAccount();
    const made = await client.call('POST', '/v1/keys', { label: 'logged?' });
    await client.scrape({ url: site.url('/status/500') });
    await knock(service.url, `${apiKey}x`);
    const lines = service.apps.flatMap((app) => app.process.output).join('\n');
    for (const key of [apiKey, (made.body as { apiKey: string }).apiKey])
      expect(lines).not.toContain(secretOf(key));
  });

  describe('an operator', () => {
    it('makes a tenant and its keys, and all of it is in the log of acts', async () => {
      const name = `acme ${mode}`;
      const tenant = await adminJson<{ id: string; plan: string }>(
        service,
        ...['tenant', 'create', name, '--plan', 'starter', '--email', 'ops@acme.example'],
      );
      expect(tenant).toMatchObject({ plan: 'hobby' });
      const made = await adminJson<{ id: string; apiKey: string }>(service, 'key', 'create', name);
      const client = new TrawlClient(service.url, made.apiKey);
      expect(await statuses(made.apiKey)).toEqual(urls.map(() => 200));

      await adminJson(service, 'plan', 'set', tenant.id, 'business');
      await adminJson(service, 'agreement', 'set', name, '--monthly-credits', '7');
      await adminJson(service, 'agreement', 'set', name, '--concurrent-requests', '3');
      expect(await adminJson(service, 'tenant', 'show', name)).toMatchObject({
        plan: 'scale',
        agreed: { monthlyCredits: 7, requestsPerMinute: null, concurrentRequests: 3 },
        activeKeys: 1,
      });
      const rotated = await adminJson<{ id: string; apiKey: string }>(
        service,
        ...['key', 'rotate', made.apiKey, '--overlap-seconds', '0'],
      );
      expect(await client.call('GET', '/v1/keys')).toMatchObject(REVOKED);
      expect(await statuses(rotated.apiKey)).toEqual(urls.map(() => 200));
      await adminJson(service, 'key', 'revoke', rotated.id);
      for (const one of await everywhere(rotated.apiKey)) expect(one).toMatchObject(REVOKED);

      const granted = await adminJson(service, 'credits', 'grant', name, '25', '--note', 'sorry');
      expect(granted).toMatchObject({ credits: 25, balance: { toppedUp: 25 } });

      const pooled = ['credits', 'grant', name, '9', '--pool', 'kyb'];
      expect(await adminJson(service, ...pooled)).toMatchObject({ credits: 9, pool: 'kyb' });
      expect(await adminJson(service, 'credits', 'show', name)).toMatchObject({
        balance: {
          toppedUp: 25,
          enrich: { granted: 500_000, toppedUp: 0, remaining: 500_000 },
          kyb: { granted: 25_000, toppedUp: 9, remaining: 25_009 },
        },
      });

      const acts = await adminJson<{ act: string; tenantId: string; actor: string }[]>(
        service,
        ...['acts', '--tenant', tenant.id],
      );
      expect(acts.map(({ act }) => act)).toEqual([
        'credits.grant',
        'credits.grant',
        'key.revoke',
        'key.rotate',
        'agreement.set',
        'agreement.set',
        'plan.set',
        'key.create',
        'tenant.create',
      ]);
      expect(acts[0]).toMatchObject({ tenantId: tenant.id, actor: expect.stringMatching(/./) });
      expect(JSON.stringify(acts)).not.toContain(secretOf(made.apiKey));
    });

    it('reads tables, and gets clear errors', async () => {
      const listed = await runAdminCommand(service, ['tenant', 'list']);
      expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/^id +name +plan /) });
      const nobody = await adminCommand(service, ['key', 'list', 'nobody']);
      expect(nobody).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining('no tenant has the id or name "nobody"'),
      });
      const wrong = await adminCommand(service, ['tenant', 'create', 'x', '--plan', 'gold']);
      expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('no plan is named') });
      const missing = await adminCommand(
        { env: { ...service.env, DATABASE_URL: 'postgres://127.0.0.1:9/none' } },
        ['tenant', 'list'],
      );
      expect(missing).toMatchObject({
        code: 1,
        err: expect.stringContaining('the database does not respond'),
      });
      const unstarted = { env: { DATA_DIR: path.join(tmpdir(), randomUUID()) } };
      expect(await adminCommand(unstarted, ['tenant', 'list'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('start the service once (npm start)'),
      });
    });
  });
});
