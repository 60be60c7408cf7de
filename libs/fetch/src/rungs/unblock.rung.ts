import type { Deadline, UnblockAttempt } from '@app/contracts';
import type { FetchedPage, FetchRequest, FetchRung, RungResult } from '../fetch-rung.js';
import {
  failedTry,
  type ProviderResult,
  type UnblockProvider,
} from '../unblock/unblock-provider.js';

export interface UnblockRungOptions {
  /** In the order in which they are tried. At least one. */
  readonly providers: readonly UnblockProvider[];
  /** Whether a page is a gate and not the page. @default status 403, 429 or 503 */
  readonly isBlocked?: (page: FetchedPage) => boolean | Promise<boolean>;
  readonly now?: () => number;
}

type Failure = Extract<ProviderResult, { ok: false }>;

interface Try {
  readonly result: ProviderResult;
  readonly attempt: UnblockAttempt;
}

const GATE_STATUSES: ReadonlySet<number> = new Set([403, 429, 503]);

/**
 * Level 0: providers that get past a site's gate, one after the other until a page is none. An error
 * page that is no gate (404, 500) ends the search: no provider would bring another.
 */
export class UnblockRung implements FetchRung {
  readonly rung = 'unblock';
  readonly fetchMethod = 'fetch';
  readonly runsScripts = false;
  /** Providers reserve for themselves what they cost. */
  readonly costMicroUsd = 0;
  readonly network: 'ours' | 'another';

  constructor(private readonly options: UnblockRungOptions) {
    const hasPaid = options.providers.some(({ costClass }) => costClass === 'paid');
    this.network = hasPaid ? 'another' : 'ours';
  }

  async fetch(request: FetchRequest): Promise<RungResult> {
    const { providers } = this.options;
    const tries: Try[] = [];
    for (const [index, provider] of providers.entries()) {
      if (request.deadline.isPassed || request.signal?.aborted) break;
      const deadline = deadlineShareOf(request.deadline, providers.length - index);
      const done = await this.tryProvider(provider, { ...request, deadline });
      tries.push(done);
      if (isFinal(done)) break;
    }
    return { ...best(tries), unblock: tries.map(({ attempt }) => attempt) };
  }

  /** Ends what providers keep open. */
  async close(): Promise<void> {
    await Promise.all(this.options.providers.map(async (provider) => provider.close?.()));
  }

  private async tryProvider(provider: UnblockProvider, request: FetchRequest): Promise<Try> {
    const { name, costClass, costMicroUsd } = provider;
    const refusal = provider.refuses?.(request) ?? this.reserve(costMicroUsd, request);
    if (refusal !== null) {
      const verdict = await this.judge(refusal);
      return { result: refusal, attempt: { provider: name, latencyMs: 0, costClass, ...verdict } };
    }
    const now = this.options.now ?? (() => performance.now());
    const startedAt = now();
    const result = await provider.fetch(request);
    const verdict = await this.judge(result);
    const latencyMs = Math.max(0, Math.round(now() - startedAt));
    return { result, attempt: { provider: name, latencyMs, costClass, ...verdict } };
  }

  private reserve(costMicroUsd: number, { spend }: FetchRequest): Failure | null {
    if (costMicroUsd === 0 || spend.tryReserve(costMicroUsd)) return null;
    return failedTry('cost_ceiling', 'the next provider would pass the cost ceiling');
  }

  private async judge(
    result: ProviderResult,
  ): Promise<Pick<UnblockAttempt, 'ok' | 'errorClass' | 'outcome'>> {
    if (!result.ok) {
      const { errorClass } = result.failure;
      return { ok: false, errorClass, outcome: errorClass === 'blocked' ? 'blocked' : 'failed' };
    }
    if ('notModified' in result) return { ok: true, errorClass: null, outcome: 'ok' };
    const { isBlocked = isGateStatus } = this.options;
    if (await isBlocked(result.page)) {
      return { ok: false, errorClass: 'blocked', outcome: 'blocked' };
    }
    const isError = result.page.statusCode >= 400;
    return isError
      ? { ok: false, errorClass: 'http_error', outcome: 'failed' }
      : { ok: true, errorClass: null, outcome: 'ok' };
  }
}

function isGateStatus({ statusCode }: FetchedPage): boolean {
  return GATE_STATUSES.has(statusCode);
}

/** Equal parts of the rest; the unused time of a provider goes to those after it. */
function deadlineShareOf(deadline: Deadline, providersLeft: number): Deadline {
  return deadline.within(Math.ceil(deadline.remainingMs() / providersLeft));
}

function isFinal({ result, attempt }: Try): boolean {
  return result.ok && attempt.outcome !== 'blocked';
}

/**
 * The page that ended the search; else the first gate, which the cascade judges like any page; else the
 * last failure, the ceiling only when nothing else was tried.
 */
function best(tries: readonly Try[]): ProviderResult {
  const ended = tries.find(isFinal) ?? tries.find(({ result }) => result.ok);
  const failed =
    tries.findLast(({ attempt }) => attempt.errorClass !== 'cost_ceiling') ?? tries.at(-1);
  return (ended ?? failed)?.result ?? failedTry('timeout', 'no time was left for a provider');
}
