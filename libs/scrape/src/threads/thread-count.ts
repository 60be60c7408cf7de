import { availableParallelism } from 'node:os';

/**
 * Threads have a lower priority than the event loop, so there may be one for each processor; one of several is kept
 * for short work.
 * @param wanted 0: one per processor, at least two
 */
export function threadCount(wanted: number): number {
  return wanted || Math.max(2, availableParallelism());
}
