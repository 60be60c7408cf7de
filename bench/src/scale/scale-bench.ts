// The tables of the frontier, small beside large, under the same work: see ../../README.md.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  fillFrontier,
  listeningPid,
  projectRoot,
  UsageMeter,
  type FrontierSize,
} from '@app/testing';
import { Database } from '@app/database';
import { runSql, variable } from '../contenders/cluster-services.js';
import { keepResults } from '../keep-results.js';
import { FrontierLoad, OPTIONS, STEPS, type Step, type StepTimes } from './frontier-load.js';

/** Both have more jobs than get a turn in one round, so that batches are alike. */
const SMALL: FrontierSize = { jobs: 20, pages: 10_000 };
const POOL = 4;
const WARM_PAGES_PER_JOB = 10;
/** Jobs ended, and ledgers read, at each size. */
const JOBS_ENDED = 8;

interface Side {
  readonly name: 'small' | 'large';
  readonly size: FrontierSize;
  readonly database: Database;
  readonly load: FrontierLoad;
  readonly drop: () => Promise<void>;
}

/** What one turn of a side took. */
interface Turn {
  readonly side: Side['name'];
  readonly times: StepTimes;
  /** CPU of all of the server's processes, milliseconds a page. */
  readonly serverMs: number | null;
}

/** Fills two databases, works at them in turns, prints what each step costs and the ratio of the two. */
export async function scaleBench(args: readonly string[]): Promise<void> {
  const { large, pages, rounds } = optionsOf(args);
  const sides: Side[] = [];
  try {
    for (const [name, size] of [['small', SMALL] as const, ['large', large] as const])
      sides.push(await openSide(name, size));
    for (const side of sides) await warmUp(side);
    const server = await serverOf(sides[0]);
    console.log(server);
    const turns: Turn[] = [];
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? sides : sides.toReversed())
        turns.push(await takeTurn(side, pages));
    for (const side of sides) turns.push(...(await endJobs(side)));
    const dir = path.join(projectRoot(), '.cache/bench');
    await mkdir(dir, { recursive: true });
    await keepResults(
      { server, options: { small: SMALL, large, pages, rounds }, turns },
      dir,
      'scale-',
    );
    console.log(`\n${table(turns)}`);
  } finally {
    for (const side of sides) await side.drop();
  }
}

function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      rows: { type: 'string', default: '5000000' },
      jobs: { type: 'string', default: '2000' },
      pages: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const whole = (name: string, text: string, min: number): number => {
    if (/^\d+$/.test(text) && Number(text) >= min) return Number(text);
    throw new Error(`--${name} must be a whole number from ${min}, not '${text}'`);
  };
  return {
    large: { jobs: whole('jobs', values.jobs, 20), pages: whole('rows', values.rows, 10_000) },
    pages: whole('pages', values.pages, 1),
    rounds: whole('rounds', values.rounds, 1),
  };
}

async function openSide(name: Side['name'], size: FrontierSize): Promise<Side> {
  const server = variable('TEST_DATABASE_URL');
  const databaseName = `trawl_scale_${name}_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${databaseName}`;
  await runSql(server, `CREATE DATABASE ${databaseName}`);
  const database = new Database({ url: url.href, poolSize: POOL, applicationName: 'scale' });
  const startedAt = performance.now();
  await database.connect();
  await database.migrate();
  for (const sql of fillFrontier(size, JSON.stringify(OPTIONS))) await runSql(url.href, sql);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${name}: ${size.pages} pages of ${size.jobs} jobs filled in ${seconds} s`);
  return {
    ...{ name, size, database, load: new FrontierLoad(database) },
    drop: async () => {
      await database.close();
      await runSql(server, `DROP DATABASE IF EXISTS ${databaseName} WITH (FORCE)`);
    },
  };
}

/** What the figures depend on: a server has more memory for its tables than it is installed with. */
async function serverOf(side: Side | undefined): Promise<string> {
  const text = `SELECT 'PostgreSQL ' || current_setting('server_version') || ', shared_buffers '
    || current_setting('shared_buffers') || ', max_wal_size ' || current_setting('max_wal_size') AS said`;
  const rows = await side?.database.query<{ said: string }>({ name: 'bench_server', text });
  return rows?.[0]?.said ?? 'no server';
}

/**
 * What is touched for the first time after a checkpoint is written to the log whole; what runs for hours
 * has nearly all of it behind it. So each job has been worked at before the clock runs.
 */
async function warmUp({ name, size, load }: Side): Promise<void> {
  const startedAt = performance.now();
  await load.run(size.jobs * WARM_PAGES_PER_JOB);
  console.log(`${name}: warm after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}

async function takeTurn({ name, load }: Side, pages: number): Promise<Turn> {
  const meter = serverMeter();
  const times = await load.run(pages);
  const usage = meter?.stop();
  const serverMs = usage ? usage.totalCpuMs / pages : null;
  console.log(`${name}: ${perPage(times).toFixed(2)} ms a page`);
  return { side: name, times, serverMs };
}

function serverMeter(): UsageMeter | null {
  const pid = listeningPid(Number(new URL(variable('TEST_DATABASE_URL')).port || 5_432));
  return pid === null ? null : UsageMeter.start({ postgres: [pid] });
}

async function endJobs({ name, database, load }: Side): Promise<Turn[]> {
  const text = `SELECT id FROM jobs WHERE status = 'running' AND leased = 0 ORDER BY id DESC LIMIT $1`;
  const rows = await database.query<{ id: string }>({ name: 'bench_jobs', text }, [JOBS_ENDED]);
  const ids = rows.map(({ id }) => id);
  const read = await load.read(ids);
  const ended = await load.end(ids);
  return [read, ended].map((times) => ({ side: name, times, serverMs: null }));
}

const PAGE_STEPS: readonly Step[] = ['dispatch', 'claim', 'finish'];

function perPage(times: StepTimes): number {
  return PAGE_STEPS.reduce((sum, step) => sum + times[step].ms / Math.max(1, times[step].count), 0);
}

function table(turns: readonly Turn[]): string {
  const of = (side: Side['name'], value: (turn: Turn) => number | null): number =>
    median(
      turns.flatMap((turn) => {
        const number = turn.side === side ? value(turn) : null;
        return number === null ? [] : [number];
      }),
    );
  const line = (what: string, value: (turn: Turn) => number | null): string => {
    const [small, large] = [of('small', value), of('large', value)];
    const cells = [small, large, large / small].map((number) => number.toFixed(3).padStart(10));
    return `${what.padEnd(34)}${cells.join('')}`;
  };
  const each = (step: Step) => (turn: Turn) =>
    turn.times[step].count > 0 ? turn.times[step].ms / turn.times[step].count : null;
  const page = (turn: Turn) => (turn.times.finish.count > 0 ? perPage(turn.times) : null);
  return [
    `${'milliseconds'.padEnd(34)}     small     large     ratio`,
    line('a page, all of its statements', page),
    line("a page, CPU of the server's", (turn) => turn.serverMs),
    ...STEPS.map((step) => line(`${step}, each`, each(step))),
  ].join('\n');
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
