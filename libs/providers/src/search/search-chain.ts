import type { Deadline } from '@app/contracts';
import type { FoundPage, SearchAttempt, SearchSource } from '@app/search';
import {
  backendFailure,
  type BackendFailure,
  type BackendQuery,
  type BackendResult,
  type BackendResults,
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
export interface BackendBreaker<S extends string = SearchSource> {
  admit(source: S): Promise<BackendAdmission>;
  succeeded(source: S): Promise<void>;
  failed(source: S, retryAfterMs: number | null): Promise<void>;
}

export interface SearchChainOptions<
  S extends string = SearchSource,
  Q = BackendQuery,
  R = FoundPage,
> {
  /** In the order in which they are tried. */
  readonly backends: readonly SearchBackend<S, Q, R>[];
  readonly breaker: BackendBreaker<S>;
  readonly onAttempt: (source: S, outcome: SearchOutcome, seconds: number) => void;
}

export type ChainReply<S extends string = SearchSource, R = FoundPage> =
  | (BackendResults<R> & {
      readonly kind: 'found';
      readonly source: S;
      readonly attempts: readonly SearchAttempt<S>[];
    })
  /** No backend completed; without attempts none is configured. */
  | {
      readonly kind: 'failed';
      readonly attempts: readonly SearchAttempt<S>[];
      /** Until the first backend is tried again; null: at once. */
      readonly retryAfterMs: number | null;
      /** Every backend works, and refuses this query: the same one will be refused again. */
      readonly isOfQuery: boolean;
    };

/** What one search has met so far. */
class ChainRun<S extends string, R> {
  readonly attempts: SearchAttempt<S>[] = [];
  /** The first backend that completed without results. */
  emptySource: S | null = null;
  /** Of backends that were left out. */
  readonly waitsMs: number[] = [];
  /** Backends that refused the query. */
  refusals = 0;

  reply(): ChainReply<S, R> {
    const { attempts, emptySource } = this;
    if (emptySource !== null) return { kind: 'found', source: emptySource, results: [], attempts };
    const isWaiting = attempts.length > 0 && this.waitsMs.length === attempts.length;
    return {
      kind: 'failed',
      attempts,
      retryAfterMs: isWaiting ? Math.min(...this.waitsMs) : null,
      isOfQuery: attempts.length > 0 && this.refusals === attempts.length,
    };
  }
}

/** Searches by the first of several backends that has results. */
export class SearchChain<S extends string = SearchSource, Q = BackendQuery, R = FoundPage> {
  constructor(private readonly options: SearchChainOptions<S, Q, R>) {}

  get isEmpty(): boolean {
    return this.options.backends.length === 0;
  }

  /** Each backend has its share of the time that is left, so that the last one can still answer. */
  async search(query: Q, { deadline, signal }: BackendTerms): Promise<ChainReply<S, R>> {
    const run = new ChainRun<S, R>();
    const { backends } = this.options;
    for (const [at, backend] of backends.entries()) {
      signal.throwIfAborted();
      const share = shareOf(deadline, backends.length - at);
      const found = await this.tryOne(backend, query, { deadline: share, signal }, run);
      if (found === null) continue;
      const { results, next } = found;
      const more = next === undefined ? {} : { next };
      return { kind: 'found', source: backend.source, results, attempts: run.attempts, ...more };
    }
    return run.reply();
  }

  /** Null: the next backend is tried. */
  private async tryOne(
    backend: SearchBackend<S, Q, R>,
    query: Q,
    terms: BackendTerms,
    run: ChainRun<S, R>,
  ): Promise<BackendResults<R> | null> {
    const { source } = backend;
    const admission = await this.options.breaker.admit(source);
    if (!admission.isOpen) {
      run.waitsMs.push(admission.retryAfterMs);
      this.note(run, source, SKIPPED, 0);
      return null;
    }
    const startedAt = performance.now();
    const result = terms.deadline.isPassed ? LATE : await backend.search(query, terms);
    this.note(run, source, result, performance.now() - startedAt);
    if (!result.ok) {
      // Without a status it responded, incompletely: its engines may be back at the next call.
      if (result.isOfQuery && result.statusCode !== null) run.refusals++;
      if (!result.isOfQuery && result !== LATE)
        await this.options.breaker.failed(source, result.retryAfterMs);
      return null;
    }
    await this.options.breaker.succeeded(source);
    if (result.results.length > 0) return result;
    run.emptySource ??= source;
    return null;
  }

  private note(run: ChainRun<S, R>, source: S, result: BackendResult<R>, tookMs: number): void {
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

function outcomeOf(result: BackendResult<unknown>): SearchOutcome {
  if (result.ok) return result.results.length > 0 ? 'results' : 'empty';
  if (result === SKIPPED) return 'skipped';
  if (result.isDrift) return 'drift';
  const { errorClass } = result;
  return OWN_OUTCOMES.find((outcome) => outcome === errorClass) ?? 'provider_error';
}
