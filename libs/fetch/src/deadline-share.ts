import { ownWaitsMs, type Deadline, type FetchOptions } from '@app/contracts';
import { mayHelp } from './escalation.js';
import type { FetchRung } from './fetch-rung.js';

/**
 * How the time of a request is shared: parts of the rest, between a rung and those that may
 * follow.
 */
const WEIGHTS = {
  unblock: 1,
  plain: 4,
  headless: 3,
  hosted_crawler: 3,
  hosted_browser: 3,
} as const;
const SECOND_TRY_WEIGHT = 1;

/**
 * The share of a rung. Its unused time goes to those after it. The last one has all that is
 * left, and so has one after whose timeout no other would be tried: keeping time for them would
 * waste it. Time that the caller has the page wait is not shared: a rung that cut it short could
 * not do what was requested, however much was left for the next one.
 */
export function deadlineShareOf(
  rung: FetchRung,
  later: readonly FetchRung[],
  deadline: Deadline,
  options: Pick<FetchOptions, 'waitForMs' | 'actions'>,
): Deadline {
  const onTimeout = { rung, errorClass: 'timeout', statusCode: null, isFinal: false } as const;
  if (!later.some((one) => mayHelp(one, onTimeout))) return deadline;
  const own = weightOf(rung);
  const all = later.reduce((sum, one) => sum + weightOf(one), own);
  const leftMs = deadline.remainingMs();
  const wantedMs = Math.min(leftMs, rung.runsScripts ? ownWaitsMs(options) : 0);
  return deadline.within(Math.ceil(wantedMs + ((leftMs - wantedMs) * own) / all));
}

function weightOf({ rung, onlyAfterBlocked }: FetchRung): number {
  return onlyAfterBlocked ? SECOND_TRY_WEIGHT : WEIGHTS[rung];
}
