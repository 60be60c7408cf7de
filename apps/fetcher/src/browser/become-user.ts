import type { RunAs } from '@app/processes';

/**
 * Drops root rights permanently. Anything this process needs from folders that only root can read must be loaded
 * before.
 * @returns the reason of a failure; null: the process now runs as that user, or was not root
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
