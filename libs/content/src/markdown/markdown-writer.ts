import { type Element } from 'domhandler';
import { type CpuBudget } from '../cpu-budget.js';
import { type Visitor } from '../dom/walk.js';
import { type PagePart } from '../selection/page-part.js';
import { isHidden, isUnseen } from '../dom/visibility.js';
import { MAX_MARKDOWN_CHARS, type TruncationReason } from '../limits.js';
import { BlockWriter, type BlockKind } from './block-writer.js';
import { clipText } from './clip-text.js';
import { CodeElements } from './code-elements.js';
import { isCodeTable, isFragment } from './code-text.js';
import { type BlockRole, rolesOf } from './element-role.js';
import { escapeHeadingEnd, escapeLineStarts } from './escape-text.js';
import { type FootnoteRole, Footnotes } from './footnotes.js';
import { iconLabel, isEditLink } from './icon-label.js';
import { type ImageTargets } from './image-source.js';
import { InlineElements } from './inline-elements.js';
import { InlineWriter } from './inline-writer.js';
import { needsRoom } from './list-frame.js';
import { type LinkAddresses } from './link-addresses.js';
import { isTaskBox, ListElements } from './list-elements.js';
import { ListWriter } from './list-writer.js';
import { isDrawnFormula, unseenFormulaOf } from './math-text.js';
import { type BlockFlow, TableElements } from './table-elements.js';
import { TableWriter } from './table-writer.js';

/** A longer heading was never closed: it ends at the next block. */
const MAX_HEADING_CHARS = 300;

/** Share of a page's CPU time for walking the tree to Markdown; the rest is for the other outputs. */
const MARKDOWN_PART = 0.9;

export interface WriterOptions extends ImageTargets {
  readonly cpu: CpuBudget;
  /** For a page without other content. */
  readonly showsNoscript: boolean;
}

/**
 * Writes Markdown while the tree is walked. Three modes: in the flow of the page, blocks end at
 * block boundaries; inside a heading a boundary is a space; inside a table cell it is `<br>`.
 */
export class MarkdownWriter implements Visitor, BlockFlow {
  private readonly addresses: LinkAddresses;
  private readonly inline: InlineWriter;
  private readonly inlineElements: InlineElements;
  private readonly blocks = new BlockWriter();
  private readonly tables: TableWriter;
  private readonly tableElements: TableElements;
  private readonly code: CodeElements;
  private readonly lists = new ListWriter(this.blocks);
  private readonly listElements: ListElements;
  private readonly footnotes: Footnotes;
  private headingLevel = 0;

  private isOutOfTime = false;
  private readonly cpu: CpuBudget;
  private readonly showsNoscript: boolean;

  /** @param part the part to walk: a footnote needs its reference and its note in it */
  constructor(part: PagePart, { cpu, showsNoscript, ...targets }: WriterOptions) {
    this.addresses = targets.addresses;
    this.inline = new InlineWriter(this.addresses);
    this.tables = new TableWriter(this.inline);
    this.tableElements = new TableElements(this.tables, this.inline, this);
    this.code = new CodeElements(this.tables, this.inline, this);
    this.listElements = new ListElements(this.lists, this.blocks, this.inline, this);
    this.cpu = cpu;
    this.showsNoscript = showsNoscript;
    this.footnotes = new Footnotes(part);
    this.inlineElements = new InlineElements(this.inline, targets, this);
  }

  text(data: string): void {
    this.inline.text(clipText(data, MAX_MARKDOWN_CHARS));
    if (data.length > MAX_MARKDOWN_CHARS) this.stop();
  }

  stop(): void {
    this.blocks.clip();
  }

  isDone(): boolean {
    this.isOutOfTime ||= this.cpu.isSpentAtNode(MARKDOWN_PART);
    return this.isOutOfTime || this.isFull();
  }

  private isFull(): boolean {
    // Unfinished paragraphs and tables count: links can make them far longer than the source.
    const chars = this.blocks.chars + this.inline.chars + this.tables.chars + this.addresses.chars;
    return this.blocks.isClipped || chars > MAX_MARKDOWN_CHARS;
  }

  finish(): { readonly markdown: string; readonly truncatedBy?: TruncationReason } {
    const isCut = this.isFull();
    this.endHeading();
    this.flush();
    for (const table of this.tables.finish()) this.write(table, 'table');
    const markdown = withList(this.blocks.finish(), this.addresses.list());
    if (this.isOutOfTime) return { markdown, truncatedBy: 'max_cpu' };
    if (isCut || this.blocks.isClipped) return { markdown, truncatedBy: 'max_markdown_chars' };
    return this.blocks.isFlattened ? { markdown, truncatedBy: 'max_depth' } : { markdown };
  }

  enter(element: Element): boolean {
    if (isUnseen(element) && !this.shows(element)) return this.enterUnseen(element);
    if (isEditLink(element)) return false;
    const footnote = this.footnotes.roleOf(element);
    if (footnote !== undefined) return this.enterFootnote(footnote);
    const { block, inline } = rolesOf(element.name);
    if (block === 'block' && isFragment(element)) return this.code.enter(element);
    if (block !== undefined) return this.enterBlock(block, element);
    if (isDrawnFormula(element)) return false;
    this.inlineElements.part(element, element.prev);
    const label = iconLabel(element);
    if (label !== undefined) this.tables.noteIcon(label);
    return inline === undefined || this.inlineElements.enter(inline, element);
  }

  leave(element: Element): void {
    if (this.footnotes.isNote(element)) return this.leaveNote();
    const { block, inline } = rolesOf(element.name);
    if (block !== undefined) return this.leaveBlock(block, element);
    if (inline !== undefined) this.inlineElements.leave(inline);
    this.inlineElements.part(element, element.next);
  }

  private shows({ name }: Element): boolean {
    return this.showsNoscript && name === 'noscript';
  }

  /** Not shown itself, but meaningful: a ticked box, a formula's source. */
  private enterUnseen(element: Element): false {
    if (element.name === 'input') {
      if (isTaskBox(element) && this.inline.isEmpty && !this.tables.isInCell)
        this.lists.tick(element.attribs.checked !== undefined);
    } else if (element.name === 'script' || element.name === 'img') {
      const formula = unseenFormulaOf(element);
      if (formula !== undefined) this.inlineElements.writeFormula(formula);
    } else if (element.name === 'svg') {
      this.tables.noteIcon(isHidden(element) ? '' : (iconLabel(element) ?? ''));
    }
    return false;
  }

  private enterFootnote(role: FootnoteRole): boolean {
    switch (role.kind) {
      case 'reference':
        this.inline.atom(`[^${role.label}]`);
        return false;
      case 'note':
        this.startBlock();
        this.blocks.enter({ prefix: '    ', marker: `[^${role.label}]: ` });
        return true;
      case 'silent':
        return false;
    }
  }

  private leaveNote(): void {
    this.startBlock();
    this.blocks.leave('paragraph');
  }

  private enterBlock(role: BlockRole, element: Element): boolean {
    switch (role) {
      case 'block':
        this.boundary();
        return true;
      case 'heading':
        return this.enterHeading(element);
      case 'quote':
        return this.enterQuote(element);
      case 'preformatted':
        return this.code.enter(element);
      case 'rule':
        return this.writeRule();
      case 'table':
        if (isCodeTable(element) && !this.code.enter(element)) return false;
        return this.tableElements.enterTable(element);
      case 'row':
      case 'cell':
      case 'caption':
        return this.tableElements.enterPart(role, element);
      case 'list':
      case 'item':
      case 'term':
      case 'summary':
      case 'definition':
        return this.listElements.enter(role, element);
    }
  }

  private leaveBlock(role: BlockRole, element: Element): void {
    switch (role) {
      case 'block':
        return this.boundary();
      case 'heading':
        return this.leaveHeading();
      case 'quote':
        return this.leaveQuote();
      case 'table':
        return this.tableElements.leaveTable();
      case 'row':
      case 'cell':
      case 'caption':
        return this.tableElements.leavePart(role, element);
      case 'list':
      case 'item':
      case 'term':
      case 'summary':
      case 'definition':
        return this.listElements.leave(role);
      case 'preformatted':
      case 'rule':
        return undefined;
    }
  }

  lineBreak(): void {
    if (this.breakInCell()) return;
    if (this.headingLevel > 0) this.inline.space();
    // Authors who do not use `<p>` end a paragraph with two breaks.
    else if (this.inline.hasLineBreak && !this.inline.isInLabel) this.flush();
    else this.inline.break('\\\n');
  }

  boundary(): void {
    if (this.breakInCell()) return;
    if (this.headingLevel > 0 && this.inline.chars < MAX_HEADING_CHARS) this.inline.space();
    else this.flush();
  }

  /** In a table cell a boundary is `<br>`; false elsewhere. */
  breakInCell(): boolean {
    if (this.tables.isInCell) this.inline.break('<br>');
    return this.tables.isInCell;
  }

  /** Ends the paragraph, and a heading that a block cannot be part of. */
  startBlock(): void {
    this.endHeading();
    this.flush();
  }

  private flush(): void {
    if (this.headingLevel > 0) return this.endHeading();
    if (this.inline.isEmpty) return this.inline.dropSpace();
    const text = this.inline.finish();
    if (text === '') return;
    // The usual mark of a definition. CommonMark reads it as text, so it can only precede text.
    const sign = this.blocks.isAtDefinition ? ': ' : '';
    this.write(escapeLineStarts(sign + text), 'paragraph');
  }

  write(markdown: string, kind: BlockKind): void {
    this.blocks.write(markdown, kind);
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
    if (text !== '') this.write(`${hashes} ${escapeHeadingEnd(text)}`, 'heading');
  }

  private setHeading(isHeading: boolean): void {
    this.inline.isHeading = isHeading;
    this.inline.mutesBold = isHeading;
  }

  private enterQuote(element: Element): boolean {
    if (this.breakInCell()) return true;
    this.startBlock();
    this.blocks.approach(needsRoom(element) ? 'apart' : 'quote');
    this.blocks.enter({ prefix: '> ' });
    return true;
  }

  private leaveQuote(): void {
    if (this.breakInCell()) return;
    this.startBlock();
    this.blocks.leave('quote');
    this.blocks.loosen();
  }

  private writeRule(): boolean {
    if (this.breakInCell()) return false;
    this.startBlock();
    // "- ---" and "* ***" would be one long rule, and "---" below text would make it a heading.
    this.write(this.blocks.isAtMarker || this.blocks.isInTightItem ? '___' : '---', 'rule');
    return false;
  }
}

const withList = (markdown: string, list: string): string =>
  list === '' ? markdown : `${markdown}\n${list}\n`;
