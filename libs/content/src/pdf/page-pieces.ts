import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { MAX_PDF_PAGE_ITEMS } from '../limits.js';
import { splitByLinks, type LinkMap } from './page-links.js';
import type { PdfPiece, PieceGroup } from './piece.js';
import { fontStyleOf, PLAIN_FONT, type FontStyle } from './font-style.js';

/** What a page's program draws as text. */
export interface PdfPageText {
  /** By direction of reading, the one with most text first. */
  readonly groups: readonly {
    /** Quarter turns of the direction, clockwise; 4 for text askew. */
    readonly quarter: number;
    readonly pieces: PieceGroup;
  }[];
  readonly width: number;
  readonly height: number;
  readonly isCut: boolean;
}

type Matrix = readonly [number, number, number, number, number, number];

/** Reads the text of a page; throws when the page is damaged. */
export async function readPagePieces(
  page: PDFPageProxy,
  fonts: FontBook,
  links: LinkMap,
): Promise<PdfPageText> {
  const { items, styles, isCut } = await readItems(page);
  await fonts.learn(page, styles);
  const viewport = page.getViewport({ scale: 1 });
  const toPage = viewport.transform as unknown as Matrix;
  const scales = sizeScales(items);
  const groups = new Map<number, PdfPiece[]>();
  for (const item of items) {
    if (item.str.trim() === '') continue;
    const isVertical = styles[item.fontName]?.vertical === true;
    const placed = place(item, toPage, isVertical, scales.get(item.fontName) ?? 1);
    const font = fonts.styleOf(item.fontName);
    const piece: PdfPiece = { ...placed.box, text: item.str, font, isRtl: item.dir === 'rtl' };
    const group = groups.get(placed.quarter) ?? [];
    // Links lie on the page as people see it, so they fit upright text only.
    group.push(...(placed.quarter === 0 ? splitByLinks(piece, links) : [piece]));
    groups.set(placed.quarter, group);
  }
  return {
    groups: [...groups]
      .map(([quarter, pieces]) => ({ quarter, pieces: withoutDoubles(pieces) }))
      .sort((a, b) => inkOf(b.pieces) - inkOf(a.pieces)),
    width: viewport.width,
    height: viewport.height,
    isCut,
  };
}

interface ReadItems {
  readonly items: readonly TextItem[];
  readonly styles: TextContent['styles'];
  readonly isCut: boolean;
}

/** As a stream, so that a page of a billion letters ends at the limit. */
async function readItems(page: PDFPageProxy): Promise<ReadItems> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  const items: TextItem[] = [];
  const styles: TextContent['styles'] = {};
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { items, styles, isCut: false };
    Object.assign(styles, value.styles);
    for (const item of value.items) if ('str' in item) items.push(item);
    if (items.length > MAX_PDF_PAGE_ITEMS) {
      await reader.cancel(new Error('enough'));
      return { items: items.slice(0, MAX_PDF_PAGE_ITEMS), styles, isCut: true };
    }
  }
}

interface Placed {
  /** Quarter turns of the reading direction, clockwise; 4 for text askew. */
  readonly quarter: number;
  readonly box: Pick<PdfPiece, 'x0' | 'x1' | 'y' | 'size'>;
}

/** How far from a right angle text may be and still belong to its neighbours, in radians. */
const MAX_SKEW = 0.15;

function place(item: TextItem, toPage: Matrix, isVertical: boolean, scale: number): Placed {
  const [a, b, c, d, e, f] = multiply(toPage, item.transform as unknown as Matrix);
  // Columns of vertical script are lines that read downwards and follow each other to the left.
  const angle = isVertical ? Math.PI / 2 : Math.atan2(b, a);
  const turns = angle / (Math.PI / 2);
  const nearest = Math.round(turns);
  const isAskew = Math.abs(turns - nearest) * (Math.PI / 2) > MAX_SKEW;
  const quarter = isAskew ? 4 : ((nearest % 4) + 4) % 4;
  const [ux, uy] = isAskew ? [Math.cos(angle), Math.sin(angle)] : (UNITS[quarter] ?? [1, 0]);
  const x0 = e * ux + f * uy;
  const length = isVertical ? item.height : item.width;
  const size = (isVertical ? Math.hypot(a, b) : Math.hypot(c, d)) * scale;
  return { quarter, box: { x0, x1: x0 + length, y: f * ux - e * uy, size: Math.max(size, 0.1) } };
}

/** Height of a font by the usual width of its letters: 1 (East Asian) to 4 (very narrow). */
const USUAL_HEIGHT = 2;
const LEAST_HEIGHT = 0.4;
const GREATEST_HEIGHT = 6;
/** Fewer letters say too little of their font. */
const MIN_MEASURED_CHARS = 20;

/**
 * What brings a font's height in line with the width of its letters: a font drawn by programs
 * (Type 3) may state any height, and lines as high as the page would all be one.
 */
function sizeScales(items: readonly TextItem[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { chars: number; width: number; height: number }>();
  for (const { str, width, transform, fontName } of items) {
    const chars = str.trim() === '' || width <= 0 ? 0 : str.length;
    const [, , c = 0, d = 0] = transform as unknown as Matrix;
    const sum = sums.get(fontName) ?? { chars: 0, width: 0, height: 0 };
    if (chars > 0) {
      sum.chars += chars;
      sum.width += width;
      sum.height += Math.hypot(c, d) * chars;
    }
    sums.set(fontName, sum);
  }
  const scales = new Map<string, number>();
  for (const [font, { chars, width, height }] of sums) {
    const ratio = height / width;
    const isUsual = ratio >= LEAST_HEIGHT && ratio <= GREATEST_HEIGHT;
    if (chars >= MIN_MEASURED_CHARS && !isUsual) scales.set(font, USUAL_HEIGHT / ratio);
  }
  return scales;
}

/** Reading directions of quarters 0 to 3, y downwards. */
const UNITS: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

const inkOf = (pieces: PieceGroup): number =>
  pieces.reduce((sum, piece) => sum + piece.text.length, 0);

/** How far apart the copies of a letter are, by its size. */
const COPY_EM = 0.15;

/** Bold made by drawing letters twice, and shadows, would double every word. */
function withoutDoubles(pieces: PieceGroup): PieceGroup {
  const seen = new Map<string, PdfPiece>();
  return pieces.filter((piece) => {
    const step = piece.size * COPY_EM;
    const [column, row] = [Math.round(piece.x0 / step), Math.round(piece.y / step)];
    for (const dx of NEIGHBOURS) {
      for (const dy of NEIGHBOURS) {
        const other = seen.get(`${column + dx} ${row + dy} ${piece.text}`);
        if (other !== undefined && isCopy(other, piece)) return false;
      }
    }
    seen.set(`${column} ${row} ${piece.text}`, piece);
    return true;
  });
}

const NEIGHBOURS = [0, -1, 1];

const isCopy = (a: PdfPiece, b: PdfPiece): boolean =>
  Math.abs(a.x0 - b.x0) < b.size * COPY_EM && Math.abs(a.y - b.y) < b.size * COPY_EM;

interface TextStyle {
  readonly fontFamily?: string;
}

/** All characters of these scripts are equally wide: that is no sign of code. */
const EAST_ASIAN =
  /cjk|minch|mincho|gothic|ming|song|sung|hei|kai|ipa|ryumin|takao|wqy|wenquan|fang|batang|dotum|gulim|myeong|nanum/i;

/** Pages drawn only to learn their fonts' names; later fonts are plain. */
const MAX_LESSONS = 200;

/** Fonts of a document by the names pdf.js gives them. */
export class FontBook {
  private readonly styles = new Map<string, FontStyle>();
  private lessons = 0;

  /**
   * A font's real name comes with the orders to draw a page, not with its text; so a page is
   * prepared for drawing, but only when it brings a font not seen before.
   */
  async learn(page: PDFPageProxy, styles: Readonly<Record<string, TextStyle>>): Promise<void> {
    const unknown = Object.keys(styles).filter((name) => !this.styles.has(name));
    if (unknown.length === 0) return;
    const isDrawn = this.lessons++ < MAX_LESSONS && (await prepareDrawing(page));
    for (const name of unknown) {
      const known = isDrawn ? nameOf(page, name) : undefined;
      const style = known === undefined ? PLAIN_FONT : fontStyleOf(known);
      const isFixed = styles[name]?.fontFamily === 'monospace' && !EAST_ASIAN.test(known ?? '');
      this.styles.set(name, { ...style, isMono: style.isMono || isFixed });
    }
  }

  styleOf(name: string): FontStyle {
    return this.styles.get(name) ?? PLAIN_FONT;
  }
}

async function prepareDrawing(page: PDFPageProxy): Promise<boolean> {
  try {
    await page.getOperatorList();
    return true;
  } catch {
    // Broken drawing orders leave the fonts plain; the text was read without them.
    return false;
  }
}

function nameOf(page: PDFPageProxy, name: string): string | undefined {
  if (!page.commonObjs.has(name)) return undefined;
  const font: unknown = page.commonObjs.get(name);
  if (typeof font !== 'object' || font === null || !('name' in font)) return undefined;
  return typeof font.name === 'string' ? font.name : undefined;
}
