import { setTimeout as pause } from 'node:timers/promises';
import { readProcesses, treeOf, type ProcessRow } from '@app/processes';

const LOOK_EVERY_MS = 20;
const KILL_BOUND_MS = 3_000;

/**
 * Ends every process of a group and its descendants: SIGTERM, then after `graceMs` SIGKILL.
 * @returns false when one still runs after {@link KILL_BOUND_MS} (stuck in the kernel).
 */
export async function killTree(groupId: number, graceMs: number): Promise<boolean> {
  if (graceMs > 0) {
    if (await signalUntilGone(groupId, 'SIGTERM', graceMs)) return true;
  }
  return signalUntilGone(groupId, 'SIGKILL', KILL_BOUND_MS);
}

async function signalUntilGone(
  groupId: number,
  signal: NodeJS.Signals,
  boundMs: number,
): Promise<boolean> {
  const endsAtMs = performance.now() + boundMs;
  let isFirst = true;
  do {
    const living = await livingTree(groupId);
    if (living.length === 0) return true;
    // A second SIGTERM would cut an orderly end; a second SIGKILL catches children born meanwhile.
    if (isFirst || signal === 'SIGKILL') for (const { pid } of living) signalProcess(pid, signal);
    isFirst = false;
    await pause(LOOK_EVERY_MS);
  } while (performance.now() < endsAtMs);
  return (await livingTree(groupId)).length === 0;
}

async function livingTree(groupId: number): Promise<readonly ProcessRow[]> {
  const rows = await readProcesses();
  const own = rows.find(({ pid }) => pid === process.pid);
  // The browser has no process group of its own; the group of this process must not be signalled.
  if (groupId <= 1 || own?.groupId === groupId) return [];
  return treeOf(groupId, rows).filter(({ isZombie, pid }) => !isZombie && pid !== process.pid);
}

/** Nothing when it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Ended between the look and the signal.
  }
}
