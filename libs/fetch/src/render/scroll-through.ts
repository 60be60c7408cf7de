import { DocumentGone } from './isolated-world.js';
import { LATE } from './lifeline.js';
import { PageScript } from './page-script.js';
import { AnimationEnder } from './page-side/animation-ender.js';
import { PageScroller, type Scroll, type ScrollState } from './page-side/page-scroller.js';
import type { Rendering } from './rendering.js';

/** A page that grows as it is scrolled has no end: this far, and no longer. */
const MAX_SCREENS = 20;
const MAX_MS = 8_000;
/** Time for the page to do something about it. */
const NOTICE_MS = 80;
/** At the end of the page, time for more of it to come. */
const GROWTH_MS = 400;
/** A request that is open for longer is not waited for. */
const HOLD_MS = 2_000;
/** Of the time that is left, for a picture. */
const PICTURE_SHARE = 1 / 3;

interface Walk {
  readonly maxMs: number;
  readonly holdMs: number;
  /** 0: the page is left at its end, even if more of it would come. */
  readonly growthMs: number;
}

/** Scrolls through the page, so that lazy content loads and lists grow, and back to where it was. */
export async function scrollThrough(rendering: Rendering): Promise<void> {
  await walk(rendering, { maxMs: MAX_MS, holdMs: HOLD_MS, growthMs: GROWTH_MS });
}

/** The same for a picture of the whole page: what appears when it comes into view is there, and has come to rest. */
export async function showWholePage(rendering: Rendering): Promise<void> {
  const maxMs = Math.min(MAX_MS, PICTURE_SHARE * rendering.lifeline.leftMs());
  await walk(rendering, { maxMs, holdMs: HOLD_MS / 4, growthMs: 0 });
  await asked(rendering, PageScript.of(AnimationEnder, null), maxMs);
}

async function walk(rendering: Rendering, { maxMs, holdMs, growthMs }: Walk): Promise<void> {
  const { lifeline, inFlight } = rendering;
  const endsAt = performance.now() + Math.min(maxMs, lifeline.leftMs());
  const leftMs = (): number => endsAt - performance.now();
  const start = await scroll(rendering, { to: 'here' }, leftMs());
  if (start === null || (growthMs === 0 && start.isAtEnd && start.position === 0)) return;
  let endHeight = 0;
  for (let screens = 0; screens < MAX_SCREENS && leftMs() > 0; screens++) {
    const state = await scroll(rendering, { to: 'next' }, leftMs());
    if (state === null) return;
    const { isAtEnd, height } = state;
    await lifeline.pause(Math.min(isAtEnd && growthMs > 0 ? growthMs : NOTICE_MS, leftMs()));
    await inFlight.settled(holdMs, leftMs());
    if (isAtEnd && (growthMs === 0 || height === endHeight)) break;
    endHeight = isAtEnd ? height : 0;
  }
  const back = { to: 'position', px: start.position } as const;
  await scroll(rendering, back, Math.max(leftMs(), NOTICE_MS));
}

/** Null: the page could not be asked, because it went away or was busy. */
export async function scroll(
  rendering: Rendering,
  how: Scroll,
  ms: number,
): Promise<ScrollState | null> {
  return asked(rendering, PageScript.of(PageScroller, how), ms);
}

async function asked<R>(
  { world }: Rendering,
  script: PageScript<R>,
  ms: number,
): Promise<R | null> {
  try {
    const result = await world.ask(script, ms);
    return result === LATE ? null : result;
  } catch (error) {
    if (error instanceof DocumentGone) return null;
    throw error;
  }
}
