import { hash } from 'node:crypto';
import { spawnApp, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deployCluster, type Deployment } from './deployment.js';
import { isReplay, jobOf, postWithKey, RUNNING } from './idempotency-run.js';

describe('Idempotency-Key when processes die', () => {
  let service: Deployment;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deployCluster({ env: { BROWSER_MAX: '0' } });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const sql = async <T extends object = Record<string, unknown>>(text: string): Promise<T[]> =>
    service.database.query<T & Record<string, unknown>>({ name: hash('sha1', text), text });
  const jobs = async (): Promise<string[]> =>
    (await sql<{ id: string }>('SELECT id::text FROM jobs')).map(({ id }) => id);

  /** The database takes its time over a statement, so that a process can be killed during it. */
  async function holdUp(table: string, when: string): Promise<() => Promise<void>> {
    await sql(`CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(20); RETURN NEW; END'`);
    await sql(`CREATE TRIGGER hold ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION hold()`);
    return async () => {
      // Whoever sleeps in it holds the table.
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND pid <> pg_backend_pid() AND datname = current_database()`);
      await sql(`DROP TRIGGER hold ON ${table}`);
    };
  }

  const leaseRunsOut = () =>
    sql(
      "UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE status IS NULL",
    );

  it.each([
    [
      'between the commit of a crawl and its answer',
      '/v1/crawl',
      'idempotency_keys',
      'BEFORE UPDATE',
      1,
    ],
    [
      'between the commit of a batch and its answer',
      '/v1/batch',
      'idempotency_keys',
      'BEFORE UPDATE',
      1,
    ],
    ['before the commit of a crawl', '/v1/crawl', 'jobs', 'BEFORE INSERT', 0],
  ])('killed -9 %s: the retry gets one and the same job', async (name, path, table, when, made) => {
    const body = path === '/v1/crawl' ? { url: site.url('/'), maxPages: 1 } : { urls: [site.url('/')], async: true }; // prettier-ignore
    const key = name.replaceAll(' ', '-');
    const before = await jobs();
    const doomed = await spawnApp({ app: 'api', env: service.env });
    await until(async () => (await fetch(`${doomed.url}/health/ready`)).ok, {
      what: 'a ready API',
      timeoutMs: 30_000,
    });
    const letGo = await holdUp(table, when);
    const lost = postWithKey({ url: doomed.url, key: service.key }, path, { key, body });
    lost.catch(() => undefined);
    const isHeld = async () =>
      (await sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()")).length > 0; // prettier-ignore
    try {
      await until(isHeld, { what: 'the moment', timeoutMs: 15_000 });
    } finally {
      await doomed.process.kill9();
      await letGo();
    }
    await expect(lost).rejects.toThrow();
    const madeBefore = (await jobs()).filter((id) => !before.includes(id));
    expect(madeBefore.length).toBe(made);

    const early = await postWithKey(service, path, { key, body });
    expect([early.status, early.body]).toEqual([409, RUNNING]);
    await leaseRunsOut();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postWithKey(service, path, { key, body })),
    );
    const retried = answers.filter(({ status }) => status === 202);
    const all = (await jobs()).filter((id) => !before.includes(id));
    expect(all.length).toBe(1);
    expect([...new Set(retried.map(jobOf))]).toEqual(all);
    if (made === 1) expect(all).toEqual(madeBefore);
    const again = await postWithKey(service, path, { key, body });
    expect([again.status, isReplay(again), jobOf(again)]).toEqual([202, true, all[0]]);
  });

  it('a live process keeps its key for longer than a lease', async () => {
    let answer = (): void => undefined;
    site.serve({
      '/slow': ({ response }) => {
        answer = () => response.end('<title>Slow</title><p>It took its time, and here it is.</p>');
        response.writeHead(200, { 'content-type': 'text/html' });
        response.flushHeaders();
      },
    });
    const body = { url: site.url('/slow') };
    const first = postWithKey(service, '/v1/scrape', { key: 'beat', body });
    await until(() => site.count('/slow') === 1, { what: 'the fetch', timeoutMs: 20_000 });
    // Almost out: only a heartbeat moves it.
    await sql("UPDATE idempotency_keys SET lease_until = now() + interval '11 seconds' WHERE status IS NULL"); // prettier-ignore
    const isMoved = async () =>
      (await sql("SELECT 1 FROM idempotency_keys WHERE key = 'beat' AND lease_until > now() + interval '12 seconds'")).length > 0; // prettier-ignore
    await until(isMoved, { what: 'a heartbeat', timeoutMs: 15_000 });
    answer();
    expect((await first).status).toBe(200);
  });
});
