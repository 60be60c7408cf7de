import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isEnded, parseStat, processIds } from './proc-files.js';

export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly isZombie: boolean;
  /** With the pid, the identity of a process: a number is used again, a start time is not. */
  readonly startTime: string;
  /** Memory of its own, and memory it shares with its kin. */
  readonly ownBytes: number;
  readonly sharedBytes: number;
}

const isLinux = process.platform === 'linux';
const PAGE_BYTES = 4096;

/** Every process of the machine (of this PID namespace). */
export async function readProcesses(): Promise<readonly ProcessRow[]> {
  return isLinux ? readProc() : parsePs(await ps(['-axo', PS_COLUMNS]));
}

/** Start time of a process; null when there is none of that number, or it only waits to be reaped. */
export async function startTimeOf(pid: number): Promise<string | null> {
  const row = isLinux
    ? await readRow(pid)
    : parsePs(await ps(['-o', PS_COLUMNS, '-p', String(pid)])).at(0);
  return row === null || row === undefined || row.isZombie ? null : row.startTime;
}

/**
 * The words of a process's command line and, on Linux, the variables of its environment
 * (`NAME=value`). Words, because Chromium rewrites its arguments to one text with spaces. Empty when
 * the process is gone or another user's.
 */
export async function tracesOf(pid: number): Promise<readonly string[]> {
  if (!isLinux) return (await ps(['-ww', '-o', 'command=', '-p', String(pid)])).split(/\s+/);
  const [line, environment] = await Promise.all([
    readText(`/proc/${pid}/cmdline`),
    readText(`/proc/${pid}/environ`),
  ]);
  return [...line.split(/[\0 ]/), ...environment.split('\0')];
}

/** The processes of a group, and all their descendants that left it. */
export function treeOf(groupId: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const found = new Set(rows.filter((row) => row.groupId === groupId));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    for (const row of rows) if (pids.has(row.parentPid)) found.add(row);
  }
  return [...found];
}

/** Own memory summed, the shared part once: the sum of RSS counts every library per process. */
export function residentBytes(tree: readonly ProcessRow[]): number {
  const own = tree.reduce((sum, row) => sum + row.ownBytes, 0);
  return own + Math.max(0, ...tree.map((row) => row.sharedBytes));
}

async function readProc(): Promise<ProcessRow[]> {
  const rows = await Promise.all(processIds().map(readRow));
  return rows.filter((row) => row !== null);
}

async function readRow(pid: number): Promise<ProcessRow | null> {
  const [stat, statm] = await Promise.all([
    readText(`/proc/${pid}/stat`),
    readText(`/proc/${pid}/statm`),
  ]);
  if (stat === '') return null;
  const parsed = parseStat(stat);
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return {
    pid,
    parentPid: parsed.parentPid,
    groupId: parsed.groupId,
    isZombie: isEnded(parsed),
    startTime: String(parsed.startTicks),
    ownBytes: (resident - shared) * PAGE_BYTES,
    sharedBytes: shared * PAGE_BYTES,
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Ended meanwhile, or belongs to another user.
    return '';
  }
}

const PS_COLUMNS = 'pid=,ppid=,pgid=,state=,rss=,lstart=';

function parsePs(text: string): ProcessRow[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length > 5)
    .map(([pid, parent, group, state, rssKiB, ...start]) => ({
      pid: Number(pid),
      parentPid: Number(parent),
      groupId: Number(group),
      isZombie: state?.startsWith('Z') ?? false,
      startTime: String(Date.parse(start.join(' '))),
      ownBytes: Number(rssKiB) * 1024,
      sharedBytes: 0,
    }));
}

async function ps(args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)('/bin/ps', [...args], { maxBuffer: 16 * 1024 ** 2 })).stdout;
  } catch {
    // ps answers 1 when no such process exists.
    return '';
  }
}
