import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { enterThread, leaveThread, type CpuClock } from './cpu-watch.js';

/**
 * The event loops have precedence on the processors over threads. On Linux a thread has a niceness of its own
 * (setpriority(2): 0 is the calling thread); elsewhere it would be that of the whole process. It cannot be raised
 * again.
 */
const NICENESS = 4;
if (process.platform === 'linux' && !isMainThread)
  setPriority(0, Math.max(NICENESS, getPriority(0)));

/** The work that the threads of a kind do: functions of a task. */
export type ThreadSteps = Readonly<Record<string, (task: never) => unknown>>;

/** What a thread gets: the fields of the task, and these. */
export interface StepCall {
  readonly step: string;
  /** Of a step with a CPU time limit. */
  readonly clock?: CpuClock;
}

/** The default export of a module that threads run. */
export function runSteps(steps: ThreadSteps): (call: StepCall) => Promise<unknown> {
  return async ({ step, clock, ...task }) => {
    const work = steps[step] as ((task: object) => unknown) | undefined;
    if (work === undefined) throw new Error(`These threads have no step ${step}`);
    if (clock === undefined) return work(task);
    enterThread(clock);
    try {
      return await work(task);
    } finally {
      leaveThread(clock);
    }
  };
}
