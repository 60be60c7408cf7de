import type { Element, Text } from 'domhandler';
import type { CpuBudget } from '../cpu-budget.js';
import { tagTraits } from '../dom/tag-traits.js';
import { countInk, isHidden, isUnseen } from '../dom/visibility.js';
import type { Visitor } from '../dom/walk.js';
import { MAX_HTML_CHARS, type TruncationReason } from '../limits.js';
import type { UrlResolver } from '../links/url-resolver.js';
import { iconLabel, isEditLink } from '../markdown/icon-label.js';
import { isTaskBox } from '../markdown/list-elements.js';
import { isDrawnFormula, unseenFormulaOf } from '../markdown/math-text.js';
import { mediaLink } from '../markdown/media-link.js';
import { attributeText, cleanAttributes, cleanImage } from './clean-attributes.js';
import { escapeHtmlText } from './escape-html.js';
import { isKeptVoid, keptName, MATH_SOURCES } from './kept-elements.js';

/** Share of a page's CPU time until this output ends; Markdown, before it, has less. */
const HTML_PART = 0.95;
/** Escaping makes a text longer: what is beyond the limit by then is this much of its source. */
const TEXT_STEP = 65_536;

export interface CleanHtmlOptions {
  readonly resolver: UrlResolver;
  readonly removeBase64Images: boolean;
  readonly cpu: CpuBudget;
  /** For a page without other content. */
  readonly showsNoscript: boolean;
}

export interface CleanHtml {
  readonly html: string;
  /** Neither text nor pictures. */
  readonly isBlank: boolean;
  readonly truncatedBy?: TruncationReason;
}

/**
 * Writes HTML while the tree is walked: the part of a page that Markdown shows. Only listed elements and
 * attributes are written, and no element whose content a parser reads as raw text. So the tags of the output are
 * tags to any parser, and all else is text to it, however it builds its tree.
 */
export class CleanHtmlWriter implements Visitor {
  private readonly pieces: string[] = [];
  private readonly open = new OpenTags();
  private chars = 0;
  private isBlank = true;
  private isOutOfTime = false;

  constructor(private readonly options: CleanHtmlOptions) {}

  isDone(): boolean {
    this.isOutOfTime ||= this.options.cpu.isSpentAtNode(HTML_PART);
    return this.isOutOfTime || this.isFull;
  }

  private get isFull(): boolean {
    return this.chars > MAX_HTML_CHARS;
  }

  finish(): CleanHtml {
    const cut = this.isOutOfTime ? 'max_cpu' : this.isFull ? 'max_html_chars' : undefined;
    while (!this.open.isEmpty) this.close();
    const html = this.pieces.join('');
    const { isBlank } = this;
    return cut === undefined ? { html, isBlank } : { html, isBlank, truncatedBy: cut };
  }

  /** Before each root of a part. */
  boundary(): void {
    if (this.pieces.length > 0) this.write('\n');
  }

  text(data: string, _node?: Text): void {
    const isInk = countInk(data) > 0;
    if (isInk) this.isBlank = false;
    const isLoose = tagTraits(this.open.parent ?? '').dropsWhitespace;
    if (isLoose && !isInk) return;
    // A parser reads references apart, and white space between two of them means nothing there.
    if (isLoose) this.write('<span>');
    for (let at = 0; at < data.length && !this.isFull; at += TEXT_STEP) {
      this.write(escapeHtmlText(data.slice(at, at + TEXT_STEP)));
    }
    if (isLoose) this.write('</span>');
  }

  enter(element: Element): boolean {
    if (isUnseen(element) && !this.showsAnyway(element)) return this.enterUnseen(element);
    if (isEditLink(element) || isDrawnFormula(element)) return false;
    const { name } = element;
    const { isInMath } = this.open;
    if (isInMath && MATH_SOURCES.has(name)) return false;
    if (!isInMath && this.writeAtom(name, element)) return false;
    const kept = keptName(name, isInMath);
    this.openTag(kept === null || isInMath ? kept : this.open.fitting(kept), element);
    return true;
  }

  leave(): void {
    this.close();
  }

  private showsAnyway({ name }: Element): boolean {
    return this.options.showsNoscript && name === 'noscript';
  }

  /** Not shown itself, but meaningful, as in Markdown: a ticked box, a formula's source, a sign's label. */
  private enterUnseen(element: Element): false {
    const { name, attribs } = element;
    if (this.open.isInMath) return false;
    if (name === 'input' && isTaskBox(element)) {
      this.write(`<input type="checkbox"${attribs.checked === undefined ? '' : ' checked=""'}>`);
    } else if (name === 'script' || name === 'img') {
      const formula = unseenFormulaOf(element);
      if (formula !== undefined) this.writeFormula(formula.tex, formula.isBlock);
    } else if (name === 'svg' && !isHidden(element)) {
      const label = iconLabel(element) ?? '';
      if (label !== '') this.write(`<span role="img"${attributeText('aria-label', label)}></span>`);
    }
    return false;
  }

  /** The form in which Markdown with formulas is converted to HTML elsewhere. */
  private writeFormula(tex: string, isBlock: boolean): void {
    const kind = isBlock ? 'math-display' : 'math-inline';
    this.isBlank = false;
    this.write(`<code class="language-math ${kind}">${escapeHtmlText(tex)}</code>`);
  }

  /** An element without content of its own; false: it has some. */
  private writeAtom(name: string, element: Element): boolean {
    const { resolver } = this.options;
    if (isKeptVoid(name)) {
      this.writeVoid(name, element);
      return true;
    }
    switch (name) {
      case 'img':
        this.writeSeen(cleanImage(element, this.options));
        return true;
      case 'iframe':
      case 'frame':
        this.writeFrame(element);
        return true;
      case 'video':
      case 'audio': {
        const link = mediaLink(element, resolver);
        const title = element.attribs.title;
        const named = title === undefined ? '' : attributeText('title', title);
        if (link)
          this.writeSeen(
            `<${name}${attributeText('src', link.target)}${named} controls=""></${name}>`,
          );
        return true;
      }
      default:
        return false;
    }
  }

  private writeVoid(name: string, element: Element): void {
    const fitting = this.open.fitting(name);
    if (fitting === name)
      this.write(`<${name}${cleanAttributes(name, element, this.options.resolver)}>`);
  }

  /** Another page is a link to it, as in Markdown. */
  private writeFrame(frame: Element): void {
    const link = mediaLink(frame, this.options.resolver);
    if (link === undefined) return;
    if (this.open.fitting('a') === null) return this.text(link.label);
    const label = escapeHtmlText(link.label);
    this.writeSeen(`<a${attributeText('href', link.target)}>${label}</a>`);
  }

  private writeSeen(html: string): void {
    if (html !== '') this.isBlank = false;
    this.write(html);
  }

  private openTag(name: string | null, element: Element): void {
    this.open.push(name);
    if (name !== null)
      this.write(`<${name}${cleanAttributes(name, element, this.options.resolver)}>`);
  }

  private close(): void {
    const name = this.open.pop();
    if (name !== null) this.write(`</${name}>`);
  }

  private write(html: string): void {
    this.pieces.push(html);
    this.chars += html.length;
  }
}

const TABLE_PARTS = new Set(['caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']);
const ITEM_PASSES = new Set(['div', 'address', 'p']);
const ENDING_ITEMS: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
};

/** Names of the tags that are written and not closed; null for elements whose tags are left out. */
class OpenTags {
  private readonly names: (string | null)[] = [];
  private mathAt = -1;

  get isInMath(): boolean {
    return this.mathAt >= 0;
  }

  push(name: string | null): void {
    if (name === 'math' && this.mathAt < 0) this.mathAt = this.names.length;
    this.names.push(name);
  }

  /** The name to close; null: none. */
  pop(): string | null {
    const name = this.names.pop() ?? null;
    if (this.names.length === this.mathAt) this.mathAt = -1;
    return name;
  }

  get isEmpty(): boolean {
    return this.names.length === 0;
  }

  /** The innermost written tag. */
  get parent(): string | null {
    for (let at = this.names.length - 1; at >= 0; at--) {
      const name = this.names[at];
      if (typeof name === 'string') return name;
    }
    return null;
  }

  /**
   * The tag with which an element can be written here so that a parser leaves it here; null: none.
   * Elements between an element and its ancestors were left out, so it may now end one of them.
   */
  fitting(wanted: string): string | null {
    const isLost = TABLE_PARTS.has(wanted) && !this.reaches(['table'], isNothing);
    const name = isLost ? 'div' : wanted;
    if (tagTraits(name).endsParagraph && this.reaches(['p'], isScope)) return null;
    if (name === 'a') return this.reaches(['a'], isScope) ? null : name;
    if (/^h[1-6]$/.test(name)) return /^h[1-6]$/.test(this.parent ?? '') ? null : name;
    const items = ENDING_ITEMS[name];
    return items !== undefined && this.reaches(items, isItemBarrier) ? null : name;
  }

  private reaches(targets: readonly string[], isBarrier: (name: string) => boolean): boolean {
    for (let at = this.names.length - 1; at >= 0; at--) {
      const name = this.names[at];
      if (typeof name !== 'string') continue;
      if (targets.includes(name)) return true;
      if (isBarrier(name)) return false;
    }
    return false;
  }
}

const isNothing = (): boolean => false;
const isScope = (name: string): boolean => tagTraits(name).isScopeBarrier;
const isItemBarrier = (name: string): boolean =>
  tagTraits(name).isSpecial && !ITEM_PASSES.has(name);
