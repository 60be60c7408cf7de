import { type Relationships } from '../files/office-package.js';
import type { LineHtml } from '../files/line-html.js';
import { BlockHtml } from './html-writers.js';
import { type ListMark } from './numbering.js';
import { InlineReader, type DocumentParts } from './read-inline.js';
import { indentOf, joinIndents, toLevel, type ParagraphStyle } from './styles.js';
import { tableHtml } from './table-html.js';
import { child, type XmlElement } from '../files/xml-tree.js';
import { holdsNoText, valueIn } from './word-xml.js';

/** What makes a paragraph when it stands alone between paragraphs. */
const IN_LINE = new Set('w:r w:hyperlink w:fldSimple w:bdo w:dir m:oMath m:oMathPara'.split(' '));

/** Reads a text of its own, as the body of a document or its notes, as HTML. */
export class StoryReader {
  private readonly lines: InlineReader;
  private tables = 0;
  private openTables = 0;

  constructor(
    part: XmlElement,
    relationships: Relationships,
    private readonly document: DocumentParts,
  ) {
    this.lines = new InlineReader(part, relationships, document, (box) => this.readBlocks(box));
  }

  readBlocks({ children }: XmlElement): string {
    const blocks = new Blocks();
    for (const one of children) this.readBlock(one, blocks);
    blocks.endCarried();
    return blocks.html.finish();
  }

  private readBlock(element: XmlElement, blocks: Blocks): void {
    const inside = (one: XmlElement): void => {
      for (const part of one.children) this.readBlock(part, blocks);
    };
    if (holdsNoText(element)) return;
    switch (element.name) {
      case 'w:p':
        return this.readParagraph(element, blocks);
      case 'w:tbl':
        return this.readTable(element, blocks);
      case 'w:sdt':
        return this.lines.readControl(element, () => inside(element));
      case 'mc:AlternateContent':
        return this.lines.readAlternative(element, inside);
      case 'w:altChunk':
      case 'w:subDoc':
        return this.document.noteUnread();
      default:
        if (!IN_LINE.has(element.name)) return inside(element);
        return this.readParagraph({ ...element, children: [element] }, blocks);
    }
  }

  private readTable(element: XmlElement, blocks: Blocks): void {
    blocks.endCarried();
    const before = ++this.tables;
    const isInCell = this.openTables++ > 0;
    const rows = tableHtml(element, (cell) => this.readBlocks(cell), {
      isInCell,
      hasTables: () => this.tables > before,
    });
    this.openTables--;
    if (rows !== '') blocks.html.add(rows);
  }

  private readParagraph(element: XmlElement, blocks: Blocks): void {
    const properties = child(element, 'w:pPr');
    const styleId = valueIn(properties, 'w:pStyle');
    const line = this.lines.start(styleId, blocks.carried);
    blocks.carried = undefined;
    this.lines.readIn(element, line);
    const mark = child(properties, 'w:rPr');
    // What is left of a paragraph whose end was deleted is the beginning of the next.
    if (child(mark, 'w:del') ?? child(mark, 'w:moveFrom')) blocks.carried = line.html;
    else {
      const isSeen = line.html.hasContent || !this.lines.isHidden(mark, styleId);
      this.writeParagraph(line.html, properties, isSeen, blocks.html);
    }
    if (line.boxes !== '') blocks.html.add(line.boxes);
  }

  private writeParagraph(
    line: LineHtml,
    properties: XmlElement | undefined,
    isSeen: boolean,
    blocks: BlockHtml,
  ): void {
    const style = this.document.styles.paragraph(valueIn(properties, 'w:pStyle'));
    const list = isSeen ? this.countItem(properties, style) : undefined;
    const html = line.finish();
    if (style.block === undefined && list?.isShown) {
      return blocks.addItem(list.box === undefined ? html : `${list.box} ${html}`, list, list.edge);
    }
    if (!line.hasContent) return;
    if (style.block === undefined && list !== undefined) return blocks.addToItem(html, list);
    if (style.block === 'pre') return blocks.addListing(html);
    const name = style.block ?? 'p';
    blocks.add(`<${name}>${html}</${name}>`);
  }

  /** The number of the paragraph in its list; counted for headings as well. */
  private countItem(
    properties: XmlElement | undefined,
    style: ParagraphStyle,
  ): (ListMark & { readonly edge: number | undefined }) | undefined {
    const { numbering } = this.document;
    const own = child(properties, 'w:numPr');
    const ownList = valueIn(own, 'w:numId');
    const listId = ownList ?? style.list;
    if (listId === undefined) return undefined;
    const tied = ownList === undefined ? numbering.levelOf(listId, style.ids) : undefined;
    const level = toLevel(valueIn(own, 'w:ilvl')) ?? tied ?? style.level ?? 0;
    const mark = numbering.next(listId, level);
    if (mark === undefined) return undefined;
    // A list of the paragraph outweighs its style, and what it says itself outweighs both.
    const inherited =
      ownList === undefined ? [mark.indent, style.indent] : [style.indent, mark.indent];
    const { start, firstLine = 0 } = joinIndents([...inherited, indentOf(properties)]);
    return { ...mark, edge: start === undefined ? undefined : start + firstLine };
  }
}

/** Blocks that are being written, and a paragraph that the next one goes on with. */
class Blocks {
  readonly html = new BlockHtml();
  carried: LineHtml | undefined;

  endCarried(): void {
    if (this.carried?.hasContent) this.html.add(`<p>${this.carried.finish()}</p>`);
    this.carried = undefined;
  }
}
