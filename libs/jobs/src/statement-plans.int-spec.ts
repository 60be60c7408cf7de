import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { releaseDaily, reserveDaily, utcDay, createTenant } from '@app/accounts';
import { sweepDailyQuotas } from '../../accounts/src/limits/daily-quota.js';
import {
  forgetHost,
  learnHost,
  recallHost,
  sweepHostRungs,
  takeHostProbe,
  admitCached,
  dropCached,
  findCached,
  forgetWaste,
  noteCacheWrite,
  renewCached,
  sweepPageCache,
} from '@app/scrape';
import { Database, type Statement, type Transaction, type Row } from '@app/database';

interface Seen extends Statement {
  readonly values?: readonly unknown[];
}

/** Remembers its named statements, so that their plans can be read. */
class RecordingDatabase extends Database {
  readonly seen: Seen[] = [];

  override async query<R extends Row>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    this.seen.push({ ...statement, values });
    return super.query<R>(statement, values);
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((tx) => work(this.recorded(tx)));
  }

  private recorded(tx: Transaction): Transaction {
    const query = (statement: Seen | string, values: unknown[]): unknown => {
      if (typeof statement === 'string') return tx.query(statement, values);
      this.seen.push(statement);
      return tx.query({ ...statement, values: [...(statement.values ?? [])] });
    };
    return { query } as unknown as Transaction;
  }
}

const FILL = `
  INSERT INTO host_rungs SELECT n || '.example', 'headless', 'js_shell', now(),
    now() + n * interval '1 minute', now() FROM generate_series(1, 20000) n;
  INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 't', 'free' FROM generate_series(1, 2000);
  INSERT INTO page_cache_usage SELECT id, 40000 FROM tenants;
  INSERT INTO page_cache SELECT id, sha256(n::text::bytea), 'http://a.example/', id || '/' || n, 2000,
    null, null, now(), now() + (n - 5) * random() * interval '1 minute', now() - n * interval '1 minute'
    FROM tenants, generate_series(1, 20) n;
  INSERT INTO page_cache SELECT id, sha256(n::text::bytea), 'http://a.example/', 'spec/' || n, 2000,
    null, null, now(), now() + interval '1 day', now() - n * interval '1 minute'
    FROM tenants, generate_series(21, 8000) n WHERE name = 'spec';
  UPDATE page_cache_usage SET bytes = 16000000 FROM tenants WHERE id = tenant_id AND name = 'spec';
  INSERT INTO page_cache_waste SELECT n::text, now() + (n - 10) * interval '1 minute'
    FROM generate_series(1, 20000) n;
  INSERT INTO daily_quotas SELECT id, 'screenshot', current_date - n, 1 FROM tenants, generate_series(0, 9) n;
`;

describe('the statements of the fetch memory', () => {
  let fresh: FreshDatabase<RecordingDatabase>;
  let database: RecordingDatabase;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase(RecordingDatabase);
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    for (const [at, text] of FILL.split(';\n').entries())
      if (text.trim() !== '') await database.query({ name: `fill_${at}`, text });
    await database.query({ name: 'analyze', text: 'ANALYZE' });
  });
  afterAll(async () => {
    await fresh.drop();
  });

  async function plansOf(work: () => Promise<unknown>): Promise<Map<string, string>> {
    database.seen.length = 0;
    await work();
    const plans = new Map<string, string>();
    for (const { name, text, values } of [...database.seen]) {
      const explain = { name: `explain_${name}`, text: `EXPLAIN ${text}` };
      const rows = await database.query<{ 'QUERY PLAN': string }>(explain, values);
      plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  }

  const day = utcDay(new Date(Date.now() - 5 * 86_400_000));
  const variant = 'ab'.repeat(32);
  const slot = { get tenantId() { return tenantId; }, variant }; // prettier-ignore
  const entry = (over: { maxBytesPerTenant: number }) => ({
    tenantId,
    variant,
    url: 'http://a.example/',
    blobKey: 'new',
    bytes: 10,
    validators: {},
    ttlMs: 60_000,
    ...over,
  });
  const blobs = { delete: async () => undefined };

  /** Where another index would do as well on a small table, and badly on a large one. */
  const INDEXES: Readonly<Record<string, string>> = {
    recall_host: 'host_rungs_pkey',
    take_host_probe: 'host_rungs_pkey',
    learn_host: 'host_rungs_pkey',
    sweep_host_rungs: 'host_rungs_expiry',
    find_cached_page: 'page_cache_pkey',
    admit_cached_page: 'page_cache_pkey',
    evict_cached_pages: 'page_cache_lru',
    expired_cached_pages: 'page_cache_expiry',
    take_cache_waste: 'page_cache_waste_due',
    reserve_daily: 'daily_quotas_pkey',
    sweep_daily_quotas: 'daily_quotas_day',
  };

  it.each<{ what: string; names: string[]; work: () => Promise<unknown> }>([
    {
      what: 'the memory of hosts',
      names: ['recall_host', 'take_host_probe', 'learn_host', 'forget_host', 'sweep_host_rungs'],
      work: async () => {
        await recallHost(database, '7.example');
        await takeHostProbe(database, '7.example', '');
        await learnHost(database, {
          host: '7.example',
          shape: '/app',
          rung: 'headless',
          errorClass: 'js_shell',
          ttlMs: 1,
        });
        await forgetHost(database, '8.example', '');
        await sweepHostRungs(database, 10);
      },
    },
    {
      what: 'finding a page',
      names: ['find_cached_page', 'renew_cached_page'],
      work: async () => {
        await findCached(database, slot);
        await renewCached(database, slot, { blobKey: 'new', ttlMs: 1, validators: {} });
      },
    },
    {
      what: 'keeping a page',
      names: [
        'note_cache_write',
        'lock_cache_usage',
        'admit_cached_page',
        'evict_cached_pages',
        'drop_cached_page',
        'forget_cache_waste',
      ],
      work: async () => {
        await noteCacheWrite(database, 'new');
        await admitCached(database, entry({ maxBytesPerTenant: 1 }));
        await dropCached(database, slot, 'new');
        await forgetWaste(database, ['new']);
      },
    },
    {
      what: 'sweeping pages',
      names: [
        'expired_cached_pages',
        'take_cache_waste',
        'forget_cache_waste',
        'lock_cache_usages',
        'delete_expired_cached_pages',
      ],
      work: () => sweepPageCache(database, blobs, 50),
    },
    {
      what: 'quotas',
      names: ['reserve_daily', 'release_daily', 'sweep_daily_quotas'],
      work: async () => {
        await reserveDaily(database, { tenantId, operation: 'screenshot', day, limit: 3 });
        await releaseDaily(database, { tenantId, operation: 'screenshot', day });
        await sweepDailyQuotas(database, { beforeDay: day, limit: 10 });
      },
    },
  ])('read no table from end to end: $what', async ({ names, work }) => {
    const plans = await plansOf(work);
    expect([...plans.keys()].sort()).toEqual(names.sort());
    for (const [name, plan] of plans) {
      const shape = { name, plan };
      expect(shape).toEqual({ name, plan: expect.not.stringMatching(/Seq Scan on [a-z]/) });
      expect(shape).toEqual({ name, plan: expect.stringContaining(INDEXES[name] ?? '') });
    }
  });
});
