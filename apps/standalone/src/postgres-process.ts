import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { serverEnvironment } from './postgres-binaries.js';
import type { PostgresHome } from './postgres-home.js';
import { commandLine, isAlive, processesIn, startedAt } from '@app/processes';

/** A running server. */
export interface PostgresProcess {
  readonly pid: number;
  /** Resolves when the server's process has ended, for any reason; never rejects. */
  readonly exited: Promise<string>;
  /** Fast shutdown: running transactions are rolled back, committed data is kept. */
  stop(): Promise<void>;
}

const readyWithinMs = 60_000;
const fastShutdownMs = 20_000;
const immediateShutdownMs = 5_000;
const pollMs = 20;

/** For a small server with queue tables: many short transactions, rows that change often. */
const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  max_wal_size: '512MB',
  wal_compression: 'on',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off', // costs tens of milliseconds on the first run of each short query
  max_parallel_workers_per_gather: '0', // needs /dev/shm, which is 64 MB in a container
  random_page_cost: '1.1',
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.02',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_vacuum_cost_limit: '1000',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
};

/**
 * Ends the server when the process that writes to its standard input is gone: a SIGKILL closes the pipe, and there is no
 * other signal. It acts only while the cluster's pid file still names that server.
 */
const watchdogScript = `
while read -r _; do :; done
for signal in INT QUIT KILL; do
  for i in 1 2 3 4 5 6 7 8 9 10; do
    read -r pid < "$2/postmaster.pid" && [ "$pid" = "$1" ] && kill -0 "$1" || exit 0
    [ "$i" = 1 ] && kill -s "$signal" "$1"
    sleep 0.5
  done
done 2>/dev/null`;

export interface ServerOptions {
  readonly home: PostgresHome;
  readonly port: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** False for a server that should outlive this process. @default true */
  readonly watchdog?: boolean;
}

/** Starts the server and waits until it accepts connections. Rejects with the end of its log. */
export async function startServer(options: ServerOptions): Promise<PostgresProcess> {
  const server = spawnServer(options);
  const exited = describeExit(server);
  const pid = server.pid;
  if (pid === undefined) throw new Error(`cannot start PostgreSQL: ${await exited}`);
  const watchdog = options.watchdog === false ? undefined : spawnWatchdog(options.home, pid);
  void exited.then(() => watchdog?.kill('SIGKILL'));
  const stop = (): Promise<void> => shutDown(server, exited);
  try {
    await untilReady(options.home, pid, exited);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, exited, stop };
}

/**
 * Stops a server that an earlier process left on this cluster. A pid file that names an unrelated process (with a reused
 * pid) or a zombie is removed, because PostgreSQL would take it for a running server; PostgreSQL removes any other stale
 * one itself.
 */
export async function stopLeftover(home: PostgresHome, log: (line: string) => void): Promise<void> {
  const pid = pidOnFile(home);
  if (pid === undefined || startedAt(pid) === undefined) return;
  if (!isServerOf(home, pid)) return removeForeignPidFile(home);
  log(`stopping the PostgreSQL (process ${pid}) that an earlier run left behind`);
  for (const [signal, waitMs] of shutdownSteps) {
    if (isAlive(pid)) process.kill(pid, signal);
    if (await becomesTrue(() => !isServerOf(home, pid), waitMs)) return removeForeignPidFile(home);
  }
  throw new Error(`the PostgreSQL that an earlier run left behind (process ${pid}) does not end`);
}

/** The file also protects against sessions that outlive a killed server, so those must be gone first. */
async function removeForeignPidFile(home: PostgresHome): Promise<void> {
  if (pidOnFile(home) === undefined) return;
  for (const waitMs of [fastShutdownMs, immediateShutdownMs]) {
    if (await becomesTrue(() => sessionsOf(home).length === 0, waitMs)) {
      return rmSync(path.join(home.cluster, 'postmaster.pid'), { force: true });
    }
    for (const pid of sessionsOf(home)) process.kill(pid, 'SIGQUIT');
  }
  throw new Error(`sessions of a killed PostgreSQL do not end: ${sessionsOf(home).join(', ')}`);
}

const shutdownSteps = [
  ['SIGINT', fastShutdownMs],
  ['SIGQUIT', immediateShutdownMs],
  ['SIGKILL', immediateShutdownMs],
] as const;

function spawnServer({ home, port, settings }: ServerOptions): ChildProcess {
  const flags = Object.entries({ ...defaultSettings, ...settings, port: String(port) });
  const log = openLog(home);
  try {
    return spawn(
      path.join(home.native, 'bin', 'postgres'),
      ['-D', home.cluster, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...home.runAs,
        cwd: home.dir,
        env: serverEnvironment(home.native),
        stdio: ['ignore', log, log],
        detached: true, // Ctrl-C in the terminal must reach the service first, which then stops the server
      },
    );
  } finally {
    closeSync(log);
  }
}

/** Opened by this process, so that rotation by truncating works: appending writers follow the file's end. */
function openLog(home: PostgresHome): number {
  const log = openSync(home.logFile, 'a', 0o600);
  if (home.runAs !== undefined) chownSync(home.logFile, home.runAs.uid, home.runAs.gid);
  return log;
}

function spawnWatchdog(home: PostgresHome, pid: number): ChildProcess {
  const watchdog = spawn(
    '/bin/sh',
    ['-c', watchdogScript, 'postgres-watchdog', String(pid), home.cluster],
    { ...home.runAs, cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  watchdog.on('error', () => undefined); // no /bin/sh: the next start's stopLeftover does its work
  watchdog.stdin?.on('error', () => undefined); // EPIPE when it was killed; nothing is ever written
  watchdog.unref();
  return watchdog;
}

function describeExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${String(code)}`));
  });
}

/** PostgreSQL writes its state to the last line of its pid file, as pg_ctl reads it. */
async function untilReady(home: PostgresHome, pid: number, exited: Promise<string>): Promise<void> {
  let ended: string | undefined;
  void exited.then((how) => (ended = how));
  const isReady = (): boolean => pidOnFile(home) === pid && /\nready\s*$/.test(pidFile(home) ?? '');
  const settled = await becomesTrue(() => ended !== undefined || isReady(), readyWithinMs);
  if (ended !== undefined) throw new Error(`PostgreSQL did not start (${ended}): ${logEnd(home)}`);
  if (!settled)
    throw new Error(`PostgreSQL is not ready after ${readyWithinMs} ms: ${logEnd(home)}`);
}

async function shutDown(server: ChildProcess, exited: Promise<string>): Promise<void> {
  let ended = false;
  void exited.then(() => (ended = true));
  for (const [signal, waitMs] of shutdownSteps) {
    await Promise.resolve(); // lets an exit that already happened be seen
    if (ended || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    if (await becomesTrue(() => ended, waitMs)) return;
  }
}

async function becomesTrue(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await delay(pollMs);
  }
  return true;
}

function pidOnFile(home: PostgresHome): number | undefined {
  const pid = Number.parseInt(pidFile(home) ?? '', 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function pidFile(home: PostgresHome): string | undefined {
  try {
    return readFileSync(path.join(home.cluster, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined; // not there yet, or just removed: no server
  }
}

function isServerOf(home: PostgresHome, pid: number): boolean {
  const words = commandLine(pid) ?? '';
  return words.includes('postgres') && words.includes(`-D ${home.cluster}`);
}

/** Every process of a server works in its cluster's folder. */
function sessionsOf(home: PostgresHome): readonly number[] {
  return process.platform === 'linux' ? processesIn(home.cluster) : [];
}

function logEnd(home: PostgresHome): string {
  return existsSync(home.logFile) ? readFileSync(home.logFile, 'utf8').slice(-2_000).trim() : '';
}
