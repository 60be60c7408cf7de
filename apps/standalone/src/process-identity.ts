import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether a process with this id runs, also when it belongs to another user. A zombie does not run: where nothing
 * collects orphans, as in a container without an init, it stays in the table for good.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || !/^[ZX]?$/.test(statFields(pid)[0] ?? '');
}

/**
 * When the process began, as an opaque word, or undefined when there is no such process. Together with the pid it
 * names one process for good: pids come round again, in containers within seconds.
 */
export function startedAt(pid: number): string | undefined {
  if (process.platform === 'linux') return startedAtByProc(pid);
  return ps(pid, 'lstart=');
}

/** The command line with single spaces between its words, or undefined when there is no such process. */
export function commandLine(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'command=');
  return readOrUndefined(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
}

/** Processes that work in the folder, of those this user may look at. Linux only. */
export function processesIn(folder: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => workingFolder(pid) === folder).map(Number);
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // ended meanwhile, a zombie, or another user's
  }
}

/** Clock ticks since boot, and which boot. */
function startedAtByProc(pid: number): string | undefined {
  const ticks = statFields(pid)[19];
  if (ticks === undefined) return undefined;
  return `${readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${ticks}`;
}

/** From the state (field 3 of proc(5)) on: the name in field 2 may hold spaces and parentheses. */
function statFields(pid: number): readonly string[] {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A vanished process and an unreadable one look the same to the callers: nothing is known about it. */
function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(pid: number, field: string): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' });
    return text.trim() || undefined;
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}
