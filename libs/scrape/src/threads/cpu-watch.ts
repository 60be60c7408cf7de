import { threadId, type Worker } from 'node:worker_threads';

/** Bytes: the id of the thread, and behind it the CPU time the thread had used, microseconds. */
const CLOCK_BYTES = 16;
const CHECK_MS = 250;

/** Shared with the thread that gets a task: the task enters the thread there. */
export type CpuClock = SharedArrayBuffer;

/** In the thread, when work on a task begins. */
export function enterThread(clock: CpuClock): void {
  const { user, system } = process.threadCpuUsage();
  new Float64Array(clock)[1] = user + system;
  Atomics.store(new Int32Array(clock), 0, threadId);
}

/**
 * Watches the CPU time of a task from outside of its thread, which may hang. Time does not count while
 * other processes have the processors, nor while the task waits.
 */
export class CpuWatch {
  readonly clock: CpuClock = new SharedArrayBuffer(CLOCK_BYTES);
  private readonly timer: NodeJS.Timeout;

  /**
   * @param threads those of which one has the task
   * @param onSpent called, perhaps more than once, when the task has used `maxMs`
   */
  constructor(
    private readonly threads: () => readonly Worker[],
    private readonly maxMs: number,
    private readonly onSpent: () => void,
  ) {
    this.timer = setInterval(() => void this.check(), CHECK_MS);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    const id = Atomics.load(new Int32Array(this.clock), 0);
    const thread = this.threads().find((one) => one.threadId === id);
    if (thread === undefined) return;
    // A thread that ends meanwhile has no more to say: its task ends with it.
    const usage = await thread.cpuUsage().catch(() => null);
    const before = new Float64Array(this.clock)[1] ?? 0;
    if (usage !== null && usage.user + usage.system - before > this.maxMs * 1_000) this.onSpent();
  }
}
