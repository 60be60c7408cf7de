import { readdirSync, readFileSync } from 'node:fs';

/** What /proc/<pid>/stat says of a process (proc(5)). Times are CPU milliseconds. */
export interface ProcStat {
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

export function parseStat(text: string): ProcStat {
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

/** Ended and not yet reaped, or about to be removed: it no longer runs. */
export const isEnded = ({ state }: ProcStat): boolean => state === 'Z' || state === 'X';

/** The process, or null when there is none of that number (any more). */
export function readProcess(pid: number): ProcStat | null {
  const text = readProcFile(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text);
}

/** Text of a /proc file, or null when the process has ended or belongs to another user. */
export function readProcFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return null;
    throw error;
  }
}

/** Numbers of all processes of this PID namespace. Linux only. */
export function processIds(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}
