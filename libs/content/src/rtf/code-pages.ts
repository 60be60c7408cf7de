import { textDecoder, type DecodeText } from '../charset/sniff-charset.js';

/** Encodings by the number of a code page (`\ansicpg`, RTF 1.9.1). */
const OF_PAGE: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [65_001, 'utf-8'],
]);

/** Code pages by the character set of a font (`\fcharset`); of others the document's own counts. */
const OF_FONT: ReadonlyMap<number, number> = new Map([
  [77, 10_000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1_253],
  [162, 1_254],
  [163, 1_258],
  [177, 1_255],
  [178, 1_256],
  [186, 1_257],
  [204, 1_251],
  [222, 874],
  [238, 1_250],
]);

export const codePageOfFont = (charset: number): number | undefined => OF_FONT.get(charset);

/** Decodes bytes of a code page; one that is unknown is taken for that of western Windows. */
export class CodePages {
  private readonly decoders = new Map<number, DecodeText>();

  decode(bytes: Uint8Array, page: number): string {
    const known = this.decoders.get(page) ?? textDecoder(encodingOf(page));
    this.decoders.set(page, known);
    return known(bytes);
  }
}

function encodingOf(page: number): string {
  if (page >= 1_250 && page <= 1_258) return `windows-${page}`;
  return OF_PAGE.get(page) ?? 'windows-1252';
}
