import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from 'pg';

import { isAlive } from '@app/processes';
import { until } from '@app/testing';

import { compileModules } from '../../../test/setup/compile-modules.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
import { installedPostgres } from './postgres-binaries.js';
import { casesOf } from '../../../test/setup/full-run.js';

/** Modules of the program; `@app/x` becomes `./x.js`. */
const MODULES = [
  'embedded-postgres',
  'postgres-home',
  'postgres-process',
  'postgres-binaries',
  'data-folder-lock',
];

const isRoot = process.getuid?.() === 0;
/** `daemon`: neither root nor the user of a server started by root, and present on every system. */
const plainUser = { uid: 1, gid: 1 };

interface Running {
  readonly holder: ChildProcess;
  readonly url: string;
  readonly pid: number;
}

let scratch: string;
let program: string;
let nodeProgram: string;
let native: string;
const cleanups: (() => Promise<void> | void)[] = [];

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-'));
  chmodSync(scratch, 0o755);
  program = compileHolder(path.join(scratch, 'program'));
  nodeProgram = reachableNode();
  native = path.join(scratch, 'native');
  cpSync(installedPostgres(), native, { recursive: true, verbatimSymlinks: true });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Identity = [string, typeof plainUser | undefined];
/** Root gives its rights up, which costs most. */
const identities = casesOf<Identity>([[isRoot ? 'root' : 'the current user', undefined]], {
  full: isRoot ? [['an ordinary user', plainUser]] : [],
});

describe.each(identities)('as %s', (_name, user) => {
  it('keeps the data, the password and the port when it starts again', async () => {
    const dataDir = dataFolder(user);
    const first = await hold(dataDir, user);
    await query(first.url, 'create table kept (n int)');
    await query(first.url, 'insert into kept values (42)');
    await end(first);

    const second = await hold(dataDir, user);

    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
    await end(second);
    expect(isAlive(second.pid)).toBe(false);
  });

  it('leaves no process when its own process is killed, and loses no committed data', async () => {
    const dataDir = dataFolder(user);
    const first = await hold(dataDir, user);
    await query(first.url, 'create table kept as select generate_series(1, 1000) n');

    first.holder.kill('SIGKILL');
    await until(() => processesUnder(dataDir).length === 0);

    const second = await hold(dataDir, user);
    expect(await query(second.url, 'select count(*)::int n from kept')).toEqual([{ n: 1000 }]);
  });

  it('starts when process and watchdog were killed and the server still runs', async () => {
    const dataDir = dataFolder(user);
    const first = await hold(dataDir, user);
    await query(first.url, 'create table kept (n int)');
    for (const pid of processesUnder(dataDir)) if (pid !== first.pid) killIfAlive(pid);
    first.holder.kill('SIGKILL');
    await once(first.holder, 'exit');

    const second = await hold(dataDir, user);

    expect(isAlive(first.pid)).toBe(false);
    expect(await query(second.url, 'select * from kept')).toEqual([]);
  });

  it('rejects a data folder that another process uses, and names the process', async () => {
    const dataDir = dataFolder(user);
    const first = await hold(dataDir, user);

    await expect(hold(dataDir, user)).rejects.toThrow(`in use by process ${first.holder.pid}`);

    expect(await query(first.url, 'select 1 n')).toEqual([{ n: 1 }]);
  });
});

it('restarts a killed server at the same address with all committed data', async () => {
  const server = await start(dataFolder());
  await query(server.url, 'create table kept as select 7 n');
  const { url, pid } = server;

  process.kill(pid, 'SIGKILL');
  await until(() => server.pid !== pid && canConnect(url));

  expect(await query(url, 'select n from kept')).toEqual([{ n: 7 }]);
});

it('stops restarting a server that keeps dying, and reports it', async () => {
  const server = await start(dataFolder());
  let failure: Error | undefined;
  void server.failed.then((error) => (failure = error));

  // So many starts may take a busy machine longer than a minute: clocks go ten times slower.
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() / 10);
  try {
    await until(
      () => {
        killIfAlive(server.pid);
        return failure !== undefined;
      },
      { timeoutMs: 10_000 },
    );
  } finally {
    clock.mockRestore();
  }

  expect(failure?.message).toMatch(/died 5 times within a minute/);
});

it('sets a new password when the password file is lost', async () => {
  const dataDir = dataFolder();
  const first = await start(dataDir);
  await query(first.url, 'create table kept as select 7 n');
  await first.stop();
  rmSync(path.join(dataDir, 'postgres', 'password'));

  const second = await start(dataDir);

  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
});

it('does not leak the password', async () => {
  const dataDir = dataFolder();
  await start(dataDir);
  expect(statSync(path.join(dataDir, 'postgres', 'password')).mode & 0o077).toBe(0);
  expect(statSync(path.join(dataDir, 'postgres')).mode & 0o077).toBe(0);
});

it('listens on loopback only and opens no socket file', async () => {
  const server = await start(dataFolder());
  expect(await query(server.url, 'show listen_addresses')).toEqual([
    { listen_addresses: '127.0.0.1' },
  ]);
  expect(await query(server.url, 'show unix_socket_directories')).toEqual([
    { unix_socket_directories: '' },
  ]);
  expect(await query(server.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
});

it('names both versions when another major version created the data', async () => {
  const dataDir = dataFolder();
  await (await start(dataDir)).stop();
  writeFileSync(path.join(dataDir, 'postgres', 'data', 'PG_VERSION'), '15\n');
  await expect(start(dataDir)).rejects.toThrow(/created by PostgreSQL 15.*includes PostgreSQL \d+/);
});

it('does not touch an unrelated process with the pid of a stale pid file', async () => {
  const dataDir = dataFolder();
  await (await start(dataDir)).stop();
  const pidFile = path.join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const stranger = spawn('sleep', ['600']);
  cleanups.push(() => void stranger.kill('SIGKILL'));
  writeFileSync(pidFile, `${stranger.pid}\n${path.dirname(pidFile)}\n`);

  const server = await start(dataDir);

  expect(stranger.exitCode).toBeNull();
  expect(await query(server.url, 'select 1 n')).toEqual([{ n: 1 }]);
});

it('starts when a killed server is still a zombie process', async () => {
  const dataDir = dataFolder();
  const first = await hold(dataDir, undefined);
  await query(first.url, 'create table kept as select 7 n');
  first.holder.kill('SIGSTOP'); // so it neither restarts the server nor collects its process
  process.kill(first.pid, 'SIGKILL');
  await until(() => !isAlive(first.pid));
  first.holder.kill('SIGKILL');
  first.holder.kill('SIGCONT');
  await once(first.holder, 'exit');

  const server = await start(dataDir);

  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 7 }]);
});

it('takes over the lock of a process that ended', async () => {
  const dataDir = dataFolder();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(
    path.join(dataDir, 'lock'),
    JSON.stringify({ pid: process.pid, startedAt: 'before the last boot' }),
  );
  const server = await start(dataDir);
  expect(await query(server.url, 'select 1 n')).toEqual([{ n: 1 }]);
});

if (isRoot) {
  it('places the database where its user can reach it when the data folder is closed', async () => {
    const closed = mkdtempSync(path.join(tmpdir(), 'closed-')); // 0700, like /root
    cleanups.push(() => rmSync(closed, { recursive: true, force: true }));
    const dataDir = path.join(closed, 'data');
    const first = await start(dataDir);
    const place = readFileSync(path.join(dataDir, 'postgres-at'), 'utf8').trim();
    cleanups.push(() => rmSync(place, { recursive: true, force: true }));
    await query(first.url, 'create table kept as select 7 n');
    await first.stop();

    const second = await start(dataDir);

    expect(place).toMatch(/^\/var\/lib\/trawl\//);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
  });
}

function dataFolder(user?: typeof plainUser): string {
  const parent = mkdtempSync(path.join(scratch, 'home-'));
  chmodSync(parent, 0o755);
  if (user !== undefined) chownSync(parent, user.uid, user.gid);
  return path.join(parent, 'data');
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, native });
  cleanups.push(() => server.stop());
  return server;
}

/** Starts the server from a process of its own, as `user`. */
async function hold(dataDir: string, user: typeof plainUser | undefined): Promise<Running> {
  const holder = spawn(nodeProgram, [program, dataDir, native], {
    ...user,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  cleanups.push(() => endHolder(holder));
  let complaint = '';
  holder.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const lines = createInterface(holder.stdout);
  const first = await Promise.race([once(lines, 'line'), once(holder, 'close')]);
  if (typeof first[0] !== 'string') throw new Error(complaint);
  return { holder, ...(JSON.parse(first[0]) as { url: string; pid: number }) };
}

async function end({ holder }: Running): Promise<void> {
  holder.stdin?.end();
  if (holder.exitCode === null) await once(holder, 'exit');
}

async function endHolder(holder: ChildProcess): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  holder.stdin?.end();
  await once(holder, 'exit');
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function canConnect(url: string): Promise<boolean> {
  return query(url, 'select 1').then(
    () => true,
    () => false,
  );
}

function killIfAlive(pid: number): void {
  if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/** Processes whose command line names the folder: server and watchdog, not their holder. */
function processesUnder(dataDir: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const file = `/proc/${pid}/cmdline`;
    const words = existsSync(file) ? readQuietly(file) : '';
    return words.includes(path.join(dataDir, 'postgres')) && !words.includes(program);
  });
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process ended meanwhile
  }
}

/** The starter as a separate program, readable by every user. */
function compileHolder(folder: string): string {
  compileModules(
    folder,
    Object.fromEntries(MODULES.map((name) => [name, `apps/standalone/src/${name}.ts`])),
  );
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const holder = path.join(folder, 'holder.mjs');
  writeFileSync(
    holder,
    `import { startEmbeddedPostgres } from './embedded-postgres.js';
    const [dataDir, native] = process.argv.slice(2);
    try {
      const server = await startEmbeddedPostgres({ dataDir, native, log: () => undefined });
      console.log(JSON.stringify({ url: server.url, pid: server.pid }));
      process.stdin.resume().on('end', () => server.stop().then(() => process.exit(0)));
    } catch (error) {
      console.error(error.message);
      process.exit(1);
    }`,
  );
  return holder;
}

/** A clone under /root hides its Node from other users. */
function reachableNode(): string {
  if (!isRoot) return process.execPath;
  const copy = path.join(scratch, 'node');
  copyFileSync(process.execPath, copy);
  chmodSync(copy, 0o755);
  return copy;
}
