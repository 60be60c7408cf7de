import { availableParallelism } from 'node:os';
import { ThreadPool } from '../threads/thread-pool.js';
import type { ContentResult, ContentTask } from './content-task.js';

const MAX_THREAD_HEAP_MB = 512;

/** Threads that turn pages into content. */
export type ContentPool = ThreadPool<ContentTask, ContentResult>;

/** @param threads 0: one less than the processors */
export function openContentPool(threads: number): ContentPool {
  return new ThreadPool({
    module: new URL('./content.worker.js', import.meta.url),
    maxThreads: threads || Math.max(1, availableParallelism() - 1),
    maxHeapMb: MAX_THREAD_HEAP_MB,
  });
}
