import { threadCount } from '../threads/thread-count.js';
import { ThreadPool } from '../threads/thread-pool.js';
import type { ContentResult, ContentTask } from './content-task.js';

const MAX_THREAD_HEAP_MB = 512;

/** Threads that turn pages into content. */
export type ContentPool = ThreadPool<ContentTask, ContentResult>;

/**
 * @param threads 0: one less than the processors
 * @param onProblem told of a thread that broke without a page
 */
export function openContentPool(threads: number, onProblem: (error: unknown) => void): ContentPool {
  return new ThreadPool({
    module: new URL('./content.worker.js', import.meta.url),
    maxThreads: threadCount(threads),
    maxHeapMb: MAX_THREAD_HEAP_MB,
    onProblem,
  });
}
