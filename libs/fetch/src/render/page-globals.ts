import { GlobalNames } from './page-side/global-names.js';
import { GlobalValues } from './page-side/global-values.js';
import { LATE } from './lifeline.js';
import type { Rendering } from './rendering.js';

/** All questions together, whatever time the page has left. */
const DEFAULT_MS = 1_500;
/** Kept back of the deadline for the way back of the values. */
const RETURN_MS = 300;
/** The first question waits for scripts that the page runs already: its share of the time of all. */
const NAMES_SHARE = 2 / 3;
/** The share for the values below one global. A getter may do anything, not returning included. */
const VALUES_SHARE = 1 / 6;
/** Beyond its own time limit, a query is abandoned when its thread does not even begin with it. */
const GRACE_SHARE = 1 / 10;
/** One more than a technology scan reads (specification: tech_meta, `item_cap`). */
const MAX_GLOBALS = 501;
const MAX_TEXT_CHARS = 2_000;

/** The globals found of those looked for. */
export interface PageGlobals {
  /** Text by path, in the order of the paths. */
  readonly globals: Readonly<Record<string, string>>;
  /** The page did not respond, or time ran out before every global was read. */
  readonly isUnresponsive: boolean;
}

/**
 * Looks for globals of the page, in its own world: which is the page's ground, so no value is
 * taken for more than text. Each global is queried alone, and the browser ends a query that
 * takes too long: a getter that never returns costs its own global only. Never fails.
 * @param longestMs for all of them, if the page has so much time left
 */
export async function readGlobals(
  rendering: Rendering,
  paths: readonly string[],
  longestMs = DEFAULT_MS,
): Promise<PageGlobals> {
  const found = new Map<string, string>();
  let isComplete = false;
  try {
    isComplete = await new Questions(rendering, longestMs).findAll(byRoot(paths), found);
  } catch {
    // The page crashed, or its browser is gone: what it said before is all there is.
  }
  const inOrder = paths.flatMap((path): [string, string][] => {
    const text = found.get(path);
    return text === undefined ? [] : [[path, text]];
  });
  const globals = Object.fromEntries(inOrder.slice(0, MAX_GLOBALS));
  return { globals, isUnresponsive: !isComplete };
}

/** Paths by their first name. */
function byRoot(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const [root = ''] = path.split('.', 1);
    const group = groups.get(root);
    if (group) group.push(path);
    else groups.set(root, [path]);
  }
  return groups;
}

type Values = Readonly<Record<string, unknown>>;

class Questions {
  private readonly endsAtMs: number;

  constructor(
    private readonly rendering: Rendering,
    private readonly longestMs: number,
  ) {
    const leftMs = rendering.lifeline.deadline.remainingMs() - RETURN_MS;
    this.endsAtMs = performance.now() + Math.min(longestMs, leftMs);
  }

  /** False when time ran out. @throws when the page does not respond at all */
  async findAll(
    groups: ReadonlyMap<string, readonly string[]>,
    found: Map<string, string>,
  ): Promise<boolean> {
    const names = await this.ask(sourceOf(GlobalNames, [...groups.keys()]), NAMES_SHARE);
    if (names === null) return false;
    for (const [root, paths] of groups) {
      if (!Object.hasOwn(names, root)) continue;
      if (found.size >= MAX_GLOBALS) return true;
      if (this.leftMs() <= 0) return false;
      const steps = paths.map((path) => path.split('.'));
      const terms = { steps, maxChars: MAX_TEXT_CHARS };
      const texts = await this.ask(sourceOf(GlobalValues, terms), VALUES_SHARE);
      for (const [index, path] of paths.entries()) {
        const text = texts?.[index];
        if (typeof text === 'string') found.set(path, text.slice(0, MAX_TEXT_CHARS));
      }
    }
    return true;
  }

  /** Null when the expression threw or was stopped. @throws when the page does not respond */
  private async ask(expression: string, share: number): Promise<Values | null> {
    const { cdp, lifeline } = this.rendering;
    const timeout = Math.min(Math.floor(share * this.longestMs), this.leftMs());
    if (timeout <= 0) return null;
    const evaluated = cdp.send('Runtime.evaluate', {
      expression,
      timeout,
      returnByValue: true,
      silent: true,
    });
    const graceMs = GRACE_SHARE * this.longestMs;
    const given = await lifeline.atMost(evaluated.catch(nothing), timeout + graceMs);
    if (given === null) return null;
    if (given === LATE) {
      // Busy with something else, or asking the user a question. It is not waited for again.
      cdp.send('Runtime.terminateExecution').catch(nothing);
      throw new Error('the page does not respond');
    }
    const value: unknown = given.exceptionDetails ? null : given.result.value;
    return typeof value === 'object' && value !== null ? { ...value } : null;
  }

  private leftMs(): number {
    return Math.floor(this.endsAtMs - performance.now());
  }
}

/** Stopped by its time limit, or the page went away. */
function nothing(): null {
  return null;
}

function sourceOf<A>(side: new (argument: A) => { run(): unknown }, argument: A): string {
  return `new (${side})(${JSON.stringify(argument)}).run()`;
}
