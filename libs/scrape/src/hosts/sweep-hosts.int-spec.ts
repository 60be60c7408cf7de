import { until } from '@app/testing';
import { FrontierFixture, HOST } from '../../../jobs/test/frontier-fixture.js';
import type { Queryable } from '@app/database';
import { HostSweep } from './sweep-hosts.js';

const OLD = "now() - interval '31 days'";
const before = (): Date => new Date(Date.now() - 30 * 86_400_000);

describe('the sweep of hosts', () => {
  let fixture: FrontierFixture;
  let sweep: HostSweep;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.run('TRUNCATE jobs, hosts, outbox CASCADE');
    sweep = new HostSweep(fixture.database);
  });

  const age = async (host = HOST): Promise<void> => {
    const text = `UPDATE hosts SET updated_at = ${OLD} WHERE host = $1`;
    await fixture.database.query({ name: 'spec_age_host', text }, [host]);
  };
  const hosts = async (): Promise<string[]> => {
    const text = 'SELECT host FROM hosts ORDER BY host';
    const rows = await fixture.database.query<{ host: string }>({ name: 'spec_hosts', text });
    return rows.map(({ host }) => host);
  };
  const add = async (name: string): Promise<void> => {
    const text = `INSERT INTO hosts (host, window_size, updated_at) VALUES ($1, 2, ${OLD})`;
    await fixture.database.query({ name: 'spec_add_host', text }, [name]);
  };

  it('keeps young hosts, busy ones and those of a job, and deletes the others', async () => {
    await fixture.start();
    await age();
    for (const name of ['stale.example', 'young.example', 'busy.example']) await add(name);
    await fixture.run("UPDATE hosts SET updated_at = now() WHERE host = 'young.example'");
    await fixture.run("UPDATE hosts SET in_flight = 1 WHERE host = 'busy.example'");
    expect(await sweep.next({ before: before(), limit: 100 })).toBe(1);
    expect(await hosts()).toEqual(['busy.example', HOST, 'young.example']);
  });

  it('reads a bounded part at a time, reaches all hosts, and starts again', async () => {
    for (let n = 0; n < 25; n++) await add(`h${String(n).padStart(2, '0')}.example`);
    await fixture.run("UPDATE hosts SET updated_at = now() WHERE host < 'h20'");
    const gone = [];
    for (let round = 0; round < 3; round++)
      gone.push(await sweep.next({ before: before(), limit: 10 }));
    expect(gone).toEqual([0, 0, 5]);
    await age('h03.example');
    expect(await sweep.next({ before: before(), limit: 10 })).toBe(1);
  });

  it('keeps a host that a job is starting to use', async () => {
    await add(HOST);
    let swept = -1;
    await fixture.database.transaction(async (tx) => {
      const id = '018f0000-0000-7000-8000-00000000000a';
      await insertJob(tx, id);
      await tx.query(`INSERT INTO job_hosts (job_id, host) VALUES ('${id}', '${HOST}')`);
      swept = await sweep.next({ before: before(), limit: 10 });
    });
    expect([swept, await hosts()]).toEqual([0, [HOST]]);
  });

  it('leaves no job waiting for ever when its host is deleted at that moment', async () => {
    await add(HOST);
    let started: Promise<string> | undefined;
    await fixture.database.transaction(async (tx) => {
      await tx.query(`DELETE FROM hosts WHERE host = '${HOST}'`);
      started = fixture.start();
      await until(async () => (await waiting()) > 0, { what: 'the crawl to wait for the row' });
    });
    const id = (await started) ?? '';
    expect(await hosts()).toEqual([HOST]);
    expect(await fixture.take(id)).toHaveLength(1);
  });

  it('lets a transaction that needs a deleted host begin again', async () => {
    await add(HOST);
    const id = '018f0000-0000-7000-8000-00000000000b';
    let tries = 0;
    await fixture.database.transaction(async (tx) => {
      await insertJob(tx, id);
      await tx.query(
        `INSERT INTO hosts (host, window_size) VALUES ('${HOST}', 2) ON CONFLICT DO NOTHING`,
      );
      if (++tries === 1) expect(await sweep.next({ before: before(), limit: 10 })).toBe(1);
      await tx.query(`INSERT INTO job_hosts (job_id, host) VALUES ('${id}', '${HOST}')`);
    });
    expect([tries, await hosts()]).toEqual([2, [HOST]]);
  });

  async function insertJob(tx: Queryable, id: string): Promise<void> {
    await tx.query(`INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at)
                    VALUES ('${id}', '${fixture.tenant.id}', 'crawl', 'http://a/', 'queued', '{}', 1, now())`);
  }

  async function waiting(): Promise<number> {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity
                  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const [row] = await fixture.database.query<{ n: number }>({ name: 'spec_waiting', text });
    return row?.n ?? 0;
  }
});
