import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { until } from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../setup/open-fresh-database.js';

const SCRIPT = path.resolve(__dirname, 'graph-writer.mjs');
const WRITERS = ['a', 'b', 'c', 'd'];
const ROUNDS = 5;
/** Stored by each writer before it is killed; the field keeps the latest hundred. */
const STORED = 4;

/** A writer of readings of one company, and the numbers that it said were stored. */
class GraphWriterProcess {
  readonly stored: number[] = [];
  private readonly child: ChildProcess;
  private rest = '';

  constructor(url: string, name: string, domain: string) {
    this.child = spawn(process.execPath, [SCRIPT, url, name, domain], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop() ?? '';
      this.stored.push(...lines.map(Number));
    });
  }

  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

describe('four writers of one company that are killed', () => {
  let fresh: FreshDatabase;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh?.drop());

  it('lose no evidence that they said was stored, and make one business', async () => {
    const { database } = fresh;
    for (const round of Array.from({ length: ROUNDS }).keys()) {
      const domain = `round-${round}.com`;
      const writers = WRITERS.map((name) => new GraphWriterProcess(database.url, name, domain));
      await until(() => writers.every(({ stored }) => stored.length >= STORED), {
        what: 'readings of every writer',
        timeoutMs: 60_000,
      });
      await Promise.all(writers.map((writer) => writer.kill()));
      const [row] = await database.query<{ businesses: number; technologies: readonly string[] }>(
        {
          name: 'written',
          text: `SELECT (SELECT count(*)::int FROM business_keys WHERE kind = 'domain' AND value = $1) AS businesses,
            ARRAY(SELECT e.value #>> '{}' FROM business_evidence e JOIN business_keys k USING (business_id)
              WHERE k.value = $1 AND e.field = 'tech') AS technologies`,
        },
        [domain],
      );
      expect(row?.businesses).toBe(1);
      const said = writers.flatMap(({ stored }, at) =>
        stored.slice(0, STORED).map((number) => `${WRITERS[at]} ${number}`),
      );
      expect(row?.technologies).toEqual(expect.arrayContaining(said));
    }
  });
});
