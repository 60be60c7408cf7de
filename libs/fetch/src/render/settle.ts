import { LATE } from './lifeline.js';
import { DocumentGone } from './isolated-world.js';
import { QuietWatch, type QuietTerms } from './page-side/quiet-watch.js';
import type { Rendering } from './rendering.js';

/** Kept back for reading the page. */
export const RESERVE_MS = 500;
/** Longest a page is waited for to come to rest, whatever time there is. */
const MAX_SETTLE_MS = 10_000;

const TERMS: QuietTerms = {
  quietMs: 100,
  thinQuietMs: 500,
  thinChars: 200,
  maxMs: 1_000,
  trustsStatic: true,
};
/** After an action, and while scrolling: handlers may be at work. */
export const ACTED: QuietTerms = { ...TERMS, trustsStatic: false };
/** An open request may be a long poll. With text on the page less is lost by not waiting for it. */
const HOLD_MS = 2_000;
const THIN_HOLD_MS = 5_000;

/**
 * Waits until the page has come to rest: its document is parsed, no request for content is open, and
 * the DOM has not changed for a moment, longer when there is next to no text yet.
 * False: it had not within its time.
 */
export async function settle(
  rendering: Rendering,
  maxMs = MAX_SETTLE_MS,
  terms = TERMS,
): Promise<boolean> {
  const { lifeline, frame } = rendering;
  const endsAt = performance.now() + Math.min(maxMs, lifeline.deadline.remainingMs() - RESERVE_MS);
  let holdMs = THIN_HOLD_MS;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return false;
    if (!(await frame.reached('interactive', leftMs))) return false;
    const look = await quietLook(rendering, terms, holdMs, endsAt);
    if (look === 'quiet') return true;
    if (look === 'late') return false;
    holdMs = look === 'thin' ? THIN_HOLD_MS : HOLD_MS;
  }
}

type Look = 'quiet' | 'thin' | 'busy' | 'late';

async function quietLook(
  rendering: Rendering,
  terms: QuietTerms,
  holdMs: number,
  endsAt: number,
): Promise<Look> {
  const { inFlight, world, frame } = rendering;
  const leftMs = (): number => endsAt - performance.now();
  if (!(await inFlight.settled(holdMs, leftMs()))) return 'late';
  const { started } = inFlight;
  const { documents } = frame;
  const look = await world.ask(QuietWatch, terms, leftMs()).catch(unlessGone);
  if (look === LATE) return 'late';
  if (look === null || frame.documents !== documents || inFlight.started !== started) {
    return look?.isThin === false ? 'busy' : 'thin';
  }
  return look.isQuiet ? 'quiet' : look.isThin ? 'thin' : 'busy';
}

/** A document that went away while it was watched: the next one is watched instead. */
function unlessGone(error: unknown): null {
  if (error instanceof DocumentGone) return null;
  throw error;
}
