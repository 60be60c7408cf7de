import { startFixtureSite, TrawlClient, until } from '@app/testing';
import { consumed, CreditsRun, startCreditsSite, type Payer } from './credits-run.js';
import { HeldPages } from './held-pages.js';
import { shareWithOwnApi, type OwnApiService } from './shared-cluster.js';

const CALLS = 200;
const CREDITS = 10;
/** Pages of the tree are siblings, not under the first. */
const ALL = { allowBackwardLinks: true };

class TwoReplicasRun extends CreditsRun<OwnApiService> {
  get urls(): readonly string[] {
    return this.service.urls;
  }
}

describe('credits, in two API replicas', () => {
  let run: TwoReplicasRun;
  beforeAll(async () => {
    run = new TwoReplicasRun(await shareWithOwnApi(), await startCreditsSite());
  });
  afterAll(() => run?.stop());
  beforeEach(() => run.site.reset());
  afterEach(async () => {
    expect(await run.audit()).toEqual([]);
  });

  const scrape = (payer: Payer, path: string) =>
    payer.client.scrape({ url: run.site.url(path), formats: ['markdown'] });
  const fetched = (prefix: string): number =>
    run.site.requests().filter(({ path }) => path.startsWith(prefix)).length;
  const apiError = (balance: number) => ({
    error: expect.stringMatching(
      new RegExp(`^Not enough credits: this request needs 1, ${balance} are left\\.`),
    ),
    ...{ balance, required: 1 },
  });

  it('are spent exactly under any concurrency, and nothing is fetched beyond them', async () => {
    const payer = await run.payer('free', CREDITS);
    const clients = run.urls.map((url) => new TrawlClient(url, payer.key));
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, n) =>
        (clients[n % clients.length] as TrawlClient).scrape({ url: run.site.url(`/tree/${n}`) }),
      ),
    );
    const served = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status === 402);
    expect([served.length, refused.length]).toEqual([CREDITS, CALLS - CREDITS]);
    expect(refused[0]?.body).toEqual(apiError(0));
    expect(fetched('/tree/')).toBe(CREDITS);
    expect(await run.spentBy(payer)).toBe(CREDITS);
    expect(await run.standing(payer)).toEqual({ left: 0, held: 0, overage: 0 });
  });

  it('bound a crawl by as many pages as are left, and the crawl ends', async () => {
    const payer = await run.payer('free', 7);
    const { client } = payer;
    const held = new HeldPages(run.site, 50);
    const started = await client.crawl({ url: held.url, limit: 50 });
    expect(started.message).toContain('up to 7 pages instead of 50');
    expect(await run.standing(payer)).toEqual({ left: 0, held: 7, overage: 0 });
    const refused = await client.call('POST', '/v1/crawl', { url: run.site.url('/'), limit: 1 });
    expect([refused.status, refused.body]).toEqual([402, apiError(0)]);
    expect([(await scrape(payer, '/docs')).status, fetched('/docs')]).toEqual([402, 0]);
    held.release();
    const job = await client.waitForEnd(started.jobId);
    expect(job).toMatchObject({ status: 'completed', pages_scraped: 7 });
    expect(job.skipped['limit']).toBeGreaterThan(0);
    expect(await client.results(started.jobId)).toHaveLength(7);
    expect([await run.spentBy(payer), await run.standing(payer)]).toEqual([
      7,
      { left: 0, held: 0, overage: 0 },
    ]);
  });

  it('bound a batch job, whose other pages are skipped', async () => {
    const payer = await run.payer('free', 3);
    const urls = [0, 1, 2, 3, 4].map((n) => run.site.url(`/tree/${n}`));
    const answer = await payer.client.call('POST', '/v1/batch', { urls, async: true });
    expect([answer.status, answer.body]).toMatchObject([
      202,
      { pages: 5, message: expect.stringContaining('5 pages, of which 3 are scraped') },
    ]);
    const { jobId } = answer.body as { jobId: string };
    const job = await payer.client.waitForEnd(jobId);
    expect([job.status, job.pages.scraped, job.skipped]).toEqual(['completed', 3, { limit: 2 }]);
    expect(await run.standing(payer)).toEqual({ left: 0, held: 0, overage: 0 });
  });

  it('of a cancelled crawl are released, except those it spent', async () => {
    const payer = await run.payer('free', 30);
    const { client } = payer;
    const held = new HeldPages(run.site, 20);
    const { jobId } = await client.crawl({ url: held.url, limit: 20 });
    expect(await run.standing(payer)).toMatchObject({ left: 10, held: 20 });
    held.answer(5);
    await until(async () => (await client.job(jobId)).pages_scraped >= 2, { what: 'two pages' });
    expect((await client.cancel(jobId)).status).toBe(200);
    held.release();
    const { pages_scraped: pages } = await client.job(jobId);
    expect(pages).toBeLessThan(20);
    expect([await run.spentBy(payer), await run.standing(payer)]).toEqual([
      pages,
      { left: 30 - pages, held: 0, overage: 0 },
    ]);
  });

  it('continue into overage on a paid plan, by calls and by jobs', async () => {
    const payer = await run.payer('hobby', 2);
    const left: (string | null)[] = [];
    for (let n = 0; n < 4; n++) {
      const answer = await scrape(payer, `/tree/${n}`);
      expect([answer.status, consumed(answer)]).toEqual([200, 1]);
      left.push(answer.headers.get('x-credits-remaining'));
    }
    expect(left).toEqual(['1', '0', '0', '0']);
    const { jobId } = await payer.client.crawl({
      url: run.site.url('/tree/0'),
      limit: 3,
      ...ALL,
    });
    const job = await payer.client.waitForEnd(jobId);
    expect(job.pages_scraped).toBe(3);
    expect(await run.standing(payer)).toEqual({ left: 0, held: 0, overage: 5 });
  });

  it('are not spent where there is no data', async () => {
    const payer = await run.payer('free', 1);
    for (const [path, status, told] of [
      ['/blank', 200, 0],
      ['/status/404', 422, NaN],
      ['/private/x', 422, NaN],
    ] as const) {
      const answer = await scrape(payer, path);
      expect([path, answer.status, consumed(answer)]).toEqual([path, status, told]);
      expect(await run.standing(payer)).toEqual({ left: 1, held: 0, overage: 0 });
    }
    const answer = await scrape(payer, '/tree/1');
    expect([consumed(answer), answer.headers.get('x-credits-remaining')]).toEqual([1, '0']);
  });

  describe('of an enrichment', () => {
    const enrich = (url: string, payer: Payer) =>
      run.post(url, '/v1/enrich', {
        key: payer.key,
        body: { domain: run.site.url('/'), includeTech: false },
      });
    /** What the scrape and the enrich pool have left. */
    const pools = async ({ client }: Payer) => {
      const { body } = await client.call('GET', '/v1/usage');
      const { credit_pools } = body as {
        credit_pools: Record<'scrape' | 'enrich', { remaining: number }>;
      };
      return [credit_pools.scrape.remaining, credit_pools.enrich.remaining];
    };

    it('come from the enrich pool first, then from the scrape pool, and then it is 402', async () => {
      const payer = await run.payer('free', 1);
      await run.leaveInEnrichPool(payer, 2);
      const told: (readonly [number, number, string | null])[] = [];
      for (let n = 0; n < 3; n++) {
        const answer = await enrich(run.service.url, payer);
        const remaining = answer.headers.get('x-credits-remaining');
        told.push([answer.status, consumed(answer), remaining]);
      }
      expect(told).toEqual([
        [200, 1, '2'],
        [200, 1, '1'],
        [200, 1, '0'],
      ]);
      const refused = await enrich(run.service.url, payer);
      expect([refused.status, refused.body]).toEqual([402, apiError(0)]);
      expect(await pools(payer)).toEqual([0, 0]);
    });

    it('are spent exactly in both replicas at once, and a scrape uses none of its pool', async () => {
      const payer = await run.payer('free', 3);
      await run.leaveInEnrichPool(payer, 4);
      const calls = Array.from({ length: 16 }, (_, n) =>
        enrich(run.urls[n % run.urls.length] ?? '', payer),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(7);
      expect(statuses.filter((status) => status === 402)).toHaveLength(9);
      expect(await pools(payer)).toEqual([0, 0]);

      const other = await run.payer('free', 0);
      const scraped = await scrape(other, '/tree/1');
      expect([scraped.status, scraped.body]).toEqual([402, apiError(0)]);
      expect(await pools(other)).toEqual([0, 1_000]);
    });

    it('return to the pool they came from when there is no data', async () => {
      const payer = await run.payer('free', 1);
      await run.leaveInEnrichPool(payer, 1);
      const gone = await startFixtureSite();
      await gone.close();
      const body = { domain: gone.url('/') };
      const failed = await run.post(run.service.url, '/v1/enrich', { key: payer.key, body });
      expect([failed.status, await pools(payer)]).toEqual([422, [1, 1]]);
    });
  });

  it('are shown by GET /v1/usage as they are spent', async () => {
    const payer = await run.payer('free', 5);
    const pages = async () => {
      const { body } = await payer.client.call('GET', '/v1/usage');
      return (body as { pages_scraped: number }).pages_scraped;
    };
    for (const n of [1, 2, 3]) {
      await scrape(payer, `/tree/${n}`);
      expect(await pages()).toBe(n);
    }
  });

  it('are spent by the playground as by any scrape, and refused there as well', async () => {
    const payer = await run.payer('free', 1);
    const { url } = run.service;
    const signIn = await fetch(`${url}/dashboard/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams({ key: payer.key }),
    });
    const cookie = (signIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const page = await (await fetch(`${url}/dashboard/playground`, { headers: { cookie } })).text();
    const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const send = () =>
      fetch(`${url}/dashboard/playground/scrape`, {
        method: 'POST',
        headers: { origin: url, cookie },
        body: new URLSearchParams({ form_token: token, url: run.site.url('/tree/1') }),
      });
    const first = await send();
    expect([first.status, await run.spentBy(payer)]).toEqual([200, 1]);
    const second = await send();
    expect([second.status, await second.text()]).toEqual([
      200,
      expect.stringContaining('Not enough credits'),
    ]);
    expect([fetched('/tree/1'), await run.spentBy(payer)]).toEqual([1, 1]);
  });
});
