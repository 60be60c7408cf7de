import { BREAK, LineHtml } from '../files/line-html.js';
import { noteItem, noteReference } from '../files/note-html.js';
import { child, childrenOf, XML_TEXT, type XmlElement } from '../files/xml-tree.js';
import { escapeHtmlAttribute, escapeHtmlText } from '../html/escape-html.js';
import { MAX_COLSPAN, MAX_FILLED_CHARS, MAX_ROWSPAN } from '../limits.js';
import type { OdfObjects } from './odf-objects.js';
import type { OdfStyles } from './odf-styles.js';
import { odfAddress, odfCount } from './odf-values.js';

/** Elements without text of the document: what was deleted, remarks on it, declarations. */
const UNSEEN = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:annotation-end',
  'office:forms',
  'office:event-listeners',
  'office:scripts',
  'text:sequence-decls',
  'text:variable-decls',
  'text:user-field-decls',
  'text:alphabetical-index-auto-mark-file',
  'text:hidden-text',
  'text:ruby-text',
  'presentation:notes',
  'svg:title',
  'svg:desc',
  // How indexes are made.
  ...'table-of-content illustration-index table-index object-index user-index alphabetical-index bibliography'
    .split(' ')
    .map((name) => `text:${name}-source`),
]);

/** Elements of a line (OpenDocument 1.3 part 3, 6) that are more than what is in them. */
const IN_LINE = new Set(['text:span', 'text:a', 'text:s', 'text:tab', 'text:line-break', XML_TEXT]);

/** Spaces of one element. */
const MAX_SPACES = 100;
/** Cells that one element stands for, if they have text. */
const MAX_REPEATED = 100;

const MAX_LIST_DEPTH = 12;

interface OpenLine {
  readonly html: LineHtml;
  readonly tags: readonly string[];
  /** Blocks that are anchored in it. */
  readonly boxes: string[];
}

/** Blocks of an OpenDocument text, page or cell as HTML. */
export class OdfBlocks {
  private notes = 0;
  private noteItems = '';
  private listDepth = 0;
  /** UTF-16 units that cells, and links around notes, may still be repeated with. */
  private repeatedChars = MAX_FILLED_CHARS;

  constructor(
    private readonly styles: OdfStyles,
    private readonly objects: OdfObjects,
  ) {}

  read({ children }: Pick<XmlElement, 'children'>): string {
    let html = '';
    let line: XmlElement[] = [];
    // Text between blocks makes a paragraph of its own.
    const endLine = (): void => {
      if (line.length > 0) html += this.paragraph({ ...NO_PARAGRAPH, children: line });
      line = [];
    };
    for (const one of children) {
      if (IN_LINE.has(one.name)) line.push(one);
      else {
        endLine();
        html += this.block(one);
      }
    }
    endLine();
    return html;
  }

  /** Notes that the text refers to, which come after it. */
  finishNotes(): string {
    return this.noteItems === '' ? '' : `<ol>${this.noteItems}</ol>`;
  }

  private block(element: XmlElement): string {
    const { name, attributes } = element;
    if (UNSEEN.has(name) || attributes['text:display'] === 'none') return '';
    switch (name) {
      case 'text:h':
      case 'text:p':
        return this.paragraph(element);
      case 'text:list':
        return this.list(element, undefined, 1);
      case 'table:table':
        return this.table(element);
      case 'draw:frame':
        return this.frame(element);
      default:
        return this.read(element);
    }
  }

  private paragraph(element: XmlElement): string {
    const style = element.attributes['text:style-name'];
    if (this.styles.isHidden('paragraph', style) || element.name === 'text:hidden-paragraph')
      return '';
    const line = { html: new LineHtml(), tags: [], boxes: [] };
    this.inline(element, line);
    const text = line.html.finish();
    const name = this.blockName(element, style);
    const start = name === 'pre' ? '<pre>\n' : `<${name}>`;
    const own = line.html.hasContent ? `${start}${text}</${name}>` : '';
    return own + line.boxes.join('');
  }

  private blockName({ name, attributes }: XmlElement, style: string | undefined): string {
    if (name !== 'text:h') return this.styles.blockOf(style);
    return `h${odfCount(attributes['text:outline-level'], 6)}`;
  }

  private inline(parent: XmlElement, line: OpenLine): void {
    for (const one of parent.children) this.inlineElement(one, line);
  }

  private inlineElement(element: XmlElement, line: OpenLine): void {
    const { name, attributes, text } = element;
    if (UNSEEN.has(name)) return;
    switch (name) {
      case XML_TEXT:
        return line.html.add(escapeHtmlText(text), line.tags);
      case 'text:s':
        return line.html.add(' '.repeat(odfCount(attributes['text:c'], MAX_SPACES)), line.tags);
      case 'text:tab':
        return line.html.add('\t', line.tags);
      case 'text:line-break':
        return line.html.add(BREAK, line.tags);
      case 'text:span': {
        const style = attributes['text:style-name'];
        if (this.styles.isHidden('text', style)) return;
        const tags = this.styles.tagsOf(style).filter((tag) => !line.tags.includes(tag));
        return this.inline(element, { ...line, tags: [...line.tags, ...tags].slice(0, MAX_TAGS) });
      }
      case 'text:a':
        return this.inline(element, {
          ...line,
          tags: withLink(line.tags, odfAddress(attributes['xlink:href'])),
        });
      case 'text:note':
        return this.note(element, line);
      case 'draw:frame':
        return this.frameInLine(element, line);
      case 'text:p':
      case 'text:h':
      case 'text:list':
      case 'table:table':
        line.boxes.push(this.block(element));
        return;
      default:
        return this.inline(element, line);
    }
  }

  private note(element: XmlElement, line: OpenLine): void {
    // The link that it is in ends before it and starts again after it.
    const repeated = line.tags.join('').length;
    if (repeated > this.repeatedChars) return;
    this.repeatedChars -= repeated;
    const number = ++this.notes;
    line.html.add(noteReference(number), []);
    const body = child(element, 'text:note-body');
    const html = body === undefined ? '' : this.read(body);
    this.noteItems += noteItem(html, number);
  }

  /** A picture or formula is part of the line, a text box is beside it. */
  private frameInLine(frame: XmlElement, line: OpenLine): void {
    const shown = this.shownInLine(frame);
    if (shown === undefined) line.boxes.push(this.frame(frame));
    else if (shown !== '') line.html.add(` ${shown} `, line.tags);
  }

  private frame(frame: XmlElement): string {
    const shown = this.shownInLine(frame);
    if (shown !== undefined) return shown === '' ? '' : `<p>${shown}</p>`;
    const table = child(frame, 'table:table') ?? this.objects.of(frame).chart;
    const box = child(frame, 'draw:text-box');
    return table === undefined ? this.read(box ?? NO_PARAGRAPH) : this.table(table);
  }

  /** Undefined: it holds blocks. */
  private shownInLine(frame: XmlElement): string | undefined {
    const { formula, chart } = this.objects.of(frame);
    if (formula !== undefined) return formula;
    const box = child(frame, 'draw:text-box') ?? child(frame, 'table:table') ?? chart;
    return box === undefined ? pictureOf(frame) : undefined;
  }

  private list(element: XmlElement, outer: string | undefined, level: number): string {
    if (++this.listDepth > MAX_LIST_DEPTH) {
      this.listDepth--;
      return this.read(element);
    }
    const style = element.attributes['text:style-name'] ?? outer;
    let items = '';
    let start: string | undefined;
    for (const item of element.children) {
      if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue;
      if (items === '') start = item.attributes['text:start-value'];
      const html = this.item(item, style, level);
      if (html !== '') items += `<li>${html}</li>`;
    }
    this.listDepth--;
    if (items === '') return '';
    const name = this.styles.isNumbered(style ?? this.listOfFirst(element), level) ? 'ol' : 'ul';
    const from = name === 'ol' && /^\d{1,9}$/.test(start ?? '') ? ` start="${start}"` : '';
    return `<${name}${from}>${items}</${name}>`;
  }

  private item({ children }: XmlElement, style: string | undefined, level: number): string {
    const isTight = children.filter(({ name }) => name === 'text:p').length <= 1;
    return children
      .map((one) => {
        if (one.name === 'text:list') return this.list(one, style, level + 1);
        const html = this.block(one);
        return isTight ? lone(html) : html;
      })
      .join('');
  }

  private listOfFirst(list: XmlElement): string | undefined {
    const first = child(child(list, 'text:list-item'), 'text:p');
    return this.styles.listOf(first?.attributes['text:style-name']);
  }

  private table(table: XmlElement): string {
    const head = childrenOf(table, 'table:table-header-rows').map((rows) => this.rows(rows, 'th'));
    const body = this.rows(table, 'td');
    const all = head.join('') + body;
    if (all === '') return '';
    const first = head.length === 0 ? '' : `<thead>${head.join('')}</thead>`;
    return `<table>${first}<tbody>${body}</tbody></table>`;
  }

  private rows({ children }: XmlElement, name: 'th' | 'td'): string {
    let html = '';
    for (const one of children) {
      if (one.name === 'table:table-row') html += this.row(one, name);
      else if (one.name === 'table:table-rows' || one.name === 'table:table-row-group')
        html += this.rows(one, name);
    }
    return html;
  }

  private row(row: XmlElement, name: 'th' | 'td'): string {
    let html = '';
    for (const cell of childrenOf(row, 'table:table-cell')) {
      const { attributes } = cell;
      const text = lone(this.read(cell));
      const wide =
        span('colspan', attributes['table:number-columns-spanned'], MAX_COLSPAN) +
        span('rowspan', attributes['table:number-rows-spanned'], MAX_ROWSPAN);
      const repeated = odfCount(attributes['table:number-columns-repeated']);
      html += `<${name}${wide}>${text}</${name}>`.repeat(this.timesOf(text, repeated));
    }
    return html === '' ? '' : `<tr>${html}</tr>`;
  }

  /** Blank cells to the edge of a sheet are none, and a long text is not multiplied. */
  private timesOf(text: string, repeated: number): number {
    if (text === '' && repeated > MAX_REPEATED) return 0;
    const times = Math.min(repeated, MAX_REPEATED);
    const chars = (times - 1) * (text.length + 20);
    if (chars > this.repeatedChars) return 1;
    this.repeatedChars -= chars;
    return times;
  }
}

const NO_PARAGRAPH: XmlElement = { name: 'text:p', attributes: {}, children: [], text: '' };

/** Elements around one text. */
const MAX_TAGS = 8;

function withLink(tags: readonly string[], address: string | undefined): readonly string[] {
  if (address === undefined) return tags;
  return [
    `a href="${escapeHtmlAttribute(address)}"`,
    ...tags.filter((tag) => !tag.startsWith('a ')),
  ];
}

function pictureOf(frame: XmlElement): string {
  const text = textIn(child(frame, 'svg:desc')) || textIn(child(frame, 'svg:title'));
  return text.trim() === '' ? '' : `<img src="" alt="${escapeHtmlAttribute(text)}">`;
}

const textIn = (element: XmlElement | undefined): string =>
  childrenOf(element, XML_TEXT)
    .map(({ text }) => text)
    .join('');

function span(name: string, value: string | undefined, max: number): string {
  const count = odfCount(value, max);
  return count > 1 ? ` ${name}="${count}"` : '';
}

/** A paragraph that is all of a cell or item is its text. */
function lone(html: string): string {
  const isLone = html.startsWith('<p>') && html.indexOf('</p>') === html.length - '</p>'.length;
  return isLone ? html.slice('<p>'.length, -'</p>'.length) : html;
}
