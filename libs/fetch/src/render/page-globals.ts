import { GlobalNames } from './page-side/global-names.js';
import { GlobalValues } from './page-side/global-values.js';
import { LATE } from './lifeline.js';
import type { Rendering } from './rendering.js';

/** All questions together, whatever time the page has left. */
const DEFAULT_MS = 1_500;
/** Kept back of the deadline for the way of the answer. */
const ANSWER_MS = 300;
/** The first question waits for scripts that the page runs already: its share of the time of all. */
const NAMES_SHARE = 2 / 3;
/** The share for the values below one global. A getter may do anything, not answering included. */
const VALUES_SHARE = 1 / 6;
/** Beyond its own time limit, a query is abandoned when its thread does not even begin with it. */
const GRACE_SHARE = 1 / 10;
/** One more than a technology scan reads (specification: tech_meta, `item_cap`). */
const MAX_GLOBALS = 501;
const MAX_TEXT_CHARS = 2_000;

/** What was found of the globals that were looked for. */
export interface PageGlobals {
  /** Text by path, in the order of the paths. */
  readonly globals: Readonly<Record<string, string>>;
  /** The page did not answer, or time ran out before every global was looked at. */
  readonly isUnanswered: boolean;
}

/**
 * Looks for globals of the page, in its own world: which is the page's ground, so no answer is
 * believed to be more than text. Each global is queried alone, and the browser ends a query that
 * takes too long: a getter that never returns costs its own global only. Never fails.
 * @param longestMs for all of them, if the page has so much time left
 */
export async function readGlobals(
  rendering: Rendering,
  paths: readonly string[],
  longestMs = DEFAULT_MS,
): Promise<PageGlobals> {
  const found = new Map<string, string>();
  let isAnswered = false;
  try {
    isAnswered = await new Questions(rendering, longestMs).findAll(byRoot(paths), found);
  } catch {
    // The page crashed, or its browser is gone: what it said before is all there is.
  }
  const inOrder = paths.flatMap((path): [string, string][] => {
    const text = found.get(path);
    return text === undefined ? [] : [[path, text]];
  });
  const globals = Object.fromEntries(inOrder.slice(0, MAX_GLOBALS));
  return { globals, isUnanswered: !isAnswered };
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

type Answer = Readonly<Record<string, unknown>>;

class Questions {
  private readonly endsAtMs: number;

  constructor(
    private readonly rendering: Rendering,
    private readonly longestMs: number,
  ) {
    const leftMs = rendering.lifeline.deadline.remainingMs() - ANSWER_MS;
    this.endsAtMs = performance.now() + Math.min(longestMs, leftMs);
  }

  /** False when time ran out. @throws when the page does not answer at all */
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

  /** What the page answers; null when it threw or was stopped. @throws when it does not answer */
  private async ask(expression: string, share: number): Promise<Answer | null> {
    const { cdp, lifeline } = this.rendering;
    const timeout = Math.min(Math.floor(share * this.longestMs), this.leftMs());
    if (timeout <= 0) return null;
    const answer = cdp.send('Runtime.evaluate', {
      expression,
      timeout,
      returnByValue: true,
      silent: true,
    });
    const graceMs = GRACE_SHARE * this.longestMs;
    const given = await lifeline.atMost(answer.catch(nothing), timeout + graceMs);
    if (given === null) return null;
    if (given === LATE) {
      // Busy with something else, or asking the user a question. It is not waited for again.
      cdp.send('Runtime.terminateExecution').catch(nothing);
      throw new Error('the page does not answer');
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
