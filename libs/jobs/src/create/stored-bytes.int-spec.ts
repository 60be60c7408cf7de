import { randomBytes } from 'node:crypto';
import { createTenant, forgetStored, utcDay } from '@app/accounts';
import { PLAN_LIMITS } from '@app/contracts';
import { createLogger, Metrics } from '@app/telemetry';
import { adHocStatement } from '@app/testing';
import { FrontierFixture, HOST, urlKeyOf } from '../../test/frontier-fixture.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import { ending } from '../pages/page-ending.js';
import { ResultWriter } from '../pages/result-writer.js';
import { sweepDailyQuotas } from '../../../accounts/src/limits/daily-quota.js';
import { readStoredBytes, storedScreenshots, takeScreenshotRoom } from './stored-bytes.js';

const ROW = 400;
const JOB = 16_384;

describe('what a tenant stores', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.run('TRUNCATE jobs, hosts, outbox CASCADE'));

  const stored = (tenantId = fixture.tenant.id) =>
    readStoredBytes(fixture.database, tenantId, utcDay());
  const link = (n: number) => ({
    urlKey: urlKeyOf(n),
    url: `http://${HOST}/${n}`,
    host: HOST,
    depth: 1,
    skip: null,
  });

  it('is its jobs, addresses, documents, texts and cached pages, until they expire', async () => {
    expect(await stored()).toEqual({ bytes: 0, unpaidPages: 0 });
    const id = await fixture.start();
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    await fixture.finish([seed], {
      links: [link(1), link(1), link(2)],
      over: { segment: { key: `jobs/${id}/s`, offset: 0, bytes: 1_000 } },
    });
    const links = 3 * ROW + link(1).url.length + link(2).url.length;
    const [row] = await fixture.database.query<{ options: number }>(
      adHocStatement('SELECT pg_column_size(options) AS options FROM jobs'),
    );
    const kept = JOB + (row?.options ?? 0) + links + 2 * 1_000;
    expect((await stored()).bytes).toBe(kept);
    await fixture.run(`INSERT INTO page_cache_usage SELECT id, 77 FROM tenants`);
    await fixture.run(`INSERT INTO daily_quotas SELECT id, 'stored_answer_kib', '${utcDay()}'::date + n, 3
                       FROM tenants, generate_series(-1, 1) n`);
    expect((await stored()).bytes).toBe(kept + 77 + 2 * 3 * 1_024);
    await fixture.run('UPDATE jobs SET expired_at = now()');
    expect((await stored()).bytes).toBe(77 + 2 * 3 * 1_024);
  });

  it('has room for a screenshot up to the storage of the plan, and counts it as long as it is kept', async () => {
    const { id: tenantId } = await createTenant(fixture.database, 'pictured', 'free');
    const take = (bytes: number) =>
      takeScreenshotRoom(fixture.database, { tenantId, plan: 'free', bytes }, 30);
    const [limit, kib] = [PLAN_LIMITS.free.storageBytes ?? 0, 1_024];
    const most = Math.floor(limit / kib) * kib;
    expect(await take(limit + 1)).toBeNull();
    const giveBack = await take(most - 1);
    expect((await stored(tenantId)).bytes).toBe(most);
    expect(await take(kib)).toBeNull();
    await giveBack?.();
    expect((await stored(tenantId)).bytes).toBe(0);
    await take(5 * kib);
    await sweepDailyQuotas(fixture.database, { beforeDay: utcDay(), limit: 10 });
    const inDays = (days: number) => utcDay(new Date(Date.now() + days * 86_400_000));
    const bytesAt = async (days: number) =>
      (await readStoredBytes(fixture.database, tenantId, inDays(days))).bytes;
    expect([await bytesAt(0), await bytesAt(30), await bytesAt(31)]).toEqual([5 * kib, 5 * kib, 0]);
    const deleted = { ...storedScreenshots(30), tenantId };
    await forgetStored(fixture.database, deleted, new Date(Date.now() - 86_400_000));
    expect(await bytesAt(0)).toBe(5 * kib);
    await forgetStored(fixture.database, deleted, new Date());
    expect(await bytesAt(0)).toBe(0);
  });

  it('counts a text as what it takes with its index', async () => {
    const id = await fixture.start();
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    const { urlKey, fence, url } = seed;
    const relation = async (): Promise<number> => {
      const sizes = `SELECT sum(pg_total_relation_size(oid))::int AS bytes FROM pg_class
                     WHERE relkind = 'r' AND relname LIKE 'page_texts%'`;
      const [row] = await fixture.database.query<{ bytes: number }>(adHocStatement(sizes));
      return row?.bytes ?? 0;
    };
    const [countedBefore, before] = [(await stored()).bytes, await relation()];
    const words = randomBytes(45_000).toString('hex').replaceAll(/.{9}/g, '$& ');
    const text = { language: null, title: 'a', headings: '', text: words };
    await fixture.finish([seed], { texts: [{ ...text, urlKey, fence, url }] });
    const counted = (await stored()).bytes - countedBefore;
    expect(counted / ((await relation()) - before)).toBeCloseTo(1, 0.5);
  });

  /** @param document of a page that is scraped */
  function end(
    page: ClaimedPage | undefined,
    state: PageOutcome['state'],
    statusCode: number | null,
    { document = null, credits = 0 }: { document?: string | null; credits?: number } = {},
  ): Promise<boolean> {
    if (!page) throw new Error('no page');
    const writer = new ResultWriter({
      database: fixture.database,
      blobs: { put: async () => ({ bytes: 0 }) } as never,
      metrics: new Metrics(),
      log: createLogger({ level: 'silent', component: 'spec' }),
      hostWindow: { start: 100, max: 100 },
      inWork: () => 1,
    });
    const reason = state === 'skipped' || state === 'failed' ? 'noindex' : null;
    const detail = { signal: { kind: 'silent' }, statusCode, retryInMs: 0, credits } as const;
    const ended = { ...ending(page, { state, reason }, detail), document };
    return writer.write(ended, new AbortController().signal);
  }

  it('is not more than its plan has room for, whatever began before it was full', async () => {
    const tenant = await createTenant(fixture.database, 'free', 'free');
    const id = await fixture.start({ tenant });
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    await fixture.finish([seed], { links: [1, 2, 3].map(link) });
    await fixture.run(`UPDATE jobs SET result_bytes = 499900000`);
    const [large, small] = await fixture.take(id);
    const noise = randomBytes(300_000).toString('base64');
    expect(await end(large, 'scraped', 200, { document: noise, credits: 1 })).toBe(false);
    expect(await end(small, 'scraped', 200, { document: 'x', credits: 1 })).toBe(true);
    expect(Object.values(await fixture.ends(id))).toContain('storage');
    expect((await stored(tenant.id)).unpaidPages).toBe(1);
  });

  it('counts the pages of a day that were fetched for nothing, on the free plan', async () => {
    const tenant = await createTenant(fixture.database, 'free', 'free');
    const id = await fixture.start({ tenant });
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    await fixture.finish([seed], { links: [1, 2, 3, 4, 5].map(link) });
    const [skipped, missing] = await fixture.take(id);
    await end(skipped, 'skipped', 200);
    await end(missing, 'failed', 404);
    const [unreached, retried] = await fixture.take(id);
    await end(unreached, 'failed', null);
    await end(retried, 'pending', 503);
    const [empty, paid] = await fixture.take(id);
    await end(empty, 'scraped', 200, { document: '{}' });
    await end(paid, 'scraped', 200, { document: '{}', credits: 1 });
    expect((await stored(tenant.id)).unpaidPages).toBe(3);
  });
});
