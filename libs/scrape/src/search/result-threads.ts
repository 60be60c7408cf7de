import type { Deadline } from '@app/contracts';
import type { Business, SourceAnswerPage } from '@app/connectors';
import type { PageReading, SearchResultPage } from '@app/search';
import {
  ThreadPool,
  ThreadTimeoutError,
  type ThreadPoolOptions,
  type ThreadTerms,
} from '../threads/thread-pool.js';
import type { ResultSteps } from './result.worker.js';

/** Ten times the need of the largest page that is fetched. */
const MAX_READ_CPU_MS = 5_000;
/** Most pages of results are shorter. */
const LARGE_RESULT_BYTES = 500_000;

/** When a page of results must be read, and whose search it is for. */
export interface ResultReadTerms {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  readonly tenantId: string;
}

/** Threads that read pages of results: outside text, which must not keep the event loop of all tenants busy. */
export class ResultThreads {
  private readonly pool: ThreadPool<ResultSteps>;

  constructor(options: Omit<ThreadPoolOptions, 'kind'>) {
    this.pool = new ThreadPool({ ...options, kind: 'result' });
  }

  /** Moves the body to a thread. Null: not read within its time and memory. */
  read(page: SearchResultPage, terms: ResultReadTerms): Promise<PageReading | null> {
    return inTime(terms, this.pool.run('readSearchResults', page, termsOf(page, terms)));
  }

  /** The same for a page of a source of businesses. */
  readBusinesses(
    page: SourceAnswerPage,
    terms: ResultReadTerms,
  ): Promise<PageReading<Business> | null> {
    return inTime(terms, this.pool.run('readBusinesses', page, termsOf(page, terms)));
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

function termsOf({ body }: { readonly body: Uint8Array }, terms: ResultReadTerms): ThreadTerms {
  return { ...terms, maxCpuMs: MAX_READ_CPU_MS, isLarge: body.byteLength > LARGE_RESULT_BYTES };
}

async function inTime<T>({ signal }: ResultReadTerms, reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ThreadTimeoutError) return null;
    throw error;
  }
}
