import { readBalance } from '@app/accounts';
import { newId } from '@app/contracts';
import { spawnApp, TrawlClient, until } from '@app/testing';
import { KilledReplicasRun, killWhileCharging } from './credits-kills.js';

const SEED = 20_261_122;

describe('credits while API replicas are killed -9', () => {
  let run: KilledReplicasRun;
  beforeAll(async () => {
    run = await KilledReplicasRun.start(3);
  });
  afterAll(() => run?.stop());

  it('match the responses in the end: each call charged once, no reservation left', async () => {
    const payer = await run.payer('hobby', 1_000);
    const plan = { seed: SEED, calls: 120, kills: 4, atOnce: 12 };
    const report = await killWhileCharging(run, payer, plan);
    expect(report.wrong).toEqual([]);
    expect([report.told, await run.spentBy(payer)]).toEqual([report.worth, report.worth]);
    // What a try left that died last, or was overtaken.
    await run.sql('UPDATE credit_holds SET expires_at = now() WHERE tenant_id = $1', [payer.id]);
    await until(async () => (await run.standing(payer)).held === 0, {
      what: 'no reservation left',
      timeoutMs: 30_000,
    });
    expect(report.enriched).toBeGreaterThan(0);
    const left = 1_000 - (report.worth - report.enriched);
    expect(await run.standing(payer)).toEqual({ left, held: 0, overage: 0 });
    expect((await readBalance(run.service.database, payer.id))?.enrich).toMatchObject({
      granted: 5_000,
      remaining: 5_000 - report.enriched,
    });
    expect(await run.audit()).toEqual([]);
  });

  it('are spent out of the reservation of a crawl, a credit a page, while its fetchers are killed -9', async () => {
    const payer = await run.payer('hobby', 300);
    const [pages, kills] = [250, 4];
    const { jobId } = await payer.client.crawl({
      url: run.site.url('/slow-site/0'),
      limit: pages,
      // Its pages are siblings.
      allowBackwardLinks: true,
    });
    expect(await run.standing(payer)).toEqual({ left: 50, held: pages, overage: 0 });
    const scraped = async (): Promise<number> => (await payer.client.job(jobId)).pages_scraped;
    for (let kill = 1; kill <= kills; kill++) {
      const doomed = await spawnApp({ app: 'fetcher', env: { ...run.service.env } });
      const bound = (pages * kill) / (kills + 2);
      await until(async () => (await scraped()) >= bound, {
        what: `${bound} pages`,
        timeoutMs: 60_000,
      });
      await doomed.process.kill9();
    }
    const job = await payer.client.waitForEnd(jobId, { timeoutMs: 120_000 });
    expect(job).toMatchObject({ status: 'completed', pages_scraped: pages });
    expect(await run.spentBy(payer)).toBe(pages);
    expect(await run.standing(payer)).toEqual({ left: 50, held: 0, overage: 0 });
    expect(await run.audit()).toEqual([]);
  });

  it('of calls whose process died are released when their reservation expires', async () => {
    const payer = await run.payer('free', 5);
    await payer.client.scrape({ url: run.site.url('/tree/1') });
    const doomed = await run.startReplica();
    const lost = new TrawlClient(doomed.url, payer.key).scrape({
      url: run.site.url(`/slow/20000/${newId()}`),
    });
    lost.catch(() => undefined);
    await until(async () => (await run.standing(payer)).held === 1, { what: 'the hold' });
    await doomed.process.kill9();
    run.replicas.splice(run.replicas.indexOf(doomed), 1);
    await expect(lost).rejects.toThrow();
    expect(await run.standing(payer)).toEqual({ left: 3, held: 1, overage: 0 });
    await run.sql('UPDATE credit_holds SET expires_at = now() WHERE tenant_id = $1', [payer.id]);
    await until(async () => (await run.standing(payer)).held === 0, {
      what: 'the sweep',
      timeoutMs: 30_000,
    });
    expect(await run.standing(payer)).toEqual({ left: 4, held: 0, overage: 0 });
  });

  it('are shown by GET /v1/usage as before when a replica has summed them up', async () => {
    const payer = await run.payer('free', 5);
    const spend = (n: number) => payer.client.scrape({ url: run.site.url(`/tree/${n}`) });
    const pages = async () => {
      const { body } = await payer.client.call('GET', '/v1/usage');
      return (body as { pages_scraped: number }).pages_scraped;
    };
    for (const n of [1, 2]) await spend(n);
    expect(await pages()).toBe(2);
    const sums = 'SELECT 1 FROM credit_usage_days WHERE tenant_id = $1';
    const isSummed = async () => (await run.sql(sums, [payer.id])).length > 0;
    await until(isSummed, { what: 'the sums', timeoutMs: 60_000 });
    expect(await pages()).toBe(2);
    await spend(3);
    expect(await pages()).toBe(3);
  });
});
