// Processes that outlive their parent, identified by pid and start time, because pids are reused.
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Identifies one process, now and later. */
export function identify(pid) {
  return { pid, startedAt: startedAt(pid) };
}

/** Whether this process still runs; a zombie does not. */
export function isSame(identity) {
  return (
    Boolean(identity?.pid && identity.startedAt) && startedAt(identity.pid) === identity.startedAt
  );
}

function startedAt(pid) {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if ('ZX'.includes(fields[0])) return '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return ''; // no such process
  }
}

/** Starts a server in its own session with its output in a file. */
export function spawnDetached(program, args, { logFile, env, cwd, uid, gid }) {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(program, args, {
      env,
      cwd,
      uid,
      gid,
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.on('error', () => undefined); // shows as a missing pid, and as a health check that never passes
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Ends one process: an orderly signal first, SIGKILL if it takes too long. */
export async function stopProcess(identity, { signal = 'SIGTERM', waitMs = 15_000 } = {}) {
  if (!isSame(identity)) return;
  process.kill(identity.pid, signal);
  if (await becomesTrue(() => !isSame(identity), waitMs)) return;
  await killProcess(identity);
}

export async function killProcess(identity) {
  if (!isSame(identity)) return;
  process.kill(identity.pid, 'SIGKILL');
  if (!(await becomesTrue(() => !isSame(identity), 5_000)))
    throw new Error(`process ${identity.pid} does not end`);
}

/** Pids of the live children of `pid`. */
export function childrenOf(pid) {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' });
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, parent]) => Number(parent) === pid)
    .map(([own, , name]) => ({ pid: Number(own), name }));
}

export async function becomesTrue(condition, timeoutMs, pollMs = 50) {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) return false;
    await delay(pollMs);
  }
  return true;
}

/**
 * Below the ports from which systems take one for each outgoing connection (Linux from 32,768 on): a free one of
 * those is taken by any client before the server it is meant for listens.
 */
const freePorts = { from: 20_000, to: 32_000 };
const maxTries = 100;

/** A free port; `wanted` if it is free. */
export async function freePort(wanted) {
  for (let tries = 0; tries < maxTries; tries++) {
    const port = tries === 0 && wanted ? wanted : randomInt(freePorts.from, freePorts.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port on 127.0.0.1 from ${freePorts.from} to ${freePorts.to}`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false)); // taken
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}

export function canConnect(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const answer = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => answer(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => answer(false));
  });
}
