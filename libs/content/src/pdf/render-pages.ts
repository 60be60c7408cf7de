import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { RenderParameters } from 'pdfjs-dist/types/src/display/api.js';
import {
  failedFile,
  type FailedFile,
  type PageImage,
  type PictureOptions,
} from '../files/file-result.js';
import { MAX_PICTURE_EDGE_PX } from '../limits.js';
import { openPdf } from './open-pdf.js';
import { containingStrays } from './stray-rejections.js';

/** Pictures of pages, or why there are none. */
export type PictureResult =
  | { readonly ok: true; readonly pages: readonly PageImage[] }
  /** The component that draws (`@napi-rs/canvas`) is not installed. */
  | { readonly ok: false; readonly problem: 'canvas_unavailable'; readonly message: string }
  | FailedFile;

/** What pdf.js draws on under Node. */
interface NodeCanvas {
  toBuffer(type: 'image/png'): Uint8Array;
}

interface CanvasFactory {
  create(width: number, height: number): { readonly canvas: NodeCanvas; readonly context: unknown };
  destroy(entry: { readonly canvas: NodeCanvas; readonly context: unknown }): void;
}

/** Draws the first pages of a PDF as PNG, for a model that sees. Never throws. */
export function renderPdfPages(bytes: Uint8Array, options: PictureOptions): Promise<PictureResult> {
  return containingStrays(() => openAndDraw(bytes, options));
}

async function openAndDraw(bytes: Uint8Array, options: PictureOptions): Promise<PictureResult> {
  const opened = await openPdf(bytes, 'pictures');
  if (!opened.ok) return opened.failure;
  try {
    return await drawPages(opened.pdf.document, options);
  } finally {
    await opened.pdf.close();
  }
}

/** A page that cannot be drawn is left out. */
async function drawPages(
  document: PDFDocumentProxy,
  { maxPages, maxEdgePx }: PictureOptions,
): Promise<PictureResult> {
  if (!(await hasCanvas())) {
    return {
      ok: false,
      problem: 'canvas_unavailable',
      message: 'Pages cannot be drawn: the drawing component is not installed',
    };
  }
  const pages: PageImage[] = [];
  const last = Math.min(document.numPages, maxPages);
  for (let number = 1; number <= last; number++) {
    const png = await drawPage(document, number, Math.min(maxEdgePx, MAX_PICTURE_EDGE_PX));
    if (png !== undefined) pages.push({ page: number, png });
  }
  return pages.length === 0
    ? failedFile('malformed', 'The PDF is damaged: none of its pages can be drawn')
    : { ok: true, pages };
}

async function hasCanvas(): Promise<boolean> {
  try {
    await import('@napi-rs/canvas');
    return true;
  } catch {
    // An optional component: its absence is an answer, not an error.
    return false;
  }
}

async function drawPage(
  document: PDFDocumentProxy,
  number: number,
  maxEdgePx: number,
): Promise<Uint8Array | undefined> {
  const factory = document.canvasFactory as unknown as CanvasFactory;
  try {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: maxEdgePx / Math.max(width, height, 1) });
    const entry = factory.create(
      Math.max(1, Math.round(viewport.width)),
      Math.max(1, Math.round(viewport.height)),
    );
    try {
      const canvas = entry.canvas as unknown as RenderParameters['canvas'];
      const canvasContext = entry.context as RenderParameters['canvasContext'];
      await page.render({ canvas, canvasContext, viewport }).promise;
      return Uint8Array.from(entry.canvas.toBuffer('image/png'));
    } finally {
      factory.destroy(entry);
      page.cleanup();
    }
  } catch {
    // One page that cannot be drawn does not cost the others.
    return undefined;
  }
}
