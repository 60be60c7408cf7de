import { OverlayRemover } from './page-side/overlay-remover.js';
import type { PageDom } from './page-side/page-dom.js';
import { type QuietLook, type QuietTerms, QuietWatch } from './page-side/quiet-watch.js';
import { type SerialisedPage, Serialiser, type SerialiserLimits } from './page-side/serialiser.js';

/** A class that runs in the page, by its source: it may refer to nothing outside itself. */
export type PageSide<A, R> = new (argument: A, dom: PageDom) => { run(): R | Promise<R> };

/** Source of an expression for the page, with a ready `dom`; it results in an R. */
export class PageScript<R> {
  declare protected readonly result: R;

  constructor(readonly source: string) {}

  static of<A, R>(side: PageSide<A, R>, argument: A): PageScript<R> {
    return new PageScript(sourceOf(side, argument));
  }
}

function sourceOf<A, R>(side: PageSide<A, R>, argument: A): string {
  return `new (${side})(${JSON.stringify(argument)}, dom).run()`;
}

export interface ReadTerms {
  readonly limits: SerialiserLimits;
  readonly removesOverlays: boolean;
}

export interface RestLook {
  readonly look: QuietLook;
  /** The page as it was at rest, when it was to be read then. */
  readonly page: SerialisedPage | null;
}

/** Waits for rest and reads the page in the same turn: each further question costs a round trip. */
export function restScript(terms: QuietTerms, reading: ReadTerms | null): PageScript<RestLook> {
  const watch = sourceOf(QuietWatch, terms);
  if (reading === null) return new PageScript(`${watch}.then((look) => ({ look, page: null }))`);
  const clear = reading.removesOverlays ? `${sourceOf(OverlayRemover, null)};` : '';
  const read = sourceOf(Serialiser, reading.limits);
  return new PageScript(
    `${watch}.then((look) => { if (!look.isQuiet) return { look, page: null }; ${clear} return { look, page: ${read} }; })`,
  );
}
