import { toRegions } from './columns.js';
import { isMostlyRtl, type Line, toLine } from './lines.js';
import { type PdfPageText } from './page-pieces.js';

/** Lines of a page in reading order, by the regions that are read one after the other. */
export interface PageLayout {
  /** From 1. */
  readonly number: number;
  readonly height: number;
  readonly regions: readonly (readonly Line[])[];
}

export function layOut(text: PdfPageText, number: number): PageLayout {
  const regions = text.groups.flatMap((pieces) =>
    toRegions(pieces, isMostlyRtl(pieces)).map((rows) => rows.map(toLine)),
  );
  return { number, height: text.height, regions };
}
