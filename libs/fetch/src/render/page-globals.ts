import { GlobalNames } from './page-side/global-names.js';
import { GlobalValues } from './page-side/global-values.js';
import { LATE } from './lifeline.js';
import type { Rendering } from './rendering.js';

/** All questions together, whatever time there is. */
const MAX_MS = 1_500;
/** Kept back of the deadline for the way of the answer. */
const ANSWER_MS = 300;
/** Longest for the values below one global. A getter may do anything, not answering included. */
const MAX_VALUES_MS = 250;
/** The first question waits for scripts that the page runs already. */
const MAX_NAMES_MS = 1_000;
/** Beyond its own time limit, a query is abandoned when its thread does not even begin with it. */
const GRACE_MS = 150;
/** One more than a technology scan reads (specification: tech_meta, `item_cap`). */
const MAX_GLOBALS = 501;
const MAX_TEXT_CHARS = 2_000;

type Texts = Readonly<Record<string, string>>;

/**
 * Looks for globals of the page, in its own world: which is the page's ground, so no answer is
 * believed to be more than text. Each global is queried alone, and the browser ends a query that
 * takes too long: a getter that never returns costs its own global only. Never fails.
 */
export async function readGlobals(rendering: Rendering, paths: readonly string[]): Promise<Texts> {
  const found = new Map<string, string>();
  try {
    await new Questions(rendering).findAll(byRoot(paths), found);
  } catch {
    // The page crashed, or its browser is gone: what it said before is all there is.
  }
  const inOrder = paths.flatMap((path): [string, string][] => {
    const text = found.get(path);
    return text === undefined ? [] : [[path, text]];
  });
  return Object.fromEntries(inOrder.slice(0, MAX_GLOBALS));
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

class Questions {
  private readonly endsAtMs: number;

  constructor(private readonly rendering: Rendering) {
    const leftMs = rendering.lifeline.deadline.remainingMs() - ANSWER_MS;
    this.endsAtMs = performance.now() + Math.min(MAX_MS, leftMs);
  }

  async findAll(
    groups: ReadonlyMap<string, readonly string[]>,
    found: Map<string, string>,
  ): Promise<void> {
    const names = await this.ask(sourceOf(GlobalNames, [...groups.keys()]), MAX_NAMES_MS);
    for (const [root, paths] of groups) {
      if (!Object.hasOwn(names, root)) continue;
      if (found.size >= MAX_GLOBALS || this.leftMs() <= 0) return;
      const steps = paths.map((path) => path.split('.'));
      const terms = { steps, maxChars: MAX_TEXT_CHARS };
      const texts = await this.ask(sourceOf(GlobalValues, terms), MAX_VALUES_MS);
      for (const [index, path] of paths.entries()) {
        const text = texts[index];
        if (typeof text === 'string') found.set(path, text.slice(0, MAX_TEXT_CHARS));
      }
    }
  }

  /** What the page answers; nothing when it threw or was stopped. */
  private async ask(expression: string, maxMs: number): Promise<Readonly<Record<string, unknown>>> {
    const { cdp, lifeline } = this.rendering;
    const timeout = Math.min(maxMs, this.leftMs());
    if (timeout <= 0) return {};
    const answer = cdp.send('Runtime.evaluate', {
      expression,
      timeout,
      returnByValue: true,
      silent: true,
    });
    const given = await lifeline.atMost(answer.catch(nothing), timeout + GRACE_MS);
    if (given === null) return {};
    if (given === LATE) {
      // Busy with something else, or asking the user a question. It is not waited for again.
      cdp.send('Runtime.terminateExecution').catch(nothing);
      throw new Error('the page does not answer');
    }
    const value: unknown = given.exceptionDetails ? null : given.result.value;
    return typeof value === 'object' && value !== null ? { ...value } : {};
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
