import type pg from 'pg';
import { FrontierRig, HOST, keyOf, linkTo } from '../../test/frontier-rig.js';
import { Store, type Statement } from '../open-store.js';

interface Seen extends Statement {
  readonly values: readonly unknown[];
}

/** Remembers the statements of transactions, so that their plans can be asked for. */
class RecordingStore extends Store {
  readonly seen: Seen[] = [];

  override async transaction<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
    return super.transaction((tx) => work(this.recorded(tx)));
  }

  private recorded(tx: pg.PoolClient): pg.PoolClient {
    const query = (statement: Seen | string, values: unknown[]): unknown => {
      if (typeof statement === 'string') return tx.query(statement, values);
      this.seen.push(statement);
      return tx.query({ ...statement, values: [...statement.values] });
    };
    return { query } as unknown as pg.PoolClient;
  }
}

const ROWS = 60_000;
/** One large job, each page with a hash, a tenth known as nofollow; and others that met patterns. */
const fill = (id: string): string[] => [
  `INSERT INTO pages (job_id, url_key, url, host, depth, state, reason, content_hash)
   SELECT '${id}', md5(n::text)::uuid, 'http://${HOST}/' || n, '${HOST}', 1,
          CASE WHEN n % 10 = 0 THEN 'skipped' ELSE 'scraped' END,
          CASE WHEN n % 10 = 0 THEN 'nofollow' END, md5('content' || n)::uuid
   FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO job_shapes SELECT id, 'shape ' || n, 1 FROM jobs, generate_series(1, 3000) n`,
  `INSERT INTO job_reasons SELECT '${id}', 'skipped', 'nofollow', ${ROWS / 10}`,
  `INSERT INTO job_reasons SELECT id, 'skipped', 'reason ' || n, 0 FROM jobs, generate_series(1, 3000) n`,
  `UPDATE jobs SET discovered = discovered + ${ROWS}, skipped = ${ROWS / 10}, cancelled = ${ROWS - ROWS / 10}
   WHERE id = '${id}'`,
  'ANALYZE',
];
const OTHER_JOBS = 9;

describe('the statements that end pages, in a large job', () => {
  let rig: FrontierRig<RecordingStore>;
  beforeAll(async () => {
    rig = await FrontierRig.open(RecordingStore);
  }, 60_000);
  afterAll(() => rig?.close());

  it('read no table from end to end', async () => {
    const id = await rig.start({ pageLimit: 100 });
    const pages = await rig.seeded(id, [linkTo(1), linkTo(2)]);
    for (let n = 0; n < OTHER_JOBS; n++) await rig.start();
    for (const text of fill(id)) await rig.run(text);
    rig.store.seen.length = 0;
    const target = { urlKey: keyOf(9), url: `http://${HOST}/9`, host: HOST };
    await rig.finish(pages, {
      over: {
        alias: target,
        canonical: { ...target, urlKey: keyOf(8), isVariant: false },
        contentHash: keyOf(7),
      },
      links: [linkTo(4, { bound: { shape: 'shape 5', most: 3 } }), linkTo(3), linkTo(1)],
      maxDiscovered: ROWS + 6,
    });
    const plans = await plansOf(rig.store);
    expect([...plans.keys()]).toEqual(
      expect.arrayContaining([
        'aliases_held',
        'aliases_count_naming',
        'aliases_targets',
        'aliases_record',
        'finish_pages',
        'known_keys',
        'count_shapes',
        'admit_links',
      ]),
    );
    const indexes: Readonly<Record<string, readonly string[]>> = {
      finish_pages: ['pages_content', 'pages_pkey'],
      admit_links: ['pages_pkey', 'job_reasons_pkey'],
      aliases_targets: ['pages_pkey'],
      known_keys: ['pages_pkey'],
    };
    for (const [name, plan] of plans) {
      const shape = { name, plan };
      // `hosts` and `jobs` have a row or two here.
      const scans = /Seq Scan on (?:pages|job_shapes|job_reasons|job_hosts)\b/;
      expect(shape).toEqual({ name, plan: expect.not.stringMatching(scans) });
      for (const index of indexes[name] ?? []) {
        expect(shape).toEqual({ name, plan: expect.stringContaining(index) });
      }
    }
  }, 120_000);
});

/** EXPLAIN runs nothing. */
async function plansOf(store: RecordingStore): Promise<Map<string, string>> {
  const plans = new Map<string, string>();
  for (const { name, text, values } of [...store.seen]) {
    const explain = { name: `explain_${name}`, text: `EXPLAIN ${text}` };
    const rows = await store.query<{ 'QUERY PLAN': string }>(explain, values);
    plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}
