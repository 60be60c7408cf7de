import { Element, isTag, isText, type ChildNode, type Document } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { isUnseen } from '../src/dom/visibility.js';
import { parseHtml } from '../src/dom/parse-html.js';
import { collapse, textOf } from '../src/dom/walk.js';

/**
 * What a reader sees of HTML, as one line per block: two pages of equal structure give equal lines.
 * Insignificant are white space (runs, edges of blocks, around breaks, at the end
 * of code's lines, blank lines around code), blocks without content, wrappers without a meaning of
 * their own (div, span …), a paragraph around loose text, `b` for `strong` and its like, emphasis
 * inside its like, a link around its own address (GFM makes one of any address), a link's title
 * that repeats its text, what a footnote's anchors are called (its number shows) and the heading
 * over footnotes that readers of GFM add for screen readers, and attributes other than those listed
 * in {@link attributesOf}.
 */
export function structureOf(html: string, options: StructureOptions = {}): string {
  const outline = new Outline('https://example.com/', options.ignoresDistance ?? false);
  outline.container(parseHtml(html), 0);
  return outline.lines.join('\n');
}

export interface StructureOptions {
  /** Whether blank lines separate a list's items (text in paragraphs) is insignificant too. */
  readonly ignoresDistance?: boolean;
}

const FORMATS: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  s: 'del',
  strike: 'del',
  del: 'del',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
};
const ATOMS = new Set(['img', 'br', 'input']);
const TRANSPARENT_BLOCKS = new Set(
  'html body div section article main header footer nav aside address form thead tbody tfoot center'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table tr td th dl dt dd details summary figure figcaption'.split(
    ' ',
  ),
);

const isBlock = (name: string): boolean => BLOCKS.has(name) || TRANSPARENT_BLOCKS.has(name);

class Outline {
  readonly lines: string[] = [];

  constructor(
    private readonly base: string,
    private readonly ignoresDistance: boolean,
  ) {}

  /** A block's children: blocks by themselves, what is between them as paragraphs. */
  container(parent: Document | Element, depth: number): void {
    const runs = new Runs();
    const end = (): void => {
      for (const text of shownRun(this.inline(runs.take(), new Set())))
        this.put(depth, isItem(parent) && !this.ignoresDistance ? text : `p ${text}`);
    };
    for (const child of withoutPadding(parent, flattened(parent))) {
      if (child === EDGE) {
        end();
      } else if (isTag(child) && isBlock(child.name)) {
        end();
        this.block(child, depth);
      } else {
        runs.add(child);
      }
    }
    end();
  }

  private block(element: Element, depth: number): void {
    const { name } = element;
    if (isBlank(element) && !/^(?:td|th|tr)$/.test(name)) return;
    if (element.attribs.id === 'footnote-label') return;
    if (name === 'pre') return this.put(depth, `pre ${languageOf(element)}${codeOf(element)}`);
    if (name === 'hr') return this.put(depth, 'hr');
    if (/^(?:p|h[1-6]|dt|td|th|summary)$/.test(name)) {
      const texts = shownRun(this.inline(element.children, muteOf(element)));
      const isLeaf = !element.children.some((child) => isTag(child) && isBlock(child.name));
      if (isLeaf) {
        // Only paragraphs end at two breaks, and headings stay on one line.
        const whole = texts.join('<br>');
        const one = /^h/.test(name) ? whole.replaceAll('<br>', ' ') : whole;
        for (const text of name === 'p' ? texts : [one])
          this.put(
            depth,
            `${shownName(name)}${attributesOf(element, this.base)} ${text}`.trimEnd(),
          );
        return;
      }
    }
    this.put(depth, `${shownName(name)}${attributesOf(element, this.base)}`);
    this.container(element, depth + 1);
  }

  private inline(nodes: readonly ChildNode[], format: Format): Piece[] {
    return nodes.flatMap((node) => this.inlineNode(node, format));
  }

  private inlineNode(node: ChildNode, format: Format): Piece[] {
    if (isText(node)) return [{ text: node.data.replace(/[ \t\n\f\r\u00a0]+/g, ' '), format }];
    if (!isTag(node)) return [];
    const { name } = node;
    if (ATOMS.has(name)) return [{ atom: name + attributesOf(node, this.base), format }];
    if (isUnseen(node)) return [];
    const known = this.formatOf(node);
    // Emphasis inside code has no Markdown.
    const isMute = known !== undefined && EMPHASIS.has(known) && format.has('code');
    const isBold = known === 'strong' && format.has(BOLD_ALL_OVER);
    if (known === undefined || isMute || isBold) return this.inline(node.children, format);
    const content = this.inline(node.children, new Set([...format, known]));
    const shown = content.map((piece) => ('text' in piece ? piece.text : '?')).join('');
    const isMere = name === 'a' && isItsAddress(shown.trim(), node.attribs.href ?? '', this.base);
    if (isMere) return this.inline(node.children, format);
    return name === 'a' ? onOneLine(content) : content;
  }

  private formatOf(element: Element): string | undefined {
    if (element.name !== 'a') return FORMATS[element.name];
    const { href, title } = element.attribs;
    if (href === undefined) return undefined;
    if (element.attribs['data-footnote-ref'] !== undefined) return 'a to a footnote';
    if (element.attribs['data-footnote-backref'] !== undefined) return 'a from a footnote';
    const says = collapse(title ?? '') === collapse(textOf(element)) ? {} : { title };
    return `a${attributesOf(new Element('a', { href, ...says } as Element['attribs']), this.base)}`;
  }

  private put(depth: number, line: string): void {
    this.lines.push('  '.repeat(depth) + line);
  }
}

/** Where bold says nothing, because all is bold: headings, and the first row of a table. */
function muteOf(element: Element): Format {
  const isBold = /^(?:h[1-6]|dt|th)$/.test(element.name) || isInFirstRow(element);
  return isBold ? new Set([BOLD_ALL_OVER]) : new Set();
}

const BOLD_ALL_OVER = 'bold all over';

function isInFirstRow(cell: Element): boolean {
  if (cell.name !== 'td' && cell.name !== 'th') return false;
  let table = cell.parent;
  while (table instanceof Element && table.name !== 'table') table = table.parent;
  return table instanceof Element && DomUtils.getElementsByTagName('tr', table)[0] === cell.parent;
}

/** GFM makes headings of a table's first row and of no other cell. */
const shownName = (name: string): string => (name === 'th' ? 'td' : name);

/** Inline content between two blocks. */
class Runs {
  private nodes: ChildNode[] = [];

  add(node: ChildNode): void {
    this.nodes.push(node);
  }

  take(): ChildNode[] {
    const { nodes } = this;
    this.nodes = [];
    return nodes;
  }
}

const isItem = (node: Document | Element): boolean =>
  node instanceof Element && (node.name === 'li' || node.name === 'td' || node.name === 'th');

/** Children with wrappers replaced by what they hold; wrappers end lines, so they leave a break. */
function flattened(parent: Document | Element): ChildNode[] {
  return parent.children.flatMap((child) => {
    if (!isTag(child) || isUnseenBlock(child)) return isTag(child) ? [] : [child];
    if (TRANSPARENT_BLOCKS.has(child.name)) return [EDGE, ...flattened(child), EDGE];
    const holdsBlocks = !isBlock(child.name) && hasBlock(child);
    return holdsBlocks ? flattened(child) : [child];
  });
}

/** A row's empty cells at its end: GFM fills rows up. */
function withoutPadding(parent: Document | Element, children: ChildNode[]): ChildNode[] {
  if (!(parent instanceof Element) || parent.name !== 'tr') return children;
  const last = children.findLastIndex((child) => isTag(child) && !isBlank(child));
  return children.slice(0, last + 1);
}

/** Where a wrapper starts or ends. */
const EDGE = new Element('div', {});

/** Nothing to see: no text, picture, rule or box. */
function isBlank(element: Element): boolean {
  if (/^(?:hr|img|input|br)$/.test(element.name)) return false;
  return element.children.every((child) =>
    isText(child) ? child.data.trim() === '' : !isTag(child) || isBlank(child),
  );
}

/** A link whose text is the address it leads to, as far as addresses are written in full. */
function isItsAddress(text: string, href: string, base: string): boolean {
  const address = addressOf(href, base);
  return (
    text !== '' &&
    ['', 'http://', 'https://', 'mailto:'].some(
      (scheme) => URL.parse(scheme + text)?.href === address,
    )
  );
}

const isUnseenBlock = (element: Element): boolean => !ATOMS.has(element.name) && isUnseen(element);

const hasBlock = (element: Element): boolean =>
  element.children.some((child) => isTag(child) && (isBlock(child.name) || hasBlock(child)));

/** How text looks: which of strong, em, del, code and which link it is in, in whatever order. */
type Format = ReadonlySet<string>;

type Piece =
  | { readonly text: string; readonly format: Format }
  | { readonly atom: string; readonly format: Format };

/** A link's text: breaks inside are spaces, those at its edges belong outside. */
function onOneLine(content: readonly Piece[]): Piece[] {
  const isBlankPiece = (piece: Piece): boolean =>
    'text' in piece ? piece.text.trim() === '' : piece.atom === 'br';
  const first = content.findIndex((piece) => !isBlankPiece(piece));
  const last = content.findLastIndex((piece) => !isBlankPiece(piece));
  const isBreak = (piece: Piece | undefined): boolean =>
    piece !== undefined && 'atom' in piece && piece.atom === 'br';
  let lastEdge = -1;
  return content.map((piece, index) => {
    if (!isBreak(piece)) return piece;
    const isInside = index > first && index < last;
    const isSecond = index > last && lastEdge > last;
    lastEdge = index;
    return isInside || isSecond ? { text: ' ', format: piece.format } : piece;
  });
}

/** Emphasis shows on letters and digits; punctuation at its edge may be outside. */
const EMPHASIS = new Set(['strong', 'em', 'del']);

function lookOf(text: string, format: Format): string {
  const shows = (look: string): boolean =>
    look.startsWith('a ') || !EMPHASIS.has(look) || WORD.test(text);
  return [...format]
    .filter((look) => look !== BOLD_ALL_OVER && shows(look))
    .sort()
    .join(' ');
}

/** Of a picture only the link around it shows. */
const lookOfAtom = (format: Format): string =>
  [...format].filter((look) => look.startsWith('a ')).join(' ');

const WORD = /[\p{L}\p{N}]/u;

/** A run as text with marks where its look changes; white space has no look of its own. */
function shownRun(pieces: readonly Piece[]): string[] {
  const lines = [''];
  let look = '';
  let breaks = 0;
  const put = (text: string, next: string): void => {
    if (breaks > 1) {
      // Two breaks in a row are how authors without paragraphs end one.
      lines.push('');
      look = '';
    } else if (breaks === 1) lines.push(`${lines.pop()}<br>`);
    breaks = 0;
    const mark = next === look ? '' : `⟦${next}⟧`;
    look = next;
    lines.push(`${lines.pop()}${mark}${text}`);
  };
  for (const piece of pieces) {
    if ('atom' in piece) {
      if (piece.atom === 'br') breaks++;
      else put(`<${piece.atom}>`, lookOfAtom(piece.format));
      continue;
    }
    for (const word of piece.text.match(WORDS) ?? []) {
      if (word !== ' ') put(word, lookOf(word, piece.format));
      else if (breaks === 0) lines.push(`${lines.pop()} `);
    }
  }
  return lines.map(tidyRun).filter((line) => line !== '');
}

const WORDS = / |[\p{L}\p{N}]+|[^\p{L}\p{N} ]+/gu;

/** Single spaces and breaks, none at the edges; a space is before a mark rather than after. */
function tidyRun(shown: string): string {
  return shown
    .replace(/(⟦[^⟦⟧]*⟧) /g, ' $1')
    .replace(/ +/g, ' ')
    .replace(/ ?<br> ?/g, '<br>')
    .replace(/^(?:\s|<br>|⟦⟧)+|(?<!\s|<br>|⟦⟧)(?:\s|<br>|⟦⟧)+$/g, '');
}

function attributesOf({ name, attribs }: Element, base: string): string {
  const shown = (key: string, value: string | undefined): string =>
    value === undefined || value === '' ? '' : ` ${key}=${JSON.stringify(value)}`;
  switch (name) {
    case 'a':
      return (
        shown('href', addressOf(attribs.href, base)) + shown('title', tidyTitle(attribs.title))
      );
    case 'img':
      return (
        shown('src', addressOf(attribs.src, base)) +
        shown('alt', tidyTitle(attribs.alt)) +
        shown('title', tidyTitle(attribs.title))
      );
    case 'ol':
      return shown('start', attribs.start === '1' ? undefined : attribs.start);
    case 'input':
      return attribs.checked === undefined ? '' : ' checked';
    case 'td':
    case 'th':
      return shown('align', attribs.align);
    default:
      return '';
  }
}

const tidyTitle = (title: string | undefined): string | undefined =>
  title?.replace(/\s+/g, ' ').trim();

function addressOf(reference: string | undefined, base: string): string | undefined {
  return reference === undefined ? undefined : (URL.parse(reference, base)?.href ?? reference);
}

function languageOf(pre: Element): string {
  const code = pre.children.find(
    (child): child is Element => isTag(child) && child.name === 'code',
  );
  const language = /(?:^|\s)language-(\S+)/.exec(code?.attribs.class ?? '')?.[1];
  return language === undefined ? '' : `(${language}) `;
}

function codeOf(pre: Element): string {
  const textIn = (node: ChildNode): string => {
    if (isText(node)) return node.data;
    if (!isTag(node)) return '';
    return node.name === 'br' ? '\n' : node.children.map(textIn).join('');
  };
  return JSON.stringify(
    textIn(pre)
      .replace(/(?<![ \t])[ \t]+$/gm, '')
      .replace(/^\n+|(?<!\n)\n+$/g, ''),
  );
}
