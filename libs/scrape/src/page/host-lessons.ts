import type { CascadeAttempt, CascadeReport, ErrorClass, Rung } from '@app/contracts';
import type { RecalledRung } from '../hosts/host-memory.js';
import type { PageRequest } from './page-result.js';
import type { CascadeOutcome } from '@app/fetch';

/** Failures that other pages of the host will have, too. */
const LASTING: ReadonlySet<ErrorClass> = new Set(['js_shell', 'empty', 'blocked']);

/** The rung that served the page and the lasting failure below it; null without one. */
export function lessonOf({
  attempts,
}: CascadeReport): { readonly rung: Rung; readonly errorClass: ErrorClass } | null {
  const served = attempts.at(-1);
  const cause = attempts.find(
    (one) => one.rung !== served?.rung && one.errorClass !== null && LASTING.has(one.errorClass),
  );
  return served && cause?.errorClass ? { rung: served.rung, errorClass: cause.errorClass } : null;
}

/** Failures that do not depend on the rung. */
const NO_COUNTEREXAMPLE: ReadonlySet<ErrorClass> = new Set([
  'cost_ceiling',
  'empty',
  'network',
  'parse_error',
]);

/**
 * The first attempt contradicts the host memory: the remembered rung failed, or a cheaper one served a probe. A
 * missing page is missing for every rung; a status such as 403 may be for this rung only.
 */
export function isCounterexample(
  first: CascadeAttempt | undefined,
  outcome: CascadeOutcome<unknown>,
  { isProbe }: RecalledRung,
): boolean {
  if (first === undefined || first.ok !== isProbe) return false;
  const { errorClass } = first;
  if (errorClass !== null && NO_COUNTEREXAMPLE.has(errorClass)) return false;
  const status = outcome.kind === 'failed' ? outcome.statusCode : null;
  const isMissing = status === 404 || status === 410 || (status ?? 0) >= 500;
  return !(errorClass === 'http_error' && isMissing);
}

/** The site's response to one caller's headers or cookies may differ from that to other callers. */
export function isPersonal({ fetch, signal }: PageRequest): boolean {
  const hasHeaders = Object.keys(fetch.headers).length > 0;
  return fetch.cookies !== null || hasHeaders || (signal?.aborted ?? false);
}

/** Requests that force a browser, or the plain rung, neither use nor change the host memory. */
export function isOrdinary({ fetch, outputs }: PageRequest): boolean {
  return (
    !fetch.forceHeadless &&
    !fetch.scroll &&
    !fetch.preferMarkdown &&
    fetch.waitForMs === 0 &&
    fetch.actions.length === 0 &&
    outputs.screenshot === undefined
  );
}
