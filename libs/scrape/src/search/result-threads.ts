import type { Deadline } from '@app/contracts';
import type { Business, SourceAnswerPage } from '@app/connectors';
import type { FoundPage, PageReading, SearchResultPage } from '@app/search';
import { threadCount } from '../threads/thread-count.js';
import { ThreadPool, ThreadTimeoutError } from '../threads/thread-pool.js';

/** A page of 4 MB and its tree. */
const MAX_THREAD_HEAP_MB = 256;
/** Ten times the need of the largest page that is fetched. */
const MAX_READ_MS = 5_000;
/** Most pages of results are shorter. */
const LARGE_RESULT_BYTES = 500_000;

export interface ResultThreadsOptions {
  /** 0: one per processor, at least two. */
  readonly threads: number;
  /** A thread is started before the first page. False: nothing is configured that has pages to read. */
  readonly isWarm: boolean;
  /** Called when a thread without a page broke. */
  readonly onProblem: (error: unknown) => void;
  /** The module that the threads run. @default result.worker.js */
  readonly module?: URL;
}

/** When a page of results must be read, and whose search it is for. */
export interface ResultReadTerms {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  readonly tenantId: string;
}

/** A page for a thread: of web search, or of a source of businesses. */
export type ResultTask =
  | (SearchResultPage & { readonly kind: 'search' })
  | (SourceAnswerPage & { readonly kind: 'businesses' });

export type ResultReading = PageReading<FoundPage> | PageReading<Business>;

/** Threads that read pages of results: outside text, which must not keep the event loop of all tenants busy. */
export class ResultThreads {
  private readonly pool: ThreadPool<ResultTask, ResultReading>;

  constructor({ threads, isWarm, onProblem, module }: ResultThreadsOptions) {
    this.pool = new ThreadPool({
      module: module ?? new URL('./result.worker.js', import.meta.url),
      maxThreads: threadCount(threads),
      keepsOne: true,
      isWarm,
      maxHeapMb: MAX_THREAD_HEAP_MB,
      onProblem,
    });
  }

  /** Moves the body to a thread. Null: not read within its time and memory. */
  async read(page: SearchResultPage, terms: ResultReadTerms): Promise<PageReading | null> {
    return (await this.run({ ...page, kind: 'search' }, terms)) as PageReading | null;
  }

  /** The same for a page of a source of businesses. */
  async readBusinesses(
    page: SourceAnswerPage,
    terms: ResultReadTerms,
  ): Promise<PageReading<Business> | null> {
    return (await this.run({ ...page, kind: 'businesses' }, terms)) as PageReading<Business> | null;
  }

  private async run(
    page: ResultTask,
    { deadline, signal, tenantId }: ResultReadTerms,
  ): Promise<ResultReading | null> {
    try {
      return await this.pool.run(page, {
        deadline,
        signal,
        tenantId,
        maxWorkMs: MAX_READ_MS,
        isLarge: page.body.byteLength > LARGE_RESULT_BYTES,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ThreadTimeoutError) return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
