import { toRegions } from './columns.js';
import { isMostlyRtl, type Line, toLine } from './lines.js';
import { type PdfPageText } from './page-pieces.js';

/** Lines of a page in reading order, by the regions that are read one after the other. */
export interface PageLayout {
  /** From 1. */
  readonly number: number;
  /** In points, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly regions: readonly (readonly Line[])[];
  /** Of each region: quarter turns of its direction of reading, clockwise; 4 for text askew. */
  readonly quarters: readonly number[];
}

export function layOut(text: PdfPageText, number: number): PageLayout {
  const regions: Line[][] = [];
  const quarters: number[] = [];
  for (const { pieces, quarter } of text.groups) {
    for (const rows of toRegions(pieces, isMostlyRtl(pieces))) {
      regions.push(rows.map(toLine));
      quarters.push(quarter);
    }
  }
  return { number, width: text.width, height: text.height, regions, quarters };
}
