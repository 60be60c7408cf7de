import { escapeHtmlAttribute, escapeHtmlText } from '../html/escape-html.js';
import { type AddressRoom } from '../files/address-room.js';
import { type Relationships } from '../files/office-package.js';
import { BOXES, WordField, wholeFields, symbolText } from './fields.js';
import { formulaText } from './formula-text.js';
import { BREAK, LineHtml } from '../files/line-html.js';
import { type Numbering } from './numbering.js';
import { type Styles } from './styles.js';
import { child, type XmlElement } from '../files/xml-tree.js';
import { holdsNoText, isTurnedOn, valueIn } from './word-xml.js';

/** What the texts of one document share. */
export interface DocumentParts {
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly links: AddressRoom;
  /** The number that a note is shown with; undefined when there is no such note. */
  noteNumber(kind: NoteKind, id: string): number | undefined;
  /** Drawings whose text is in a part of its own; undefined when it is missing. */
  readDiagram(part: string): XmlElement | undefined;
  /** Something with words was met that cannot be read. */
  noteUnread(): void;
}

export type NoteKind = 'footnote' | 'endnote';

/** One paragraph while it is read. */
export interface OpenParagraph {
  readonly html: LineHtml;
  /** Of the paragraph. */
  readonly style: string | undefined;
  /** Text boxes that are anchored in it, as blocks. */
  boxes: string;
  /** Of the current run. */
  tags: readonly string[];
  isHidden: boolean;
  link: string | undefined;
}

type ReadElement = (reader: InlineReader, element: XmlElement, line: OpenParagraph) => void;

const text =
  (value: string): ReadElement =>
  (reader, _, line) =>
    reader.addText(value, line);
const lineBreak: ReadElement = (reader, _, line) => reader.addHtml(BREAK, line);

/** Elements of a line (ECMA-376 part 1, 17.3.3 and 17.16) that are more than what is in them. */
const READERS: Readonly<Record<string, ReadElement>> = {
  'w:r': (reader, element, line) => reader.readRun(element, line),
  'w:t': (reader, element, line) => reader.addText(element.text, line),
  'a:t': (reader, element, line) => reader.addText(element.text, line),
  'w:tab': text('\t'),
  'w:ptab': text('\t'),
  'w:noBreakHyphen': text('\u2011'),
  'w:softHyphen': text('\u00ad'),
  'w:br': lineBreak,
  'w:cr': lineBreak,
  'a:br': lineBreak,
  'w:sym': (reader, { attributes }, line) => {
    const code = Number.parseInt(attributes['w:char'] ?? '', 16);
    reader.addText(symbolText(attributes['w:font'] ?? '', code), line);
  },
  'm:oMath': (reader, element, line) => reader.addText(formulaText(element), line),
  'v:textpath': (reader, { attributes }, line) => reader.addText(attributes.string ?? '', line),
  'v:imagedata': (reader, { attributes }, line) => reader.addPicture(attributes['o:title'], line),
  'w:hyperlink': (reader, element, line) => reader.readLink(element, line),
  'w:fldSimple': (reader, element, line) => reader.readField(element, line),
  'w:fldChar': (reader, element, line) => reader.readFieldMark(element, line),
  'w:instrText': (reader, element) => reader.addCode(element.text),
  'w:sdt': (reader, element, line) =>
    reader.readControl(element, () => reader.readIn(element, line), line),
  'w:ruby': (reader, element, line) => reader.readRuby(element, line),
  'w:footnoteReference': (reader, element, line) => reader.readNote('footnote', element, line),
  'w:endnoteReference': (reader, element, line) => reader.readNote('endnote', element, line),
  'wp:inline': (reader, element, line) => reader.readDrawing(element, line),
  'wp:anchor': (reader, element, line) => reader.readDrawing(element, line),
  'dgm:relIds': (reader, element, line) => reader.readDiagram(element, line),
  'mc:AlternateContent': (reader, element, line) =>
    reader.readAlternative(element, (one) => reader.readIn(one, line)),
  'w:txbxContent': (reader, element, line) => reader.readBox(element, line),
  'a:p': (reader, element, line) => reader.readDrawnParagraph(element, line),
  'w:p': (reader, element, line) => reader.readBox({ ...element, children: [element] }, line),
  'w:tbl': (reader, element, line) => reader.readBox({ ...element, children: [element] }, line),
};

/** Reads what is in the paragraphs of a text. Fields go on from one to the next. */
export class InlineReader {
  private fields: WordField[] = [];
  /** Fields whose code has not ended: nothing is shown. */
  private codes = 0;
  private readonly wholeFields: ReadonlySet<XmlElement>;
  /** The state of a box to tick, in place of the next character. */
  private box: string | undefined;
  /** Counts what was shown. */
  private shown = 0;

  /** @param readBlocks of a text box */
  constructor(
    part: XmlElement,
    private readonly relationships: Relationships,
    private readonly document: DocumentParts,
    private readonly readBlocks: (box: XmlElement) => string,
  ) {
    this.wholeFields = wholeFields(part);
  }

  /** @param html of a line that it goes on with */
  start(style: string | undefined, html = new LineHtml()): OpenParagraph {
    const isHidden = this.isHidden(undefined, style);
    return { html, style, boxes: '', tags: NO_TAGS, isHidden, link: undefined };
  }

  readIn(element: XmlElement, line: OpenParagraph): void {
    for (const one of element.children) {
      if (holdsNoText(one)) continue;
      const read = Object.hasOwn(READERS, one.name) ? READERS[one.name] : undefined;
      if (read === undefined) this.readIn(one, line);
      else read(this, one, line);
    }
  }

  readRun(element: XmlElement, line: OpenParagraph): void {
    const { tags, isHidden } = line;
    const properties = child(element, 'w:rPr');
    line.tags = properties === undefined ? NO_TAGS : this.tagsOf(properties);
    line.isHidden = this.isHidden(properties, line.style);
    this.readIn(element, line);
    line.tags = tags;
    line.isHidden = isHidden;
  }

  /** @param run properties of it */
  isHidden(run: XmlElement | undefined, paragraphStyle: string | undefined): boolean {
    if (isTurnedOn(child(run, 'w:specVanish'))) return true;
    const own = isTurnedOn(child(run, 'w:vanish'));
    return own ?? this.document.styles.hides(paragraphStyle, valueIn(run, 'w:rStyle'));
  }

  private tagsOf(run: XmlElement): readonly string[] {
    const tags = [...this.document.styles.tagsOf(valueIn(run, 'w:rStyle'))];
    if (isTurnedOn(child(run, 'w:b')) && !tags.includes('strong')) tags.push('strong');
    if (isTurnedOn(child(run, 'w:i'))) tags.push('em');
    const raised = RAISED[valueIn(run, 'w:vertAlign') ?? ''];
    if (raised !== undefined) tags.push(raised);
    if (isTurnedOn(child(run, 'w:strike')) ?? isTurnedOn(child(run, 'w:dstrike'))) tags.push('s');
    return tags;
  }

  addText(value: string, line: OpenParagraph): void {
    if (this.box !== undefined && value !== '') {
      // The box is a character of its own; a label may have been put into the control with it.
      value = this.box + value.replace(/^[^\p{L}\p{N}]/u, '');
      this.box = undefined;
    }
    this.addHtml(escapeHtmlText(value), line);
  }

  addHtml(html: string, line: OpenParagraph): void {
    if (html === '' || line.isHidden || this.codes > 0) return;
    const field = this.fields.at(-1);
    if (field !== undefined) field.hasResult = true;
    const link = line.link ?? field?.link;
    const isLinked = link !== undefined && this.document.links.takes(link);
    line.html.add(html, isLinked ? [linkTag(link), ...line.tags] : line.tags);
    this.shown++;
  }

  addPicture(description: string | undefined, line: OpenParagraph): void {
    if (description === undefined || description.trim() === '') return;
    this.addHtml(` <img src="" alt="${escapeHtmlAttribute(description)}"> `, line);
  }

  addCode(code: string): void {
    const field = this.fields.at(-1);
    if (field?.isInResult === false) field.code += code;
  }

  readLink(element: XmlElement, line: OpenParagraph): void {
    const { link } = line;
    const { 'r:id': id, 'w:anchor': place } = element.attributes;
    const address = this.relationships.get(id)?.target;
    // A place outweighs one in the address.
    line.link ??= place === undefined ? address : `${address?.split('#', 1)[0] ?? ''}#${place}`;
    this.readIn(element, line);
    line.link = link;
  }

  readField(element: XmlElement, line: OpenParagraph): void {
    const field = this.openField(element);
    field.code = element.attributes['w:instr'] ?? '';
    this.startResult(field);
    this.readIn(element, line);
    this.endField(line);
  }

  readFieldMark(element: XmlElement, line: OpenParagraph): void {
    if (!this.wholeFields.has(element)) return;
    const type = element.attributes['w:fldCharType'];
    if (type === 'begin') this.openField(element);
    else if (type === 'end') this.endField(line);
    else if (type === 'separate') this.startResult(this.fields.at(-1));
  }

  private startResult(field: WordField | undefined): void {
    if (field === undefined || field.isInResult) return;
    field.startResult();
    this.codes--;
  }

  private openField(begin: XmlElement): WordField {
    const field = new WordField(begin, this.fields.at(-1)?.link);
    this.fields.push(field);
    this.codes++;
    return field;
  }

  private endField(line: OpenParagraph): void {
    const field = this.fields.pop();
    if (field === undefined) return;
    if (!field.isInResult) this.codes--;
    if (field.hasResult) {
      const outer = this.fields.at(-1);
      if (outer !== undefined) outer.hasResult = true;
      return;
    }
    const shown = field.shown();
    if (shown === null) this.document.noteUnread();
    else this.addText(shown, line);
  }

  /** A content control (17.5.2); one that is a box to tick shows its state. */
  readControl(element: XmlElement, read: () => void, line?: OpenParagraph): void {
    const box = child(child(element, 'w:sdtPr'), 'w14:checkbox');
    const checked = child(box, 'w14:checked');
    if (box !== undefined) {
      this.box = isTurnedOn(checked, 'w14:val') ? BOXES.checked : BOXES.unchecked;
    }
    read();
    if (box !== undefined && this.box !== undefined && line !== undefined) this.addText(' ', line);
    this.box = undefined;
  }

  readRuby(element: XmlElement, line: OpenParagraph): void {
    line.html.addTags('<ruby>');
    const base = child(element, 'w:rubyBase');
    if (base !== undefined) this.readIn(base, line);
    const reading = { ...line, html: new LineHtml() };
    const above = child(element, 'w:rt');
    if (above !== undefined) this.readIn(above, reading);
    const html = reading.html.finish();
    const shown = html === '' ? '' : `<rp>(</rp><rt>${html}</rt><rp>)</rp>`;
    line.html.addTags(`${shown}</ruby>`);
  }

  readNote(kind: NoteKind, { attributes }: XmlElement, line: OpenParagraph): void {
    if (line.isHidden || this.codes > 0) return;
    const id = attributes['w:id'] ?? '';
    const number = this.document.noteNumber(kind, id);
    if (number === undefined) return this.document.noteUnread();
    const name = escapeHtmlAttribute(`${kind}-${id}`);
    const back = escapeHtmlAttribute(`${kind}-ref-${id}`);
    line.html.add(`<sup><a href="#${name}" id="${back}">[${number}]</a></sup>`, NO_TAGS);
  }

  readDrawing(element: XmlElement, line: OpenParagraph): void {
    const properties = child(element, 'wp:docPr');
    const { attributes = {} } = properties ?? {};
    if (/^(?:1|true|on)$/.test(attributes.hidden ?? '')) return;
    const before = this.shown;
    this.readIn(element, line);
    if (this.shown > before) return;
    const { link } = line;
    const click = child(properties, 'a:hlinkClick')?.attributes['r:id'];
    line.link ??= this.relationships.get(click)?.target;
    const { descr = '', title } = attributes;
    this.addPicture(descr.trim() === '' ? title : descr, line);
    line.link = link;
  }

  /** The text of a diagram is in a part of its own. */
  readDiagram({ attributes }: XmlElement, line: OpenParagraph): void {
    const part = this.relationships.get(attributes['r:dm'])?.target;
    const data = part === undefined ? undefined : this.document.readDiagram(part);
    if (data === undefined) this.document.noteUnread();
    else this.readIn(data, line);
  }

  /** The first of several forms that shows something. */
  readAlternative({ children }: XmlElement, read: (form: XmlElement) => void): void {
    const before = this.shown;
    for (const form of children) {
      if (this.shown === before) read(form);
    }
  }

  readBox(element: XmlElement, line: OpenParagraph): void {
    if (line.isHidden) return;
    const { fields, codes } = this;
    this.fields = [];
    this.codes = 0;
    line.boxes += this.readBlocks(element);
    this.fields = fields;
    this.codes = codes;
  }

  readDrawnParagraph(element: XmlElement, line: OpenParagraph): void {
    const drawn = { ...line, html: new LineHtml(), boxes: '' };
    this.readIn(element, drawn);
    if (drawn.html.hasContent) line.boxes += `<p>${drawn.html.finish()}</p>`;
    line.boxes += drawn.boxes;
  }
}

const NO_TAGS: readonly string[] = [];

const RAISED: Readonly<Record<string, string>> = { superscript: 'sup', subscript: 'sub' };

const linkTag = (address: string): string => `a href="${escapeHtmlAttribute(address)}"`;
