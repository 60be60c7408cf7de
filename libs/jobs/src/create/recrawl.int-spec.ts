import { newId } from '@app/contracts';
import { createTenant } from '@app/accounts';
import { fullText } from '@app/content';
import { adHocStatement } from '@app/testing';
import { FrontierFixture, HOST, linkTo, urlKeyOf } from '../../test/frontier-fixture.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import { resultRows } from '../results/finish-job.js';
import { jobReasons } from '../read-jobs.js';
import { searchPages } from '../search-index/search-pages.js';
import { endPurge, expireJobs, takePurge } from '../retention/expire-jobs.js';
import { BaseGoneError } from './create-crawl.js';

const hashOf = (n: number): string => `${n}`.padStart(32, 'a');
const nOf = ({ urlKey }: Pick<ClaimedPage, 'urlKey'>): number => Number.parseInt(urlKey, 16);
const segmentOf = (job: string, n: number) => ({ key: `jobs/${job}/s`, offset: n * 10, bytes: 10 });

describe('a crawl that knows the one before', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());

  const end = (id: string) =>
    fixture.database.query(
      adHocStatement(
        `UPDATE jobs SET status = 'completed', completed_at = now() WHERE id = '${id}'`,
      ),
    );
  const stored =
    (job: string) =>
    (page: ClaimedPage): Partial<PageOutcome> => ({
      segment: segmentOf(job, nOf(page)),
      contentHash: hashOf(nOf(page)),
      validators: `"${nOf(page)}"\n`,
    });
  /** An ended crawl of the seed and so many pages. */
  const before = async (pages: number, options: object = {}): Promise<string> => {
    const id = await fixture.start({ pageLimit: 1_000, options });
    const links = Array.from({ length: pages }, (_, at) => linkTo(at + 1));
    const each = stored(id);
    const isIndexed = 'index' in options;
    const textsOf = (taken: readonly ClaimedPage[]) =>
      isIndexed
        ? taken.map((page) => ({
            ...fullText(`Words of page number${nOf(page)}.`, {}),
            ...{ urlKey: page.urlKey, fence: page.fence, url: page.url },
          }))
        : [];
    const [seed] = await fixture.take(id);
    if (!seed) throw new Error('no seed');
    await fixture.finish([seed], { links, each, texts: textsOf([seed]) });
    const rest = await fixture.take(id);
    if (rest.length > 0) await fixture.finish(rest, { each, texts: textsOf(rest) });
    await end(id);
    return id;
  };
  const same = (page: ClaimedPage): Partial<PageOutcome> => ({
    ...{ reason: 'same', statusCode: 304, credits: 0, isUnchanged: true, segment: page.stored },
    contentHash: page.baseHash,
  });

  it('begins with its pages: their documents, validators and hashes', async () => {
    const base = await before(3);
    const id = await fixture.start({ since: base });
    expect(await fixture.job(id)).toMatchObject({ discovered: 4, pending: 4 });
    const taken = await fixture.take(id);
    expect(taken.map((page) => [nOf(page), page.depth])).toEqual([
      [0, 0],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(taken[2]).toMatchObject({
      ...{ stored: segmentOf(base, 2), baseHash: hashOf(2) },
      ...{ validators: { etag: '"2"' }, lastStatus: null, attempts: 1 },
    });
    const fresh = await fixture.start();
    expect(await fixture.take(fresh)).toMatchObject([
      { stored: null, validators: null, baseHash: null },
    ]);
  });

  it('has what it inherits and what it stored as its results, and says how each differs', async () => {
    const base = await before(4);
    const id = await fixture.start({ since: base });
    const taken = await fixture.take(id);
    const ends: Record<number, (page: ClaimedPage) => Partial<PageOutcome>> = {
      1: () => ({ reason: 'changed', segment: segmentOf(id, 1), contentHash: hashOf(91) }),
      2: () => ({ state: 'failed', reason: 'gone', segment: null, credits: 0 }),
    };
    const each = (page: ClaimedPage) => (ends[nOf(page)] ?? same)(page);
    await fixture.finish(taken, { each, links: [linkTo(9)] });
    const found = await fixture.take(id);
    await fixture.finish(found, { over: { reason: 'new', segment: segmentOf(id, 9) } });
    const rows = await resultRows(fixture.database, id, 0, 100);
    expect(rows.map(({ key, offset }) => [key, offset])).toEqual([
      ...[0, 1, 3, 4].map((n) => [segmentOf(n === 1 ? id : base, n).key, n * 10]),
      [segmentOf(id, 9).key, 90],
    ]);
    expect(await jobReasons(fixture.database, id)).toEqual([
      { state: 'failed', reason: 'gone', pages: 1 },
      { state: 'gone', reason: 'gone', pages: 1 },
      { state: 'scraped', reason: 'changed', pages: 1 },
      { state: 'scraped', reason: 'new', pages: 1 },
      { state: 'scraped', reason: 'same', pages: 3 },
    ]);
    // A page that changed, a new one, and three unchanged.
    expect(await fixture.credits(id)).toBe(3);
  });

  it('counts as gone what is no page of it any more, and not what could not be fetched', async () => {
    const base = await before(5);
    const id = await fixture.start({ since: base });
    const ends: Record<number, Partial<PageOutcome>> = {
      // Leads to a page that waits: that one is looked at under its own address.
      1: { reason: 'changed', segment: segmentOf(id, 1), alias: linkTo(2) },
      3: { state: 'skipped', reason: 'noindex', segment: null, credits: 0 },
      4: { state: 'failed', reason: 'timeout', segment: null, credits: 0 },
      5: { reason: 'changed', segment: segmentOf(id, 5), contentHash: hashOf(0) },
    };
    const taken = await fixture.take(id);
    const [two] = taken.splice(2, 1);
    if (!two) throw new Error('no page');
    await fixture.run(
      `UPDATE pages SET state = 'pending' WHERE job_id = '${id}' AND url_key = '${urlKeyOf(2)}'`,
    );
    const { gone } = await fixture.finish(taken, { each: (page) => ends[nOf(page)] ?? same(page) });
    expect([...gone].map((key) => Number.parseInt(key, 16)).toSorted()).toEqual([1, 3, 5]);
    expect(await jobReasons(fixture.database, id)).toContainEqual({
      ...{ state: 'gone', reason: 'gone', pages: 3 },
    });
    await fixture.run(`UPDATE jobs SET leased = 0, pending = 1 WHERE id = '${id}'`);
    await fixture.finish(await fixture.take(id), { each: same });
    await end(id);
    // The next one asks for what this one could not fetch, as the one before had it.
    const next = await fixture.take(await fixture.start({ since: id }));
    expect(next.map((page) => [nOf(page), page.baseHash, page.stored !== null])).toEqual([
      ...[0, 2].map((n) => [n, hashOf(n), true]),
      [4, hashOf(4), false],
    ]);
  });

  it('asks for what the one before could not fetch, or had no room for, after what it knows', async () => {
    const base = await fixture.start();
    const links = [1, 2, 3, 4, 5, 6].map((n) => linkTo(n));
    const [seed] = await fixture.take(base);
    if (!seed) throw new Error('no seed');
    await fixture.finish([seed], { links, each: stored(base) });
    const ends: Record<number, Partial<PageOutcome>> = {
      1: { state: 'failed', reason: 'http_error', statusCode: 503, segment: null, credits: 0 },
      2: { state: 'failed', reason: 'http_error', statusCode: 404, segment: null, credits: 0 },
      3: { state: 'skipped', reason: 'storage', segment: null, credits: 0 },
      4: { state: 'skipped', reason: 'noindex', segment: null, credits: 0 },
    };
    const each = (page: ClaimedPage) => ends[nOf(page)] ?? stored(base)(page);
    await fixture.finish((await fixture.take(base)).slice(0, 5), { each });
    await end(base);
    await fixture.run(
      `UPDATE pages SET state = 'skipped', reason = 'limit' WHERE job_id = '${base}' AND state IN ('pending', 'leased')`,
    );
    const next = await fixture.take(await fixture.start({ since: base, pageLimit: 4 }));
    expect(next.map((page) => [nOf(page), page.baseHash])).toEqual([
      [0, hashOf(0)],
      [1, null],
      [3, null],
      [5, hashOf(5)],
    ]);
  });

  it('keeps what it knows and has no room for, for the one after', async () => {
    const base = await before(3);
    const id = await fixture.start({ since: base, pageLimit: 4 });
    const taken = await fixture.take(id);
    const ends: Record<number, Partial<PageOutcome>> = {
      3: { state: 'skipped', reason: 'storage', segment: null, credits: 0 },
    };
    const each = (page: ClaimedPage) => ends[nOf(page)] ?? same(page);
    const { gone } = await fixture.finish(taken, { each });
    expect(gone.size).toBe(0);
    await end(id);
    const next = await fixture.start({ since: id, pageLimit: 3 });
    const known = `SELECT replace(base_hash::text, '-', '') AS hash FROM pages WHERE job_id = '${next}' ORDER BY seq`;
    const rows = await fixture.database.query<{ hash: string }>(adHocStatement(known));
    expect(rows.map(({ hash }) => hash)).toEqual([0, 1, 2, 3].map(hashOf));
  });

  it('fetches everything anew where it asks for other things than the one before', async () => {
    const base = await before(1);
    const options = { excludePaths: ['/none'] };
    expect(await fixture.take(await fixture.start({ since: base, options }))).toMatchObject([
      { stored: null, validators: null, baseHash: hashOf(0) },
      { stored: null, validators: null, baseHash: hashOf(1) },
    ]);
  });

  it.each([
    [10, 1],
    [11, 2],
    [25, 3],
  ])(
    'costs for %d unchanged pages %d credits, in whatever batches they end',
    async (pages, credits) => {
      const base = await before(pages - 1);
      const id = await fixture.start({ since: base, pageLimit: 100 });
      const taken = await fixture.take(id);
      expect(taken).toHaveLength(pages);
      for (let at = 0; at < taken.length; at += 4)
        await fixture.finish(taken.slice(at, at + 4), { each: same });
      expect(await fixture.credits(id)).toBe(credits);
    },
  );

  it('is fetched in full where validators of the host were belied', async () => {
    const base = await before(3);
    const id = await fixture.start({ since: base });
    const [first, ...others] = await fixture.take(id);
    await fixture.run(`UPDATE pages SET state = 'pending' WHERE job_id = '${id}' AND depth > 0`);
    await fixture.run(`UPDATE jobs SET leased = 1, pending = 3 WHERE id = '${id}'`);
    if (!first) throw new Error('no page');
    await fixture.finish([first], { over: { reason: 'changed', belies: true } });
    const again = await fixture.take(id);
    expect(again).toHaveLength(others.length);
    expect(
      again.every(({ validators, stored: kept }) => validators === null && kept !== null),
    ).toBe(true);
  });

  it('finds the texts of pages that it inherits, in its own search', async () => {
    const base = await before(2, { index: true });
    const id = await fixture.start({ since: base, options: { index: true } });
    const taken = await fixture.take(id);
    expect(taken.every(({ validators }) => validators !== null)).toBe(true);
    await fixture.finish(taken, { each: same });
    const find = async (jobId: string) => {
      const query = { jobId, query: 'number2', limit: 5, after: null };
      return (await searchPages(fixture.database, fixture.tenant.id, query)).pages;
    };
    expect(await find(id)).toMatchObject([{ url: `http://${HOST}/2`, resultNo: 3 }]);
    expect(await find(base)).toMatchObject([{ url: `http://${HOST}/2` }]);
    const kept = `SELECT result_bytes::int AS n FROM jobs WHERE id = '${id}'`;
    const [{ n } = { n: 0 }] = await fixture.database.query<{ n: number }>(adHocStatement(kept));
    expect(n).toBeGreaterThan(3 * 10);
  });

  it('is asked for in full where the one before has no texts to find', async () => {
    const id = await fixture.start({ since: await before(1), options: { index: true } });
    expect((await fixture.take(id)).map(({ validators }) => validators)).toEqual([null, null]);
  });

  it('does not believe an ETag that several pages have; a time they may share', async () => {
    const base = await before(3);
    const set = (n: number, text: string) =>
      fixture.run(
        `UPDATE pages SET validators = E'${text}' WHERE job_id = '${base}' AND url_key = '${urlKeyOf(n)}'`,
      );
    for (const [n, text] of ['"a"\\n', '"a"\\nMon', '\\nTue', '\\nTue'].entries())
      await set(n, text);
    const taken = await fixture.take(await fixture.start({ since: base }));
    expect(taken.map(({ validators }) => validators)).toEqual([
      null,
      null,
      { lastModified: 'Tue' },
      { lastModified: 'Tue' },
    ]);
  });

  it('knows no more pages than it may bring', async () => {
    const id = await fixture.start({ since: await before(5), pageLimit: 3 });
    expect(await fixture.job(id)).toMatchObject({ discovered: 3, pending: 3 });
  });

  it('keeps the documents of the one before, whose own results expire', async () => {
    const base = await before(1);
    const id = await fixture.start({ since: base });
    const expire = async (job: string) => {
      await fixture.run(
        `UPDATE jobs SET completed_at = now() - interval '40 days' WHERE id = '${job}'`,
      );
      const old = { before: new Date(Date.now() - 30 * 86_400_000), limit: 10 };
      expect(await expireJobs(fixture.database, old)).toBe(1);
    };
    await expire(base);
    expect(await takePurge(fixture.database, 60_000)).toMatchObject({
      id: base,
      isInherited: true,
    });
    await endPurge(fixture.database, { id: base, isInherited: true });
    expect(await takePurge(fixture.database, 60_000)).toBeNull();
    await end(id);
    await expire(id);
    expect(await takePurge(fixture.database, 60_000)).toMatchObject({ id, isInherited: false });
    await endPurge(fixture.database, { id, isInherited: false });
    await fixture.run(`UPDATE jobs SET purge_due_at = now() WHERE id = '${base}'`);
    expect(await takePurge(fixture.database, 60_000)).toMatchObject({
      id: base,
      isInherited: false,
    });
  });

  it('fetches everything anew once its chain is so long, and still knows what is the same', async () => {
    const base = await before(1);
    await fixture.run(
      `UPDATE jobs SET created_at = now() - interval '31 days' WHERE id = '${base}'`,
    );
    const id = await fixture.start({ since: base });
    expect(await fixture.take(id)).toMatchObject([
      { stored: null, validators: null, baseHash: hashOf(0) },
      { stored: null, validators: null, baseHash: hashOf(1) },
    ]);
    const first = await fixture.start({ since: await before(0) });
    await end(first);
    await fixture.run(
      `UPDATE jobs SET chain_at = now() - interval '31 days' WHERE id = '${first}'`,
    );
    expect(await fixture.take(await fixture.start({ since: first }))).toMatchObject([
      { stored: null },
    ]);
  });

  it.each<[string, (base: string) => Promise<string | void>]>([
    ['runs', (base) => fixture.run(`UPDATE jobs SET status = 'running' WHERE id = '${base}'`)],
    [
      'has expired',
      (base) => fixture.run(`UPDATE jobs SET expired_at = now() WHERE id = '${base}'`),
    ],
    ['is no crawl', (base) => fixture.run(`UPDATE jobs SET type = 'batch' WHERE id = '${base}'`)],
    [
      'is of another site',
      (base) => fixture.run(`UPDATE jobs SET url = 'http://x.example/' WHERE id = '${base}'`),
    ],
    ['is not there', async () => newId()],
    [
      'is of another tenant',
      async (base) => {
        const other = await createTenant(fixture.database, 'other', 'custom');
        await fixture.run(`UPDATE jobs SET tenant_id = '${other.id}' WHERE id = '${base}'`);
      },
    ],
  ])('is not made where the one before %s', async (_, change) => {
    const base = await before(1);
    const other = await change(base);
    await expect(fixture.start({ since: other ?? base })).rejects.toThrow(BaseGoneError);
  });

  it('begins with the pages that are fetched in full', async () => {
    const base = await before(40);
    const id = await fixture.start({ since: base, pageLimit: 100 });
    const order = `SELECT right(url_key::text, 2) AS byte FROM pages WHERE job_id = '${id}' AND depth > 0 ORDER BY seq`;
    const rows = await fixture.database.query<{ byte: string }>(adHocStatement(order));
    const isFull = rows.map(({ byte }) => Number.parseInt(byte, 16) < 13);
    expect(isFull.indexOf(false)).toBe(isFull.filter(Boolean).length);
    expect(isFull.filter(Boolean)).toHaveLength(12);
    expect(urlKeyOf(12).slice(-2)).toBe('0c');
  });
});
