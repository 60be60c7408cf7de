import { escapeHtmlText } from '../html/escape-html.js';

/** Quotes in quotes; deeper ones stay at this depth. */
const MAX_QUOTES = 5;

/**
 * Plain text of a mail as HTML: paragraphs by blank lines, quoted lines as quotes.
 * @param isFlowed whether lines that end with a space go on with the next (RFC 3676)
 */
export function plainBodyHtml(text: string, isFlowed: boolean): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return linesHtml(isFlowed ? joinFlowed(lines) : lines, 0);
}

function linesHtml(lines: readonly string[], depth: number): string {
  let html = '';
  let paragraph: string[] = [];
  let quote: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) html += `<p>${paragraph.map(escapeHtmlText).join('<br>')}</p>`;
    paragraph = [];
  };
  const endQuote = (): void => {
    if (quote.length > 0) html += `<blockquote>${linesHtml(quote, depth + 1)}</blockquote>`;
    quote = [];
  };
  for (const line of lines) {
    if (line.startsWith('>') && depth < MAX_QUOTES) {
      endParagraph();
      quote.push(line.startsWith('> ') ? line.slice(2) : line.slice(1));
    } else {
      endQuote();
      if (line.trim() === '') endParagraph();
      else paragraph.push(line.trimEnd());
    }
  }
  endQuote();
  endParagraph();
  return html;
}

/** Lines of one paragraph at one depth of quotes become one line. */
function joinFlowed(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let open: { readonly quotes: number; text: string } | undefined;
  for (const line of lines) {
    const quotes = /^>*/.exec(line)?.[0].length ?? 0;
    const raw = line.slice(quotes);
    const text = raw.startsWith(' ') ? raw.slice(1) : raw;
    // The line before a signature ends with a space and does not flow.
    const flows = text.endsWith(' ') && text !== '-- ';
    if (open?.quotes === quotes) open.text += text;
    else {
      if (open !== undefined) joined.push(quoted(open));
      open = { quotes, text };
    }
    if (flows) continue;
    joined.push(quoted(open));
    open = undefined;
  }
  if (open !== undefined) joined.push(quoted(open));
  return joined;
}

const quoted = ({ quotes, text }: { readonly quotes: number; readonly text: string }): string =>
  quotes === 0 ? text : `${'>'.repeat(quotes)} ${text}`;
