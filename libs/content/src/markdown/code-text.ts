import { Element, isText } from 'domhandler';
import { isUnseen } from '../dom/visibility.js';
import { walk } from '../dom/walk.js';
import { MAX_MARKDOWN_CHARS } from '../limits.js';
import { clipText } from './clip-text.js';
import { hasLineStyle } from './line-style.js';

/** Longest run of a character, to choose a longer fence. */
function longestRun(text: string, character: '`' | '~'): number {
  let longest = 0;
  for (let at = text.indexOf(character); at !== -1;) {
    const start = at;
    while (text[at] === character) at++;
    longest = Math.max(longest, at - start);
    at = text.indexOf(character, at);
  }
  return longest;
}

/** Inline code that survives backticks in it. */
export function codeSpan(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  const fence = '`'.repeat(longestRun(text, '`') + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** A fenced block; the fence is longer than any run of backticks inside. */
export function codeFence(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

const LINE_NUMBERS =
  /(?:^|\s)(?:lineno|linenos|linenodiv|line-numbers?-rows|gutter|rouge-gutter|blob-num|hljs-ln-numbers|ln-num|line-number|react-syntax-highlighter-line-number|lnt|ln)(?:\s|$)/;

/** The gutter of line numbers that highlighters put beside code. */
export function isLineNumbers({ attribs }: Element): boolean {
  return attribs.class !== undefined && LINE_NUMBERS.test(attribs.class);
}

/** A number that readers cannot select with the code beside it. */
function isStyledLineNumber({ attribs, children }: Element): boolean {
  if (attribs.style === undefined || !/user-select\s*:\s*none/.test(attribs.style)) return false;
  const [only, ...others] = children;
  if (only === undefined || others.length > 0 || !isText(only)) return false;
  return only.data.length <= MAX_NUMBER_CHARS && /^\s*\d+\s*$/.test(only.data);
}

const MAX_NUMBER_CHARS = 20;

/** Code whose lines are the rows of a table, as GitHub and SyntaxHighlighter write it. */
export function isCodeTable(table: Element): boolean {
  let outer: Element['parent'] = table;
  for (let level = 0; level < TABLE_LEVELS && outer instanceof Element; level++) {
    if (SYNTAX_HIGHLIGHTER.test(outer.attribs.class ?? '')) return true;
    outer = outer.parent;
  }
  return leadCells(table).some(({ attribs }) => /(?:^|\s)blob-code/.test(attribs.class ?? ''));
}

const SYNTAX_HIGHLIGHTER = /(?:^|\s)syntaxhighlighter(?:\s|$)/;
const TABLE_LEVELS = 3;

/** Children of a table, of its first part and of its first rows that are examined. */
const MAX_LEAD = 6;

/** Cells of a table's first rows. */
function leadCells(table: Element): Element[] {
  const inside = (parents: readonly Element[], names: RegExp): Element[] =>
    parents.flatMap(({ children }) =>
      children
        .slice(0, MAX_LEAD)
        .filter((child): child is Element => child instanceof Element && names.test(child.name)),
    );
  const parts = inside([table], /^(?:tbody|thead|tr)$/);
  const rows = [...parts.filter(({ name }) => name === 'tr'), ...inside(parts, /^tr$/)];
  return inside(rows, /^td$/);
}

/** Doxygen's code, which is no `pre`: its lines are blocks, its spaces do not collapse. */
export function isFragment({ attribs, children }: Element): boolean {
  if (attribs.class !== 'fragment') return false;
  return children.some((child) => child instanceof Element && child.attribs.class === 'line');
}

/** Elements that put what they hold on lines of its own. */
const LINES = new Set([
  'div',
  'p',
  'li',
  'tr',
  'ol',
  'ul',
  'table',
  'pre',
  'section',
  'blockquote',
]);

/** Highlighters make lines of inline elements by a style of their own. */
const isLine = (element: Element): boolean => LINES.has(element.name) || hasLineStyle(element);

export interface PreformattedText {
  readonly text: string;
  /** There was more of it than may be written at all. */
  readonly isCut: boolean;
}

/**
 * Text of preformatted content, character for character: highlighting dropped, `<br>` and blocks
 * as line breaks, no space at line ends, no blank line at the start or the end.
 */
export function preformattedText(root: Element): PreformattedText {
  const parts: string[] = [];
  let chars = 0;
  let endsLine = true;
  let rowAt = -1;
  const put = (text: string): void => {
    if (text === '') return;
    parts.push(text);
    chars += text.length;
    endsLine = text.endsWith('\n');
  };
  const endLine = (): void => {
    if (!endsLine) put('\n');
  };
  walk(root, {
    text: put,
    enter(element) {
      if (isUnseen(element) || isLineNumbers(element) || isStyledLineNumber(element)) return false;
      if (element.name === 'br') put('\n');
      else if (element.name === 'img') put(element.attribs.alt ?? '');
      else if (isLine(element)) endLine();
      if (element.name === 'tr') rowAt = parts.length;
      return true;
    },
    leave(element) {
      // A row without text is an empty line of code.
      if (element.name === 'tr' && parts.length === rowAt) put('\n');
      else if (isLine(element)) endLine();
    },
    isDone: () => chars > MAX_MARKDOWN_CHARS,
  });
  const isCut = chars > MAX_MARKDOWN_CHARS;
  return { text: tidyLines(clipText(parts.join(''), MAX_MARKDOWN_CHARS)), isCut };
}

function tidyLines(raw: string): string {
  const text = raw
    .replace(/\r\n?/g, '\n')
    .replace(/[\0\xad\u200b\u2060\ufeff]/g, '')
    .replaceAll('\u00a0', ' ');
  // Readers cannot see white space at the end of a line.
  const lines = text.split('\n').map((line) => line.trimEnd());
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from] === '') from++;
  while (to > from && lines[to - 1] === '') to--;
  return lines.slice(from, to).join('\n');
}
