import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Without CAP_SYS_ADMIN the kernel allows one change of a session's niceness in 100 ms, of the whole machine, and
 * fails the others with EAGAIN (kernel/sched/autogroup.c).
 */
const AGAIN_MS = 100;
const MAX_TRIES = 30;

/**
 * Gives a session the niceness its leader inherited from us. With Linux's autogroups the niceness of a process counts
 * within its session only, and each session has a niceness of its own (sched(7)), which is not inherited. Does nothing
 * on a kernel without autogroups, or when the process has ended.
 */
export async function lowerSession(
  leaderPid: number,
  write: (file: string, text: string) => Promise<void> = writeFile,
): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      const niceness = getPriority(leaderPid);
      if (niceness > 0) await write(`/proc/${leaderPid}/autogroup`, String(niceness));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    // Others that wait for the same moment have another one next time.
    await pause(AGAIN_MS * (1 + Math.random()));
  }
}
