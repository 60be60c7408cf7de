import { FrontierFixture, HOST, urlKeyOf, linkTo } from '../../test/frontier-fixture.js';
import { admitAhead } from './admit-ahead.js';
import type { ClaimedPage } from './claim-pages.js';
import type { FoundLink } from '@app/crawl';

describe('links that are admitted ahead of the end of their page', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.run('TRUNCATE jobs, hosts, outbox CASCADE'));

  const ahead = (page: ClaimedPage, links: readonly FoundLink[], maxDiscovered = 10_000) => {
    const { jobId, urlKey, fence } = page;
    return admitAhead(fixture.database, {
      jobId,
      urlKey,
      fence,
      links,
      maxDiscovered,
      hostWindowStart: 100,
    });
  };
  const seedOf = async (jobId: string): Promise<ClaimedPage> => {
    const [seed] = await fixture.take(jobId);
    if (!seed) throw new Error('no seed');
    return seed;
  };
  const parented = (n: number, over: Partial<FoundLink> = {}): FoundLink =>
    linkTo(n, { parentKey: urlKeyOf(0), ...over });

  it('are recorded and counted as those that come with it, and may be fetched at once', async () => {
    const jobId = await fixture.start({ pageLimit: 100 });
    const seed = await seedOf(jobId);
    const other = { url: 'http://other.example/3', host: 'other.example' };
    const found = [parented(1), parented(2, { skip: 'external' }), parented(3, other), parented(1)];
    expect(await ahead(seed, found)).toBe(3);
    expect(await ahead(seed, found)).toBe(0);
    expect(await fixture.job(jobId)).toMatchObject({
      discovered: 4,
      pending: 2,
      leased: 1,
      skipped: 1,
    });
    // The page itself is still in work, while the pages it links to are dispatched.
    const taken = (await fixture.take(jobId)).map(({ urlKey, depth }) => [urlKey, depth]);
    expect(taken).toEqual(expect.arrayContaining([[urlKeyOf(1), 1]]));
    await fixture.finish([seed], { links: [parented(4)] });
    expect(await fixture.job(jobId)).toMatchObject({ discovered: 5, scraped: 1, skipped: 1 });
    expect(
      (await fixture.urlReport(jobId)).map(({ n, parent, depth }) => [n, parent, depth]),
    ).toEqual([
      [0, null, 0],
      [1, 0, 1],
      [2, 0, 1],
      [3, 0, 1],
      [4, 0, 1],
    ]);
    const reasons = 'SELECT reason, pages FROM job_reasons WHERE pages > 0';
    expect(await fixture.database.query({ name: 'spec_reasons', text: reasons })).toEqual([
      { reason: 'external', pages: 1 },
    ]);
  });

  it('stop exactly at the discovery bound, however they are cut', async () => {
    const links = Array.from({ length: 30 }, (_, n) => parented(n + 1));
    const ends = [];
    for (const size of [30, 7]) {
      const jobId = await fixture.start({ pageLimit: 100 });
      const seed = await seedOf(jobId);
      for (let at = 0; at < links.length; at += size)
        await ahead(seed, links.slice(at, at + size), 20);
      await fixture.finish([seed], { maxDiscovered: 20 });
      const { discovered, pending, discoveryCapped } = await fixture.job(jobId);
      ends.push([discovered, pending, discoveryCapped, await fixture.ends(jobId)]);
    }
    expect(ends[0]?.slice(0, 3)).toEqual([20, 19, true]);
    expect(ends[1]).toEqual(ends[0]);
  });

  it('return from nofollow when a later part has a link that vouches for them', async () => {
    const jobId = await fixture.start();
    const seed = await seedOf(jobId);
    await ahead(seed, [
      parented(1, { skip: 'nofollow', depth: 5 }),
      parented(2, { skip: 'nofollow' }),
    ]);
    expect(await ahead(seed, [parented(1, { depth: 1 })])).toBe(1);
    expect(await fixture.job(jobId)).toMatchObject({
      discovered: 3,
      pending: 1,
      leased: 1,
      skipped: 1,
    });
    await fixture.finish([seed]);
    expect(await fixture.ends(jobId)).toEqual({ 0: 'scraped', 1: 'pending', 2: 'nofollow' });
    expect((await fixture.urlReport(jobId))[1]).toMatchObject({ n: 1, depth: 1 });
  });

  it('are accepted only from the worker that has the page; a part that a dead worker left is neither lost nor doubled', async () => {
    const jobId = await fixture.start({ pageLimit: 100 });
    const first = await seedOf(jobId);
    const links = Array.from({ length: 10 }, (_, n) => parented(n + 1));
    await ahead(first, links.slice(0, 5));
    // The first worker dies: another claims the page.
    const fence = first.fence + 1;
    await fixture.run(`UPDATE pages SET fence = ${fence} WHERE url_key = '${urlKeyOf(0)}'`);
    const second = { ...first, fence };
    expect(await ahead(first, links.slice(5))).toBe(null);
    expect(await fixture.job(jobId)).toMatchObject({ discovered: 6, pending: 5 });
    expect(await ahead(second, links)).toBe(5);
    await fixture.finish([second]);
    expect(await fixture.job(jobId)).toMatchObject({ discovered: 11, pending: 10, scraped: 1 });
  });

  it('are refused when their job has stopped', async () => {
    const jobId = await fixture.start();
    const seed = await seedOf(jobId);
    await fixture.run(`UPDATE jobs SET status = 'cancelled' WHERE id = '${jobId}'`);
    expect(await ahead(seed, [parented(1)])).toBe(null);
    const text = `SELECT count(*)::int AS n FROM pages WHERE host = '${HOST}'`;
    expect(await fixture.database.query({ name: 'spec_pages', text })).toEqual([{ n: 1 }]);
  });
});
