import type { Plan } from '@app/contracts';
import { createApiKey, createTenant } from '@app/accounts';
import { startFixtureSite, until, type FixtureSite } from '@app/testing';
import { shareWithOwnApi, type OwnApiService } from './shared-cluster.js';

const UNKNOWN_JOB = '018f0000-0000-7000-8000-00000000000f';
/** Cheap requests, one of them without a route: the window counts them whatever their status is. */
const CALLS = ['/v1/jobs', '/v1/nothing', `/v1/crawl/${UNKNOWN_JOB}/results`];
const POLLS = [`/v1/jobs/${UNKNOWN_JOB}`, `/v1/crawl/${UNKNOWN_JOB}`];

interface Seen {
  readonly isAdmitted: boolean;
  readonly limit: number;
  readonly remaining: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

describe('calls of one account, answered by two API replicas', () => {
  let service: OwnApiService;
  let urls: readonly string[];
  let site: FixtureSite;
  let first: string;
  let second: string;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await shareWithOwnApi();
    ({ urls } = service);
    [first = '', second = ''] = urls;
  });
  afterAll(async () => {
    await site?.close();
    await service?.stop();
  });
  beforeEach(() => site.reset());

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
  /** A call of a page that is being answered when this resolves; the caller hangs up, and the page ends. */
  async function hold(page: string, send: (signal: AbortSignal) => Promise<unknown>) {
    const { promise: isOver, resolve: endPage } = Promise.withResolvers<void>();
    site.serve({ [page]: ({ response }) => isOver.then(() => void response.end('over')) });
    const hangUp = new AbortController();
    const gone = send(hangUp.signal).catch(() => null);
    await until(() => site.requests(page).length > 0, { what: `the visit of ${page}` });
    return {
      async end(): Promise<void> {
        hangUp.abort();
        await gone;
        endPage();
      },
    };
  }
  const holdScrape = (url: string, key: string, page: string) =>
    hold(page, (signal) => scrape(url, key, page, signal));
  const slots = async (): Promise<number> => {
    const text = 'SELECT 1 FROM call_slots WHERE until > clock_timestamp()';
    return (await service.database.query({ name: 'spec_slots', text })).length;
  };
  const passes = async (url: string, key: string): Promise<boolean> =>
    (await scrape(url, key, '/docs')).status === 200;

  it('are exactly two at a time on Free; the third is refused, and passes when one has ended', async () => {
    const key = await keyOf('free');
    const one = await holdScrape(first, key, '/first');
    const other = await holdScrape(second, key, '/other');
    for (const url of urls) {
      const refused = await scrape(url, key, '/docs');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(JSON.parse(refused.text)).toEqual({
        error:
          'Rate limit exceeded: 2 concurrent requests on this plan. Retry after one of your running requests completes.',
        ...{ limit: 2, tier: 'free', retryAfterSeconds: 1 },
      });
    }
    // Others are not concerned, and neither is what does not wait.
    expect(await passes(second, await keyOf('free'))).toBe(true);
    const jobs = await fetch(`${second}/v1/jobs`, { headers: { 'x-api-key': key } });
    expect(jobs.status).toBe(200);
    await one.end();
    await until(async () => (await slots()) === 1, { what: 'the slot of the first' });
    expect(await passes(second, key)).toBe(true);
    await other.end();
    await until(async () => (await slots()) === 0, { what: 'the slot of the other' });
  });

  it('that end one after the other never meet each other', async () => {
    const key = await keyOf('free');
    const blocking = await holdScrape(first, key, '/beside');
    for (let n = 0; n < 6; n++) expect(await passes(n % 2 ? first : second, key)).toBe(true);
    await blocking.end();
    await until(async () => (await slots()) === 0, { what: 'free slots' });
  });

  it('count a batch while it is read, and none that becomes a job', async () => {
    const key = await keyOf('free');
    const batch = { key, body: { urls: [site.url('/item')] } };
    const waiting = await hold('/item', (signal) => post(first, '/v1/batch', { ...batch, signal }));
    const other = await holdScrape(second, key, '/beside-a-batch');
    expect((await post(second, '/v1/batch', batch)).status).toBe(429);
    const job = { key, body: { urls: [site.url('/docs')], async: true } };
    expect((await post(second, '/v1/batch', job)).status).toBe(202);
    await waiting.end();
    await until(async () => (await slots()) === 1, { what: 'the slot of the batch' });
    await other.end();
    await until(async () => (await slots()) === 0, { what: 'free slots' });
  });

  describe('in a minute', () => {
    /** Asks, and holds the whole answer against the specification. */
    async function look(key: string, path: string, replica: number, plan: Plan): Promise<Seen> {
      const response = await fetch(`${urls[replica % urls.length]}${path}`, {
        headers: { 'x-api-key': key },
      });
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
          look(key, paths[n % paths.length] ?? '', n, plan),
        ),
      );
    const remainders = (seen: readonly Seen[]): number[] =>
      seen
        .filter(({ isAdmitted }) => isAdmitted)
        .map(({ remaining }) => remaining)
        .sort((a, b) => b - a);
    const countdown = (from: number, to = 0): number[] =>
      Array.from({ length: from - to }, (_, n) => from - 1 - n);

    /** Lets time pass for the windows of a tenant, so that no test waits for a minute. */
    const age = (tenantId: string, seconds: number): Promise<unknown> => {
      const text = `
        WITH own AS (
          UPDATE rate_windows SET last_at = last_at - $2::int * interval '1 second' WHERE tenant_id = $1 RETURNING id
        ) UPDATE rate_slots SET at = at - $2::int * interval '1 second' WHERE window_id IN (SELECT id FROM own)`;
      return service.database.query({ name: 'spec_age', text }, [tenantId, seconds]);
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
        const again = await burst(key, plan, CALLS, urls.length);
        expect(again.filter(({ isAdmitted }) => isAdmitted)).toEqual([]);
      },
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
    });

    it('is of the tenant: its keys share it, others have their own', async () => {
      const { id } = await createTenant(service.database, 'two keys', 'free');
      const keys = [
        await createApiKey(service.database, id, 'one'),
        await createApiKey(service.database, id, 'two'),
      ];
      const seen = (await Promise.all(keys.map((key) => burst(key, 'free', CALLS, 20)))).flat();
      expect(remainders(seen)).toEqual(countdown(10));
      expect(remainders(await burst(await keyOf('free'), 'free', CALLS, 12))).toEqual(
        countdown(10),
      );
    });

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
      const unkeyed = await fetch(`${urls[0]}/v1/jobs`);
      expect([unkeyed.status, ...standing(unkeyed)]).toEqual([401, '10', '10']);
      expect(standing(await fetch(`${urls[0]}/openapi.json`))).toEqual(['10', '10']);
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
      await age(id, 60);
      expect(remainders(await burst(key, 'free', CALLS, 16))).toEqual(countdown(10));
    });
  });
});
