import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { isEnded, processIds, readProcess, readProcFile } from './proc-files.js';

const isLinux = process.platform === 'linux';

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
  if (!isLinux) return true;
  const stat = readProcess(pid);
  return stat !== null && !isEnded(stat);
}

/**
 * When the process began, as an opaque word, or undefined when there is no such process. Together with the pid it
 * names one process for good: pids come round again, in containers within seconds.
 */
export function startedAt(pid: number): string | undefined {
  if (!isLinux) return ps(pid, 'lstart=');
  const stat = readProcess(pid);
  // Ticks count from a boot.
  return stat === null ? undefined : `${bootId()}/${stat.startTicks}`;
}

/** The command line with single spaces between its words, or undefined when there is no such process. */
export function commandLine(pid: number): string | undefined {
  if (!isLinux) return ps(pid, 'command=');
  return readProcFile(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
}

/** Processes that work in the folder, of those this user may inspect. Linux only. */
export function processesIn(folder: string): readonly number[] {
  return processIds().filter((pid) => workingFolder(pid) === folder);
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // ended meanwhile, a zombie, or another user's
  }
}

const bootId = (): string => readProcFile('/proc/sys/kernel/random/boot_id')?.trim() ?? '';

function ps(pid: number, field: string): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' });
    return text.trim() || undefined;
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}
