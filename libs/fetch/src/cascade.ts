import {
  BROWSER_UNAVAILABLE,
  rungLevel,
  type CascadeAttempt,
  type CascadeReport,
  type Deadline,
  type ErrorClass,
  type Fallback,
  type FetchMethod,
  type RememberedRung,
  type UnblockAttempt,
} from '@app/contracts';
import { parseRetryAfter } from '@app/egress';
import { deadlineShareOf } from './deadline-share.js';
import { eligibleRungs, mayHelp, type Shortfall } from './escalation.js';
import type { FetchedPage, FetchRequest, FetchRung, RungFailure } from './fetch-rung.js';

/** Why a page that came is not what was wanted. */
export type Shortcoming = Extract<
  ErrorClass,
  'empty' | 'js_shell' | 'blocked' | 'parse_error' | 'timeout' | 'http_error'
>;

/** A fetched page once it is converted: its content, and what it falls short of. Each attempt that brought a page has one. */
export interface AssessedPage<C> {
  readonly content: C;
  /** Null: complete. */
  readonly shortcoming: Shortcoming | null;
  /** Names of what the verdict rests on. */
  readonly signals: readonly string[];
  /** No rung would change it: a binary, say. */
  readonly isFinal?: boolean;
  /** A shell of which only a browser can show whether it lacks anything. */
  readonly isGuess?: true;
  /**
   * Says more about the shortcoming than its name does: the error text, should nothing be served.
   */
  readonly problem?: string;
}

/** An assessed page and the method that brought it. */
interface BroughtPage<C> extends Pick<AssessedPage<C>, 'content' | 'signals'> {
  readonly page: FetchedPage;
  readonly fetchMethod: FetchMethod;
}

/** The best page of those that were brought. */
export interface ServedPage<C> extends BroughtPage<C> {
  readonly kind: 'served';
  readonly report: CascadeReport;
  /** Set when no rung brought complete content: the shortcoming of what is served. */
  readonly partialReason: Shortcoming | null;
  readonly fallback: Fallback | null;
}

/**
 * What the rungs brought for a page, before a result is made of it. The first of three steps: `PageResult` (libs/scrape)
 * follows, then, for a page of a job, `PageOutcome` (libs/jobs).
 */
export type CascadeOutcome<C> =
  | ServedPage<C>
  /** Not modified: the caller's cached copy is still valid. */
  | { readonly kind: 'not_modified'; readonly report: CascadeReport }
  | ({ readonly kind: 'failed'; readonly report: CascadeReport } & RungFailure);

export interface CascadeOptions<C> {
  /** In level order. */
  readonly rungs: readonly FetchRung[];
  readonly request: FetchRequest;
  /** What is known of the host: begin with this rung. Those below come after it, should it fail. */
  readonly remembered?: RememberedRung | null;
  /** Converts a page and judges it; its time counts into the attempt and its share. */
  readonly assess: (page: FetchedPage, share: FetchRequest) => Promise<AssessedPage<C>>;
  /** A page was complete only with what `render.refusesThirdParties` refuses. */
  readonly onThirdPartiesNeeded?: () => void;
  readonly onAttempt?: (attempt: CascadeAttempt, page: FetchedPage | null) => void;
  readonly now?: () => number;
}

/** One attempt and its result. */
interface Try<C> {
  readonly rung: FetchRung;
  readonly attempt: CascadeAttempt;
  readonly unblock: readonly UnblockAttempt[];
  readonly served: BroughtPage<C> | null;
  readonly isNotModified: boolean;
  readonly failure: RungFailure | null;
  readonly isFinal: boolean;
  readonly problem?: string;
}

/** Pages with these shortcomings are worth having all the same; the others are not the page. */
const PRESENTABLE: ReadonlySet<ErrorClass> = new Set(['empty', 'js_shell', 'timeout']);

/**
 * Tries rungs from the cheapest up until one brings complete content, skipping those that could not
 * do better than the attempt before. When none does, the last page that is a page at all is served
 * with its shortcoming named; otherwise the last failure is reported.
 */
export async function runCascade<C>(options: CascadeOptions<C>): Promise<CascadeOutcome<C>> {
  const { request, remembered } = options;
  const rungs = ordered(eligibleRungs(options.rungs, request), remembered);
  const tries: Try<C>[] = [];
  for (const [index, rung] of rungs.entries()) {
    const last = tries.at(-1);
    if (last && !mayHelp(rung, shortfallOf(last))) continue;
    const later = rungs
      .slice(index + 1)
      .filter((one) => !one.onlyAfterBlocked || one.rung === rung.rung);
    const attempt = async (wanted: FetchRequest): Promise<Try<C>> => {
      const deadline = deadlineShareOf(rung, later, wanted.deadline, wanted.options);
      const done = await tryRung(rung, { ...wanted, deadline }, options);
      tries.push(done);
      options.onAttempt?.(done.attempt, done.served?.page ?? null);
      return done;
    };
    let done = await attempt(request);
    if (lacksThirdParties(done)) {
      done = await attempt({
        ...request,
        render: { ...request.render, refusesThirdParties: false },
      });
      if (done.attempt.ok) options.onThirdPartiesNeeded?.();
    }
    if (done.attempt.ok || request.deadline.isPassed || request.signal?.aborted) break;
  }
  return conclude(tries, remembered && isApplied(rungs, remembered) ? remembered : null);
}

/** It may be what was refused that would have filled the page. */
function lacksThirdParties<C>({ attempt, served }: Try<C>): boolean {
  const isUnfilled = attempt.errorClass === 'js_shell' || attempt.errorClass === 'empty';
  return isUnfilled && (served?.page.refusedThirdParties ?? 0) > 0;
}

function ordered(
  rungs: readonly FetchRung[],
  remembered: RememberedRung | null | undefined,
): readonly FetchRung[] {
  if (!remembered || !isApplied(rungs, remembered)) return rungs;
  const level = rungLevel(remembered.rung);
  const isAtLeast = ({ rung }: FetchRung) => rungLevel(rung) >= level;
  return [...rungs.filter(isAtLeast), ...rungs.filter((one) => !isAtLeast(one))];
}

/** Only where it changes anything: the rung is there, and there are others below it. */
function isApplied(rungs: readonly FetchRung[], { rung }: RememberedRung): boolean {
  const level = rungLevel(rung);
  return rungs.some((one) => one.rung === rung) && rungs.some((one) => rungLevel(one.rung) < level);
}

async function tryRung<C>(
  rung: FetchRung,
  share: FetchRequest,
  options: CascadeOptions<C>,
): Promise<Try<C>> {
  const now = options.now ?? (() => performance.now());
  const startedAt = now();
  const attemptOf = (errorClass: ErrorClass | null): CascadeAttempt => ({
    rung: rung.rung,
    level: rungLevel(rung.rung),
    ok: errorClass === null,
    latencyMs: Math.round(now() - startedAt),
    errorClass,
  });
  const nothing = {
    rung,
    unblock: [],
    served: null,
    isNotModified: false,
    failure: null,
    isFinal: false,
  };
  if (rung.costMicroUsd > 0 && !share.spend.tryReserve(rung.costMicroUsd)) {
    return { ...nothing, attempt: attemptOf('cost_ceiling'), failure: TOO_DEAR };
  }
  const result = await rung.fetch({ ...share, deadline: leavingTimeToConvert(share.deadline) });
  const unblock = result.unblock ?? [];
  if (!result.ok) {
    const { failure } = result;
    const isFinal = failure.action !== undefined;
    return { ...nothing, attempt: attemptOf(failure.errorClass), unblock, failure, isFinal };
  }
  if ('notModified' in result) {
    return { ...nothing, attempt: attemptOf(null), unblock, isNotModified: true };
  }
  const { page } = result;
  const assessment = await options.assess(page, share);
  const { content, shortcoming, signals, isFinal = false, problem } = assessment;
  const served = { page, content, fetchMethod: rung.fetchMethod, signals };
  const { refusedNavigation } = page;
  const attempt = {
    ...attemptOf(shortcoming),
    ...(refusedNavigation === undefined ? {} : { refusedNavigation }),
  };
  return { ...nothing, attempt, unblock, served, isFinal, ...(problem ? { problem } : {}) };
}

/** A page that comes at the last moment is still to be converted. */
const MAX_CONVERSION_RESERVE_MS = 1_000;
const CONVERSION_RESERVE_PART = 0.1;

function leavingTimeToConvert(share: Deadline): Deadline {
  const leftMs = share.remainingMs();
  return share.within(
    leftMs - Math.min(MAX_CONVERSION_RESERVE_MS, leftMs * CONVERSION_RESERVE_PART),
  );
}

function shortfallOf<C>({ rung, attempt, served, failure, isFinal }: Try<C>): Shortfall {
  return {
    rung,
    errorClass: attempt.errorClass ?? 'unknown',
    statusCode: served?.page.statusCode ?? failure?.statusCode ?? null,
    isFinal,
  };
}

function conclude<C>(
  tries: readonly Try<C>[],
  remembered: RememberedRung | null,
): CascadeOutcome<C> {
  const report = (level: number | null): CascadeReport => ({
    level,
    attempts: tries.map((one) => one.attempt),
    unblock: tries.flatMap((one) => one.unblock),
    ...(remembered ? { remembered } : {}),
  });
  const last = tries.at(-1);
  if (last?.isNotModified) return { kind: 'not_modified', report: report(last.attempt.level) };
  const best = last?.attempt.ok ? last : tries.findLast(isPresentable);
  if (best?.served) {
    const shortcoming = best.attempt.errorClass as Shortcoming | null;
    return {
      kind: 'served',
      ...best.served,
      signals: [...best.served.signals, ...lacks(tries)],
      report: report(best.attempt.level),
      partialReason: shortcoming,
      fallback: shortcoming === null ? fallbackOf(tries, best) : null,
    };
  }
  return { kind: 'failed', report: report(null), ...failureOf(tries) };
}

/** Where no browser could run, the page may be incomplete for that reason alone. */
function lacks<C>(tries: readonly Try<C>[]): readonly string[] {
  const isLacking = tries.some(({ failure }) => failure?.signals?.includes(BROWSER_UNAVAILABLE));
  return isLacking ? [BROWSER_UNAVAILABLE] : [];
}

/** A page that could not be converted never replaces an earlier one. */
function isPresentable<C>({ attempt, served }: Try<C>): boolean {
  if (served === null || served.content === null) return false;
  return attempt.errorClass !== null && PRESENTABLE.has(attempt.errorClass);
}

function fallbackOf<C>(tries: readonly Try<C>[], best: Try<C>): Fallback | null {
  const to = best.attempt.rung;
  const failed = tries.find((one) => one !== best && one.attempt.rung !== to);
  return failed ? { from: failed.attempt.rung, to } : null;
}

/** Troubles of our own say less about the page than the site's responses before them. */
const OWN_TROUBLES: ReadonlySet<ErrorClass> = new Set([
  'unknown',
  'provider_error',
  'cost_ceiling',
]);

/** The last word of the cascade. */
function failureOf<C>(tries: readonly Try<C>[]): RungFailure {
  const isOwn = ({ attempt }: Try<C>) => OWN_TROUBLES.has(attempt.errorClass ?? 'unknown');
  const last = tries.findLast((one) => !isOwn(one)) ?? tries.at(-1);
  if (!last) return NO_RUNG;
  if (last.failure) return last.failure;
  const { page, signals } = last.served ?? { page: null, signals: [] };
  const errorClass = last.attempt.errorClass ?? 'unknown';
  return {
    errorClass,
    problem: last.problem ?? problemOf(errorClass, page, signals),
    statusCode: page?.statusCode ?? null,
    retryAfterMs: parseRetryAfter(page?.headers['retry-after'], Date.now()),
    signals,
  };
}

function problemOf(
  errorClass: ErrorClass,
  page: FetchedPage | null,
  signals: readonly string[],
): string {
  if (errorClass === 'http_error') return `Fetch failed: HTTP ${page?.statusCode ?? 0}`;
  if (errorClass === 'parse_error')
    return `Fetch failed: content of type ${page?.contentType ?? 'unknown'} cannot be converted`;
  if (errorClass !== 'blocked') return `Fetch failed: ${errorClass}`;
  const signs = signals.join(', ') || 'blocked';
  return `Fetch failed: the site answered with a bot wall instead of the page (${signs})`;
}

const NO_RUNG: RungFailure = {
  errorClass: 'unknown',
  problem: 'Fetch failed: no fetch method that can do this is configured',
  statusCode: null,
  retryAfterMs: null,
};

const TOO_DEAR: RungFailure = {
  errorClass: 'cost_ceiling',
  problem: 'Fetch failed: the next fetch method would pass the cost ceiling',
  statusCode: null,
  retryAfterMs: null,
};
