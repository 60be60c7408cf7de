import { type Element } from 'domhandler';
import { type Visitor } from '../dom/walk.js';
import { isUnseen } from '../dom/visibility.js';
import { MAX_MARKDOWN_CHARS, type TruncationReason } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { BlockWriter, type BlockKind } from './block-writer.js';
import { codeFence, codeLanguage, codeSpan, isLineNumbers, preformattedText } from './code-text.js';
import { type BlockRole, blockRoleOf, inlineRoleOf } from './element-role.js';
import { escapeHeadingEnd, escapeLineStarts } from './escape-text.js';
import { type Flow, InlineElements } from './inline-elements.js';
import { InlineWriter } from './inline-writer.js';
import { ListWriter } from './list-writer.js';
import { TableWriter } from './table-writer.js';

/** An unclosed heading must not swallow the page: past this it ends at the next block. */
const MAX_HEADING_CHARS = 300;

/**
 * Writes Markdown while the tree is walked. Three modes: in the flow of the page, blocks end at
 * block boundaries; inside a heading a boundary is a space; inside a table cell it is `<br>`.
 */
export class MarkdownWriter implements Visitor, Flow {
  private readonly inline = new InlineWriter();
  private readonly inlineElements: InlineElements;
  private readonly blocks = new BlockWriter();
  private readonly tables = new TableWriter(this.inline);
  private readonly lists = new ListWriter(this.blocks);
  private headingLevel = 0;

  /** @param dataTarget target of inlined images; null: their type */
  constructor(resolver: UrlResolver, dataTarget: string | null = null) {
    this.inlineElements = new InlineElements(this.inline, { resolver, dataTarget }, this);
  }

  text(data: string): void {
    this.inline.text(data);
  }

  isDone(): boolean {
    // What waits in a paragraph or a table counts: links grow it far beyond the source.
    return this.blocks.chars + this.inline.chars + this.tables.chars > MAX_MARKDOWN_CHARS;
  }

  finish(): { readonly markdown: string; readonly truncatedBy?: TruncationReason } {
    const isCut = this.isDone();
    this.endHeading();
    this.flush();
    for (const table of this.tables.finish()) this.write(table, 'other');
    const markdown = this.blocks.finish();
    if (isCut) return { markdown, truncatedBy: 'max_markdown_chars' };
    return this.blocks.isFlattened ? { markdown, truncatedBy: 'max_depth' } : { markdown };
  }

  enter(element: Element): boolean {
    if (isUnseen(element)) return false;
    const block = blockRoleOf(element.name);
    if (block !== undefined) return this.enterBlock(block, element);
    const inline = inlineRoleOf(element.name);
    return inline === undefined || this.inlineElements.enter(inline, element);
  }

  leave(element: Element): void {
    const block = blockRoleOf(element.name);
    if (block !== undefined) return this.leaveBlock(block, element);
    const inline = inlineRoleOf(element.name);
    if (inline !== undefined) this.inlineElements.leave(inline);
  }

  private enterBlock(role: BlockRole, element: Element): boolean {
    switch (role) {
      case 'block':
        this.boundary();
        return true;
      case 'heading':
        return this.enterHeading(element);
      case 'list':
        return this.enterList(element);
      case 'item':
        return this.enterItem(element);
      case 'quote':
        return this.enterQuote();
      case 'preformatted':
        return this.writePreformatted(element);
      case 'rule':
        return this.writeRule();
      case 'table':
        return this.enterTable(element);
      case 'row':
      case 'cell':
      case 'caption':
        return this.enterTablePart(role, element);
      case 'term':
      case 'summary':
        return this.enterTerm(element);
      case 'definition':
        return this.enterDefinition();
    }
  }

  private leaveBlock(role: BlockRole, element: Element): void {
    switch (role) {
      case 'block':
        return this.boundary();
      case 'heading':
        return this.leaveHeading();
      case 'list':
        return this.leaveList();
      case 'item':
        return this.leaveItem();
      case 'quote':
        return this.leaveQuote();
      case 'table':
        return this.leaveTable();
      case 'row':
      case 'cell':
      case 'caption':
        return this.leaveTablePart(role, element);
      case 'term':
      case 'summary':
        return this.leaveTerm(element);
      case 'definition':
        return this.leaveDefinition();
      case 'preformatted':
      case 'rule':
        return undefined;
    }
  }

  // -- blocks ------------------------------------------------------------------------------------

  lineBreak(): void {
    if (this.breakInCell()) return;
    if (this.headingLevel > 0 || this.inline.isInLink) this.inline.space();
    // Two breaks in a row are how authors without paragraphs end one.
    else if (this.inline.hasLineBreak) this.flush();
    else this.inline.break('\\\n');
  }

  boundary(): void {
    if (this.breakInCell()) return;
    if (this.headingLevel > 0 && this.inline.chars < MAX_HEADING_CHARS) this.inline.space();
    else this.flush();
  }

  /** In a table cell a boundary is `<br>`; false elsewhere. */
  private breakInCell(): boolean {
    if (this.tables.isInCell) this.inline.break('<br>');
    return this.tables.isInCell;
  }

  /** Ends the paragraph, and a heading that a block cannot be part of. */
  private startBlock(): void {
    this.endHeading();
    this.flush();
  }

  private flush(): void {
    if (this.headingLevel > 0) return this.endHeading();
    if (this.inline.isEmpty) return this.inline.dropSpace();
    const text = this.inline.finish();
    const isDefinition = this.blocks.isAtDefinition;
    if (text !== '') this.write(escapeLineStarts(text), isDefinition ? 'definition' : 'paragraph');
  }

  private write(markdown: string, kind: BlockKind): void {
    this.blocks.write(markdown, kind);
    this.lists.noteBlock();
  }

  private enterHeading(element: Element): boolean {
    if (this.breakInCell()) return true;
    this.startBlock();
    this.headingLevel = Number(element.name.charAt(1));
    this.setHeading(true);
    return true;
  }

  private leaveHeading(): void {
    if (!this.breakInCell()) this.endHeading();
  }

  private endHeading(): void {
    if (this.headingLevel === 0) return;
    const hashes = '#'.repeat(this.headingLevel);
    this.headingLevel = 0;
    const text = this.inline.finish();
    this.setHeading(false);
    if (text !== '') this.write(`${hashes} ${escapeHeadingEnd(text)}`, 'other');
  }

  private setHeading(isHeading: boolean): void {
    this.inline.isHeading = isHeading;
    this.inline.mutesBold = isHeading;
  }

  private enterQuote(): boolean {
    if (this.breakInCell()) return true;
    this.startBlock();
    this.blocks.enter('> ');
    return true;
  }

  private leaveQuote(): void {
    if (this.breakInCell()) return;
    this.startBlock();
    this.blocks.leave();
  }

  private writePreformatted(element: Element): boolean {
    if (isLineNumbers(element)) return false;
    const text = preformattedText(element);
    if (text === '') return false;
    if (this.tables.isInCell) {
      this.writeCellCode(text);
    } else {
      this.startBlock();
      this.write(codeFence(text, codeLanguage(element)), 'other');
    }
    return false;
  }

  private writeCellCode(text: string): void {
    this.inline.break('<br>');
    for (const line of text.split('\n')) {
      if (line.trim() !== '') this.inline.atom(codeSpan(line.trim()));
      this.inline.break('<br>');
    }
  }

  private writeRule(): boolean {
    if (this.breakInCell()) return false;
    this.startBlock();
    // "- ---" would be one long rule instead of a rule in an item.
    this.write(this.blocks.isAtMarker ? '***' : '---', 'other');
    return false;
  }

  // -- lists -------------------------------------------------------------------------------------

  private enterList(element: Element): boolean {
    if (this.breakInCell()) return true;
    this.startBlock();
    this.lists.enterList(element);
    return true;
  }

  private leaveList(): void {
    if (this.breakInCell()) return;
    this.startBlock();
    this.lists.leaveList();
  }

  private enterItem(element: Element): boolean {
    if (this.breakInCell()) {
      this.inline.marker('-');
    } else {
      this.startBlock();
      this.lists.enterItem(element);
    }
    return true;
  }

  private leaveItem(): void {
    if (this.breakInCell()) return;
    this.startBlock();
    this.lists.leaveItem();
  }

  // -- terms -------------------------------------------------------------------------------------

  private enterTerm(element: Element): boolean {
    if (!this.breakInCell()) {
      this.startBlock();
      if (element.name === 'dt' && this.blocks.lastKind === 'term') this.blocks.tighten();
    }
    this.inline.openEmphasis('**');
    return true;
  }

  private leaveTerm(element: Element): void {
    this.inline.closeEmphasis();
    if (this.breakInCell()) return;
    this.endHeading();
    const text = this.inline.finish();
    if (text !== '') this.write(text, element.name === 'dt' ? 'term' : 'other');
    this.blocks.loosen();
  }

  private enterDefinition(): boolean {
    if (this.breakInCell()) return true;
    this.startBlock();
    const { lastKind } = this.blocks;
    if (lastKind === 'term' || lastKind === 'definition') this.blocks.tighten();
    this.blocks.enter('', ': ', true);
    return true;
  }

  private leaveDefinition(): void {
    if (this.breakInCell()) return;
    this.startBlock();
    this.blocks.leave();
    this.blocks.loosen();
  }

  // -- tables ------------------------------------------------------------------------------------

  private enterTable(element: Element): boolean {
    if (this.breakInCell()) return true;
    this.startBlock();
    this.tables.enter(element);
    return true;
  }

  private enterTablePart(role: 'row' | 'cell' | 'caption', element: Element): boolean {
    if (role === 'cell' && isLineNumbers(element)) return false;
    if (!this.tables.isGrid || this.tables.isInCell) {
      this.enterFlatPart(role);
      return true;
    }
    this.startBlock();
    if (role === 'row') this.tables.enterRow();
    if (role === 'cell') this.tables.enterCell(element);
    return true;
  }

  private enterFlatPart(role: 'row' | 'cell' | 'caption'): void {
    if (role === 'cell') this.inline.space();
    else this.boundary();
  }

  private leaveTablePart(role: 'row' | 'cell' | 'caption', element: Element): void {
    if (role === 'cell' && this.tables.leaveCell(element)) return;
    if (role === 'row' && this.tables.leaveRow()) return;
    this.enterFlatPart(role);
  }

  private leaveTable(): void {
    if (this.breakInCell()) return;
    this.startBlock();
    const markdown = this.tables.leave();
    if (markdown !== '') this.write(markdown, 'other');
  }
}
