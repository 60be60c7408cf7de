import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Without CAP_SYS_ADMIN the kernel allows one change of an autogroup in 100 ms on the whole machine, and fails further
 * ones with EAGAIN (kernel/sched/autogroup.c).
 */
const AGAIN_MS = 100;
const MAX_TRIES = 30;

/**
 * Sets the autogroup nice value of a session to the nice value of its leader. With autogrouping, Linux schedules sessions
 * against each other by that value, which a new session does not inherit (sched(7)). Does nothing on a kernel without
 * autogroups, or when the process has ended.
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
