import { availableParallelism } from 'node:os';

/** @param wanted 0: one less than the processors, for the event loop */
export function threadCount(wanted: number): number {
  return wanted || Math.max(1, availableParallelism() - 1);
}
