import { type Element, isTag, type Text } from 'domhandler';
import { collapse } from '../../dom/walk.js';
import { MAX_LISTING_LINE_CHARS, MAX_LISTING_LINES } from '../../limits.js';
import { type PageLine, type PageRegion } from './page-line.js';

export const BLOCKS = new Set(
  'html body p div section article main header footer nav aside address h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr caption form fieldset figure figcaption blockquote center hr pre details summary label'.split(
    ' ',
  ),
);
const HEADINGS = new Set([
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'dt',
  'summary',
  'legend',
  'caption',
]);
const MAX_CLIMB = 20;
const MAX_HEADING_CHARS = 60;
/** Where two inline elements meet without a space, as `…Ave</b><b>Fresno` or `Monday</b><b>9am`. */
const GLUED = /[\p{Ll}\d).]\p{Lu}|\p{L}\d/u;

const WORDS_MEET = /[\p{L}\d]{2}/u;

export interface LineContext {
  readonly region: PageRegion;
  readonly addressElement: Element | null;
  readonly isBold: boolean;
}

/** Makes lines of the texts and breaks of a walk. */
export class LineBuilder {
  isCut = false;
  private readonly head: PageLine[] = [];
  /** The last half, as a ring. */
  private readonly tail: PageLine[] = [];
  private tailStart = 0;
  private text = '';
  private hasInk = false;
  private element: Element | null = null;
  private context: LineContext | undefined;
  private boldChars = 0;
  private isAtBoundary = false;
  private hasLeft = false;
  private isBetween = false;
  private lastLength = 0;

  add(data: string, node: Text, context: LineContext): void {
    if (this.text.length >= MAX_LISTING_LINE_CHARS) return;
    const part = data.slice(0, MAX_LISTING_LINE_CHARS).replace(/\s+/g, ' ');
    if (this.element === null && part.trim() !== '') {
      this.element = blockOf(node);
      this.context = context;
    }
    const isGlued = this.isAtBoundary && this.gluesTo(part);
    this.text += isGlued ? ` ${part}` : part;
    if (context.isBold) this.boldChars += part.length;
    if (part === '') return;
    this.hasInk ||= part.trim() !== '';
    this.isAtBoundary = false;
    this.hasLeft = false;
    this.isBetween = false;
    this.lastLength = part.length;
  }

  /** `</span><span>` parts a label from its value; letters set one by one are one word. */
  private gluesTo(part: string): boolean {
    const seam = this.text.slice(-1) + part.slice(0, 1);
    const isSeam =
      this.isBetween && this.lastLength > 1 && part.length > 1 && WORDS_MEET.test(seam);
    return isSeam || GLUED.test(seam);
  }

  /** Text that an attribute says. */
  addSpoken(text: string, element: Element, context: LineContext): void {
    if (this.text.length >= MAX_LISTING_LINE_CHARS) return;
    this.element ??= element;
    this.context ??= context;
    this.text += text;
    this.hasInk ||= text.trim() !== '';
  }

  /** An inline element begins or ends here. */
  boundary(side: 'begin' | 'end'): void {
    this.isAtBoundary = true;
    if (side === 'begin' && this.hasLeft) this.isBetween = true;
    if (side === 'end') this.hasLeft = true;
  }

  /** A cell of a row begins. */
  cell(): void {
    if (this.hasInk && this.text.length < MAX_LISTING_LINE_CHARS) this.text += '\t';
  }

  endLine(): void {
    const { element, context } = this;
    if (element !== null && context !== undefined) this.keep(element, context);
    this.text = '';
    this.hasInk = false;
    this.element = null;
    this.context = undefined;
    this.boldChars = 0;
  }

  finish(): readonly PageLine[] {
    this.endLine();
    return [
      ...this.head,
      ...this.tail.slice(this.tailStart),
      ...this.tail.slice(0, this.tailStart),
    ];
  }

  private keep(element: Element, { region, addressElement }: LineContext): void {
    const text = this.text.split('\t').map(tidy).join('\t').trim();
    if (text === '') return;
    const isBold = this.boldChars >= text.length * 0.9 && text.length <= MAX_HEADING_CHARS;
    const isHeading = HEADINGS.has(element.name) || isBold;
    const isItem = element.name === 'li' || isInItem(element);
    this.push({ text, element, region, isHeading, isItem, addressElement });
  }

  private push(line: PageLine): void {
    const half = MAX_LISTING_LINES / 2;
    if (this.head.length < half) this.head.push(line);
    else if (this.tail.length < half) this.tail.push(line);
    else {
      this.isCut = true;
      this.tail[this.tailStart] = line;
      this.tailStart = (this.tailStart + 1) % half;
    }
  }
}

const tidy = (text: string): string =>
  collapse(text.replace(/[\u00ad\u200b-\u200f\u2060\ufeff\0]/g, '')).toWellFormed();

function blockOf(node: Text): Element | null {
  let current = node.parent;
  let nearest: Element | null = null;
  for (let step = 0; current !== null && isTag(current) && step < MAX_CLIMB; step++) {
    nearest = current;
    if (BLOCKS.has(current.name) || current.name === 'td' || current.name === 'th') break;
    current = current.parent;
  }
  return nearest;
}

function isInItem({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && parent.name === 'li';
}
