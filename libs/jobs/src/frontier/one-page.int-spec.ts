import { FrontierFixture, HOST, urlKeyOf, linkTo } from '../../test/frontier-fixture.js';
import { resultRows } from '../results/finish-job.js';
import { MOST_NAMING_ONE } from './settle-aliases.js';

const aliasTo = (n: number) => ({ urlKey: urlKeyOf(n), url: `http://${HOST}/${n}`, host: HOST });
const canonical = (n: number, isVariant = true) => ({
  canonical: { ...aliasTo(n), isVariant },
});

describe('addresses and contents that are one page', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());

  describe('by a canonical address', () => {
    it('that is new: the page represents it', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [linkTo(1)]);
      await fixture.finish(pages, { over: canonical(9), links: [linkTo(9)] });
      expect(await fixture.ends(id)).toEqual({ 0: 'scraped', 1: 'scraped', 9: 'duplicate' });
      expect(await fixture.job(id)).toMatchObject({
        discovered: 3,
        scraped: 2,
        status: 'processing',
      });
      expect((await fixture.urlReport(id))[2]).toMatchObject({ parent: 1, attempts: 0 });
    });

    it('that waits: it is not fetched any more', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(id, [linkTo(1)]);
      const [first] = pages;
      if (!first) throw new Error('no page');
      await fixture.finish([first], { links: [linkTo(2), linkTo(3)], over: canonical(2) });
      expect(await fixture.ends(id)).toMatchObject({ 1: 'scraped', 2: 'duplicate', 3: 'pending' });
    });

    it.each(['leased', 'scraped'])(
      'of a page that is %s: the page is its duplicate',
      async (state) => {
        const id = await fixture.start();
        const pages = await fixture.seeded(id, [linkTo(1), linkTo(2)]);
        if (state === 'scraped') await fixture.finish(pages.slice(1));
        await fixture.finish(pages.slice(0, 1), { over: canonical(2) });
        if (state === 'leased') await fixture.finish(pages.slice(1));
        expect(await fixture.ends(id)).toEqual({ 0: 'scraped', 1: 'duplicate', 2: 'scraped' });
        expect(await fixture.credits(id)).toBe(2);
      },
    );

    it('of several pages: the first represents it', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(
        id,
        [1, 2, 3].map((n) => linkTo(n)),
      );
      await fixture.finish(pages, { over: canonical(9) });
      expect(Object.values(await fixture.ends(id)).sort()).toEqual([
        'duplicate',
        'duplicate',
        'duplicate',
        'scraped',
        'scraped',
      ]);
    });

    it.each([1, 2, 3])(
      'of each other: one of the circle stays, whatever of it ends first (%i at a time)',
      async (atATime) => {
        const id = await fixture.start();
        const pages = await fixture.seeded(
          id,
          [1, 2, 3].map((n) => linkTo(n)),
        );
        const next = (urlKey: string) => canonical((parseInt(urlKey, 16) % 3) + 1);
        for (let at = 0; at < 3; at += atATime) {
          const batch = pages.slice(at, at + atATime);
          await fixture.finish(batch, { each: ({ urlKey }) => next(urlKey) });
        }
        const ends = Object.values(await fixture.ends(id));
        expect(ends.filter((end) => end === 'scraped')).toHaveLength(2);
        expect(await fixture.job(id)).toMatchObject({ status: 'processing', failed: 0 });
      },
    );

    it('with another path that every page names is followed for a few pages and no more', async () => {
      const id = await fixture.start({ pageLimit: 100 });
      const all = Array.from({ length: 40 }, (_, n) => linkTo(n + 1));
      const pages = await fixture.seeded(id, all);
      for (const page of pages) await fixture.finish([page], { over: canonical(999, false) });
      const { scraped, skipped } = await fixture.job(id);
      expect({ scraped, skipped }).toEqual({
        scraped: 1 + 40 - (MOST_NAMING_ONE - 1),
        skipped: MOST_NAMING_ONE - 1 + 1,
      });
    });

    it('with the same path is followed for any number of spellings', async () => {
      const id = await fixture.start({ pageLimit: 100 });
      const all = Array.from({ length: 40 }, (_, n) => linkTo(n + 1));
      for (const page of await fixture.seeded(id, all))
        await fixture.finish([page], { over: canonical(999) });
      expect(await fixture.job(id)).toMatchObject({ scraped: 2, skipped: 40 });
    });

    it('beside a redirect: the page represents both, and yields to either', async () => {
      const id = await fixture.start();
      const [first, second] = await fixture.seeded(id, [linkTo(1), linkTo(2)]);
      if (!first || !second) throw new Error('no pages');
      await fixture.finish([first], { over: { alias: aliasTo(8), ...canonical(9) } });
      await fixture.finish([second], { over: { alias: aliasTo(7), ...canonical(8) } });
      expect(await fixture.ends(id)).toEqual({
        0: 'scraped',
        1: 'scraped',
        2: 'duplicate',
        8: 'duplicate',
        9: 'duplicate',
      });
    });

    it('never removes all of them, in any mix of redirects and canonical addresses', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(
        id,
        [1, 2].map((n) => linkTo(n)),
      );
      // 1 redirects to 2, which is on its way; both name 9.
      const [first, second] = pages;
      if (!first || !second) throw new Error('no pages');
      await fixture.finish([first], { over: { alias: aliasTo(2), ...canonical(9) } });
      await fixture.finish([second], { over: canonical(9) });
      expect(await fixture.ends(id)).toEqual({
        0: 'scraped',
        1: 'duplicate',
        2: 'scraped',
        9: 'duplicate',
      });
    });
  });

  describe('by their content', () => {
    const same = { contentHash: urlKeyOf(7) };

    it('are kept and charged once, and named', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(
        id,
        [1, 2, 3].map((n) => linkTo(n)),
      );
      const result = await fixture.finish(pages, { over: same });
      expect(result.scraped).toEqual(new Set([urlKeyOf(1)]));
      expect(result.accepted.size).toBe(3);
      expect(await fixture.ends(id)).toEqual({
        0: 'scraped',
        1: 'scraped',
        2: 'duplicate_content',
        3: 'duplicate_content',
      });
      expect(await fixture.credits(id)).toBe(2);
      expect(await fixture.job(id)).toMatchObject({ scraped: 2, skipped: 2, status: 'processing' });
      expect(
        (await resultRows(fixture.database, id, 0, 10)).map(({ resultNo }) => resultNo),
      ).toEqual([1, 2]);
    });

    it('are known over batches, and by two fetchers at once', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(
        id,
        [1, 2, 3].map((n) => linkTo(n)),
      );
      await Promise.all(pages.slice(0, 2).map((page) => fixture.finish([page], { over: same })));
      await fixture.finish(pages.slice(2), { over: same });
      expect(await fixture.job(id)).toMatchObject({ scraped: 2, skipped: 2 });
    });

    it('free their place under the limit for other pages', async () => {
      const id = await fixture.start({ pageLimit: 3 });
      const pages = await fixture.seeded(
        id,
        [1, 2, 3, 4, 5].map((n) => linkTo(n)),
      );
      expect(pages).toHaveLength(2);
      await fixture.finish(pages, { over: same });
      const more = await fixture.take(id);
      expect(more).toHaveLength(1);
      await fixture.finish(more, { over: same });
      await fixture.finish(await fixture.take(id));
      expect(await fixture.job(id)).toMatchObject({ scraped: 3, status: 'processing' });
      expect(await fixture.credits(id)).toBe(3);
    });

    it('of pages that are not kept make no other page a copy', async () => {
      const id = await fixture.start();
      const pages = await fixture.seeded(
        id,
        [1, 2].map((n) => linkTo(n)),
      );
      const skipped = { state: 'skipped', reason: 'noindex', segment: null } as const;
      await fixture.finish(pages.slice(0, 1), { over: { ...same, ...skipped } });
      await fixture.finish(pages.slice(1), { over: same });
      expect(await fixture.ends(id)).toEqual({ 0: 'scraped', 1: 'noindex', 2: 'scraped' });
    });

    it('of other jobs do not count', async () => {
      for (const id of [await fixture.start(), await fixture.start()]) {
        await fixture.finish(await fixture.take(id), { over: same });
        expect(await fixture.job(id)).toMatchObject({ scraped: 1 });
      }
    });
  });

  it('are distinguished in the URL report by how they were fetched', async () => {
    const id = await fixture.start();
    const [page] = await fixture.seeded(id, [linkTo(1, { parentKey: urlKeyOf(0) })]);
    if (!page) throw new Error('no page');
    const retry = { state: 'pending', segment: null, statusCode: 503, latencyMs: 40 } as const;
    await fixture.finish([page], { over: retry });
    await fixture.finish(await fixture.take(id), { over: { latencyMs: 12, rung: 'headless' } });
    expect((await fixture.urlReport(id))[1]).toEqual({
      n: 1,
      state: 'scraped',
      reason: null,
      kind: 'page',
      parent: 0,
      depth: 1,
      attempts: 2,
      rung: 'headless',
      latencyMs: 12,
    });
  });
});
