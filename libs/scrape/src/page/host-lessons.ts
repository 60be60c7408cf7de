import {
  rungLevel,
  type CascadeAttempt,
  type CascadeReport,
  type ErrorClass,
  type Rung,
} from '@app/contracts';
import type { AssessedPage, CascadeOutcome, FetchedPage } from '@app/fetch';
import type { ContentResult, PageVerdict } from '../content/content-task.js';
import type { RecalledRung } from '../hosts/host-memory.js';
import type { PageRequest } from './page-result.js';

/** Failures that other pages of the host will have, too. */
const LASTING: ReadonlySet<ErrorClass> = new Set(['js_shell', 'empty', 'blocked']);

/**
 * The rung that served the page and the lasting failure below it; null without one. Where rendering added nothing to a
 * page that was only guessed to be a shell, the rung below would have served it.
 */
export function lessonOf(
  { attempts }: CascadeReport,
  { addedNothing }: Pick<RenderGain, 'addedNothing'>,
): { readonly rung: Rung; readonly errorClass: ErrorClass } | null {
  const served = attempts.at(-1);
  const below = attempts.filter((one) => one.rung !== served?.rung);
  const cause = below.find(({ errorClass }) => errorClass !== null && LASTING.has(errorClass));
  if (!served || !cause?.errorClass) return null;
  const shell = addedNothing ? below.findLast(({ errorClass }) => errorClass === 'js_shell') : null;
  return { rung: (shell ?? served).rung, errorClass: cause.errorClass };
}

/** Such pages look like shells to a rung that runs no scripts, and are whole. */
export function isKnownWhole({
  rung,
  errorClass,
}: Pick<RecalledRung, 'rung' | 'errorClass'>): boolean {
  return errorClass === 'js_shell' && rungLevel(rung) < rungLevel('headless');
}

/** A rendering that adds less fills nothing: a counter, a date. */
const MIN_GAIN_CHARS = 20;
const MIN_GAIN_SHARE = 0.02;

/** Whether rendering a page that was only guessed to be a shell brought any content. */
export class RenderGain {
  private guessed: PageVerdict | null = null;
  private gained: boolean | null = null;

  /** Notes a page that an attempt brought. */
  note(page: FetchedPage, { content, isGuess }: AssessedPage<ContentResult | null>): void {
    const verdict = content?.verdict;
    if (verdict === undefined) return;
    if (isGuess) this.guessed = verdict;
    else if (page.isRendered && this.guessed) this.gained = hasGained(this.guessed, verdict);
  }

  get addedNothing(): boolean {
    return this.gained === false;
  }
}

function hasGained(before: PageVerdict, after: PageVerdict): boolean {
  const gain = after.contentChars - before.contentChars;
  if (gain >= Math.max(MIN_GAIN_CHARS, before.contentChars * MIN_GAIN_SHARE)) return true;
  return gain !== 0 && after.holes < before.holes;
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
  const hasCookies = fetch.cookies !== null || fetch.profile !== undefined;
  return hasCookies || hasHeaders || (signal?.aborted ?? false);
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
