import type { ErrorClass } from '@app/contracts';
import type { FetchRequest, FetchRung } from './fetch-rung.js';

/** How an attempt fell short. */
export interface Shortfall {
  readonly rung: FetchRung;
  readonly errorClass: ErrorClass;
  readonly statusCode: number | null;
  /** One of the caller's actions failed, or the content is of a kind no rung changes. */
  readonly isFinal: boolean;
}

/** The rungs that can serve the request, in the order in which they are tried. */
export function eligibleRungs(
  rungs: readonly FetchRung[],
  { options, render }: Pick<FetchRequest, 'options' | 'render'>,
): readonly FetchRung[] {
  if (options.actions.length > 0 || render.screenshot !== null) {
    return rungs.filter(({ rung }) => rung === 'headless' || rung === 'hosted_browser');
  }
  const needsScripts = options.forceHeadless || options.waitForMs > 0 || options.scroll;
  if (needsScripts) return rungs.filter(({ runsScripts }) => runsScripts);
  return options.preferMarkdown ? plainFirst(rungs) : rungs;
}

/** The others request HTML, whatever the site has. */
function plainFirst(rungs: readonly FetchRung[]): readonly FetchRung[] {
  const isPlain = ({ rung }: FetchRung): boolean => rung === 'plain';
  return [...rungs.filter(isPlain), ...rungs.filter((one) => !isPlain(one))];
}

/**
 * Statuses with which sites turn away clients they take for robots, without a page that says so.
 */
const TURNED_AWAY: ReadonlySet<number> = new Set([403, 406, 418, 430, 444, 999]);

/** Whether a rung may do better than the attempt before it; if not, trying it only costs. */
export function mayHelp(next: FetchRung, after: Shortfall): boolean {
  if (after.isFinal) return false;
  if (next.onlyAfterBlocked) return after.rung.rung === next.rung && isTurnedAway(after);
  // Another client altogether: whatever stopped the first provider need not stop the next rung.
  if (after.rung.rung === 'unblock') return bringsMore(next, after) || !isAboutScripts(after);
  return bringsMore(next, after);
}

function isTurnedAway({ errorClass, statusCode }: Shortfall): boolean {
  if (errorClass === 'blocked') return true;
  return errorClass === 'http_error' && statusCode !== null && TURNED_AWAY.has(statusCode);
}

function isAboutScripts({ errorClass }: Shortfall): boolean {
  return errorClass === 'js_shell' || errorClass === 'empty';
}

function bringsMore(next: FetchRung, after: Shortfall): boolean {
  const seesOtherwise = next.network === 'another';
  switch (after.errorClass) {
    case 'js_shell':
    case 'empty':
      return next.runsScripts && !after.rung.runsScripts;
    case 'blocked':
    case 'provider_error':
    case 'cost_ceiling':
    case 'unknown':
      return true;
    case 'http_error':
      return isTurnedAway(after)
        ? next.runsScripts && !(after.rung.runsScripts && !seesOtherwise)
        : seesOtherwise && isOverload(after.statusCode);
    case 'timeout':
      // Rendering is what took so long: the page itself may come at once.
      return seesOtherwise || (after.rung.runsScripts && !next.runsScripts);
    case 'network':
      return seesOtherwise;
    case 'parse_error':
    case 'robots':
      return false;
  }
}

/** The site responds to others perhaps, though not to this network. */
function isOverload(statusCode: number | null): boolean {
  return statusCode === 429 || statusCode === 503;
}
