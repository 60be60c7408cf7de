import { Element, isTag, type Document } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { MAX_CSS_CHARS, MAX_CSS_MATCH_STEPS } from '../limits.js';
import { type Declaration, readCss, readDeclarations } from './css-reader.js';
import { selectorKeysOf, matches, readSelectors, type Selector } from './css-selector.js';
import { type BrandingCut, fontShorthand, type LookUp, VarWriter } from './css-values.js';
import { type LinkedSheets, type SheetText, sheetTexts } from './page-sheets.js';

/** A selector of a rule; those of one rule are adjacent, and later rules come later. */
interface MatchableRule {
  readonly order: number;
  readonly selector: Selector;
  readonly declarations: readonly Declaration[];
  readonly origin: string | null;
}

interface OwnValue {
  readonly value: string;
  /** Address of the sheet; null: the page itself. */
  readonly origin: string | null;
}

/** What an element's style comes to: winners of the cascade, its own only. */
type OwnStyle = ReadonlyMap<string, OwnValue>;

export interface PageStylesOptions {
  /** Sheets that were fetched for the page. @default none */
  readonly linked?: LinkedSheets;
  /** Elements that selectors may examine. @default MAX_CSS_MATCH_STEPS */
  readonly maxSteps?: number;
  /** Further ones for each character of CSS: time stays linear in the page. @default 0 */
  readonly stepsPerChar?: number;
}

/**
 * The styles of a page: style elements and attributes, and the linked sheets that were fetched for
 * it. Answers what they come to for an element, by the rules of the cascade as far as one element
 * needs them.
 */
export class PageStyles {
  readonly html: Element;
  readonly body: Element;
  readonly cuts = new Set<BrandingCut>();
  /** Families of `@font-face` and addresses of `@import` as they are written. */
  readonly fontFaces: readonly string[];
  readonly imports: readonly string[];
  private readonly rules = new Map<string, MatchableRule[]>();
  private readonly vars = new VarWriter((cut) => this.cuts.add(cut));
  private readonly styles = new Map<Element, OwnStyle>();
  private readonly maxSteps: number;
  private steps = 0;

  constructor(
    { document, described }: ParsedPage,
    { linked, maxSteps = MAX_CSS_MATCH_STEPS, stepsPerChar = 0 }: PageStylesOptions = {},
  ) {
    const texts = sheetTexts(document, linked);
    const chars = texts.reduce((sum, { css }) => sum + css.length, 0);
    this.maxSteps = maxSteps + stepsPerChar * Math.min(chars, MAX_CSS_CHARS);
    const sheets = this.read(texts);
    this.fontFaces = sheets.flatMap(({ fontFaces }) => fontFaces);
    this.imports = sheets.flatMap(({ imports }) => imports);
    this.html = described.find(({ name }) => name === 'html') ?? new Element('html', {});
    this.body = findBody(document, this.html) ?? new Element('body', {});
  }

  /**
   * Value of a property of an element with its variables written out, not inherited; undefined when
   * nothing sets it, or only to what another element has.
   */
  own(element: Element, name: string): string | undefined {
    const own = this.styleOf(element).get(name);
    if (own === undefined) return undefined;
    const written = this.vars.write(own.value, this.lookUpFrom(element));
    return written === undefined || /^(?:inherit|initial|unset|revert|currentcolor)/i.test(written)
      ? undefined
      : written;
  }

  /** Address of the sheet that sets a property of an element; null: the page itself, or nothing. */
  originOf(element: Element, name: string): string | null {
    return this.styleOf(element).get(name)?.origin ?? null;
  }

  /** Value of a custom property of the page as a whole. */
  property(name: string): string | undefined {
    const found = this.lookUpFrom(this.body)(name);
    return found === undefined ? undefined : this.vars.write(found.value, found.lookUp);
  }

  /** Names of the custom properties of the page as a whole, in the order they are set in. */
  propertyNames(): readonly string[] {
    const names = [...this.styleOf(this.html).keys(), ...this.styleOf(this.body).keys()];
    return [...new Set(names.filter((name) => name.startsWith('--')))];
  }

  private read(
    texts: readonly SheetText[],
  ): readonly Pick<ReturnType<typeof readCss>, 'fontFaces' | 'imports'>[] {
    let left = MAX_CSS_CHARS;
    let order = 0;
    return texts.map(({ css, origin }) => {
      const sheet = readCss(css.slice(0, left));
      if (css.length > left || sheet.isCut) this.cuts.add('css_cap');
      if (sheet.isValueCut) this.cuts.add('css_value_cap');
      left = Math.max(0, left - css.length);
      for (const { selectors, declarations } of sheet.rules) {
        order++;
        for (const selector of readSelectors(selectors))
          this.index({ order, selector, declarations, origin });
      }
      return sheet;
    });
  }

  private index(rule: MatchableRule): void {
    const { key } = rule.selector;
    const known = this.rules.get(key);
    if (known === undefined) this.rules.set(key, [rule]);
    else known.push(rule);
  }

  /** Custom properties are inherited: the nearest element that has one says what it is. */
  private lookUpFrom(element: Element): LookUp {
    return (name) => {
      for (const holder of this.chainOf(element)) {
        const own = this.styleOf(holder).get(name);
        if (own !== undefined) return { value: own.value, lookUp: this.lookUpFrom(holder) };
      }
      return undefined;
    };
  }

  private styleOf(element: Element): OwnStyle {
    const known = this.styles.get(element);
    if (known !== undefined) return known;
    const style = this.cascade(element);
    this.styles.set(element, style);
    return style;
  }

  private cascade(element: Element): OwnStyle {
    const chain = this.chainOf(element);
    const winners = new Winners();
    for (const rule of this.candidates(element)) {
      if (this.steps > this.maxSteps) break;
      if (matches(rule.selector, chain, (steps) => void (this.steps += steps)))
        winners.add(rule.declarations, rule.selector.specificity, rule.origin);
    }
    if (this.steps > this.maxSteps) this.cuts.add('css_cap');
    const { style } = element.attribs;
    if (style !== undefined) {
      const { declarations, isValueCut } = readDeclarations(style);
      if (isValueCut) this.cuts.add('css_value_cap');
      winners.add(declarations, INLINE, null);
    }
    return winners.values();
  }

  /** Rules that may be the element's by their last part, in the order in which they are written. */
  private candidates(element: Element): readonly MatchableRule[] {
    if (this.steps > this.maxSteps) return [];
    const lists = selectorKeysOf(element).flatMap((key) => this.rules.get(key) ?? []);
    this.steps += lists.length;
    return lists.sort((one, other) => one.order - other.order);
  }

  /** The element and its ancestors, with the html and body that the source may lack. */
  private chainOf(element: Element): readonly Element[] {
    const chain: Element[] = [];
    for (let at: Element | null = element; at !== null; at = parentOf(at)) chain.push(at);
    if (element === this.html) return chain;
    if (!chain.some(({ name }) => name === 'body' || name === 'head')) {
      const isRoot = chain.at(-1)?.name === 'html';
      chain.splice(isRoot ? -1 : chain.length, 0, this.body);
    }
    if (chain.at(-1)?.name !== 'html') chain.push(this.html);
    return chain;
  }
}

/** More than any selector has. */
const INLINE = 1_000_000_000;
const IMPORTANT = 2 * INLINE;

/** What a shorthand sets of the properties that are requested. */
function longhandsOf(name: string, value: string): readonly (readonly [string, string])[] {
  if (name === 'background') return [['background-color', value]];
  if (name !== 'font') return [];
  const { size, families } = fontShorthand(value);
  return size === undefined || families === undefined
    ? []
    : [
        ['font-size', size],
        ['font-family', families],
      ];
}

class Winners {
  private readonly found = new Map<string, OwnValue & { readonly weight: number }>();

  add(declarations: readonly Declaration[], specificity: number, origin: string | null): void {
    for (const { name, value, isImportant } of declarations) {
      const weight = specificity + (isImportant ? IMPORTANT : 0);
      this.set(name, { value, origin, weight });
      for (const [long, own] of longhandsOf(name, value))
        this.set(long, { value: own, origin, weight });
    }
  }

  values(): OwnStyle {
    return this.found;
  }

  private set(name: string, own: OwnValue & { readonly weight: number }): void {
    if ((this.found.get(name)?.weight ?? -1) <= own.weight) this.found.set(name, own);
  }
}

function parentOf({ parent }: Element): Element | null {
  return parent !== null && isTag(parent) ? parent : null;
}

function findBody(document: Document, html: Element): Element | undefined {
  const places = [document.children, html.children];
  return places.flat().find((node): node is Element => isTag(node) && node.name === 'body');
}
