import { readBalance } from '@app/accounts';
import { spawnApp, until } from '@app/testing';
import { killWhileCharging } from './credits-kills.js';
import { CreditsRun } from './credits-run.js';

const SEED = 20_261_122;

describe('credits while API replicas are killed -9', () => {
  let run: CreditsRun;
  beforeAll(async () => {
    run = await CreditsRun.start(3);
  }, 180_000);
  afterAll(() => run?.stop(), 60_000);

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
  }, 240_000);

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
  }, 240_000);
});
