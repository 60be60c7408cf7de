import { Document, Element, Text } from 'domhandler';
import { MAX_ATTRIBUTES, MAX_NODES, type TruncationReason } from '../limits.js';
import { WaitingFormatting } from './formatting.js';
import { noteLandmark } from './landmarks.js';
import { adopt, appendChild, lastText, OpenElements } from './open-elements.js';
import { tagTraits, type TagTraits } from './tag-traits.js';
import { isAsciiSpace } from './tokenizer.js';

const isBarrier = (traits: TagTraits): boolean => traits.isScopeBarrier;
const isButtonBarrier = (traits: TagTraits, name: string): boolean =>
  traits.isScopeBarrier || name === 'button';
const isListBarrier = (traits: TagTraits, name: string): boolean =>
  traits.isScopeBarrier || name === 'ul' || name === 'ol';
const isTableBarrier = (_: TagTraits, name: string): boolean =>
  name === 'table' || name === 'template' || name === 'html';
/** The standard's search for an open item looks through div, address and p only. */
const isItemBarrier = (traits: TagTraits, name: string): boolean =>
  traits.isSpecial && name !== 'div' && name !== 'address' && name !== 'p';
const isSpecial = (traits: TagTraits): boolean => traits.isSpecial;

const TABLE_ROWS = ['caption', 'colgroup', 'tr', 'tbody', 'thead', 'tfoot'];

/** Open elements of these names end when the key's start tag comes, up to the nearest table. */
const ENDED_IN_TABLE: Readonly<Record<string, readonly string[]>> = {
  td: ['td', 'th', 'caption'],
  th: ['td', 'th', 'caption'],
  tr: ['tr', 'caption', 'colgroup'],
  tbody: TABLE_ROWS,
  thead: TABLE_ROWS,
  tfoot: TABLE_ROWS,
  caption: TABLE_ROWS,
  colgroup: TABLE_ROWS,
};
const TABLE_PART_NAMES = new Set(['td', 'th', ...TABLE_ROWS, 'table']);

/**
 * Builds the tree from tags and text in one pass, in time linear in the input. It follows the tree
 * construction of the HTML standard where readers would see a difference (implied ends, scopes,
 * misnested formatting, SVG left open) and leaves out what only scripts see (implied html, head,
 * body and tbody, foster parenting, quirks).
 */
export class TreeBuilder {
  readonly document = new Document([]);
  private readonly open = new OpenElements(this.document);
  private readonly formatting = new WaitingFormatting();
  /** One entry per open svg, math or HTML island in them: are we in foreign content? */
  private readonly foreign: { readonly depth: number; readonly isForeign: boolean }[] = [];
  private inForeign = false;
  private nodes = 0;
  /** Attributes that further html, head and body tags gave to the first ones. */
  private lentAttributes = 0;
  private reason: TruncationReason | undefined;

  get truncatedBy(): TruncationReason | undefined {
    return this.reason;
  }

  truncate(reason: TruncationReason): void {
    this.reason ??= reason;
  }

  /** A node had to be left out, so no more need be read. */
  get isFull(): boolean {
    return this.nodes > MAX_NODES;
  }

  /** Inside SVG or MathML, where tags close themselves and have no HTML meaning. */
  get isInForeignContent(): boolean {
    return this.inForeign;
  }

  text(data: string): void {
    const isBlank = isBlankText(data);
    if (isBlank && this.dropsWhitespace()) return;
    if (!isBlank) this.endHead();
    if (!isBlank && !this.formatting.isEmpty) this.reopenFormatting();
    const parent = this.open.top;
    const previous = lastText(parent);
    if (previous !== undefined) previous.data += data;
    else this.append(new Text(data));
  }

  private dropsWhitespace(): boolean {
    const { top } = this.open;
    return top !== this.document && tagTraits((top as Element).name).dropsWhitespace;
  }

  /** The element, or undefined when it only lent its attributes to one that was there before. */
  startTag(
    name: string,
    attributes: Record<string, string>,
    isSelfClosing: boolean,
  ): Element | undefined {
    const traits = tagTraits(name);
    if (this.isInForeignContent && traits.isBreakout) this.leaveForeign();
    if (this.isInForeignContent) return this.insert(name, attributes, traits, isSelfClosing);
    if (this.isRepeatedRoot(name, attributes)) return undefined;
    if (!traits.isHeadContent) this.endHead();
    this.endImplied(name, traits);
    if (!traits.isSpecial || name === 'img' || name === 'br') this.reopenFormatting();
    return this.insert(name, attributes, traits, traits.isVoid);
  }

  endTag(name: string): void {
    if (this.open.closeOverflow()) return;
    const traits = tagTraits(name);
    if (traits.isVoid) {
      // `</br>` is a line break in every browser.
      if (name === 'br') this.startTag('br', {}, false);
      return;
    }
    // Content after `</body>` belongs to the page all the same.
    if (name === 'body' || name === 'html') return;
    if (isHeading(name)) this.popTo(this.findHeading());
    else if (traits.isFormatting) this.endFormatting(name);
    else if (name === 'p') this.endParagraph();
    else this.popTo(this.open.find(name, scopeOfEnd(name, traits)));
  }

  private insert(
    name: string,
    attributes: Record<string, string>,
    traits: TagTraits,
    isClosed: boolean,
  ): Element {
    const element = new Element(name, attributes);
    if (!isClosed && this.open.isFull) return this.flatten(element, traits);
    this.append(element);
    if (isClosed) return element;
    if (traits.isFormattingBarrier) this.formatting.clear();
    noteLandmark(name, this.open.elements);
    this.open.push(element, traits);
    this.enterForeign(name);
    return element;
  }

  /** Too deep: the element leaves no node, so a million of them cost nothing, but words stay apart. */
  private flatten(element: Element, traits: TagTraits): Element {
    this.truncate('max_depth');
    this.open.pretend();
    const previous = lastText(this.open.top);
    if (traits.isSpecial && previous !== undefined) previous.data += ' ';
    return element;
  }

  private append(node: Element | Text): void {
    if (++this.nodes > MAX_NODES) this.truncate('max_nodes');
    else appendChild(this.open.top, node);
  }

  private enterForeign(name: string): void {
    const wasForeign = this.isInForeignContent;
    if (name === 'svg' || name === 'math') this.markForeign(true);
    else if (wasForeign && FOREIGN_ISLANDS.has(name)) this.markForeign(false);
  }

  private markForeign(isForeign: boolean): void {
    this.foreign.push({ depth: this.open.length, isForeign });
    this.inForeign = isForeign;
  }

  private leaveForeign(): void {
    while (this.isInForeignContent && this.open.length > 0) this.pop();
  }

  private isRepeatedRoot(name: string, attributes: Record<string, string>): boolean {
    if (name !== 'html' && name !== 'body' && name !== 'head') return false;
    if (!this.open.has(name)) return name !== 'body' && this.open.has('body');
    const existing = this.open.elements.find((element) => element.name === name);
    if (existing !== undefined) this.lendAttributes(existing, attributes);
    return true;
  }

  /** One by one: copying what the element has would make many such tags quadratic. */
  private lendAttributes(root: Element, attributes: Record<string, string>): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (Object.hasOwn(root.attribs, name)) continue;
      if (++this.lentAttributes > MAX_ATTRIBUTES) return this.truncate('max_attributes');
      root.attribs[name] = value;
    }
  }

  private endHead(): void {
    const { top } = this.open;
    if (top !== this.document && (top as Element).name === 'head') this.pop();
  }

  private endImplied(name: string, traits: TagTraits): void {
    if (traits.endsParagraph) this.popTo(this.open.find('p', isButtonBarrier));
    if (!traits.endsOthers) return;
    const inTable = ENDED_IN_TABLE[name];
    if (inTable !== undefined) {
      for (const ended of inTable) this.popTo(this.open.find(ended, isTableBarrier));
      return;
    }
    switch (name) {
      case 'li':
        return this.popTo(this.open.find('li', isItemBarrier));
      case 'dd':
      case 'dt':
        this.popTo(this.open.find('dd', isItemBarrier));
        return this.popTo(this.open.find('dt', isItemBarrier));
      case 'button':
        return this.popTo(this.open.find('button', isBarrier));
      case 'option':
      case 'optgroup':
        return this.endOption(name);
      case 'a':
        return this.endFormatting('a');
      default:
        if (isHeading(name)) this.endHeading();
    }
  }

  /** `</p>` without a start is a paragraph without content, which still parts what is around it. */
  private endParagraph(): void {
    if (this.open.find('p', isButtonBarrier) === -1 && !this.inForeign)
      this.startTag('p', {}, false);
    this.popTo(this.open.find('p', isButtonBarrier));
  }

  private endHeading(): void {
    const { top } = this.open;
    if (top !== this.document && isHeading((top as Element).name)) this.pop();
  }

  /** `<h3>…</h2>` ends the h3: any heading's end tag ends the nearest one. */
  private findHeading(): number {
    const at = [1, 2, 3, 4, 5, 6].map((level) => this.open.find(`h${level}`, isBarrier));
    return Math.max(...at);
  }

  private endOption(name: string): void {
    this.popTo(this.open.find('option', isSpecial));
    if (name === 'optgroup') this.popTo(this.open.find('optgroup', isSpecial));
  }

  private endFormatting(name: string): void {
    if (this.formatting.drop(name)) return;
    const index = this.open.find(name, isBarrier);
    if (index === -1) return;
    const blockIndex = this.firstSpecialAbove(index);
    if (blockIndex === -1) {
      this.popTo(index);
      this.formatting.drop(name);
    } else if (!this.isInForeignContent) {
      adopt(this.open, index, blockIndex);
    }
  }

  private firstSpecialAbove(index: number): number {
    for (let above = index + 1; above < this.open.length; above++) {
      if (this.open.traitsAt(above)?.isSpecial) return above;
    }
    return -1;
  }

  private popTo(index: number): void {
    if (index < 0) return;
    if (index === this.open.length - 1 && this.open.traitsAt(index)?.isFormatting !== true) {
      // The usual case: what ends is what was opened last.
      if (this.open.traitsAt(index)?.isFormattingBarrier) this.formatting.clear();
      this.pop();
      return;
    }
    const ended: Element[] = [];
    while (this.open.length > index) {
      const traits = this.open.traitsAt(this.open.length - 1);
      const element = this.pop();
      if (traits?.isFormattingBarrier) ended.length = 0;
      else if (traits?.isFormatting && element !== undefined) ended.push(element);
      if (traits?.isFormattingBarrier) this.formatting.clear();
    }
    for (const element of ended.reverse()) this.formatting.add(element);
  }

  private pop(): Element | undefined {
    const mark = this.foreign[this.foreign.length - 1];
    if (mark !== undefined && mark.depth === this.open.length) {
      this.foreign.pop();
      this.inForeign = this.foreign[this.foreign.length - 1]?.isForeign ?? false;
    }
    return this.open.pop();
  }

  private reopenFormatting(): void {
    if (this.formatting.isEmpty) return;
    const { top } = this.open;
    if (top !== this.document && TABLE_PART_NAMES.has((top as Element).name) && !isCell(top))
      return;
    for (const copy of this.formatting.take()) {
      if (this.open.isFull) return;
      this.append(copy);
      this.open.push(copy, tagTraits(copy.name));
    }
  }
}

/** White space of HTML alone. */
function isBlankText(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isAsciiSpace(text.charCodeAt(at))) return false;
  return true;
}

/** Elements in SVG and MathML that hold HTML again. */
const FOREIGN_ISLANDS = new Set(['foreignobject', 'desc', 'title', 'annotation-xml', 'mtext']);

const isHeading = (name: string): boolean =>
  name.length === 2 && name.charCodeAt(0) === 104 && name >= 'h1' && name <= 'h6';

const isCell = (node: Document | Element): boolean =>
  node instanceof Element && (node.name === 'td' || node.name === 'th' || node.name === 'caption');

function scopeOfEnd(name: string, traits: TagTraits): (traits: TagTraits, name: string) => boolean {
  if (TABLE_PART_NAMES.has(name)) return isTableBarrier;
  if (name === 'li') return isListBarrier;
  if (name === 'p') return isButtonBarrier;
  return traits.isSpecial ? isBarrier : isSpecial;
}
