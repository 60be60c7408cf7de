import { killTree } from './kill-tree.js';
import { isOwnerDead, OWNER_FLAG, parseMarker, sweepScratchFolders } from './scratch-folder.js';
import { readProcesses, tracesOf, type ProcessRow } from '@app/processes';

export interface ReapReport {
  readonly processes: number;
  readonly folders: number;
}

/**
 * Ends browsers whose owner no longer lives (it was killed before it could) and removes what they
 * wrote. Safe beside living pools of other processes.
 */
export async function reapOrphans(scratchRoot: string): Promise<ReapReport> {
  const orphans = await findOrphans();
  for (const groupId of leadersOf(orphans)) await killTree(groupId, 0);
  return { processes: orphans.length, folders: await sweepScratchFolders(scratchRoot) };
}

async function findOrphans(): Promise<readonly ProcessRow[]> {
  const found: ProcessRow[] = [];
  for (const row of await readProcesses()) {
    if (!row.isZombie && (await isOrphan(row))) found.push(row);
  }
  return found;
}

/**
 * The groups that are the browsers' own: a marked process leads each. One in a group that another
 * program leads is no reason to end that program.
 */
function leadersOf(orphans: readonly ProcessRow[]): readonly number[] {
  return orphans.filter(({ pid, groupId }) => pid === groupId).map(({ groupId }) => groupId);
}

async function isOrphan({ pid }: ProcessRow): Promise<boolean> {
  const traces = await tracesOf(pid);
  // A command that only names the marker (someone looking for it) is no browser.
  if (!traces.includes('--remote-debugging-pipe')) return false;
  const mark = traces.find((one) => one.startsWith(OWNER_FLAG));
  const owner = mark === undefined ? null : parseMarker(mark);
  return owner !== null && (await isOwnerDead(owner));
}
