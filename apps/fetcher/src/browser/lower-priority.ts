import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Of the browser process: the event loops of the service have precedence over browsers. */
const NICENESS = 4;

/**
 * Lowers the priority of this process, which the browsers it starts inherit. On Linux that is a property of each
 * thread, and a running Node has several. It cannot be raised again.
 */
export function lowerPriority(): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
    for (const id of threads) setPriority(id, Math.max(NICENESS, getPriority(id)));
  } catch {
    // A thread ended meanwhile, or the process was started with less than that: it runs all the same.
  }
}
