import { adHocStatement } from '@app/testing';
import type { QueryRunner } from 'typeorm';
import { FrontierFixture, linkTo } from '../../../jobs/test/frontier-fixture.js';
import { Partitions1732180000014 } from './0014-partitions.js';

const ROWS = 'SELECT p::text AS row FROM (SELECT * FROM pages ORDER BY seq) p';
const INDEXES = `
  SELECT regexp_replace(pg_get_indexdef(indexrelid), ' ON (ONLY )?public\\.', ' ON ') AS def
  FROM pg_index WHERE indrelid = 'pages'::regclass ORDER BY 1`;
const PARTS = `SELECT count(*)::int AS parts FROM pg_inherits WHERE inhparent = 'pages'::regclass`;

describe('the partitions of the frontier', () => {
  let fixture: FrontierFixture;
  beforeEach(async () => {
    fixture = await FrontierFixture.open();
  }, 30_000);
  afterEach(() => fixture?.close());

  const read = (text: string) => fixture.store.query(adHocStatement(text));
  const migration = new Partitions1732180000014();
  /** All or nothing, as migrations run. */
  const migrate = (way: 'up' | 'down') =>
    fixture.store.transaction((tx) => migration[way](tx as unknown as QueryRunner));

  it('are made of a table with rows, and undone, without losing one; their numbers go on', async () => {
    const id = await fixture.start();
    const [page] = await fixture.seeded(id, [linkTo(1), linkTo(2, { skip: 'external' })]);
    const [rows, indexes] = [await read(ROWS), await read(INDEXES)];
    expect([rows.length, await read(PARTS)]).toEqual([3, [{ parts: 16 }]]);
    await migrate('down');
    expect([await read(ROWS), await read(INDEXES), await read(PARTS)]).toEqual([
      ...[rows, indexes],
      [{ parts: 0 }],
    ]);
    await migrate('up');
    expect([await read(ROWS), await read(INDEXES), await read(PARTS)]).toEqual([
      ...[rows, indexes],
      [{ parts: 16 }],
    ]);
    await fixture.finish(page ? [page] : [], { links: [linkTo(3)] });
    expect((await fixture.ledger(id)).map(({ n, state }) => [n, state])).toEqual([
      ...[[0, 'scraped'], [1, 'scraped'], [2, 'skipped'], [3, 'pending']],
    ]); // prettier-ignore
    const [last] = await read(
      'SELECT max(seq)::int AS seq, count(DISTINCT seq)::int AS n FROM pages',
    );
    expect(last).toEqual({ seq: 4, n: 4 });
  });

  it('keep the pages of a job together, and lose them with it', async () => {
    const id = await fixture.start();
    await fixture.seeded(id, [linkTo(1), linkTo(2)]);
    expect(await read('SELECT DISTINCT tableoid::regclass::text FROM pages')).toHaveLength(1);
    await fixture.run(`DELETE FROM jobs WHERE id = '${id}'`);
    expect(await read('SELECT count(*)::int AS n FROM pages')).toEqual([{ n: 0 }]);
  });
});
