import { Piscina } from 'piscina';
import type { Deadline } from '@app/contracts';
import type { Fingerprint, ScanOutcome } from '@app/tech';
import type {
  CompiledMessage,
  ScanThreadData,
  ScanWork,
  ScanWorkResult,
  StartedMessage,
} from './scan-work.js';

export interface ScanPoolOptions {
  readonly fingerprints: readonly Fingerprint[];
  readonly threads: number;
  readonly maxHeapMb: number;
  /** Time for fingerprints; a scan that reaches it returns its results so far. */
  readonly budgetMs: number;
  /** A thread that has not replied this long after it took a page is ended. */
  readonly hardMs: number;
  /** Called when a thread without a page broke: it could not start, or was being ended. */
  readonly onProblem: (error: unknown) => void;
  /** Called once with a report on the compiled fingerprints. @default no report */
  readonly onCompiled?: (report: CompiledMessage['compiled']) => void;
  /** The module that the threads run. @default scan.worker.js */
  readonly module?: URL;
}

/** How a scan ended. With `isThreadLost` the thread is gone, and another is being started. */
export type ScanEnding =
  | { readonly kind: 'scanned'; readonly outcome: ScanOutcome; readonly durationMs: number }
  | { readonly kind: 'terminated'; readonly durationMs: number }
  | {
      readonly kind: 'failed';
      readonly cause: 'error' | 'memory' | 'crash';
      readonly problem: string;
      readonly durationMs: number;
    }
  /** No thread took the page before its deadline. */
  | { readonly kind: 'late' };

/** Reserved from a scan's deadline for sending its reply. */
const ANSWER_MS = 50;
/**
 * Compiling keeps 13 MB and leaves many times that as garbage: with Node's own limit two threads grew the
 * process to 460 MB instead of 270, and started no sooner.
 */
const MAX_YOUNG_HEAP_MB = 16;
/** A thread that cannot be replaced must not stop the others. */
const MAX_REPLACE_MS = 10_000;

/**
 * Threads that match fingerprints against pages. A pattern that never ends, or exhausts memory, costs its
 * thread and nothing else. Pages wait for their turn before; here a thread is always free,
 * except while threads start.
 */
export class ScanPool {
  private pool: Piscina<ScanWork, ScanWorkResult> | null = null;
  private readonly taken = new Map<number, () => void>();
  private ready = 0;
  private whenWhole = Promise.withResolvers<void>();
  private compiled = 0;
  private readonly whenWarm = Promise.withResolvers<void>();
  private lastId = 0;

  constructor(private readonly options: ScanPoolOptions) {}

  /** Whether all threads have compiled their fingerprints. */
  get isWarm(): boolean {
    return this.compiled >= this.options.threads;
  }

  /** Starts the threads, and resolves once {@link isWarm}; without it the first page starts them, and waits. */
  async warm(): Promise<void> {
    this.start();
    await this.whenWarm.promise;
  }

  private start(): Piscina<ScanWork, ScanWorkResult> {
    this.pool ??= this.open();
    return this.pool;
  }

  /**
   * Scans the stored page. The deadline bounds the wait for a starting thread, and the budget; the hard limit
   * counts from when a thread took the page.
   * @throws the signal's reason once that is aborted
   */
  async run(body: Uint8Array, deadline: Deadline, signal: AbortSignal): Promise<ScanEnding> {
    const watch = new ScanWatch(deadline, this.options.hardMs);
    const id = ++this.lastId;
    this.taken.set(id, () => watch.begin());
    try {
      const result = await this.start().run(this.workOf(id, body, deadline), {
        transferList: [body.buffer as ArrayBuffer],
        signal: AbortSignal.any([watch.signal, signal]),
      });
      return endingOf(result, watch.durationMs);
    } catch (error) {
      signal.throwIfAborted();
      return watch.endingFor(error);
    } finally {
      this.taken.delete(id);
      watch.end();
    }
  }

  /** Resolves once no lost thread is being replaced. */
  async whole(): Promise<void> {
    const { threads } = this.options;
    // Fewer, including starting ones: the next one is only started for the next page.
    const { length = 0 } = this.pool?.threads ?? {};
    if (this.ready >= threads || length < threads) return;
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_REPLACE_MS);
    });
    await Promise.race([this.whenWhole.promise, enough]);
    clearTimeout(timer);
  }

  /** Ends all threads, even during a scan. */
  async close(): Promise<void> {
    this.whenWhole.resolve();
    this.whenWarm.resolve();
    await this.pool?.destroy();
  }

  private open(): Piscina<ScanWork, ScanWorkResult> {
    const { fingerprints, threads, maxHeapMb, module, onProblem } = this.options;
    const workerData: ScanThreadData = { fingerprints: JSON.stringify(fingerprints) };
    const pool = new Piscina<ScanWork, ScanWorkResult>({
      filename: (module ?? new URL('./scan.worker.js', import.meta.url)).href,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb,
        maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB,
      },
    });
    pool.on('error', onProblem);
    pool.on('message', (message: StartedMessage | CompiledMessage) => this.onMessage(message));
    pool.on('workerCreate', () => this.count(1));
    pool.on('workerDestroy', () => this.count(-1));
    return pool;
  }

  private onMessage(message: StartedMessage | CompiledMessage): void {
    if ('takenId' in message) return this.taken.get(message.takenId)?.();
    if (++this.compiled === 1) this.options.onCompiled?.(message.compiled);
    if (this.compiled === this.options.threads) this.whenWarm.resolve();
  }

  private workOf(id: number, body: Uint8Array, deadline: Deadline): ScanWork {
    const { budgetMs } = this.options;
    return { id, body, budgetMs, doneAtMs: deadline.atMs - ANSWER_MS };
  }

  private count(change: 1 | -1): void {
    this.ready += change;
    if (this.ready < this.options.threads) return;
    this.whenWhole.resolve();
    this.whenWhole = Promise.withResolvers<void>();
  }
}

function endingOf(result: ScanWorkResult, durationMs: number): ScanEnding {
  return result.kind === 'scanned'
    ? { ...result, durationMs }
    : { ...result, cause: 'error', durationMs };
}

/** Follows one scan: until a thread has taken it the deadline counts, from then on the hard limit. */
class ScanWatch {
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout;
  private takenAtMs: number | null = null;

  constructor(
    deadline: Deadline,
    private readonly hardMs: number,
  ) {
    this.timer = this.abortAfter(deadline.remainingMs());
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Time since a thread took it; 0 if none did. */
  get durationMs(): number {
    return this.takenAtMs === null ? 0 : performance.now() - this.takenAtMs;
  }

  begin(): void {
    clearTimeout(this.timer);
    this.takenAtMs = performance.now();
    this.timer = this.abortAfter(this.hardMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  /** Why the thread did not reply. */
  endingFor(error: unknown): ScanEnding {
    const { durationMs } = this;
    if (this.signal.aborted) {
      return this.takenAtMs === null ? { kind: 'late' } : { kind: 'terminated', durationMs };
    }
    // A thread that dies before it took the page, of too many fingerprints for its heap, did not die of the page.
    const cause = this.takenAtMs !== null && isOutOfMemory(error) ? 'memory' : 'crash';
    return { kind: 'failed', cause, problem: String(error), durationMs };
  }

  private abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.abort.abort(), ms);
  }
}

/** The thread exceeded its heap limit and was ended. */
function isOutOfMemory(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
