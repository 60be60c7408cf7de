import { getPriority, setPriority } from 'node:os';
import { isMainThread, threadId, type Worker } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';

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

/** The default export of a module that threads run. Bytes among the fields of a result are moved, not copied. */
export function runSteps(steps: ThreadSteps): (call: StepCall) => Promise<unknown> {
  return async ({ step, clock, ...task }) => {
    const work = steps[step] as ((task: object) => unknown) | undefined;
    if (work === undefined) throw new Error(`These threads have no step ${step}`);
    if (clock === undefined) return moved(await work(task));
    enterThread(clock);
    try {
      return moved(await work(task));
    } finally {
      leaveThread(clock);
    }
  };
}

function moved(result: unknown): unknown {
  if (isMainThread || typeof result !== 'object' || result === null) return result;
  const buffers = Object.values(result).flatMap((field: unknown) => wholeBufferOf(field) ?? []);
  if (buffers.length === 0) return result;
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}

/** Null: no bytes, or bytes of a buffer that has others, too. */
function wholeBufferOf(field: unknown): ArrayBuffer | null {
  if (!(field instanceof Uint8Array) || !(field.buffer instanceof ArrayBuffer)) return null;
  return field.byteLength === field.buffer.byteLength ? field.buffer : null;
}

/** Bytes: the id of the thread; the CPU time it had used when the task began; what the task used. Microseconds. */
const CLOCK_BYTES = 24;
const CHECK_MS = 250;

/** Shared with the thread of the task: the thread records the start of the task in it. */
type CpuClock = SharedArrayBuffer;

/** In the thread, when work on a task begins. */
function enterThread(clock: CpuClock): void {
  const { user, system } = process.threadCpuUsage();
  new Float64Array(clock)[1] = user + system;
  Atomics.store(new Int32Array(clock), 0, threadId);
}

/** In the thread, when the work is done. */
function leaveThread(clock: CpuClock): void {
  const { user, system } = process.threadCpuUsage();
  const times = new Float64Array(clock);
  times[2] = user + system - (times[1] ?? 0);
}

/**
 * Measures the CPU time of a task from outside its thread, which may hang. The time in which other processes use
 * the processors, or the task waits, does not count.
 */
export class CpuWatch {
  readonly clock: CpuClock = new SharedArrayBuffer(CLOCK_BYTES);
  private timer: NodeJS.Timeout | undefined;

  /** @param threads one of them has the task */
  constructor(
    private readonly threads: () => readonly Worker[],
    private readonly maxMs: number,
  ) {}

  /** @param onSpent called, perhaps more than once, when the task has used `maxMs` */
  start(onSpent: () => void): void {
    this.timer = setInterval(() => void this.check(onSpent), CHECK_MS);
  }

  /** CPU time of the task, milliseconds; undefined: it did not end, or did not report it. */
  get usedMs(): number | undefined {
    const used = new Float64Array(this.clock)[2] ?? 0;
    return used === 0 ? undefined : used / 1_000;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async check(onSpent: () => void): Promise<void> {
    const id = Atomics.load(new Int32Array(this.clock), 0);
    const thread = this.threads().find((one) => one.threadId === id);
    if (thread === undefined) return;
    // A thread that ends meanwhile needs no measuring: its task ends with it.
    const usage = await thread.cpuUsage().catch(() => null);
    const before = new Float64Array(this.clock)[1] ?? 0;
    if (usage !== null && usage.user + usage.system - before > this.maxMs * 1_000) onSpent();
  }
}
