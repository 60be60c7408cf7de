import fc from 'fast-check';
import type { Plan } from '@app/contracts';
import { createApiKey, createTenant } from '@app/accounts';
import { spawnApp, until } from '@app/testing';
import { deployCluster, type Deployment } from './deployment.js';

const REPLICAS = 4;
const UNKNOWN_JOB = '018f0000-0000-7000-8000-00000000000f';
/** Cheap requests, one of them without a route: the window counts them whatever their status is. */
const CALLS = ['/v1/jobs', '/v1/nothing', `/v1/crawl/${UNKNOWN_JOB}/results`];
const POLLS = [`/v1/jobs/${UNKNOWN_JOB}`, `/v1/crawl/${UNKNOWN_JOB}`];

interface Seen {
  readonly isAdmitted: boolean;
  readonly limit: number;
  readonly remaining: number;
}

describe('the rate limit of four API replicas on one database', () => {
  let service: Deployment;
  let urls: readonly string[];

  beforeAll(async () => {
    service = await deployCluster({ fetchers: 0, env: { BROWSER_MAX: '0' } });
    for (let n = 1; n < REPLICAS; n++)
      service.apps.push(await spawnApp({ app: 'api', env: { ...service.env } }));
    urls = service.apps.map(({ url }) => url);
    for (const url of urls) {
      const isReady = async (): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;
      await until(isReady, { what: 'a ready API', timeoutMs: 60_000 });
    }
  }, 180_000);
  afterAll(() => service?.stop(), 60_000);

  const keyOf = async (plan: Plan): Promise<string> => {
    const { id } = await createTenant(service.database, plan, plan);
    return createApiKey(service.database, id, 'spec');
  };
  const ask = (key: string, path: string, replica: number): Promise<Response> =>
    fetch(`${urls[replica % REPLICAS]}${path}`, { headers: { 'x-api-key': key } });

  /** Asks, and holds the whole answer against the specification. */
  async function look(key: string, path: string, replica: number, plan: Plan): Promise<Seen> {
    const response = await ask(key, path, replica);
    const body: unknown = await response.json();
    const limit = Number(response.headers.get('x-ratelimit-limit') ?? NaN);
    const remaining = Number(response.headers.get('x-ratelimit-remaining') ?? NaN);
    const isAdmitted = response.status !== 429;
    expect([200, 404, 429]).toContain(response.status);
    expect(response.headers.get('retry-after')).toBe(isAdmitted ? null : '60');
    if (!isAdmitted) {
      const exact = { error: 'Rate limit exceeded', limit, tier: plan, retryAfterSeconds: 60 };
      expect([body, remaining]).toEqual([exact, 0]);
    }
    return { isAdmitted, limit, remaining };
  }

  const burst = (key: string, plan: Plan, paths: readonly string[], requests: number) =>
    Promise.all(
      Array.from({ length: requests }, (_, n) =>
        look(key, paths[n % paths.length] ?? '', n % REPLICAS, plan),
      ),
    );
  const remainders = (seen: readonly Seen[]): number[] =>
    seen
      .filter(({ isAdmitted }) => isAdmitted)
      .map(({ remaining }) => remaining)
      .sort((a, b) => b - a);
  const countdown = (from: number, to = 0): number[] =>
    Array.from({ length: from - to }, (_, n) => from - 1 - n);

  /** Lets time pass for all windows, so that no test waits for a minute. */
  const age = async (seconds: number): Promise<void> => {
    for (const [table, column] of [
      ['rate_slots', 'at'],
      ['rate_windows', 'last_at'],
    ] as const)
      await service.database.query(
        {
          name: `age_${table}`,
          text: `UPDATE ${table} SET ${column} = ${column} - $1::int * interval '1 second'`,
        },
        [seconds],
      );
  };

  it.each([
    ['free', 10, 60],
    ['hobby', 60, 240],
  ] as const)(
    'lets exactly the minute of the plan %s (%i) through of %i requests at once',
    async (plan, limit, requests) => {
      const key = await keyOf(plan);
      const seen = await burst(key, plan, CALLS, requests);
      expect(remainders(seen)).toEqual(countdown(limit));
      expect(new Set(seen.map((one) => one.limit))).toEqual(new Set([limit]));
      const again = await burst(key, plan, CALLS, REPLICAS);
      expect(again.filter(({ isAdmitted }) => isAdmitted)).toEqual([]);
    },
    60_000,
  );

  it('counts who waits for a job apart: a Free tenant asks every second', async () => {
    const key = await keyOf('free');
    const [calls, polls] = await Promise.all([
      burst(key, 'free', CALLS, 30),
      burst(key, 'free', POLLS, 80),
    ]);
    expect(remainders(calls)).toEqual(countdown(10));
    expect(remainders(polls)).toEqual(countdown(60));
    expect(new Set(polls.map(({ limit }) => limit))).toEqual(new Set([60]));
  }, 60_000);

  it('is of the tenant: its keys share it, others have their own', async () => {
    const { id } = await createTenant(service.database, 'two keys', 'free');
    const keys = [
      await createApiKey(service.database, id, 'one'),
      await createApiKey(service.database, id, 'two'),
    ];
    const seen = (await Promise.all(keys.map((key) => burst(key, 'free', CALLS, 20)))).flat();
    expect(remainders(seen)).toEqual(countdown(10));
    expect(remainders(await burst(await keyOf('free'), 'free', CALLS, 12))).toEqual(countdown(10));
  }, 60_000);

  it('counts requests that are refused for another reason, and none without a key', async () => {
    const key = await keyOf('free');
    const post = (headers: Record<string, string>, body: string): Promise<Response> =>
      fetch(`${urls[1]}/v1/scrape`, { method: 'POST', headers, body });
    const json = { 'x-api-key': key, 'content-type': 'application/json' };
    const answers = [
      await post(json, '{'),
      await post(json, '{}'),
      await post({ ...json, 'content-type': 'text/html' }, '<p>'),
    ];
    const standing = (one: Response): (string | null)[] =>
      ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => one.headers.get(name));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 415]);
    expect(answers.map(standing)).toEqual([
      ['10', '9'],
      ['10', '8'],
      ['10', '7'],
    ]);
    const unkeyed = await fetch(`${urls[2]}/v1/jobs`);
    expect([unkeyed.status, ...standing(unkeyed)]).toEqual([401, '10', '10']);
    expect(standing(await fetch(`${urls[2]}/openapi.json`))).toEqual(['10', '10']);
    expect((await look(key, '/v1/jobs', 3, 'free')).remaining).toBe(6);
  });

  it('follows a plan that changes at the next request, in every replica', async () => {
    const { id } = await createTenant(service.database, 'upgraded', 'free');
    const key = await createApiKey(service.database, id, 'spec');
    const setPlan = (plan: Plan) =>
      service.database.query(
        { name: 'spec_plan', text: 'UPDATE tenants SET plan = $2 WHERE id = $1' },
        [id, plan],
      );
    expect(remainders(await burst(key, 'free', CALLS, 16))).toEqual(countdown(10));
    await setPlan('hobby');
    expect(remainders(await burst(key, 'hobby', CALLS, 80))).toEqual(countdown(50));
    await setPlan('free');
    expect(remainders(await burst(key, 'free', CALLS, 8))).toEqual([]);
    await age(60);
    expect(remainders(await burst(key, 'free', CALLS, 16))).toEqual(countdown(10));
  }, 60_000);

  it('slides like a list of instants, for any sequence of requests', async () => {
    // Thirds of a window: what really passes meanwhile is far from the next third.
    const step = fc.record({
      passes: fc.constantFrom(0, 0, 20, 40, 60),
      requests: fc.integer({ min: 1, max: 14 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 7 }), async (steps) => {
        const key = await keyOf('free');
        const startedAtMs = performance.now();
        let ages: number[] = [];
        for (const { passes, requests } of steps) {
          if (passes > 0) await age(passes);
          ages = ages.map((seconds) => seconds + passes).filter((seconds) => seconds < 60);
          const room = 10 - ages.length;
          const seen = await burst(key, 'free', CALLS, requests);
          expect(remainders(seen)).toEqual(countdown(room, Math.max(0, room - requests)));
          ages.push(...Array<number>(Math.min(room, requests)).fill(0));
        }
        expect(performance.now() - startedAtMs).toBeLessThan(19_000);
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});
