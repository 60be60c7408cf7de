import { newId, type Plan } from '@app/contracts';
import { AUDIT } from '../../test/credit-fixture.js';
import { FrontierFixture, linkTo } from '../../../jobs/test/frontier-fixture.js';
import { createBatch } from '@app/jobs';
import { createCrawl, type NewCrawl } from '@app/jobs';
import { createReextraction } from '@app/jobs';
import { readCrawlOptions } from '@app/jobs';
import { completeJob } from '@app/jobs';
import { cancelJob, closeOverdueJobs } from '@app/jobs';
import { Database } from '@app/database';
import { createTenant, type Tenant } from '../tenants/tenants.js';
import { reserveCredits } from './reserve-credits.js';

const OPTIONS = readCrawlOptions({
  ...{ maxDepth: null, includePaths: [], excludePaths: [] },
  ...{ allowBackwardLinks: false, ignoreRobotsTxt: false },
});

describe('jobs and their credits', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture?.close());
  afterEach(async () => {
    expect(await sql(AUDIT)).toEqual([]);
    await fixture.run('TRUNCATE jobs, hosts, outbox CASCADE');
  });

  const sql = <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    fixture.database.query<R & Record<string, unknown>>(
      { name: `spec ${text}`.slice(0, 60), text },
      values,
    );
  /** A tenant with so many credits a month; only credits, and no concurrency, are those of the plan. */
  const payer = async (plan: Plan, monthlyCredits: number | null): Promise<Tenant> => {
    const tenant = await createTenant(fixture.database, 'payer', 'custom');
    return { ...tenant, plan, agreed: { ...tenant.agreed, monthlyCredits } };
  };
  const job = async (id: string) => {
    const [row] = await sql<{ pageLimit: number; held: number | null; status: string }>(
      'SELECT page_limit AS "pageLimit", credits_held AS held, status FROM jobs WHERE id = $1',
      [id],
    );
    return row;
  };
  /** Prepaid, and beyond that; nothing where nothing bounds them. */
  const left = async ({ id }: Tenant) => {
    const [row] = await sql<{ prepaid: number; overage: number }>(
      `SELECT (grant_left + topup_left)::int AS prepaid, overage_used::int AS overage
       FROM credit_balances WHERE tenant_id = $1`,
      [id],
    );
    return row && [row.prepaid, row.overage];
  };
  const spent = (chargeId: string) =>
    sql<{ fromHold: boolean; credits: number }>(
      `SELECT from_hold AS "fromHold", sum(credits)::int AS credits FROM credit_ledger
       WHERE reference = $1 GROUP BY 1`,
      [chargeId],
    );
  const crawlOf = (tenant: Tenant, over: Partial<NewCrawl> = {}): NewCrawl => ({
    id: newId(),
    tenant,
    url: 'http://site.example/',
    urlKey: '0'.repeat(32),
    host: 'site.example',
    pageLimit: 50,
    options: OPTIONS,
    webhookUrl: null,
    deadlineAt: new Date(Date.now() + 3_600_000),
    hostWindowStart: 100,
    ...over,
  });
  const linksTo = (count: number) => Array.from({ length: count }, (_, n) => linkTo(n + 1));

  it.each<[string, Plan, number | null, number, number | null, number[] | undefined]>([
    ['holds a credit for each page', 'free', 100, 50, 50, [50, 0]],
    ['brings as many pages as there are credits for', 'free', 7, 7, 7, [0, 0]],
    ['goes into overage on a paid plan', 'hobby', 7, 50, 50, [0, 43]],
    ['holds nothing where nothing bounds it', 'custom', null, 50, null, undefined],
  ])('a crawl %s', async (_, plan, credits, pageLimit, held, balance) => {
    const tenant = await payer(plan, credits);
    const crawl = crawlOf(tenant);
    expect(await createCrawl(fixture.database, crawl)).toEqual({
      kind: 'created',
      isNew: true,
      pageLimit,
    });
    expect(await job(crawl.id)).toEqual({ pageLimit, held, status: 'queued' });
    expect(await left(tenant)).toEqual(balance);
  });

  it('is not created without credits, and leaves no row', async () => {
    const tenant = await payer('free', 2);
    await createCrawl(fixture.database, crawlOf(tenant));
    const crawl = crawlOf(tenant, { host: 'other.example', url: 'http://other.example/' });
    const refused = { kind: 'unpaid', balance: 0, required: 1 };
    expect(await createCrawl(fixture.database, crawl)).toEqual(refused);
    const { id: _id, ...asked } = crawl;
    const page = {
      urlKey: '1'.repeat(32),
      url: 'http://x.example/',
      host: 'x.example',
      position: 0,
    };
    const batch = { ...asked, id: newId(), workers: 1, pages: [page] };
    expect(await createBatch(fixture.database, batch)).toEqual(refused);
    expect([await job(crawl.id), await job(batch.id)]).toEqual([undefined, undefined]);
    expect(await sql(`SELECT 1 FROM hosts WHERE host <> 'site.example'`)).toEqual([]);
    expect(await left(tenant)).toEqual([0, 0]);
  });

  it('requested again under its id reserves nothing more, and is the same job', async () => {
    const tenant = await payer('free', 7);
    const crawl = crawlOf(tenant);
    await createCrawl(fixture.database, crawl);
    const known = { kind: 'created', isNew: false, pageLimit: 7 };
    expect(await createCrawl(fixture.database, crawl)).toEqual(known);
    expect(await left(tenant)).toEqual([0, 0]);
  });

  it('requested concurrently shares the credits left', async () => {
    const tenant = await payer('free', 100);
    const made = await Promise.all(
      Array.from({ length: 10 }, () =>
        createCrawl(fixture.database, crawlOf(tenant, { pageLimit: 30 })),
      ),
    );
    const limits = made.flatMap((one) => (one.kind === 'created' ? [one.pageLimit] : []));
    expect(limits.sort((a, b) => b - a)).toEqual([30, 30, 30, 10]);
    expect(made.filter(({ kind }) => kind === 'unpaid')).toHaveLength(6);
    expect(await left(tenant)).toEqual([0, 0]);
  });

  it('spends its pages out of its reservation, ends at its limit, and releases the rest', async () => {
    const tenant = await payer('free', 7);
    const id = await fixture.start({ tenant, pageLimit: 50 });
    const pages = await fixture.seeded(id, linksTo(20));
    expect(pages).toHaveLength(6);
    // Two of them without data.
    await fixture.finish(pages, { each: (_, at) => (at < 2 ? { credits: 0 } : {}) });
    expect(await job(id)).toEqual({ pageLimit: 7, held: 7, status: 'processing' });
    expect(await spent(id)).toEqual([{ fromHold: true, credits: 5 }]);
    expect(await left(tenant)).toEqual([2, 0]);
    expect(await sql('SELECT 1 FROM credit_holds WHERE id = $1', [id])).toEqual([]);
  });

  it('of a tenant without a limit spends without a reservation', async () => {
    const id = await fixture.start();
    await fixture.finish(await fixture.seeded(id, linksTo(2)));
    expect(await spent(id)).toEqual([{ fromHold: false, credits: 3 }]);
  });

  it.each(['cancelled', 'overdue'])('releases unspent credits when it is %s', async (how) => {
    const tenant = await payer('free', 30);
    const id = await fixture.start({ tenant, pageLimit: 20 });
    const [one] = await fixture.seeded(id, linksTo(10));
    expect(await left(tenant)).toEqual([10, 0]);
    if (how === 'cancelled') await cancelJob(fixture.database, tenant.id, id);
    else {
      await sql('UPDATE jobs SET deadline_at = now() WHERE id = $1', [id]);
      const onError = (_: string, error: unknown): never => {
        throw error;
      };
      await closeOverdueJobs(fixture.database, { batch: 10, onError });
    }
    expect(await left(tenant)).toEqual([29, 0]);
    // A worker that still has a page of it charges nothing.
    await fixture.finish(one ? [one] : []);
    await cancelJob(fixture.database, tenant.id, id);
    expect([await spent(id), await left(tenant)]).toEqual([
      [{ fromHold: true, credits: 1 }],
      [29, 0],
    ]);
  });

  it.each([
    [true, 3, [0, 0]],
    [false, 5, [3, 0]],
  ])(
    'that reads stored pages reserves credits where a model runs: %s',
    async (usesModel, pageLimit, balance) => {
      const tenant = await payer('free', 8);
      const sourceJobId = await fixture.start({ tenant, pageLimit: 5 });
      await fixture.finish(await fixture.seeded(sourceJobId, linksTo(4)));
      await completeJob(fixture.database, sourceJobId, { resultKey: 'r', problem: '' });
      expect(await left(tenant)).toEqual([3, 0]);
      const { id, options, webhookUrl, deadlineAt } = crawlOf(tenant);
      const extraction = {
        ...{ id, tenant, usesModel, sourceJobId, options, webhookUrl, deadlineAt },
        ...{ mostPages: null, workers: null },
      };
      const made = { kind: 'created', isNew: true, pages: 5, pageLimit };
      expect(await createReextraction(fixture.database, extraction)).toEqual(made);
      expect(await left(tenant)).toEqual(balance);
      const taken = await fixture.take(id);
      expect(taken).toHaveLength(pageLimit);
      await fixture.finish(taken, { over: { credits: usesModel ? 1 : 0 } });
      expect(await job(id)).toMatchObject({ status: 'processing', pageLimit });
      expect(await left(tenant)).toEqual(balance);
    },
  );

  it('and calls of one tenant wait for each other, and nothing is lost', async () => {
    const tenant = await payer('hobby', 1_000);
    const another = new Database({
      url: fixture.database.url,
      poolSize: 5,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    await another.connect();
    try {
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          n % 4 === 0
            ? createCrawl(another, crawlOf(tenant, { pageLimit: 5, host: `h${n % 8}.example` }))
            : reserveCredits(fixture.database, {
                tenant,
                operation: 'scrape',
                chargeId: newId(),
                credits: 1,
              }),
        ),
      );
    } finally {
      await another.close();
    }
    expect(await left(tenant)).toEqual([1_000 - 10 * 5 - 30, 0]);
  });
});
