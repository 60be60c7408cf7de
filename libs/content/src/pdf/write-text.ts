import { type PdfBlock } from './block.js';
import { type PdfSpan, textOfSpans } from './lines.js';
import { withoutLeaders } from './tables.js';

/** The document as plain text: running lines stay, so that no word of the text layer is lost. */
export function writeText(blocks: readonly PdfBlock[]): string {
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
