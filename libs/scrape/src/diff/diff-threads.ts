import type { PageDiff } from '@app/connectors';
import { Deadline } from '@app/contracts';
import { ThreadPool, ThreadTimeoutError, type ThreadPoolOptions } from '../threads/thread-pool.js';
import type { DiffSteps } from './diff.worker.js';

/** Several times the need of two pages of a megabyte that differ in every line. */
const MAX_DIFF_CPU_MS = 3_000;
/** Of a page result, with all of its formats. */
const MAX_RESULT_BYTES = 8 * 1024 * 1024;
/** A reader waits so long while others have the thread. */
const MAX_WAIT_MS = 600_000;

/** A thread that compares page results: they may be megabytes, and the event loop is that of all tenants. */
export class DiffThreads {
  private readonly pool: ThreadPool<DiffSteps>;

  constructor(options: Pick<ThreadPoolOptions, 'module' | 'threads'> = { threads: 1 }) {
    this.pool = new ThreadPool({ ...options, kind: 'diff', keepsOne: false });
  }

  /**
   * @param before JSON of the page result of the crawl before
   * @returns null: they cannot be compared within the bounds of size, time and memory
   */
  async diff(before: Uint8Array, after: Uint8Array, tenantId: string): Promise<PageDiff | null> {
    if (Math.max(before.byteLength, after.byteLength) > MAX_RESULT_BYTES) return null;
    // Copies: a view would bring the whole of the buffer that it is a part of.
    const task = () => ({ before: new Uint8Array(before), after: new Uint8Array(after) });
    const deadline = Deadline.after(MAX_WAIT_MS);
    try {
      return await this.pool.run('diff', task, { deadline, tenantId, maxCpuMs: MAX_DIFF_CPU_MS });
    } catch (error) {
      if (!(error instanceof ThreadTimeoutError)) throw error;
      if (error.problem === 'work' || error.problem === 'memory') return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
