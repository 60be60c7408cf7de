import {
  answersOf,
  startFixtureSite,
  type Answer,
  type Trap,
  type TrapAnswer,
  type TrapFailure,
  type TrapPage,
  type TrawlClient,
} from '@app/testing';

/** Deadline of one scrape where every trap is scraped. */
export const TRAP_DEADLINE_MS = 8_000;
/** Design: answer ≤ deadline + 500 ms. Holds for what the server measures itself. */
export const GRACE_MS = 500;
const MAX_SERVER_MS = TRAP_DEADLINE_MS + GRACE_MS;
/** What this machine's load, the HTTP edge and our own client may add to what a client measures. */
const CLIENT_SLACK_MS = 1_000;

/** For hosts of their own: what is remembered of one must not help or harm the next. */
export const TRAP_NETWORK = '127.0.0.0/8:1024-65535';

export interface ReportedAttempt {
  readonly rung: string;
  readonly level: number;
  readonly ok: boolean;
  readonly latency_ms: number;
  readonly error_class: string | null;
}

/** Body of a scrape's answer, of either kind, as far as tests examine it. */
export interface ScrapeBody {
  readonly ok: boolean;
  readonly url: string;
  readonly error?: string;
  readonly markdown?: string;
  readonly statusCode?: number;
  readonly partial?: true;
  readonly partial_reason?: string;
  readonly fallback?: { readonly used: true; readonly from: string; readonly to: string };
  readonly action?: { readonly index: number; readonly type: string; readonly reason: string };
  readonly metadata?: {
    readonly fetchMethod: string;
    readonly latencyMs: number;
    readonly cached: boolean;
    readonly cacheAgeMs?: number;
    readonly redirects?: readonly { readonly url: string; readonly statusCode: number }[];
  };
  readonly cascade: {
    readonly level: number | null;
    readonly attempts: readonly ReportedAttempt[];
  };
  readonly unblock: { readonly attempts: readonly unknown[] };
}

export interface TrapOutcome {
  readonly answer: Answer;
  readonly clientMs: number;
}

export interface TrapRun {
  readonly client: TrawlClient;
  /** Origin that cross-origin frames come from. */
  readonly otherOrigin: string;
}

/** Tries of a trap that took long and has another answer: a busy machine may have had no time to give. */
const MAX_TRIES = 3;

/**
 * Scrapes every trap, heavy ones one at a time after the others; `parallel` at once. Last, and alone, once
 * more those that took long: what they answered may be right for the time they had.
 */
export async function runTraps(
  traps: readonly Trap[],
  run: TrapRun,
  parallel: number,
): Promise<ReadonlyMap<string, TrapOutcome>> {
  const outcomes = new Map<string, TrapOutcome>();
  const queue = traps.map((trap, index) => ({ trap, host: hostAt(index) }));
  const work = async (own: typeof queue): Promise<void> => {
    for (let next = own.shift(); next !== undefined; next = own.shift()) {
      outcomes.set(next.trap.path, await scrapeTrap(next.trap, next.host, run));
    }
  };
  const light = queue.filter(({ trap }) => !trap.isHeavy);
  const heavy = queue.filter(({ trap }) => trap.isHeavy);
  await Promise.all(Array.from({ length: parallel }, () => work(light)));
  await work(heavy);
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const late = traps.filter((trap) => isLate(trap, outcomes.get(trap.path)));
    // Hosts that the service has not requested yet.
    await work(late.map((trap, index) => ({ trap, host: hostAt(tries * 1_000 + index) })));
  }
  return outcomes;
}

/** Whether it took long, if not too long for the server, and its answer is another than a machine with time gives. */
function isLate(trap: Trap, outcome: TrapOutcome | undefined): boolean {
  if (outcome === undefined || ![200, 422].includes(outcome.answer.status)) return false;
  const serverMs = serverTime(outcome.answer.body as ScrapeBody);
  const tookLong = Math.max(serverMs, outcome.clientMs) > TRAP_DEADLINE_MS / 2;
  return tookLong && serverMs <= MAX_SERVER_MS && problemsWith(trap, outcome).length > 0;
}

/** A host for each trap. All of 127/8 is this machine on Linux, without any set-up. */
function hostAt(index: number): string {
  return `127.8.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

async function scrapeTrap(trap: Trap, host: string, run: TrapRun): Promise<TrapOutcome> {
  const site = await startFixtureSite({ host, otherOrigin: run.otherOrigin });
  try {
    const startedAt = performance.now();
    const answer = await run.client.scrape({ ...trap.options, url: site.url(trap.path) });
    return { answer, clientMs: performance.now() - startedAt };
  } finally {
    await site.close();
  }
}

/** Everything that is wrong with an answer, the time that it took included; empty when nothing is. */
export function problemsWith(trap: Trap, { answer, clientMs }: TrapOutcome): readonly string[] {
  const isScrape = answer.status === 200 || answer.status === 422;
  const late = isScrape ? timeProblems(answer.body as ScrapeBody, clientMs) : [];
  return [...late, ...wrongIn(trap, answer)];
}

/** The same for an answer that may come at any time. */
export function wrongIn(trap: Trap, answer: Answer): readonly string[] {
  if (answer.status !== 200 && answer.status !== 422) {
    return [`status ${answer.status}: ${answer.text.slice(0, 300)}`];
  }
  const body = answer.body as ScrapeBody;
  const general = shapeProblems(body, answer.status);
  const attempts = body.cascade.attempts;
  const needs = needsProblems(trap, body, answer.status);
  // Of several right answers the nearest one is reported.
  const [best = []] = answersOf(trap)
    .map((expected) => answerProblems(expected, answer.status, body))
    .toSorted((a, b) => a.length - b.length);
  const problems = [...general, ...needs, ...best];
  return problems.length === 0 ? [] : [...problems, `attempts: ${JSON.stringify(attempts)}`];
}

function timeProblems(body: ScrapeBody, clientMs: number): readonly string[] {
  const serverMs = serverTime(body);
  return [
    ...(serverMs > MAX_SERVER_MS ? [`took the server ${serverMs} ms`] : []),
    ...(clientMs > MAX_SERVER_MS + CLIENT_SLACK_MS ? [`took ${Math.round(clientMs)} ms`] : []),
  ];
}

function serverTime({ cascade, metadata }: ScrapeBody): number {
  const attemptsMs = cascade.attempts.reduce((sum, { latency_ms }) => sum + latency_ms, 0);
  return Math.max(attemptsMs, metadata?.latencyMs ?? 0);
}

/** What holds for every answer: no success without content or a reason, no failure without a class. */
function shapeProblems(body: ScrapeBody, status: number): readonly string[] {
  const { attempts, level } = body.cascade;
  if (status === 422) {
    return [
      ...(body.ok === false ? [] : ['422 without ok: false']),
      ...(body.error ? [] : ['422 without an error']),
      ...(level === null ? [] : [`422 although level ${level} served`]),
      ...(attempts.every(({ ok }) => !ok) ? [] : ['422 although an attempt was ok']),
      ...(Array.isArray(body.unblock.attempts) ? [] : ['422 without unblock.attempts']),
    ];
  }
  const hasContent = (body.markdown ?? '').trim() !== '';
  const served = attempts.find((attempt) => attempt.level === level);
  const isComplete = attempts.some(({ ok }) => ok);
  return [
    ...(body.ok ? [] : ['200 without ok']),
    ...(hasContent || body.partial ? [] : ['success without content or reason']),
    ...(body.partial && !body.partial_reason ? ['partial without a reason'] : []),
    ...(body.partial && body.fallback ? ['partial and fallback together'] : []),
    ...(served ? [] : [`level ${level} served, but no attempt has it`]),
    ...(isComplete || body.partial ? [] : ['complete without an attempt that was ok']),
    ...(attempts.every(({ ok, error_class: named }) => ok === (named === null))
      ? []
      : ['an attempt whose class does not fit']),
  ];
}

const BROWSER_LEVEL = 2;

function needsProblems({ needs }: Trap, body: ScrapeBody, status: number): readonly string[] {
  const { attempts, level } = body.cascade;
  if (needs === 'plain' && attempts.some((attempt) => attempt.level >= BROWSER_LEVEL)) {
    return ['a browser was asked although none is needed'];
  }
  if (needs !== 'headless' || status !== 200) return [];
  const method = body.metadata?.fetchMethod;
  return [
    ...(level !== null && level >= BROWSER_LEVEL ? [] : [`level ${level} cannot have served this`]),
    ...(method === 'headless' || method === 'stealth' ? [] : [`fetchMethod ${method}`]),
    ...(attempts[0]?.ok || body.partial || body.fallback
      ? []
      : ['a fallback that is not reported']),
  ];
}

function answerProblems(expected: TrapAnswer, status: number, body: ScrapeBody): readonly string[] {
  if (expected.status !== status) {
    return [`${status} ${body.error ?? body.partial_reason ?? ''}, not ${expected.status}`];
  }
  return expected.status === 200 ? pageProblems(expected, body) : failureProblems(expected, body);
}

function pageProblems(expected: TrapPage, body: ScrapeBody): readonly string[] {
  const { markdown = '', metadata, partial_reason: reason = null } = body;
  const { partialReasons = [null], fetchMethod, endsAt } = expected;
  const shown = markdown.length > 600 ? `${markdown.slice(0, 600)}…` : markdown;
  const missing = (expected.markdownIncludes ?? []).filter((text) => !markdown.includes(text));
  const unwanted = (expected.markdownExcludes ?? []).filter((text) => markdown.includes(text));
  const path = new URL(body.url).pathname;
  return [
    ...(partialReasons.includes(reason) ? [] : [`partial_reason ${reason}, not ${partialReasons}`]),
    ...missing.map((text) => `'${text}' is missing in: ${shown}`),
    ...unwanted.map((text) => `'${text}' should not be there`),
    ...(fetchMethod && fetchMethod !== metadata?.fetchMethod
      ? [`fetchMethod ${metadata?.fetchMethod}, not ${fetchMethod}`]
      : []),
    ...(endsAt && endsAt !== path ? [`ended at ${path}`] : []),
  ];
}

function failureProblems(expected: TrapFailure, body: ScrapeBody): readonly string[] {
  const { errorClasses, errorIncludes = '', action } = expected;
  const last = body.cascade.attempts.at(-1)?.error_class ?? 'none';
  const isClass = !errorClasses || (errorClasses as readonly string[]).includes(last);
  const isAction =
    !action || (body.action?.index === action.index && body.action.type === action.type);
  return [
    ...(isClass ? [] : [`class ${last}, not ${errorClasses}`]),
    ...(body.error?.includes(errorIncludes) ? [] : [`error '${body.error}'`]),
    ...(isAction ? [] : [`action ${JSON.stringify(body.action)}, error '${body.error}'`]),
  ];
}
