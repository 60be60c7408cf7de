import { parseHtml } from '../dom/parse-html.js';
import type { PageStart } from '../files/file-result.js';
import type { TruncationReason } from '../limits.js';
import { UrlResolver } from '../links/url-resolver.js';
import { writeMarkdown } from '../markdown/write-markdown.js';
import type { PagedBlock } from './block.js';
import { writeHtml, type PdfLook } from './write-html.js';

export interface PagedMarkdown {
  readonly markdown: string;
  /** Where pages begin in it; one whose first block goes on with a list of the page before has no place. */
  readonly pageStarts: readonly PageStart[];
  readonly truncatedBy?: TruncationReason;
}

/**
 * Blocks of a document as Markdown, page by page.
 * @param hasMarkers whether a comment before each page names it
 */
export function pagedMarkdown(
  blocks: readonly PagedBlock[],
  look: PdfLook,
  hasMarkers: boolean,
): PagedMarkdown {
  const pageStarts: PageStart[] = [];
  let markdown = '';
  let truncatedBy: TruncationReason | undefined;
  for (const group of groupsOf(blocks)) {
    const written = blocksMarkdown(group, look);
    truncatedBy ??= written.truncatedBy;
    const [first] = group;
    if (written.markdown === '' || first === undefined) continue;
    if (markdown !== '') markdown += '\n';
    pageStarts.push({ page: first.page, at: markdown.length });
    if (hasMarkers) markdown += `<!-- page ${first.page} -->\n\n`;
    markdown += written.markdown;
  }
  return { markdown, pageStarts, ...(truncatedBy === undefined ? {} : { truncatedBy }) };
}

export const blocksMarkdown = (blocks: readonly PagedBlock[], look: PdfLook) =>
  writeMarkdown(parseHtml(writeHtml(blocks, look)), new UrlResolver(''));

/** Blocks that begin on one page. A list is written in one go, wherever it ends. */
function groupsOf(blocks: readonly PagedBlock[]): PagedBlock[][] {
  const groups: PagedBlock[][] = [];
  let last: PagedBlock | undefined;
  for (const block of blocks) {
    if (block.kind === 'running') continue;
    const goesOn = last?.page === block.page || (last?.kind === 'item' && block.kind === 'item');
    if (goesOn) groups.at(-1)?.push(block);
    else groups.push([block]);
    last = block;
  }
  return groups;
}
