import { AddressRoom } from '../files/address-room.js';
import { noteItem, noteReference } from '../files/note-html.js';
import { UnreadableFile } from '../files/unreadable-file.js';
import { escapeHtmlAttribute } from '../html/escape-html.js';
import { MAX_RTF_DEPTH, MAX_TABLE_COLUMNS } from '../limits.js';
import { codePageOfFont, CodePages } from './code-pages.js';
import { RtfBlocks, type CellShape, type RtfParagraph } from './rtf-blocks.js';
import type { RtfTokens } from './rtf-tokens.js';
import {
  addressIn,
  READ_STARRED,
  RTF_CHARACTERS,
  RTF_DESTINATIONS,
  type RtfDestination,
} from './rtf-words.js';

/** What a group inherits and restores. */
interface Group {
  destination: RtfDestination;
  /** Bytes or controls after a character of Unicode that stand in for it. */
  replaced: number;
  codePage: number;
  isBold: boolean;
  isItalic: boolean;
  isStruck: boolean;
  isHidden: boolean;
  raised: 'sup' | 'sub' | undefined;
  link: string | undefined;
  /** The text that ends with this group: a footnote. */
  isNote: boolean;
}

const NO_PARAGRAPH: RtfParagraph = { isInTable: false };

/** Builds the text of a document from its tokens. */
export class RtfReader implements RtfTokens {
  private readonly groups: Group[] = [];
  private group: Group = {
    ...{ destination: 'text', replaced: 1, codePage: 1_252, isBold: false, isItalic: false },
    ...{ isStruck: false, isHidden: false, raised: undefined, link: undefined, isNote: false },
  };
  private isStarred = false;
  private isGroupStart = false;
  private toReplace = 0;
  private readonly pages = new CodePages();
  private readonly fonts = new Map<number, number>();
  private fontNumber = 0;
  private readonly headings = new Map<number, number>();
  private styleNumber = 0;
  private defaultPage = 1_252;
  /** Bytes that were not decoded yet: a character may be in several controls. */
  private pending = new Uint8Array(1_024);
  private pendingBytes = 0;
  private title = '';
  private styleName = '';
  private instruction = '';
  /** A link is written again in every paragraph of its text. */
  private readonly links = new AddressRoom();
  private mark = '';
  private paragraph: RtfParagraph = NO_PARAGRAPH;
  private shapes: CellShape[] = [];
  private shape = { isMerged: false, isBelow: false };
  private blocks = new RtfBlocks();
  /** Texts around the note that is read. */
  private readonly outer: { readonly blocks: RtfBlocks; readonly paragraph: RtfParagraph }[] = [];
  private notes: string[] = [];

  open(): void {
    this.flush();
    if (this.groups.length >= MAX_RTF_DEPTH)
      throw new UnreadableFile('malformed', 'is refused: its groups nest too deep');
    this.groups.push(this.group);
    this.group = { ...this.group, isNote: false };
    [this.isGroupStart, this.isStarred, this.toReplace] = [true, false, 0];
  }

  close(): void {
    this.flush();
    const { destination, isNote } = this.group;
    if (destination === 'styles' && this.styleName !== '') this.endStyle();
    if (isNote) this.endNote();
    this.group = this.groups.pop() ?? this.group;
    [this.isGroupStart, this.isStarred, this.toReplace] = [false, false, 0];
  }

  symbol(character: string): void {
    if (this.isReplaced()) return;
    if (character !== '*') this.flush();
    if (character === '*') this.isStarred = this.isGroupStart;
    else if (character === '~') this.addText('\u00a0');
    else if (character === '_') this.addText('\u2011');
    else if (character === '\n' || character === '\r') this.endParagraph();
    else if ('{}\\'.includes(character)) this.addText(character);
  }

  bytes(part: Uint8Array): void {
    const skipped = Math.min(this.toReplace, part.length);
    this.toReplace -= skipped;
    this.isGroupStart = false;
    if (this.group.destination === 'nowhere' || skipped === part.length) return;
    this.hold(part.subarray(skipped));
  }

  private hold(bytes: Uint8Array): void {
    const needed = this.pendingBytes + bytes.length;
    if (needed > this.pending.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(this.pending.subarray(0, this.pendingBytes));
      this.pending = larger;
    }
    this.pending.set(bytes, this.pendingBytes);
    this.pendingBytes = needed;
  }

  word(name: string, value: number | undefined): void {
    if (name === 'u' && value !== undefined) return this.addUnicode(value);
    if (this.isReplaced()) return;
    this.flush();
    const { isGroupStart, isStarred, group } = this;
    this.isGroupStart = this.isStarred = false;
    if (isGroupStart && this.enterDestination(name, isStarred)) return;
    if (group.destination === 'nowhere') return;
    const character = RTF_CHARACTERS.get(name);
    if (character !== undefined) return this.addText(character);
    const isOn = value !== 0;
    switch (name) {
      case 'ansicpg':
        this.defaultPage = group.codePage = value ?? this.defaultPage;
        return;
      case 'mac':
        this.defaultPage = group.codePage = 10_000;
        return;
      case 'uc':
        group.replaced = Math.max(0, value ?? 1);
        return;
      case 'f':
        this.fontNumber = value ?? 0;
        group.codePage = this.fonts.get(this.fontNumber) ?? this.defaultPage;
        return;
      case 'fcharset':
        return this.defineFont(value ?? 0);
      case 's':
        return this.setStyle(value ?? 0);
      case 'plain':
        Object.assign(group, { isBold: false, isItalic: false, isStruck: false });
        Object.assign(group, { isHidden: false, raised: undefined, codePage: this.defaultPage });
        return;
      case 'b':
        group.isBold = isOn;
        return;
      case 'i':
        group.isItalic = isOn;
        return;
      case 'strike':
      case 'striked':
        group.isStruck = isOn;
        return;
      case 'v':
      case 'deleted':
        group.isHidden = isOn;
        return;
      case 'super':
        group.raised = isOn ? 'sup' : undefined;
        return;
      case 'sub':
        group.raised = isOn ? 'sub' : undefined;
        return;
      case 'nosupersub':
        group.raised = undefined;
        return;
      default:
        if (group.destination === 'text') this.readLayout(name, value);
    }
  }

  /** What is left, as HTML. */
  finish(): { readonly html: string; readonly title: string } {
    this.flush();
    while (this.outer.length > 0) this.endNote();
    const text = this.blocks.finish(this.paragraph);
    const items = this.notes.map((note, index) => noteItem(note, index + 1)).join('');
    return { html: items === '' ? text : `${text}<ol>${items}</ol>`, title: this.title.trim() };
  }

  /** Controls of paragraphs and tables. */
  private readLayout(name: string, value: number | undefined): void {
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
      case 'nestcell':
      case 'nestrow':
        return this.endParagraph();
      case 'line':
      case 'lbr':
        return this.blocks.addHtml('<br>', this.tags());
      case 'pard':
        this.paragraph = NO_PARAGRAPH;
        return;
      case 'intbl':
        this.paragraph = { ...this.paragraph, isInTable: true };
        return;
      case 'outlinelevel':
        if (value !== undefined && value >= 0 && value < 6)
          this.paragraph = { ...this.paragraph, heading: value + 1 };
        return;
      case 'ilvl':
        this.paragraph = { ...this.paragraph, level: Math.max(0, value ?? 0) };
        return;
      case 'trowd':
        this.shapes = [];
        this.shape = { isMerged: false, isBelow: false };
        return;
      case 'clmrg':
        this.shape.isMerged = true;
        return;
      case 'clvmrg':
        this.shape.isBelow = true;
        return;
      case 'cellx':
        if (this.shapes.length < MAX_TABLE_COLUMNS) this.shapes.push(this.shape);
        this.shape = { isMerged: false, isBelow: false };
        return;
      case 'cell':
        return this.blocks.endCell();
      case 'row':
        return this.blocks.endRow(this.shapes);
      default:
        return undefined;
    }
  }

  /** Whether the first word of a group says where its text goes. */
  private enterDestination(name: string, isStarred: boolean): boolean {
    const { group } = this;
    if (group.destination === 'nowhere' && name !== 'title' && name !== 'result') return true;
    if (name === 'footnote' && group.destination === 'text') return this.startNote();
    if (name === 'fldrslt') group.link = addressIn(this.instruction) ?? group.link;
    if (name === 'field' || name === 'fldrslt') this.instruction = '';
    const destination = RTF_DESTINATIONS.get(name);
    if (destination === 'mark') this.mark = '';
    if (destination !== undefined) group.destination = destination;
    else if (isStarred && !READ_STARRED.has(name)) group.destination = 'nowhere';
    else return name === 'fldrslt' || name === 'field';
    return true;
  }

  private startNote(): true {
    this.notes.push('');
    this.blocks.addHtml(noteReference(this.notes.length), []);
    this.outer.push({ blocks: this.blocks, paragraph: this.paragraph });
    [this.blocks, this.paragraph] = [new RtfBlocks(), NO_PARAGRAPH];
    this.group.isNote = true;
    return true;
  }

  private endNote(): void {
    const outer = this.outer.pop();
    if (outer === undefined) return;
    const html = this.blocks.finish(this.paragraph);
    // Notes do not hold notes, so the last one without a text is the one that ends.
    this.notes[this.notes.lastIndexOf('')] = html === '' ? '<p></p>' : html;
    [this.blocks, this.paragraph] = [outer.blocks, outer.paragraph];
  }

  private endParagraph(): void {
    const { mark, paragraph } = this;
    const isItem = mark.trim() !== '' && !paragraph.isInTable;
    const level = isItem ? (paragraph.level ?? 0) : undefined;
    this.blocks.endParagraph({ ...paragraph, level, isNumbered: /\d|^\s*\w{1,8}[.)]/.test(mark) });
    this.mark = '';
  }

  private defineFont(charset: number): void {
    const page = codePageOfFont(charset);
    if (page !== undefined && this.fonts.size < MAX_FONTS) this.fonts.set(this.fontNumber, page);
  }

  private setStyle(number: number): void {
    if (this.group.destination === 'styles') this.styleNumber = number;
    else this.paragraph = { ...this.paragraph, heading: this.headings.get(number) };
  }

  /** Style sheets name the styles of headings (`{\s1 … heading 1;}`). */
  private endStyle(): void {
    const name = this.styleName.replace(/;\s*$/, '').trim();
    const level = /^heading ([1-6])$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? '1' : undefined);
    if (level !== undefined) this.headings.set(this.styleNumber, Number(level));
    this.styleName = '';
  }

  private isReplaced(): boolean {
    if (this.toReplace === 0) return false;
    this.toReplace--;
    return true;
  }

  private addUnicode(value: number): void {
    this.flush();
    this.addText(String.fromCharCode(value & 0xffff));
    this.toReplace = this.group.replaced;
  }

  private flush(): void {
    if (this.pendingBytes === 0) return;
    const bytes = this.pending.subarray(0, this.pendingBytes);
    this.pendingBytes = 0;
    this.addText(this.pages.decode(bytes, this.group.codePage));
  }

  private addText(text: string): void {
    this.isGroupStart = false;
    this.flush();
    switch (this.group.destination) {
      case 'text':
        if (!this.group.isHidden) this.blocks.addText(text, this.tags());
        return;
      case 'styles':
        this.styleName = (this.styleName + text).slice(-MAX_NAME_CHARS);
        return;
      case 'title':
        this.title += text;
        return;
      case 'instruction':
        this.instruction = (this.instruction + text).slice(0, MAX_INSTRUCTION_CHARS);
        return;
      case 'mark':
        this.mark = (this.mark + text).slice(0, MAX_NAME_CHARS);
        return;
      case 'fonts':
      case 'nowhere':
        return;
    }
  }

  private tags(): readonly string[] {
    const { link, isBold, isItalic, isStruck, raised } = this.group;
    const tags: string[] = [];
    if (link && this.links.takes(link)) tags.push(`a href="${escapeHtmlAttribute(link)}"`);
    if (isBold) tags.push('strong');
    if (isItalic) tags.push('em');
    if (isStruck) tags.push('s');
    if (raised !== undefined) tags.push(raised);
    return tags;
  }
}

const MAX_FONTS = 10_000;
const MAX_NAME_CHARS = 100;
const MAX_INSTRUCTION_CHARS = 4_000;
