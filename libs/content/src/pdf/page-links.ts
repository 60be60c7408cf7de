import type { PDFPageProxy } from 'pdfjs-dist';
import { MAX_PDF_PAGE_LINKS, MAX_LINK_URL_CHARS } from '../limits.js';
import { type PdfPiece } from './piece.js';

interface LinkBox {
  readonly address: string;
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Height of a band, in points: a piece of text is compared with the links of its band only. */
const BAND = 24;

/** Links of a page by the bands they lie in. */
export type LinkMap = ReadonlyMap<number, readonly LinkBox[]>;

/** Link annotations that lead to the web or to a mailbox; none when they are damaged. */
export async function readLinks(page: PDFPageProxy): Promise<LinkMap> {
  const bands = new Map<number, LinkBox[]>();
  for (const annotation of (await annotationsOf(page)).slice(0, MAX_PDF_PAGE_LINKS)) {
    const box = asLink(annotation, page);
    if (box === undefined) continue;
    const last = Math.min(Math.floor(box.y1 / BAND), Math.floor(box.y0 / BAND) + 100);
    for (let band = Math.floor(box.y0 / BAND); band <= last; band++) {
      const boxes = bands.get(band) ?? [];
      boxes.push(box);
      bands.set(band, boxes);
    }
  }
  return bands;
}

async function annotationsOf(page: PDFPageProxy): Promise<readonly unknown[]> {
  try {
    return (await page.getAnnotations({ intent: 'display' })) as readonly unknown[];
  } catch {
    // The text is worth reading without its links.
    return [];
  }
}

function asLink(annotation: unknown, page: PDFPageProxy): LinkBox | undefined {
  if (typeof annotation !== 'object' || annotation === null) return undefined;
  const { subtype, url, rect } = annotation as Record<string, unknown>;
  if (subtype !== 'Link' || typeof url !== 'string' || !isAddress(url)) return undefined;
  if (!Array.isArray(rect) || rect.length !== 4) return undefined;
  const viewport = page.getViewport({ scale: 1 });
  const [left, bottom, right, top] = rect as unknown[];
  const [ax = NaN, ay = NaN] = viewport.convertToViewportPoint(Number(left), Number(bottom));
  const [bx = NaN, by = NaN] = viewport.convertToViewportPoint(Number(right), Number(top));
  if (![ax, ay, bx, by].every(Number.isFinite)) return undefined;
  return {
    address: url,
    x0: Math.min(ax, bx),
    x1: Math.max(ax, bx),
    y0: Math.min(ay, by),
    y1: Math.max(ay, by),
  };
}

const isAddress = (url: string): boolean =>
  url.length <= MAX_LINK_URL_CHARS && /^(?:https?:\/\/|mailto:)/i.test(url);

/** A line is often one piece and a link some words of it: the piece is cut where the link ends. */
export function splitByLinks(piece: PdfPiece, links: LinkMap): readonly PdfPiece[] {
  const middle = piece.y - piece.size * 0.3;
  const boxes = (links.get(Math.floor(middle / BAND)) ?? []).filter(
    (box) => box.y0 <= middle && middle <= box.y1 && box.x0 < piece.x1 && piece.x0 < box.x1,
  );
  if (boxes.length === 0) return [piece];
  return cutAt(
    piece,
    boxes.sort((a, b) => a.x0 - b.x0),
  );
}

function cutAt(piece: PdfPiece, boxes: readonly LinkBox[]): PdfPiece[] {
  const parts: PdfPiece[] = [];
  let from = 0;
  const take = (to: number, link?: string): void => {
    if (to > from) parts.push(slice(piece, from, to, link));
    from = Math.max(from, to);
  };
  for (const box of boxes) {
    take(indexAt(piece, box.x0));
    take(indexAt(piece, box.x1), box.address);
  }
  take(piece.text.length);
  return parts;
}

/** Characters left of x; they are taken as equally wide, so the next edge of a word decides. */
function indexAt({ text, x0, x1, isRtl }: PdfPiece, x: number): number {
  const share = (x - x0) / Math.max(x1 - x0, 0.01);
  const guess = Math.round(Math.min(1, Math.max(0, isRtl ? 1 - share : share)) * text.length);
  for (let away = 0; away <= 4; away++) {
    for (const at of [guess - away, guess + away]) {
      if (at <= 0) return 0;
      if (at >= text.length) return text.length;
      if (isEdge(text, at)) return at;
    }
  }
  return guess;
}

/** Where a word starts or ends, brackets and full stops apart. */
const isEdge = (text: string, at: number): boolean =>
  (OPENING.test(text.charAt(at - 1)) && !OPENING.test(text.charAt(at))) ||
  (CLOSING.test(text.charAt(at)) && !CLOSING.test(text.charAt(at - 1)));

const OPENING = /[\s(<[“]/;
const CLOSING = /[\s).,;:>\]”]/;

function slice(piece: PdfPiece, from: number, to: number, link: string | undefined): PdfPiece {
  const perChar = (piece.x1 - piece.x0) / piece.text.length;
  return {
    ...piece,
    text: piece.text.slice(from, to),
    x0: piece.x0 + from * perChar,
    x1: piece.x0 + to * perChar,
    link,
  };
}
