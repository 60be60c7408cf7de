import { FrontierFixture, urlKeyOf, linkTo } from '../../test/frontier-fixture.js';
import { jobReasons } from '../read-jobs.js';
import type { FoundLink } from '@app/crawl';

describe('links of a crawl, by directives of pages and patterns', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());

  const nofollow = (n: number) => linkTo(n, { skip: 'nofollow' });
  const seed = async (jobId: string, links: readonly FoundLink[]) =>
    fixture.finish(await fixture.take(jobId), { links });

  it('remember the page they were first found on', async () => {
    const id = await fixture.start();
    const pages = await fixture.seeded(id, [linkTo(1, { parentKey: urlKeyOf(0) })]);
    await fixture.finish(pages, {
      links: [
        linkTo(1, { parentKey: urlKeyOf(1) }),
        linkTo(2, { parentKey: urlKeyOf(1), depth: 2 }),
      ],
    });
    expect(await fixture.urlReport(id)).toMatchObject([
      { n: 0, parent: null, depth: 0, kind: 'page' },
      { n: 1, parent: 0, depth: 1, kind: 'page' },
      { n: 2, parent: 1, depth: 2, kind: 'page' },
    ]);
  });

  describe('marked nofollow', () => {
    it('are recorded and not followed', async () => {
      const id = await fixture.start();
      await seed(id, [nofollow(1)]);
      expect(await fixture.ends(id)).toEqual({ 0: 'scraped', 1: 'nofollow' });
      expect(await fixture.job(id)).toMatchObject({
        discovered: 2,
        skipped: 1,
        status: 'processing',
      });
    });

    it('are followed once another page permits it, from its depth on', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [nofollow(1), linkTo(2)]);
      await fixture.finish(pages, { links: [linkTo(1, { depth: 2, parentKey: urlKeyOf(2) })] });
      expect(await fixture.job(id)).toMatchObject({ discovered: 3, pending: 1, skipped: 0 });
      expect(await jobReasons(fixture.database, id)).toEqual([]);
      expect((await fixture.urlReport(id))[1]).toMatchObject({
        state: 'pending',
        depth: 2,
        parent: 2,
      });
      await fixture.finish(await fixture.take(id));
      expect(await fixture.job(id)).toMatchObject({
        scraped: 3,
        status: 'processing',
        discovered: 3,
      });
    });

    it.each([
      ['before', [linkTo(1), nofollow(1)]],
      ['after', [nofollow(1), linkTo(1)]],
    ])('are followed when another page of the batch permits it %s', async (_, links) => {
      const id = await fixture.start();
      await seed(id, links);
      expect(await fixture.ends(id)).toEqual({ 0: 'scraped', 1: 'pending' });
    });

    it('stay as they are when they have been followed, or are found again', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [linkTo(1), nofollow(2), linkTo(3)]);
      await fixture.finish(pages.slice(0, 1), { links: [nofollow(1), nofollow(2), nofollow(3)] });
      expect(await fixture.ends(id)).toEqual({
        0: 'scraped',
        1: 'scraped',
        2: 'nofollow',
        3: 'leased',
      });
    });

    it('keep the job open: the last page may return one to the frontier', async () => {
      const id = await fixture.start({ pageLimit: 2 });
      const pages = await fixture.seeded(id, [nofollow(1), linkTo(2)]);
      await fixture.finish(pages, {
        over: { state: 'failed', reason: 'http_error', segment: null },
        links: [linkTo(1, { depth: 2 })],
      });
      expect((await fixture.job(id)).status).toBe('running');
      await fixture.finish(await fixture.take(id));
      expect(await fixture.job(id)).toMatchObject({ scraped: 2, failed: 1, status: 'processing' });
    });

    it('use up no room at the discovery bound when they return', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [nofollow(1), linkTo(2)]);
      await fixture.finish(pages, { links: [linkTo(1), linkTo(3), linkTo(4)], maxDiscovered: 4 });
      expect(await fixture.ends(id)).toEqual({
        0: 'scraped',
        1: 'pending',
        2: 'scraped',
        3: 'pending',
      });
      expect(await fixture.job(id)).toMatchObject({ discovered: 4, discoveryCapped: true });
    });
  });

  describe('of a bounded pattern', () => {
    const trap = (n: number, most = 3) => linkTo(n, { bound: { shape: 'calendar', most } });
    const traps = async (id: string) =>
      (await jobReasons(fixture.database, id)).find(({ reason }) => reason === 'trap')?.pages ?? 0;

    it.each([
      [2, 0],
      [3, 0],
      [4, 1],
      [10, 7],
    ])(
      'are followed up to the bound: of %i found at once %i are traps',
      async (found, expected) => {
        const id = await fixture.start();
        await seed(
          id,
          Array.from({ length: found }, (_, n) => trap(n + 1)),
        );
        expect(await traps(id)).toBe(expected);
        expect(await fixture.job(id)).toMatchObject({ discovered: found + 1, skipped: expected });
      },
    );

    it('are counted over batches, known ones not again', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [trap(1), trap(2)]);
      await fixture.finish(pages, { links: [trap(1), trap(2), trap(3), trap(4), linkTo(5)] });
      expect(await fixture.ends(id)).toMatchObject({ 3: 'pending', 4: 'trap', 5: 'pending' });
    });

    it('are counted once by two fetchers at once', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [linkTo(1), linkTo(2)]);
      const [one, two] = pages;
      if (!one || !two) throw new Error('no pages');
      await Promise.all([
        fixture.finish([one], { links: [3, 4, 5, 6].map((n) => trap(n, 5)) }),
        fixture.finish([two], { links: [5, 6, 7, 8].map((n) => trap(n, 5)) }),
      ]);
      expect(await traps(id)).toBe(1);
    });

    it('do not block each other across patterns and jobs', async () => {
      const other = (n: number) => linkTo(n, { bound: { shape: 'other', most: 1 } });
      const ids = [await fixture.start(), await fixture.start()];
      for (const id of ids) await seed(id, [trap(1), trap(2), trap(3), other(4), other(5)]);
      for (const id of ids) expect(await traps(id)).toBe(1);
    });

    it('store no row for addresses without a sign', async () => {
      const id = await fixture.start();
      await seed(id, [linkTo(1), linkTo(2)]);
      const text = 'SELECT shape FROM job_shapes WHERE job_id = $1';
      expect(await fixture.database.query({ name: 'spec_shapes', text }, [id])).toEqual([]);
    });

    it('leave no count behind for addresses beyond the discovery bound', async () => {
      const id = await fixture.start();
      const links = Array.from({ length: 50 }, (_, n) =>
        linkTo(n + 1, { bound: { shape: `shape ${n}`, most: 1 } }),
      );
      await fixture.finish(await fixture.take(id), { links, maxDiscovered: 11 });
      const text = 'SELECT count(*)::int AS n FROM job_shapes WHERE job_id = $1';
      expect(await fixture.database.query({ name: 'spec_count_shapes', text }, [id])).toEqual([
        { n: 10 },
      ]);
      expect(await fixture.job(id)).toMatchObject({ discovered: 11, discoveryCapped: true });
    });

    it('bound a nofollow link as well when it returns', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [trap(1, 1), nofollow(2), linkTo(3)]);
      await fixture.finish(pages, { links: [trap(2, 1)] });
      expect(await fixture.ends(id)).toMatchObject({ 2: 'nofollow' });
    });
  });

  it('that are sitemaps are of their kind, and one too many is left unread', async () => {
    const id = await fixture.start();
    const sitemap = (n: number) =>
      linkTo(n, { kind: 'sitemap', bound: { shape: 'sitemap', most: 2 } });
    const pages = await fixture.seeded(id, [sitemap(1), sitemap(2), sitemap(3)]);
    expect(pages.map(({ kind }) => kind)).toEqual(['sitemap', 'sitemap']);
    await fixture.finish(pages, {
      over: { state: 'skipped', reason: 'sitemap', segment: null, credits: 0 },
    });
    expect(await fixture.job(id)).toMatchObject({ scraped: 1, skipped: 3, status: 'processing' });
    expect(await fixture.credits(id)).toBe(1);
  });
});
