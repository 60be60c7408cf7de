import { DocumentGone } from './isolated-world.js';
import { PageScript, type ReadTerms } from './page-script.js';
import { OverlayRemover } from './page-side/overlay-remover.js';
import { type SerialisedPage, Serialiser } from './page-side/serialiser.js';
import { outOfTime } from './render-error.js';
import type { Rendering } from './rendering.js';

const MAX_NODES = 500_000;
const MAX_FRAMES = 50;
const MAX_FRAME_DEPTH = 5;
/** How long our own code may hold the page's thread. */
const SERIALISE_BUDGET_MS = 3_000;
const MAX_CLEARING_MS = 3_000;
const MAX_READS = 5;

export function readTerms({ request, lifeline }: Rendering): ReadTerms {
  return {
    removesOverlays: request.render.removeOverlays,
    limits: {
      maxChars: request.maxBytes,
      maxNodes: MAX_NODES,
      maxFrames: MAX_FRAMES,
      maxFrameDepth: MAX_FRAME_DEPTH,
      budgetMs: Math.min(SERIALISE_BUDGET_MS, lifeline.deadline.remainingMs() / 4),
    },
  };
}

/** Takes banners and overlays away, when that is wanted. A page too busy for it keeps them. */
export async function clearAway({ request, world, lifeline }: Rendering): Promise<void> {
  if (!request.render.removeOverlays) return;
  const script = PageScript.of(OverlayRemover, null);
  await world
    .ask(script, Math.min(MAX_CLEARING_MS, lifeline.leftMs() / 2))
    .catch((error: unknown) => {
      // The next document is read with its overlays.
      if (!(error instanceof DocumentGone)) throw error;
    });
}

/** Reads the page as it is now. */
export async function readRenderedPage(rendering: Rendering): Promise<SerialisedPage> {
  const { world, lifeline } = rendering;
  return onOneDocument(rendering, () => {
    const script = PageScript.of(Serialiser, readTerms(rendering).limits);
    return world.run(script, readingMs(lifeline.deadline.remainingMs()));
  });
}

/** Asks a question; a document that goes away meanwhile is followed by the next. */
export async function onOneDocument<T>(
  { world, frame, lifeline }: Rendering,
  ask: () => Promise<T>,
): Promise<T> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
      world.reset();
      await frame.reached('interactive', lifeline.leftMs());
    }
  }
  throw outOfTime('the page kept replacing itself');
}

/** Leaves time to stop a page whose script never ends, and to query it once more. */
function readingMs(leftMs: number): number {
  return Math.max(leftMs / 2, leftMs - 1_500);
}
