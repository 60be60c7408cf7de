import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger, Metrics } from '@app/telemetry';
import { until } from '@app/testing';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { FoundLink } from '@app/crawl';
import type { Database } from '@app/database';
import { FrontierFixture, HOST, urlKeyOf } from '../../test/frontier-fixture.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import { ending, type PageEnding } from './page-ending.js';
import { MAX_BATCH_LINKS, ResultWriter } from './result-writer.js';

const LISTED = 50_000;

describe('a sitemap of 50,000 addresses', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.run('TRUNCATE jobs, hosts, outbox CASCADE'));

  const listed = (n: number): FoundLink => {
    const url = `http://${HOST}/listed/${n}`;
    return { urlKey: urlKeyOf(n), url, host: HOST, depth: 1, skip: null, parentKey: urlKeyOf(0) };
  };
  const links = Array.from({ length: LISTED }, (_, n) => listed(n + 1));
  const endingOf = (page: ClaimedPage, maxDiscovered: number): PageEnding => ({
    ...ending(
      { ...page, maxDiscovered },
      { state: 'skipped', reason: 'sitemap' },
      { signal: { kind: 'silent' } },
    ),
    found: links,
  });
  const seedOf = async (jobId: string): Promise<ClaimedPage> => {
    const [seed] = await fixture.take(jobId);
    if (!seed) throw new Error('no seed');
    return seed;
  };
  const writerOver = (database: Database): ResultWriter =>
    new ResultWriter({
      database,
      blobs: {} as never,
      metrics: new Metrics(),
      log: createLogger({ level: 'silent', component: 'spec' }),
      hostWindow: { start: 100, max: 100 },
      inWork: () => 1,
    });
  const kept = async (): Promise<unknown[]> => {
    const text = `SELECT count(*)::int AS n, min(depth) AS least, max(depth) AS most,
                         count(DISTINCT parent_key)::int AS parents FROM pages WHERE depth > 0`;
    return fixture.database.query({ name: 'spec_kept', text });
  };
  const NEVER = new AbortController().signal;

  /** The database, and how many links each transaction admitted; `onAdmitted` may hold or end it. */
  function watched(onAdmitted: (count: number) => unknown = () => undefined) {
    const sizes: number[] = [];
    const transaction: Database['transaction'] = async (work) => {
      const result = await fixture.database.transaction((tx) => {
        const query = async (asked: { name?: string; values?: unknown[] }): Promise<unknown> => {
          if (asked.name === 'admit_links') sizes.push((asked.values?.[1] as unknown[]).length);
          return (tx as { query: (text: object) => Promise<unknown> }).query(asked);
        };
        return work({ query } as never);
      });
      // Committed: other workers' counts are visible.
      await onAdmitted(sizes.length);
      return result;
    };
    return { sizes, database: { transaction } as unknown as Database };
  }

  it('is admitted by parts of a bounded size, and ends with the last of them', async () => {
    const jobId = await fixture.start({ pageLimit: 100_000 });
    const seed = await seedOf(jobId);
    const mayGoOn = Promise.withResolvers<void>();
    const { sizes, database } = watched((count) => (count > 2 ? mayGoOn.promise : undefined));
    const written = writerOver(database).write(endingOf(seed, 1_000_000), NEVER);
    await until(() => sizes.length > 2, { what: 'some parts' });
    expect(await fixture.job(jobId)).toMatchObject({ leased: 1, skipped: 0 });
    mayGoOn.resolve();
    await written;
    expect(Math.max(...sizes)).toBe(MAX_BATCH_LINKS);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(LISTED);
    expect(await kept()).toEqual([{ n: LISTED, least: 1, most: 1, parents: 1 }]);
    expect(await fixture.job(jobId)).toMatchObject({
      discovered: LISTED + 1,
      pending: LISTED,
      skipped: 1,
    });
  });

  it('fills the job to its bound and no further', async () => {
    const jobId = await fixture.start({ pageLimit: 100_000 });
    await writerOver(fixture.database).write(endingOf(await seedOf(jobId), 12_345), NEVER);
    const { discovered, pending, discoveryCapped } = await fixture.job(jobId);
    expect([discovered, pending, discoveryCapped]).toEqual([12_345, 12_344, true]);
  });

  it('loses none when its worker dies: the next one continues', async () => {
    const jobId = await fixture.start({ pageLimit: 100_000 });
    const first = await seedOf(jobId);
    const never = new Promise<never>(() => undefined);
    let parts = 0;
    const { database } = watched((count) => (parts = count));
    const dying = {
      transaction: (work: never) => (parts < 4 ? database.transaction(work) : never),
    };
    void writerOver(dying as unknown as Database).write(endingOf(first, 1_000_000), NEVER);
    await until(() => parts === 4, { what: 'four parts' });
    await nextTurn();
    expect(await kept()).toMatchObject([{ n: 4 * MAX_BATCH_LINKS }]);
    await fixture.run(`UPDATE pages SET fence = fence + 1 WHERE url_key = '${urlKeyOf(0)}'`);
    await writerOver(fixture.database).write(
      endingOf({ ...first, fence: first.fence + 1 }, 1_000_000),
      NEVER,
    );
    expect(await kept()).toEqual([{ n: LISTED, least: 1, most: 1, parents: 1 }]);
    expect(await fixture.job(jobId)).toMatchObject({
      discovered: LISTED + 1,
      pending: LISTED,
      skipped: 1,
    });
  });
});

describe('the pages of a recrawl', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());

  it('are counted by how they differ, once they count', async () => {
    const base = await fixture.start();
    await fixture.finish(await fixture.take(base));
    await fixture.run(`UPDATE jobs SET status = 'completed' WHERE id = '${base}'`);
    const metrics = new Metrics();
    const writer = new ResultWriter({
      ...{ database: fixture.database, blobs: {} as never, metrics, inWork: () => 1 },
      log: createLogger({ level: 'silent', component: 'spec' }),
      hostWindow: { start: 100, max: 100 },
    });
    const write = async (since: string | undefined, end: Pick<PageOutcome, 'state' | 'reason'>) => {
      const [page] = await fixture.take(await fixture.start(since === undefined ? {} : { since }));
      if (!page) throw new Error('no page');
      const detail = { signal: { kind: 'silent' } as const };
      const of = (fence: number) => ({ ...ending({ ...page, fence }, end, detail) });
      const signal = new AbortController().signal;
      await writer.write({ ...of(page.fence + 1), inherited: page.stored }, signal);
      await writer.write({ ...of(page.fence), inherited: page.stored }, signal);
    };
    await write(base, { state: 'scraped', reason: 'same' });
    await write(base, { state: 'scraped', reason: 'same' });
    await write(base, { state: 'failed', reason: 'gone' });
    await write(base, { state: 'failed', reason: 'timeout' });
    await write(undefined, { state: 'scraped', reason: null });
    const text = await metrics.registry.getSingleMetricAsString('trawl_recrawl_pages_total');
    expect(text.match(/change=.*/g)).toEqual([
      ...['change="new"} 0', 'change="changed"} 0', 'change="same"} 2', 'change="gone"} 1'],
    ]);
  });
});
