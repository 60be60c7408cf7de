import { Vocabulary } from './join-lines.js';
import { type Line, textOfLine } from './lines.js';
import { type PageLayout } from './page-layout.js';
import { mostFrequent } from './piece.js';
import { findRunningLines } from './running-lines.js';

/** What a line means depends on the rest of the document. */
export interface DocumentStyle {
  /** Font size of most of the text, in points. */
  readonly bodySize: number;
  /** Most of the text is set like code: then that is no sign of code. */
  readonly isMono: boolean;
  /** Most of the text is bold: then that is no sign of a heading. */
  readonly isBold: boolean;
  readonly running: ReadonlySet<Line>;
  readonly vocabulary: Vocabulary;
}

export function readStyle(pages: readonly PageLayout[]): DocumentStyle {
  const chars = new Map<number, number>();
  const vocabulary = new Vocabulary();
  let all = 0;
  let mono = 0;
  let bold = 0;
  for (const line of pages.flatMap(({ regions }) => regions.flat())) {
    const { length } = textOfLine(line);
    const size = Math.round(line.size * 2) / 2;
    all += length;
    if (line.isMono) mono += length;
    else chars.set(size, (chars.get(size) ?? 0) + length);
    if (line.isBold) bold += length;
    vocabulary.add(line);
  }
  return {
    bodySize: mostFrequent(chars) ?? 10,
    isMono: mono > all * 0.7,
    isBold: bold > all * 0.5,
    running: findRunningLines(pages),
    vocabulary,
  };
}
