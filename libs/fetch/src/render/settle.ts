import { DocumentGone } from './isolated-world.js';
import { LATE } from './lifeline.js';
import { type ReadTerms, restScript } from './page-script.js';
import type { QuietTerms } from './page-side/quiet-watch.js';
import type { SerialisedPage } from './page-side/serialiser.js';
import type { Rendering } from './rendering.js';

/** Longest a page is waited for to come to rest, whatever time there is. */
const MAX_SETTLE_MS = 10_000;
/** After an action the page may load something; it is given a little time to. */
const MAX_ACTED_MS = 5_000;

const TERMS: QuietTerms = {
  quietMs: 100,
  idleQuietMs: 60,
  thinQuietMs: 500,
  thinChars: 200,
  maxMs: 1_000,
  trustsStatic: true,
};
/** Handlers may be at work, whatever the document looks like. */
const ACTED: QuietTerms = { ...TERMS, trustsStatic: false };
/**
 * A challenge is short, rests while it computes, and then lets the browser through: a page with
 * such a status is given the time to do so.
 */
const CHALLENGED = { thinQuietMs: 2_000, thinChars: 1_000, maxMs: 3_000 } as const;
const CHALLENGE_STATUSES: ReadonlySet<number> = new Set([403, 429, 503]);
/** An open request may be a long poll. With text on the page less is lost by not waiting for it. */
const HOLD_MS = 2_000;
const THIN_HOLD_MS = 5_000;

export interface Rest {
  /** False: the page had not come to rest within its time. */
  readonly isSettled: boolean;
  /** The page as it was then, when it was to be read. */
  readonly page: SerialisedPage | null;
}

const RESTLESS: Rest = { isSettled: false, page: null };

/**
 * Waits until the page has come to rest: its document is parsed, no request for content is open,
 * and the DOM has not changed for a moment, longer when there is next to no text yet. With
 * `reading`, the page is read in the same moment.
 */
export async function settlePage(
  rendering: Rendering,
  reading: ReadTerms | null = null,
): Promise<Rest> {
  return settleWithin(rendering, { maxMs: MAX_SETTLE_MS, terms: TERMS, reading });
}

/** As {@link settlePage}, after something was done to the page. */
export async function afterAction(rendering: Rendering): Promise<void> {
  await settleWithin(rendering, { maxMs: MAX_ACTED_MS, terms: ACTED, reading: null });
}

interface How {
  readonly maxMs: number;
  readonly terms: QuietTerms;
  readonly reading: ReadTerms | null;
}

async function settleWithin(rendering: Rendering, how: How): Promise<Rest> {
  const { lifeline, frame, gate } = rendering;
  const endsAt = performance.now() + Math.min(how.maxMs, lifeline.leftMs());
  let holdMs = HOLD_MS;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return RESTLESS;
    const isParsed = frame.reached('interactive', leftMs);
    if (!(await Promise.race([isParsed, gate.refused.then(() => true)]))) return RESTLESS;
    const look = await quietLook(rendering, how, holdMs, endsAt);
    if (look === 'late') return RESTLESS;
    if (typeof look !== 'string') return look;
    holdMs = look === 'thin' ? THIN_HOLD_MS : HOLD_MS;
  }
}

async function quietLook(
  rendering: Rendering,
  { terms, reading }: How,
  holdMs: number,
  endsAt: number,
): Promise<Rest | 'thin' | 'busy' | 'late'> {
  const { inFlight, world, frame } = rendering;
  const leftMs = (): number => endsAt - performance.now();
  if (!(await inFlight.settled(holdMs, leftMs()))) return 'late';
  const { started } = inFlight;
  const { documents } = frame;
  const script = restScript(termsHere(rendering, terms), reading);
  const rest = await world.ask(script, leftMs()).catch(unlessGone);
  if (rest === LATE) return 'late';
  if (rest === null) return 'thin';
  const { look, page } = rest;
  const isSame = frame.documents === documents && inFlight.started === started;
  // With next to nothing on the page, what is still open may be all of it.
  const isAwaited = look.isThin && inFlight.holds(THIN_HOLD_MS);
  if (isSame && look.isQuiet && !isAwaited) return { isSettled: true, page };
  return look.isThin ? 'thin' : 'busy';
}

/** For the current document. */
function termsHere({ gate, frame }: Rendering, terms: QuietTerms): QuietTerms {
  const response = gate.responseOf(frame.loaderId);
  if (!CHALLENGE_STATUSES.has(response?.statusCode ?? 200)) return terms;
  return { ...terms, ...CHALLENGED };
}

/** A document that went away while it was watched: the next one is watched instead. */
function unlessGone(error: unknown): null {
  if (error instanceof DocumentGone) return null;
  throw error;
}
