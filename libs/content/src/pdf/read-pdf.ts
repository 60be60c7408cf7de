import type { ParsedFile } from '@app/contracts';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { CpuBudget } from '../cpu-budget.js';
import {
  failedFile,
  type FileCut,
  type FileOptions,
  type FileResult,
} from '../files/file-result.js';
import { MAX_FILE_CHARS, MAX_FILE_PAGES, MAX_PDF_BAD_PAGES } from '../limits.js';
import { blockBox, points } from './block-box.js';
import type { PagedBlock, PdfBlock } from './block.js';
import { readStyle, type DocumentStyle } from './document-style.js';
import { FontBook, readPagePieces } from './page-pieces.js';
import { spansOfLine, textOfLine, textOfSpans, type PdfSpan } from './lines.js';
import { openPdf } from './open-pdf.js';
import { layOut, type PageLayout } from './page-layout.js';
import { readLinks } from './page-links.js';
import { blocksMarkdown, pagedMarkdown } from './paged-markdown.js';
import { joinAcross, readPdfBlocks } from './read-blocks.js';
import { renderPdfPages } from './render-pages.js';
import { containingStrays } from './stray-rejections.js';
import { headingLevels, type PdfLook } from './write-html.js';
import { withoutLeaders } from './tables.js';

/** Reads the text layer of a PDF. Never throws; a file without one is `no_text`. */
export function readPdf(bytes: Uint8Array, options: FileOptions): Promise<FileResult> {
  return containingStrays(() => readOpened(bytes, options));
}

async function readOpened(bytes: Uint8Array, options: FileOptions): Promise<FileResult> {
  const opened = await openPdf(bytes, 'text');
  if (!opened.ok) return opened.failure;
  const { document, close } = opened.pdf;
  try {
    const read = await readPages(document, options);
    if (read.pages.length === 0) {
      return failedFile('malformed', 'The PDF is damaged: none of its pages can be read');
    }
    if (read.chars === 0) return await withoutText(bytes, options, document.numPages);
    return await present(document, read, options);
  } finally {
    await close();
  }
}

async function withoutText(
  bytes: Uint8Array,
  options: FileOptions,
  pages: number,
): Promise<FileResult> {
  const failure = failedFile(
    'no_text',
    'The PDF has no text layer: its pages are pictures or empty',
  );
  if (options.pictures === undefined) return failure;
  // Opened again, since images are not decoded where only text is read.
  const drawn = await renderPdfPages(bytes, options.pictures);
  return drawn.ok ? { ...failure, pageImages: drawn.pages, pages } : failure;
}

interface ReadPages {
  readonly pages: readonly PageLayout[];
  readonly chars: number;
  readonly cut: FileCut | undefined;
}

async function readPages(document: PDFDocumentProxy, options: FileOptions): Promise<ReadPages> {
  const { maxPages = MAX_FILE_PAGES, maxChars = MAX_FILE_CHARS, signal } = options;
  const endAt = performance.now() + (options.budgetMs ?? Infinity);
  const cpu = new CpuBudget(options.maxCpuMs ?? Infinity);
  const fonts = new FontBook();
  const pages: PageLayout[] = [];
  let chars = 0;
  let badInRow = 0;
  let cut: FileCut | undefined;
  for (let number = 1; number <= document.numPages; number++) {
    const isLate = signal?.aborted === true || performance.now() > endAt || cpu.isSpent();
    if (number > maxPages || chars > maxChars || (isLate && number > 1)) {
      cut = number > maxPages ? 'max_pages' : chars > maxChars ? 'max_chars' : 'time';
      break;
    }
    const page = await readPage(document, number, fonts);
    badInRow = page === undefined ? badInRow + 1 : 0;
    if (page === undefined) cut ??= 'unreadable_pages';
    else {
      pages.push(page.layout);
      chars += page.chars;
      if (page.isCut) cut ??= 'max_page_items';
    }
    // A file may claim a billion pages and have none of them.
    if (badInRow > MAX_PDF_BAD_PAGES) break;
  }
  return { pages, chars, cut };
}

interface ReadPage {
  readonly layout: PageLayout;
  readonly chars: number;
  readonly isCut: boolean;
}

async function readPage(
  document: PDFDocumentProxy,
  number: number,
  fonts: FontBook,
): Promise<ReadPage | undefined> {
  try {
    const page = await document.getPage(number);
    const text = await readPagePieces(page, fonts, await readLinks(page));
    page.cleanup();
    const layout = layOut(text, number);
    let chars = 0;
    for (const line of layout.regions.flat()) chars += textOfLine(line).trim().length;
    return { layout, chars, isCut: text.isCut };
  } catch {
    // One damaged page does not cost the others; the result says that some are missing.
    return undefined;
  }
}

async function present(
  document: PDFDocumentProxy,
  read: ReadPages,
  { pages = false, sources = false, pageMarkers = false }: FileOptions,
): Promise<FileResult> {
  const style = readStyle(read.pages);
  const ownBlocks = read.pages.map((page) => blocksOf(page, style));
  const look = { isMono: style.isMono, levels: headingLevels(ownBlocks.flat()) };
  // Before a paragraph takes in what is on the next page.
  const list = pages ? { pageList: pageList(read.pages, ownBlocks, { look, sources }) } : {};
  const blocks = joinAcross(ownBlocks.flat(), style);
  const written = pagedMarkdown(blocks, look, pageMarkers);
  const title = (await titleOf(document)) ?? firstHeading(blocks);
  const cut = read.cut ?? written.truncatedBy;
  const links = linksOf(read.pages);
  const file: ParsedFile = {
    format: 'pdf',
    markdown: written.markdown,
    text: writeText(blocks),
    pages: document.numPages,
    ...list,
    ...(title === undefined ? {} : { title }),
    ...(links.length === 0 ? {} : { links }),
    ...(cut === undefined ? {} : { truncatedBy: cut }),
  };
  return { ok: true, file, pageStarts: written.pageStarts };
}

const blocksOf = (page: PageLayout, style: DocumentStyle): PagedBlock[] =>
  page.regions.flatMap((lines, region) =>
    readPdfBlocks(lines, style).map((block) => ({
      ...block,
      page: page.number,
      quarter: page.quarters[region] ?? 0,
    })),
  );

/** Each page by itself: a paragraph that goes on with the next page ends with its own. */
function pageList(
  pages: readonly PageLayout[],
  blocks: readonly (readonly PagedBlock[])[],
  { look, sources }: { readonly look: PdfLook; readonly sources: boolean },
): FilePages {
  return pages.map(({ number, width, height }, index) => {
    const own = blocks[index] ?? [];
    const { markdown } = blocksMarkdown(own, look);
    const size = { width: points(width), height: points(height) };
    return { page: number, markdown, ...size, ...(sources ? { sources: own.map(sourceOf) } : {}) };
  });
}

type FilePages = NonNullable<ParsedFile['pageList']>;

function sourceOf(block: PagedBlock): NonNullable<FilePages[number]['sources']>[number] {
  const box = blockBox(block);
  return { kind: block.kind, text: blockText(block), ...(box === undefined ? {} : { box }) };
}

/** Titles that word processors give to unnamed files. */
const NO_TITLE =
  /^(?:untitled|title|document\d*|microsoft (?:word|powerpoint)\b.*|.*\.(?:docx?|dvi|tex|rtf|indd|qxd|pptx?))$/i;

async function titleOf(document: PDFDocumentProxy): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    const title = (info as Record<string, unknown>).Title;
    if (typeof title !== 'string') return undefined;
    const clean = title.replace(/\s+/g, ' ').trim().slice(0, 500);
    return clean === '' || NO_TITLE.test(clean) ? undefined : clean;
  } catch {
    // Metadata is an extra; the text is valid without it.
    return undefined;
  }
}

function firstHeading(blocks: readonly PdfBlock[]): string | undefined {
  let best: Extract<PdfBlock, { kind: 'heading' }> | undefined;
  for (const block of blocks.slice(0, 40)) {
    if (block.kind !== 'heading') continue;
    if (best === undefined || block.rank.size > best.rank.size) best = block;
  }
  return best === undefined ? undefined : textOfSpans(best.spans).trim();
}

function linksOf(pages: readonly PageLayout[]): string[] {
  const links = new Set<string>();
  for (const line of pages.flatMap(({ regions }) => regions.flat())) {
    for (const { link } of spansOfLine(line)) {
      if (link !== undefined && /^https?:/i.test(link)) links.add(link);
    }
  }
  return [...links];
}

/** The document as plain text: running lines stay, so that no word of the text layer is lost. */
function writeText(blocks: readonly PdfBlock[]): string {
  const parts: string[] = [];
  let last: PdfBlock['kind'] | undefined;
  for (const block of blocks) {
    const text = blockText(block);
    if (text === '') continue;
    if (parts.length > 0) parts.push(last === 'item' && block.kind === 'item' ? '\n' : '\n\n');
    parts.push(text);
    last = block.kind;
  }
  return parts.join('');
}

function blockText(block: PdfBlock): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plain(block.spans);
    case 'item':
      return markerText(block.marker) + plain(block.spans);
    case 'table':
      return block.rows.map((cells) => cells.map(plain).join('\t')).join('\n');
    case 'code':
    case 'running':
      return block.text;
  }
}

function markerText(marker: Extract<PdfBlock, { kind: 'item' }>['marker']): string {
  if (typeof marker === 'number') return `${marker}. `;
  // A letter is still part of the text.
  return marker === 'bullet' ? '• ' : '';
}

const plain = (spans: readonly PdfSpan[]): string =>
  withoutLeaders(textOfSpans(spans)).replace(/ {2,}/g, ' ').trim();
