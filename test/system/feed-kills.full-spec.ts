import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createTenant, readBalance, type Tenant } from '@app/accounts';
import { newId } from '@app/contracts';
import { createFeed, requestFeedRun, type Feed } from '@app/runs';
import { until } from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../setup/open-fresh-database.js';

const SCRIPT = path.resolve(__dirname, 'feed-worker.mjs');
const KILLS = 100;
/** Workers at a time: one is killed, the others go on. */
const WORKERS = 3;
const FEEDS = 4;
const ROWS = 300;
const SILENT_MS = 60_000;

/** A worker, and how much it has done. */
class FeedWorkerProcess {
  done = 0;
  private readonly child: ChildProcess;

  constructor(url: string) {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    this.child = spawn(process.execPath, [SCRIPT, url], { stdio: [...stdio] });
    this.child.stdout?.on('data', (bytes: Buffer) => {
      this.done += bytes.toString().split('\n').length - 1;
    });
  }

  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

describe('feeds whose workers are killed', () => {
  let fresh: FreshDatabase;
  let tenant: Tenant;
  let workers: FeedWorkerProcess[] = [];

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    tenant = await createTenant(fresh.database, 'spec', 'scale');
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await fresh?.drop();
  });

  const newFeed = async (): Promise<Feed> => {
    const feed = await createFeed(
      fresh.database,
      {
        ...{ id: newId(), tenantId: tenant.id, connectorId: 'rows', params: { rows: ROWS } },
        ...{ schedule: '0 0 1 1 *', timeZone: 'UTC', webhookUrl: 'https://hook.example/' },
        ...{ firstRun: 'full', deliversChanged: false, maxRows: 1_000 },
        nextAt: new Date('2100-01-01T00:00:00Z'),
      },
      FEEDS,
    );
    if (feed === null) throw new Error('too many feeds');
    await requestFeedRun(fresh.database, tenant.id, feed.id);
    return feed;
  };
  const query = <T extends Record<string, unknown>>(text: string) =>
    fresh.database.query<T>({ name: text.slice(0, 40), text });

  it('deliver each row in one event, charge it once, and end', async () => {
    const { database } = fresh;
    const feeds = await Promise.all(Array.from({ length: FEEDS }, newFeed));
    workers = Array.from({ length: WORKERS }, () => new FeedWorkerProcess(database.url));
    /** The next run of those that have ended, whose rows are known: there is always work for the worker waited for. */
    const requestRuns = () =>
      Promise.all(feeds.map(({ id }) => requestFeedRun(database, tenant.id, id)));
    for (let kills = 0; kills < KILLS; kills++) {
      const [oldest, ...others] = workers;
      // A few parts more at each kill, and at the end of a run what comes after it.
      const most = kills % 7;
      const isFarEnough = (): boolean =>
        (oldest?.done ?? 0) >= most || others.every(({ done }) => done > most);
      await until(async () => isFarEnough() || (await requestRuns(), isFarEnough()), {
        ...{ what: 'work of a worker', timeoutMs: SILENT_MS, intervalMs: 100 },
      });
      await oldest?.kill();
      workers = [...others, new FeedWorkerProcess(database.url)];
      await requestRuns();
    }
    // One look at all feeds: between two runs none may be running while others are due.
    const areDone = async (): Promise<boolean> => {
      const [open] = await query<{ feeds: number }>(
        `SELECT count(*)::int AS feeds FROM feeds
         WHERE run_id IS NOT NULL OR requested_at IS NOT NULL OR row_count <> ${ROWS}`,
      );
      return open?.feeds === 0;
    };
    await until(areDone, { what: 'the end of all runs', timeoutMs: SILENT_MS });
    const events = await query<{ feedId: string; body: string; isSent: boolean }>(
      `SELECT e.feed_id AS "feedId", e.body, d.id = e.id AS "isSent"
       FROM feed_events e LEFT JOIN webhook_deliveries d ON d.feed_event_id = e.id`,
    );
    expect(events.every(({ isSent }) => isSent)).toBe(true);
    for (const { id } of feeds) {
      const names = events
        .filter(({ feedId }) => feedId === id)
        .flatMap(({ body }) => JSON.parse(body) as string[]);
      const wanted = Array.from({ length: ROWS }, (_, at) => `row ${at}`);
      expect(names.toSorted()).toEqual(wanted.toSorted());
    }
    const [sums] = await query<{ charged: number; owed: number; delivered: number }>(
      `SELECT (SELECT sum(credits)::int FROM credit_ledger WHERE operation = 'feed') AS charged,
         sum(ceil((10 * (new_rows + changed_rows) + known_rows) / 10.0))::int AS owed, sum(new_rows)::int AS delivered
       FROM feed_runs`,
    );
    expect(sums?.delivered).toBe(FEEDS * ROWS);
    expect(sums?.charged).toBe(sums?.owed);
    const balance = await readBalance(database, tenant.id);
    expect(balance?.remaining).toBe(500_000 - (sums?.charged ?? 0));
  }, 900_000);
});
