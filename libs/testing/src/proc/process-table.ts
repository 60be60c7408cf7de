import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** One process as /proc shows it. Times are CPU milliseconds. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly name: string;
  /** R, S, D, Z (ended, not yet reaped by its parent)... as in proc(5). */
  readonly state: string;
  /** CPU of its own threads so far. */
  readonly ownCpuMs: number;
  /** CPU of children that ended and were reaped, and of theirs. */
  readonly reapedCpuMs: number;
  /** Clock ticks after boot at which it started: with the pid, its identity. */
  readonly startTicks: number;
}

/** USER_HZ, the unit of /proc/<pid>/stat: 100 on every Linux architecture Node runs on. */
const TICKS_PER_SECOND = 100;
const MS_PER_TICK = 1_000 / TICKS_PER_SECOND;

/** Whether this machine has /proc (Linux); the functions of this folder throw where it has not. */
export function hasProc(): boolean {
  return existsSync('/proc/self/stat');
}

export function parseProcessStat(text: string): ProcessEntry {
  // The name may hold spaces and parentheses, so the fields start after the last one.
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  const numberAt = (procField: number): number => Number(fields[procField - 3]);
  return {
    pid: Number.parseInt(text, 10),
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    state: fields[0] ?? '?',
    parentPid: numberAt(4),
    groupId: numberAt(5),
    ownCpuMs: (numberAt(14) + numberAt(15)) * MS_PER_TICK,
    reapedCpuMs: (numberAt(16) + numberAt(17)) * MS_PER_TICK,
    startTicks: numberAt(22),
  };
}

/** The process, or null when there is none of that number (any more). */
export function readProcess(pid: number): ProcessEntry | null {
  const text = readProcFile(`/proc/${pid}/stat`);
  return text === null ? null : parseProcessStat(text);
}

export function listProcesses(): readonly ProcessEntry[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => readProcess(Number(pid))).filter((entry) => entry !== null);
}

/** Every live process below `pid`, without itself; ended ones that wait to be reaped are left out. */
export function descendantsOf(pid: number, table = listProcesses()): readonly ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const children = table.filter((entry) => entry.parentPid === parent);
    found.push(...children.filter((entry) => entry.state !== 'Z'));
    parents.push(...children.map((entry) => entry.pid));
  }
  return found;
}

/** Processes with `marker` among their arguments or as (part of) an environment entry; not our own. */
export function processesWithMarker(marker: string): readonly ProcessEntry[] {
  const isMarked = ({ pid }: ProcessEntry): boolean =>
    (readProcFile(`/proc/${pid}/cmdline`)?.includes(marker) ?? false) ||
    (readProcFile(`/proc/${pid}/environ`)?.includes(marker) ?? false);
  return listProcesses().filter((entry) => entry.pid !== process.pid && isMarked(entry));
}

/** Arguments as one line, for messages; '' once the process has ended. */
export function commandLine(pid: number): string {
  return (readProcFile(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();
}

/** Text of a /proc file, or null when the process has ended or is not ours to read. */
export function readProcFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return null;
    throw error;
  }
}
