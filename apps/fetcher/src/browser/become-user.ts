import type { RunAs } from './browser-messages.js';

/**
 * Gives up the rights of root for good. What this process needs of folders that only root can read must be loaded
 * by then.
 * @returns why it could not; null: it is that user now, or was not root
 */
export function becomeUser({ uid, gid }: RunAs): string | null {
  if (process.getuid?.() !== 0) return null;
  try {
    process.setgroups?.([gid]);
    process.setgid?.(gid);
    process.setuid?.(uid);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
