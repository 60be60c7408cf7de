import { type Element, isText } from 'domhandler';
import { collapse, textOf } from '../dom/walk.js';
import { type InlineRole } from './element-role.js';
import { imageMarkdown, type ImageTargets } from './image-source.js';
import { type EmphasisDelimiter } from './inline-mark.js';
import { type InlineWriter } from './inline-writer.js';
import { standsApart } from './line-style.js';
import { type Formula, formulaOf } from './math-text.js';
import { mediaLink } from './media-link.js';

/** What inline elements need of the blocks around them. */
export interface Flow {
  /** A `<br>`. */
  lineBreak(): void;
  /** The edge of a block. */
  boundary(): void;
}

const EMPHASIS: Readonly<Record<string, EmphasisDelimiter>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};

/** Emphasis, links, code, images and other elements inside a line. */
export class InlineElements {
  /** Per open a element: did it have an address? */
  private readonly openLinks: boolean[] = [];

  private mathDepth = 0;
  /** Of each open ruby element: how its base is read, which follows the whole of it. */
  private readonly readings: string[] = [];
  private readingDepth = 0;

  constructor(
    private readonly inline: InlineWriter,
    private readonly targets: ImageTargets,
    private readonly flow: Flow,
  ) {}

  /** Answers whether the element's content is still to be written. */
  enter(role: InlineRole, element: Element): boolean {
    switch (role) {
      case 'emphasis':
        this.inline.openEmphasis(EMPHASIS[element.name] ?? '*');
        return true;
      case 'link':
        return this.enterLink(element);
      case 'code':
        this.inline.enterCode();
        return true;
      case 'image':
        return this.writeAtom(imageMarkdown(element, this.targets));
      case 'break':
        this.flow.lineBreak();
        return false;
      case 'media':
        return this.writeMedia(element);
      case 'math':
        return this.writeMath(element);
      case 'quotation':
        this.inline.text('“');
        return true;
      case 'ruby':
        this.readings.push('');
        return true;
      case 'rubyText':
        return this.enterReading(element);
      case 'raised':
        if (isFigure(element)) this.inline.raise();
        return true;
    }
  }

  leave(role: InlineRole): void {
    switch (role) {
      case 'emphasis':
        return this.inline.closeEmphasis();
      case 'link':
        return this.leaveLink();
      case 'code':
        return this.inline.leaveCode();
      case 'quotation':
        return this.inline.text('”');
      case 'ruby':
        return this.leaveRuby();
      case 'rubyText':
        this.readingDepth--;
        return this.inline.text(')');
      case 'image':
      case 'break':
      case 'media':
      case 'raised':
        return undefined;
      case 'math':
        this.mathDepth--;
        return undefined;
    }
  }

  private enterLink(element: Element): boolean {
    const { href, title } = element.attribs;
    const isBeside = this.inline.isHeading || isHeaderLink(element);
    if (isBeside && href?.startsWith('#') && isPermalink(element)) return false;
    const { resolver, addresses } = this.targets;
    const isShown = href !== undefined && !addresses.areOmitted;
    const target = isShown ? resolver.resolve(href) : undefined;
    if (target !== undefined) this.inline.openLink(target, collapse(title ?? ''));
    this.openLinks.push(target !== undefined);
    return true;
  }

  /** Space where readers see some between this element and its neighbour. */
  part(element: Element, neighbour: Element['next']): void {
    if (standsApart(element, neighbour)) this.inline.text(' ');
  }

  private leaveLink(): void {
    if (this.openLinks.pop() === true) this.inline.closeLink();
  }

  /** `<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>` is one word and is read as one. */
  private enterReading(element: Element): boolean {
    const open = this.readings.length - 1;
    // Only the outermost is read ahead: each inside it would cost a walk.
    if (open >= 0 && this.readingDepth === 0) {
      const reading = collapse(textOf(element, MAX_READING_CHARS + 1));
      if (reading.length <= MAX_READING_CHARS) {
        this.readings[open] = (this.readings[open] ?? '') + reading;
        return false;
      }
    }
    this.readingDepth++;
    this.inline.text('(');
    return true;
  }

  private leaveRuby(): void {
    const reading = this.readings.pop() ?? '';
    if (reading !== '') this.inline.text(`(${reading})`);
  }

  private writeAtom(markdown: string | undefined): boolean {
    if (markdown !== undefined) this.inline.atom(markdown);
    return false;
  }

  private writeMedia(element: Element): boolean {
    const { resolver, addresses } = this.targets;
    const link = addresses.areOmitted ? undefined : mediaLink(element, resolver);
    if (link === undefined) return false;
    this.flow.boundary();
    this.inline.openLink(link.target, '');
    this.inline.text(link.label);
    this.inline.closeLink();
    this.flow.boundary();
    return false;
  }

  private writeMath(element: Element): boolean {
    // Inside a formula without a source there is none either; asking again would cost a walk each.
    const formula = this.mathDepth === 0 ? formulaOf(element) : undefined;
    if (formula !== undefined) this.writeFormula(formula);
    else this.mathDepth++;
    return formula === undefined;
  }

  writeFormula({ tex, isBlock }: Formula): void {
    if (!isBlock) return this.inline.atom(`$${tex}$`);
    this.flow.boundary();
    this.inline.atom(`$$${tex}$$`);
    this.flow.boundary();
  }
}

/** A longer one is a text of its own. */
const MAX_READING_CHARS = 200;

const MAX_FIGURE_CHARS = 8;

/** An exponent; raised letters are mostly ordinals (1st) and marks, which read well as they are. */
const isFigure = (raised: Element): boolean =>
  raised.children.every((child) => isText(child)) &&
  /^[-+−–]?(?:\d{1,4}(?:[./]\d+)?|\d?[nkxm])$/.test(collapse(textOf(raised, MAX_FIGURE_CHARS)));

/** Sphinx marks them everywhere, and terms have them as headings do. */
function isHeaderLink({ attribs, children, parent }: Element): boolean {
  if (children.length === 0) return false;
  if (/(?:^|\s)headerlink(?:\s|$)/.test(attribs.class ?? '')) return true;
  return parent !== null && 'name' in parent && parent.name === 'dt';
}

/** The paragraph sign or hash that appears beside a heading under the mouse. */
function isPermalink(link: Element): boolean {
  return /^[\s#¶§🔗\u200b\uf0c1]*$/u.test(textOf(link, 10));
}
