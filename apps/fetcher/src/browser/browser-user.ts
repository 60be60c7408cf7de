import { chownSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunAs } from './browser-messages.js';

/**
 * Who browsers run as when the service is started by root. A number of their own: as `nobody` they would be the user
 * that PostgreSQL runs as then, and own its files. No entry in /etc/passwd is needed.
 */
export const BROWSER_USER: RunAs = { uid: 65_533, gid: 65_533 };

/** Whose the browsers are, and where they write. As root the folder is made here: the other user may not everywhere. */
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

/** False: it is there already. Whose it is, or where a link leads, is looked at before anything is written to it. */
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

/** Whether every user can come to the folder. */
function isOpenToAll(folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const mode = statSync(at, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & PASSED_BY_ALL) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}
