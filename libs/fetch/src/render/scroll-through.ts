import { DocumentGone } from './isolated-world.js';
import { LATE } from './lifeline.js';
import { PageScript } from './page-script.js';
import { PageScroller, type Scroll, type ScrollState } from './page-side/page-scroller.js';
import type { Rendering } from './rendering.js';

/** A page that grows as it is scrolled has no end: this far, and no longer. */
const MAX_SCREENS = 20;
const MAX_MS = 8_000;
/** Time for the page to notice that it was scrolled: observers run with the next frames. */
const NOTICE_MS = 80;
/** At the end of the page, time for more of it to come. */
const GROWTH_MS = 400;
const HOLD_MS = 2_000;

/** Scrolls through the page so that lazy content loads, and back to its top. */
export async function scrollThrough(rendering: Rendering): Promise<void> {
  const { lifeline, inFlight } = rendering;
  const endsAt = performance.now() + Math.min(MAX_MS, lifeline.leftMs());
  const leftMs = (): number => endsAt - performance.now();
  let endHeight = 0;
  for (let screens = 0; screens < MAX_SCREENS && leftMs() > 0; screens++) {
    const state = await scroll(rendering, { to: 'next' }, leftMs());
    if (state === null) return;
    await lifeline.pause(Math.min(state.isAtEnd ? GROWTH_MS : NOTICE_MS, leftMs()));
    await inFlight.settled(HOLD_MS, leftMs());
    if (state.isAtEnd && state.height === endHeight) break;
    endHeight = state.isAtEnd ? state.height : 0;
  }
  await scroll(rendering, { to: 'top' }, Math.max(leftMs(), NOTICE_MS));
}

/** Null: the page could not be asked, because it went away or was busy. */
export async function scroll(
  { world }: Rendering,
  how: Scroll,
  ms: number,
): Promise<ScrollState | null> {
  try {
    const state = await world.ask(PageScript.of(PageScroller, how), ms);
    return state === LATE ? null : state;
  } catch (error) {
    if (error instanceof DocumentGone) return null;
    throw error;
  }
}
