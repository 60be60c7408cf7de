import type { Plan } from '@app/contracts';
import { createApiKey, createTenant } from '@app/accounts';
import { spawnApp, startFixtureSite, until, type FixtureSite, type SpawnedApp } from '@app/testing';
import { deployCluster, type Deployment } from './deployment.js';

/** Pages that are held until their client gives up, or the spec ends. */
const HELD_MS = 60_000;
/** As the calls of a replica that died keep their slots. */
const LEASE_SECONDS = 30;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

describe('calls of one account, answered by two API replicas', () => {
  let service: Deployment;
  let site: FixtureSite;
  let second: SpawnedApp;

  beforeAll(async () => {
    site = await startFixtureSite();
    // Pages of callers that hung up go on at the fetcher, in slots of the free plan.
    service = await deployCluster({ env: { BROWSER_MAX: '0', SCRAPE_CONCURRENCY: '64' } });
    second = await startReplica();
    service.apps.push(second);
  }, 180_000);
  afterAll(async () => {
    await site?.close();
    await service?.stop();
  }, 60_000);
  beforeEach(() => site.reset());

  async function startReplica(): Promise<SpawnedApp> {
    const app = await spawnApp({ app: 'api', env: { ...service.env } });
    const isReady = async (): Promise<boolean> => (await fetch(`${app.url}/health/ready`)).ok;
    await until(isReady, { what: 'a ready API', timeoutMs: 60_000 });
    return app;
  }
  const keyOf = async (plan: Plan): Promise<string> => {
    const { id } = await createTenant(service.database, plan, plan);
    return createApiKey(service.database, id, 'spec');
  };
  const post = async (
    url: string,
    path: string,
    { key, body, signal }: { key: string; body: object; signal?: AbortSignal },
  ): Promise<Answer> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null };
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const scrape = (url: string, key: string, page: string, signal?: AbortSignal) =>
    post(url, '/v1/scrape', { key, body: { url: site.url(page) }, signal });
  const held = (page: string) => `/slow/${HELD_MS}/${page}`;
  /** A call of a slow page, which is being answered when this resolves. */
  async function hold(url: string, key: string, page: string) {
    const hangUp = new AbortController();
    const gone = scrape(url, key, held(page), hangUp.signal).catch(() => null);
    await until(() => site.requests(held(page)).length > 0, { what: `the visit of ${page}` });
    return {
      async end(): Promise<void> {
        hangUp.abort();
        await gone;
      },
    };
  }
  const slots = async (): Promise<number> => {
    const text = 'SELECT 1 FROM call_slots WHERE until > clock_timestamp()';
    return (await service.database.query({ name: 'spec_slots', text })).length;
  };
  const passes = async (url: string, key: string): Promise<boolean> =>
    (await scrape(url, key, '/docs')).status === 200;

  it('are exactly two at a time on Free; the third is refused, and passes when one has ended', async () => {
    const key = await keyOf('free');
    const first = await hold(service.url, key, 'first');
    const other = await hold(second.url, key, 'other');
    for (const url of [service.url, second.url]) {
      const refused = await scrape(url, key, '/docs');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(JSON.parse(refused.text)).toEqual({
        error:
          'Rate limit exceeded: 2 concurrent requests on this plan. Retry after one of your running requests completes.',
        ...{ limit: 2, tier: 'free', retryAfterSeconds: 1 },
      });
    }
    // Others are not concerned, and neither is what does not wait.
    expect(await passes(second.url, await keyOf('free'))).toBe(true);
    const jobs = await fetch(`${second.url}/v1/jobs`, { headers: { 'x-api-key': key } });
    expect(jobs.status).toBe(200);
    await first.end();
    await until(async () => (await slots()) === 1, { what: 'the slot of the first' });
    expect(await passes(second.url, key)).toBe(true);
    await other.end();
    await until(async () => (await slots()) === 0, { what: 'the slot of the other' });
  }, 60_000);

  it('that end one after the other never meet each other', async () => {
    const key = await keyOf('free');
    const blocking = await hold(service.url, key, 'beside');
    const urls = [service.url, second.url];
    for (let n = 0; n < 6; n++) expect(await passes(urls[n % 2] ?? '', key)).toBe(true);
    await blocking.end();
    await until(async () => (await slots()) === 0, { what: 'free slots' });
  }, 60_000);

  it('count a batch while it is read, and none that becomes a job', async () => {
    const key = await keyOf('free');
    const hangUp = new AbortController();
    const batch = { key, body: { urls: [site.url(held('item'))] } };
    const gone = post(service.url, '/v1/batch', { ...batch, signal: hangUp.signal }).catch(
      () => null,
    );
    await until(() => site.requests(held('item')).length > 0, { what: 'the visit' });
    const other = await hold(second.url, key, 'beside-a-batch');
    expect((await post(second.url, '/v1/batch', batch)).status).toBe(429);
    const job = { key, body: { urls: [site.url('/docs')], async: true } };
    expect((await post(second.url, '/v1/batch', job)).status).toBe(202);
    hangUp.abort();
    await gone;
    await until(async () => (await slots()) === 1, { what: 'the slot of the batch' });
    await other.end();
    await until(async () => (await slots()) === 0, { what: 'free slots' });
  }, 60_000);

  it('hold no slot after the lease of a killed replica', async () => {
    const key = await keyOf('free');
    const doomed = await startReplica();
    const calls = [await hold(doomed.url, key, 'one'), await hold(doomed.url, key, 'two')];
    expect((await scrape(service.url, key, '/docs')).status).toBe(429);
    await doomed.process.kill9();
    for (const call of calls) await call.end();
    expect((await scrape(service.url, key, '/docs')).status).toBe(429);
    const rest = `SELECT extract(epoch FROM max(until) - clock_timestamp())::float8 AS seconds FROM call_slots
      WHERE until > clock_timestamp()`;
    const [{ seconds } = { seconds: NaN }] = await service.database.query<{ seconds: number }>({
      name: 'spec_rest',
      text: rest,
    });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(LEASE_SECONDS);
    // Nobody waits for it: nothing keeps them up any more.
    const age = `UPDATE call_slots SET until = until - $1::int * interval '1 second'`;
    await service.database.query({ name: 'spec_age', text: age }, [LEASE_SECONDS]);
    expect(await passes(service.url, key)).toBe(true);
    expect(await slots()).toBe(0);
  }, 120_000);
});
