import { type PdfBlock, type HeadingRank } from './block.js';
import { withoutLeaders } from './tables.js';
import { type PdfSpan } from './lines.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** Levels that Markdown has. */
const MAX_LEVEL = 6;

/** Sizes closer than this share are one level. */
const SAME_SIZE = 0.04;

/** How all of a document is shown. */
export interface PdfLook {
  /** All of it is in a font of one width. */
  readonly isMono: boolean;
  /** 1 to 6. */
  readonly levels: (rank: HeadingRank) => number;
}

/**
 * Blocks of a document as HTML, for the one writer of Markdown that pages go through as well. Running
 * lines are left out.
 */
export function writeHtml(blocks: readonly PdfBlock[], { isMono, levels }: PdfLook): string {
  const lists = new ListNesting();
  const parts: string[] = [];
  for (const block of blocks) {
    if (block.kind === 'running') continue;
    if (block.kind === 'item') parts.push(lists.item(block, inline(block.spans, isMono)));
    else parts.push(lists.end() + blockHtml(block, levels, isMono));
  }
  parts.push(lists.end());
  return parts.join('\n');
}

function blockHtml(
  block: Exclude<PdfBlock, { kind: 'item' | 'running' }>,
  levels: (rank: HeadingRank) => number,
  isMono: boolean,
): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${inline(block.spans, isMono)}</p>`;
    case 'heading': {
      const name = `h${levels(block.rank)}`;
      return `<${name}>${inline(withoutEmphasis(block.spans), isMono)}</${name}>`;
    }
    case 'table':
      return tableHtml(block.rows, isMono);
    case 'code':
      return `<pre>\n${escapeHtml(block.text)}</pre>`;
  }
}

/** A heading's look is its level. */
const withoutEmphasis = (spans: readonly PdfSpan[]): PdfSpan[] =>
  spans.map((span) => ({ ...span, isBold: false, isItalic: false }));

const withoutBold = (spans: readonly PdfSpan[]): PdfSpan[] =>
  spans.map((span) => ({ ...span, isBold: false }));

function tableHtml(rows: readonly (readonly (readonly PdfSpan[])[])[], isMono: boolean): string {
  const html = rows.map((cells, index) => {
    const name = index === 0 ? 'th' : 'td';
    const own = index === 0 ? cells.map(withoutBold) : cells;
    return `<tr>${own.map((cell) => `<${name}>${inline(cell, isMono)}</${name}>`).join('')}</tr>`;
  });
  return `<table>${html.join('\n')}</table>`;
}

/**
 * Levels by size, the largest first; bold headings in the body's size come after all larger ones.
 */
export function headingLevels(blocks: readonly PdfBlock[]): (rank: HeadingRank) => number {
  const ranks: HeadingRank[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading' && !ranks.some((rank) => isSameRank(rank, block.rank))) {
      if (ranks.length < MAX_RANKS) ranks.push(block.rank);
    }
  }
  ranks.sort((a, b) => b.size - a.size || Number(b.isBold) - Number(a.isBold));
  return (rank) => {
    const index = ranks.findIndex((one) => isSameRank(one, rank));
    return Math.min(MAX_LEVEL, (index === -1 ? MAX_LEVEL : index) + 1);
  };
}

/** Distinct looks of headings. */
const MAX_RANKS = 40;

const isSameRank = (a: HeadingRank, b: HeadingRank): boolean =>
  Math.abs(a.size - b.size) <= Math.max(a.size, b.size) * SAME_SIZE;

/** Lists inside lists, by the indents of their markers. */
class ListNesting {
  private readonly open: { readonly indent: number; readonly name: 'ul' | 'ol' }[] = [];

  item(block: Extract<PdfBlock, { kind: 'item' }>, html: string): string {
    const name = typeof block.marker === 'number' ? 'ol' : 'ul';
    let out = '';
    while ((this.open.at(-1)?.indent ?? -Infinity) > block.indent + INDENT) out += this.close();
    const last = this.open.at(-1);
    const isInner = last === undefined || block.indent > last.indent + INDENT;
    if (!isInner && last.name !== name) out += this.close();
    if (isInner || last.name !== name) {
      const start = typeof block.marker === 'number' ? ` start="${block.marker}"` : '';
      this.open.push({ indent: block.indent, name });
      return `${out}<${name}${start}><li>${html}`;
    }
    return `${out}</li><li>${html}`;
  }

  /** Closes all lists. */
  end(): string {
    let out = '';
    while (this.open.length > 0) out += this.close();
    return out;
  }

  private close(): string {
    return `</li></${this.open.pop()?.name ?? 'ul'}>`;
  }
}

/** Points that markers of one list may differ by. */
const INDENT = 6;

function inline(spans: readonly PdfSpan[], isMono: boolean): string {
  return spans.map((span) => spanHtml(span, isMono)).join('');
}

function spanHtml(span: PdfSpan, isMono: boolean): string {
  let html = escapeHtml(shownText(span.text));
  if (html.trim() === '') return html;
  if (span.isMono && !isMono) html = `<code>${html}</code>`;
  if (span.raised !== undefined) html = `<${span.raised}>${html}</${span.raised}>`;
  if (span.isItalic && !span.isMono) html = `<em>${html}</em>`;
  if (span.isBold && !span.isMono) html = `<strong>${html}</strong>`;
  return span.link === undefined ? html : `<a href="${escapeHtml(span.link)}">${html}</a>`;
}

/** Characters of symbol fonts, which have no meaning as text, are left out. */
const shownText = (text: string): string => withoutLeaders(text).replace(/[\ue000-\uf8ff]/g, '');
