import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist';
import type { DocumentInitParameters } from 'pdfjs-dist/types/src/display/api.js';
import { failedFile, type FailedFile } from '../files/file-result.js';
import { hasStreamBomb } from './stream-bombs.js';

type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

let library: Promise<Pdfjs> | undefined;

/** Loaded by the first PDF only: it takes 30 MB and a quarter of a second. */
function loadPdfjs(): Promise<Pdfjs> {
  library ??= importPdfjs();
  return library;
}

async function importPdfjs(): Promise<Pdfjs> {
  // Without it pdf.js unpacks in JavaScript: with it a thread that is ended could abort the process, see inflateAtMost.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  // The reading half registers itself, so that pdf.js starts no thread and loads no file by name.
  await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

/** Folder of the package, for its character maps and fonts: files, never addresses. */
const packageFolder = (): string =>
  path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** An open PDF; its opener calls `close`. */
export interface OpenPdf {
  readonly document: PDFDocumentProxy;
  close(): Promise<void>;
}

export type OpenResult =
  | { readonly ok: true; readonly pdf: OpenPdf }
  | { readonly ok: false; readonly failure: FailedFile };

/** What the file is opened for: pictures need images and shapes of letters, text does not. */
export type Purpose = 'text' | 'pictures';

/** Opens a PDF in this thread. No script of the file runs and nothing is fetched. */
export async function openPdf(bytes: Uint8Array, purpose: Purpose): Promise<OpenResult> {
  if (hasStreamBomb(bytes)) {
    return { ok: false, failure: failedFile('too_large', 'The PDF is too large when unpacked') };
  }
  const opened = await tryOpen(bytes, purpose);
  const repaired = opened.ok || opened.failure.problem !== 'malformed' ? null : withTrailer(bytes);
  return repaired === null ? opened : tryOpen(repaired, purpose);
}

async function tryOpen(bytes: Uint8Array, purpose: Purpose): Promise<OpenResult> {
  let task: PDFDocumentLoadingTask | undefined;
  try {
    const { getDocument, VerbosityLevel } = await loadPdfjs();
    task = getDocument({
      // pdf.js takes the buffer for itself; the caller's stays whole.
      data: Uint8Array.from(bytes),
      verbosity: VerbosityLevel.ERRORS,
      ...settingsFor(purpose),
    });
    const opened = task;
    const document = await opened.promise;
    return { ok: true, pdf: { document, close: () => close(opened) } };
  } catch (error) {
    if (task !== undefined) await close(task);
    return { ok: false, failure: asFailure(error) };
  }
}

function settingsFor(purpose: Purpose): Partial<DocumentInitParameters> {
  const folder = packageFolder();
  return {
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    wasmUrl: `${folder}/wasm/`,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: purpose === 'pictures',
    enableXfa: false,
    // Names of fonts, which reveal bold, italic and code.
    fontExtraProperties: purpose === 'text',
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    // No image is decoded where only text is read.
    maxImageSize: purpose === 'text' ? 1 : MAX_IMAGE_PIXELS,
  };
}

const CATALOG = /(?:^|[\r\n ])(\d{1,9}) (\d{1,5}) obj\s{0,4}<<[^>]{0,2000}\/Type\s{0,4}\/Catalog/g;

/**
 * A file that broke off has lost the trailer that names its root; where that is whole, so is it.
 */
function withTrailer(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const root = [...text.matchAll(CATALOG)].at(-1);
  if (root === undefined) return null;
  const trailer = `\nendobj\ntrailer\n<< /Root ${root[1]} ${root[2]} R >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(trailer, 'latin1')]);
}

/**
 * Pixels of one image of a page, an A4 page at 600 dpi among them; larger ones are left out of
 * pictures.
 */
const MAX_IMAGE_PIXELS = 40_000_000;

async function close(task: PDFDocumentLoadingTask): Promise<void> {
  try {
    await task.destroy();
  } catch {
    // What was read is read; an error of tearing down is no concern of the caller.
  }
}

function asFailure(error: unknown): FailedFile {
  return error instanceof Error && error.name === 'PasswordException'
    ? failedFile('encrypted', 'The PDF is encrypted and opens only with a password')
    : failedFile('malformed', 'The PDF is damaged and cannot be read');
}
