import {
  rungLevel,
  type CascadeAttempt,
  type CascadeReport,
  type ErrorClass,
  type FetchMethod,
} from '@app/contracts';
import type {
  FetchedPage,
  FetchRequest,
  FetchRung,
  RungFailure,
  RungResult,
} from './fetch-rung.js';

/** Judgement on a fetched page together with what was read from it. */
export interface Assessment<C> {
  readonly content: C;
  /** Null: complete. Otherwise why a higher rung should try. */
  readonly shortcoming: Extract<
    ErrorClass,
    'empty' | 'js_shell' | 'blocked' | 'parse_error' | 'timeout'
  > | null;
}

export type CascadeOutcome<C> =
  | {
      readonly kind: 'served';
      readonly page: FetchedPage;
      readonly content: C;
      readonly fetchMethod: FetchMethod;
      readonly report: CascadeReport;
      /** Set when no rung brought complete content: the shortcoming of what is served. */
      readonly partialReason: string | null;
    }
  | ({ readonly kind: 'failed'; readonly report: CascadeReport } & RungFailure);

export interface CascadeOptions<C> {
  /** In level order. */
  readonly rungs: readonly FetchRung[];
  readonly request: FetchRequest;
  /** Converts a page and judges it; its time counts into the attempt. */
  readonly assess: (page: FetchedPage, fetchMethod: FetchMethod) => Promise<Assessment<C>>;
  readonly onAttempt?: (attempt: CascadeAttempt, page: FetchedPage | null) => void;
  readonly now?: () => number;
}

interface Try<C> {
  readonly attempt: CascadeAttempt;
  readonly served: {
    readonly page: FetchedPage;
    readonly content: C;
    readonly fetchMethod: FetchMethod;
  } | null;
  readonly failure: RungFailure | null;
}

/**
 * Tries rungs from the cheapest up until one brings complete content. When none does, the last page
 * that was fetched at all is served with its shortcoming named; otherwise the last failure is told.
 */
export async function runCascade<C>(options: CascadeOptions<C>): Promise<CascadeOutcome<C>> {
  const tries: Try<C>[] = [];
  for (const rung of options.rungs) {
    const done = await tryRung(rung, options);
    tries.push(done);
    options.onAttempt?.(done.attempt, done.served?.page ?? null);
    if (done.attempt.ok || options.request.deadline.isPassed || options.request.signal?.aborted)
      break;
  }
  return conclude(tries);
}

async function tryRung<C>(rung: FetchRung, options: CascadeOptions<C>): Promise<Try<C>> {
  const now = options.now ?? (() => performance.now());
  const startedAt = now();
  const attemptOf = (errorClass: ErrorClass | null): CascadeAttempt => ({
    rung: rung.rung,
    level: rungLevel(rung.rung),
    ok: errorClass === null,
    latencyMs: Math.round(now() - startedAt),
    errorClass,
  });
  const result: RungResult = await rung.fetch(options.request);
  if (!result.ok) {
    return { attempt: attemptOf(result.failure.errorClass), served: null, failure: result.failure };
  }
  const { page } = result;
  const { content, shortcoming } = await options.assess(page, rung.fetchMethod);
  return {
    attempt: attemptOf(shortcoming),
    served: { page, content, fetchMethod: rung.fetchMethod },
    failure: null,
  };
}

function conclude<C>(tries: readonly Try<C>[]): CascadeOutcome<C> {
  const attempts = tries.map((one) => one.attempt);
  const best =
    tries.findLast((one) => one.attempt.ok) ?? tries.findLast((one) => one.served !== null);
  if (best?.served) {
    return {
      kind: 'served',
      ...best.served,
      report: { level: best.attempt.level, attempts },
      partialReason: best.attempt.errorClass,
    };
  }
  const failure = tries.findLast((one) => one.failure !== null)?.failure;
  return { kind: 'failed', report: { level: null, attempts }, ...(failure ?? NO_RUNG) };
}

const NO_RUNG: RungFailure = {
  errorClass: 'unknown',
  problem: 'Fetch failed: no fetch method is configured',
  statusCode: null,
  retryAfterMs: null,
};
