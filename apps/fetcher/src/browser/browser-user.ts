import { chownSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunAs } from '@app/processes';

/**
 * The user that browsers run as if root started the service. It has its own id: as `nobody` browsers would share the
 * user of PostgreSQL and own its files. No entry in /etc/passwd is needed.
 */
export const BROWSER_USER: RunAs = { uid: 65_533, gid: 65_533 };

/** The browsers' user and their writable folder. Root creates the folder here, because that user may lack the right. */
export function browserUser(): { readonly runAs: RunAs | null; readonly scratchRoot: string } {
  const uid = process.getuid?.();
  if (uid !== 0) {
    return { runAs: null, scratchRoot: path.join(tmpdir(), `trawl-${uid ?? 'user'}`) };
  }
  const above = [tmpdir(), '/tmp', '/var/tmp'].find(isOpenToAll) ?? tmpdir();
  const scratchRoot = path.join(above, `trawl-${BROWSER_USER.uid}`);
  if (isMade(scratchRoot)) chownSync(scratchRoot, BROWSER_USER.uid, BROWSER_USER.gid);
  return { runAs: BROWSER_USER, scratchRoot };
}

/** False: it exists. Its owner and any link are checked before anything is written to it. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const PASSED_BY_ALL = 0o001;

/** Whether every user can enter the folder. */
function isOpenToAll(folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const mode = statSync(at, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & PASSED_BY_ALL) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}
