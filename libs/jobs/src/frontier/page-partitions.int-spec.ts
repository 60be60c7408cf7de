import { adHocStatement } from '@app/testing';
import { FrontierFixture, linkTo } from '../../test/frontier-fixture.js';

describe('the partitions of the frontier', () => {
  let fixture: FrontierFixture;
  beforeEach(async () => {
    fixture = await FrontierFixture.open();
  });
  afterEach(() => fixture?.close());

  const read = (text: string) => fixture.database.query(adHocStatement(text));

  it('keep the pages of a job together, and delete them with it', async () => {
    const id = await fixture.start();
    await fixture.seeded(id, [linkTo(1), linkTo(2)]);
    expect(await read('SELECT DISTINCT tableoid::regclass::text FROM pages')).toHaveLength(1);
    await fixture.run(`DELETE FROM jobs WHERE id = '${id}'`);
    expect(await read('SELECT count(*)::int AS n FROM pages')).toEqual([{ n: 0 }]);
  });

  it('number pages in one sequence', async () => {
    for (const at of [1, 2, 3]) await fixture.seeded(await fixture.start(), [linkTo(at)]);
    const [numbers] = await read(
      'SELECT count(*)::int AS pages, count(DISTINCT seq)::int AS numbers FROM pages',
    );
    expect(numbers).toEqual({ pages: 6, numbers: 6 });
  });
});
