import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';

/**
 * Gives a session the niceness its leader inherited from us. With Linux's autogroups the niceness
 * of a process counts within its session only, and each session has a niceness of its own
 * (sched(7)), which is not inherited. Chromium leads a session.
 */
export async function lowerSession(leaderPid: number): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    const niceness = getPriority(leaderPid);
    if (niceness > 0) await writeFile(`/proc/${leaderPid}/autogroup`, String(niceness));
  } catch {
    // A kernel without autogroups, or a process that has just ended.
  }
}
