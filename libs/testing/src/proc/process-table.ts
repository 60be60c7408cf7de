import { existsSync } from 'node:fs';
import { processIds, type ProcStat, readProcess, readProcFile } from '@app/processes';

/** Whether this machine has /proc (Linux); the functions of this folder throw where it has not. */
export function hasProc(): boolean {
  return existsSync('/proc/self/stat');
}

export function listProcesses(): readonly ProcStat[] {
  return processIds()
    .map(readProcess)
    .filter((entry) => entry !== null);
}

/** Every live process below `pid`, without itself; ended ones that wait to be reaped are left out. */
export function descendantsOf(pid: number, table = listProcesses()): readonly ProcStat[] {
  const found: ProcStat[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const children = table.filter((entry) => entry.parentPid === parent);
    found.push(...children.filter((entry) => entry.state !== 'Z'));
    parents.push(...children.map((entry) => entry.pid));
  }
  return found;
}

/** Processes with `marker` among their arguments or as (part of) an environment entry; not our own. */
export function processesWithMarker(marker: string): readonly ProcStat[] {
  const isMarked = ({ pid }: ProcStat): boolean =>
    (readProcFile(`/proc/${pid}/cmdline`)?.includes(marker) ?? false) ||
    (readProcFile(`/proc/${pid}/environ`)?.includes(marker) ?? false);
  return listProcesses().filter((entry) => entry.pid !== process.pid && isMarked(entry));
}
