import { createTenant } from '@app/accounts';
import { newId } from '@app/contracts';
import type { Database } from '@app/database';
import { adHocStatement } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import {
  claimDueSite,
  claimSite,
  completedCrawls,
  deleteSite,
  deleteTenantSites,
  findSite,
  listSites,
  putSite,
  releaseSite,
  type PutSite,
} from './sites.js';

const PAST = new Date('2026-01-01T00:00:00Z');
const FUTURE = new Date('2999-01-01T00:00:00Z');

describe('sites under a name', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    await database.query(adHocStatement('TRUNCATE tenants CASCADE'));
    tenantId = (await createTenant(database, 'spec', 'pro')).id;
  });

  const put = (over: Partial<PutSite> = {}, limit = 5, tenant = tenantId) =>
    putSite(database, tenant, {
      site: {
        ...{ name: 'docs', request: { url: 'http://a.example/' }, schedule: null },
        ...{ timeZone: 'UTC', nextAt: null, ...over },
      },
      limit,
    });
  /** A job of the site, as a crawl leaves it. */
  const job = async (status: string, id = newId(), minutes = 0): Promise<string> => {
    await database.query(
      adHocStatement(`INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at, created_at, completed_at)
        VALUES ('${id}', '${tenantId}', 'crawl', 'http://a.example/', '${status}', '{"site":"docs"}', 1, now(),
          now() + interval '${minutes} minutes', now())`),
    );
    return id;
  };
  const named = { name: 'docs' } as const;

  it('are put in the place of one of their name, up to a number, each tenant by itself', async () => {
    expect(await put({}, 1)).toMatchObject({ name: 'docs', schedule: null, lastJob: null });
    expect(await put({ request: { url: 'http://b.example/' } }, 1)).toMatchObject({
      request: { url: 'http://b.example/' },
    });
    expect(await put({ name: 'more' }, 1)).toBeNull();
    expect(await put({ name: 'more' }, 2)).not.toBeNull();
    const other = (await createTenant(database, 'other', 'pro')).id;
    expect(await findSite(database.asReader(other), other, 'docs')).toBeNull();
    expect(await deleteSite(database, other, 'docs')).toBe(false);
    expect(
      (await listSites(database.asReader(tenantId), tenantId)).map(({ name }) => name),
    ).toEqual(['docs', 'more']);
    expect(await deleteSite(database, tenantId, 'docs')).toBe(true);
    await deleteTenantSites(database, { tenantId, until: new Date(0) });
    expect(await listSites(database, tenantId)).toHaveLength(1);
    await deleteTenantSites(database, { tenantId, until: FUTURE });
    expect(await listSites(database, tenantId)).toEqual([]);
  });

  it('are taken when they are due, by one process, and have their next turn', async () => {
    await put({ schedule: '0 7 * * *', nextAt: FUTURE });
    expect(await claimDueSite(database)).toBeNull();
    await put({ schedule: '0 7 * * *', nextAt: PAST });
    const claimed = await claimDueSite(database);
    expect(claimed).toMatchObject({ tenantId, name: 'docs', since: null, lastStatus: null });
    expect(await claimDueSite(database)).toBeNull();
    expect(await claimSite(database, { tenantId, ...named, jobId: newId() })).toBeNull();
    if (!claimed) throw new Error('nothing was due');
    const started = await job('completed', claimed.jobId);
    await releaseSite(database, claimed, { startedJob: started, problem: null, nextAt: FUTURE });
    expect(await findSite(database, tenantId, 'docs')).toMatchObject({
      ...{ lastJob: started, nextAt: FUTURE, problem: null },
    });
    expect(await claimDueSite(database)).toBeNull();
  });

  it('keep a schedule that is put while a crawl is started', async () => {
    await put({ schedule: '0 7 * * *', nextAt: PAST });
    const claimed = await claimDueSite(database);
    if (!claimed) throw new Error('nothing was due');
    await put();
    await releaseSite(database, claimed, { startedJob: null, problem: null, nextAt: FUTURE });
    expect(await findSite(database, tenantId, 'docs')).toMatchObject({ nextAt: null });
  });

  it('know the crawl that an outage left behind', async () => {
    await put({ nextAt: PAST });
    const claimed = await claimDueSite(database);
    if (!claimed) throw new Error('nothing was due');
    await job('running', claimed.jobId);
    await releaseSite(database, claimed, { startedJob: null, problem: 'full', nextAt: FUTURE });
    expect(await findSite(database, tenantId, 'docs')).toMatchObject({ lastJob: claimed.jobId });
  });

  it('have one crawl, whichever process starts it after another died', async () => {
    await put({ nextAt: PAST });
    const first = await claimDueSite(database);
    await database.query(adHocStatement(`UPDATE sites SET lease_until = now()`));
    const second = await claimDueSite(database);
    expect(second?.jobId).toBe(first?.jobId);
    // Who lost it ends nothing.
    const stale = { tenantId, ...named, jobId: newId(), nextAt: PAST };
    await releaseSite(database, stale, { startedJob: newId(), problem: 'x', nextAt: null });
    expect(await findSite(database, tenantId, 'docs')).toMatchObject({
      lastJob: null,
      nextAt: PAST,
    });
  });

  it('are compared with the last crawl that was completed', async () => {
    await put();
    const crawl = async (status: string) => {
      const claimed = await claimSite(database, { tenantId, ...named, jobId: newId() });
      if (!claimed) throw new Error('busy');
      const startedJob = await job(status, claimed.jobId);
      await releaseSite(database, claimed, { startedJob, problem: null, nextAt: null });
      return { since: claimed.since, last: claimed.lastStatus, id: claimed.jobId };
    };
    const one = await crawl('completed');
    const two = await crawl('failed');
    expect([one.since, two.since]).toEqual([null, one.id]);
    const three = await crawl('completed');
    expect([three.since, three.last]).toEqual([one.id, 'failed']);
    expect((await crawl('running')).since).toBe(three.id);
  });

  it('have their completed crawls after one of them, the oldest first', async () => {
    const [a, b, c] = [
      await job('completed', newId(), 1),
      await job('completed', newId(), 2),
      await job('completed', newId(), 3),
    ];
    await job('running', newId(), 4);
    const ids = async (after: string | null, most = 10) =>
      (await completedCrawls(database, tenantId, { ...named, after, most })).map(({ id }) => id);
    expect(await ids(null)).toEqual([a, b, c]);
    expect(await ids(a)).toEqual([b, c]);
    expect(await ids(null, 1)).toEqual([a]);
    expect(await completedCrawls(database, tenantId, { name: 'x', after: null, most: 5 })).toEqual(
      [],
    );
  });
});
