import type { Deadline } from '@app/contracts';
import type { FoundPage, SearchAttempt, SearchReply, SearchSource } from '@app/search';
import {
  backendFailure,
  type BackendFailure,
  type BackendQuery,
  type BackendResult,
  type BackendTerms,
  type SearchBackend,
} from './search-backend.js';

/** How an attempt ended, for metrics: a closed set. */
export type SearchOutcome =
  | 'results'
  | 'empty'
  | 'skipped'
  | 'drift'
  | 'timeout'
  | 'network'
  | 'http_error'
  | 'blocked'
  | 'provider_error'
  | 'parse_error';

/** Whether a backend is tried: one that failed too often of late is left out for a while. */
export type BackendAdmission =
  { readonly isOpen: true } | { readonly isOpen: false; readonly retryAfterMs: number };

/** Shared by all replicas. Never rejects. */
export interface BackendBreaker {
  admit(source: SearchSource): Promise<BackendAdmission>;
  succeeded(source: SearchSource): Promise<void>;
  failed(source: SearchSource, retryAfterMs: number | null): Promise<void>;
}

export interface SearchChainOptions {
  /** In the order in which they are tried. */
  readonly backends: readonly SearchBackend[];
  readonly breaker: BackendBreaker;
  readonly onAttempt: (source: SearchSource, outcome: SearchOutcome, seconds: number) => void;
}

export type ChainReply = Extract<SearchReply, { kind: 'found' | 'failed' }>;

/** What one search has met so far. */
class ChainRun {
  readonly attempts: SearchAttempt[] = [];
  /** The first backend that completed without results. */
  emptySource: SearchSource | null = null;
  /** Of backends that were left out. */
  readonly waitsMs: number[] = [];

  reply(): ChainReply {
    const { attempts, emptySource } = this;
    if (emptySource !== null) return { kind: 'found', source: emptySource, results: [], attempts };
    const isWaiting = attempts.length > 0 && this.waitsMs.length === attempts.length;
    return {
      kind: 'failed',
      attempts,
      retryAfterMs: isWaiting ? Math.min(...this.waitsMs) : null,
    };
  }
}

/** Searches by the first of several backends that has results. */
export class SearchChain {
  constructor(private readonly options: SearchChainOptions) {}

  get isEmpty(): boolean {
    return this.options.backends.length === 0;
  }

  /** Each backend has its share of the time that is left, so that the last one can still answer. */
  async search(query: BackendQuery, { deadline, signal }: BackendTerms): Promise<ChainReply> {
    const run = new ChainRun();
    const { backends } = this.options;
    for (const [at, backend] of backends.entries()) {
      signal.throwIfAborted();
      const share = shareOf(deadline, backends.length - at);
      const results = await this.tryOne(backend, query, { deadline: share, signal }, run);
      const { source } = backend;
      if (results.length > 0) return { kind: 'found', source, results, attempts: run.attempts };
    }
    return run.reply();
  }

  /** Empty: the next backend is tried. */
  private async tryOne(
    backend: SearchBackend,
    query: BackendQuery,
    terms: BackendTerms,
    run: ChainRun,
  ): Promise<readonly FoundPage[]> {
    const { source } = backend;
    const admission = await this.options.breaker.admit(source);
    if (!admission.isOpen) {
      run.waitsMs.push(admission.retryAfterMs);
      this.note(run, source, SKIPPED, 0);
      return [];
    }
    const startedAt = performance.now();
    const result = terms.deadline.isPassed ? LATE : await backend.search(query, terms);
    this.note(run, source, result, performance.now() - startedAt);
    if (!result.ok) {
      if (!result.isOfQuery && result !== LATE)
        await this.options.breaker.failed(source, result.retryAfterMs);
      return [];
    }
    await this.options.breaker.succeeded(source);
    if (result.results.length === 0) run.emptySource ??= source;
    return result.results;
  }

  private note(run: ChainRun, source: SearchSource, result: BackendResult, tookMs: number): void {
    this.options.onAttempt(source, outcomeOf(result), tookMs / 1_000);
    run.attempts.push({
      source,
      ok: result.ok,
      latencyMs: Math.round(tookMs),
      errorClass: result.ok ? null : result.errorClass,
      problem: result.ok ? null : result.problem,
    });
  }
}

const SKIPPED: BackendFailure = backendFailure(
  'provider_error',
  'left out: it failed too often of late',
);
const LATE: BackendFailure = backendFailure('timeout', 'the time was up before it was tried');

/** Error classes that are outcomes of their own. */
const OWN_OUTCOMES = ['timeout', 'network', 'http_error', 'blocked', 'parse_error'] as const;

function shareOf(deadline: Deadline, left: number): Deadline {
  return left <= 1 ? deadline : deadline.within(Math.ceil(deadline.remainingMs() / left));
}

function outcomeOf(result: BackendResult): SearchOutcome {
  if (result.ok) return result.results.length > 0 ? 'results' : 'empty';
  if (result === SKIPPED) return 'skipped';
  if (result.isDrift) return 'drift';
  const { errorClass } = result;
  return OWN_OUTCOMES.find((outcome) => outcome === errorClass) ?? 'provider_error';
}
