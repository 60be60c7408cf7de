import { Element, isTag, isText, type Document } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { walk } from '../dom/walk.js';
import { MAX_CSS_CHARS, MAX_CSS_MATCH_STEPS } from '../limits.js';
import { type Declaration, readCss, readDeclarations, type StyleSheet } from './css-reader.js';
import { matches, readSelectors, type Selector } from './css-selector.js';
import { type BrandingCut, fontShorthand, VarWriter } from './css-values.js';

interface MatchableRule {
  readonly selectors: readonly Selector[];
  readonly declarations: readonly Declaration[];
}

/** What an element's style comes to: winners of the cascade, its own only. */
export type OwnStyle = ReadonlyMap<string, string>;

/**
 * The styles that a page brings with it: style elements and style attributes. Answers what they
 * come to for an element, by the rules of the cascade as far as one element needs them.
 */
export class PageStyles {
  readonly html: Element;
  readonly body: Element;
  readonly sheet: StyleSheet;
  readonly cuts = new Set<BrandingCut>();
  private readonly rules: readonly MatchableRule[];
  private readonly vars = new VarWriter((cut) => this.cuts.add(cut));
  private readonly styles = new Map<Element, OwnStyle>();
  private steps = 0;

  constructor({ document, described }: ParsedPage) {
    const css = styleText(document);
    if (css.length > MAX_CSS_CHARS) this.cuts.add('css_cap');
    this.sheet = readCss(css.slice(0, MAX_CSS_CHARS));
    if (this.sheet.isValueCut) this.cuts.add('css_value_cap');
    this.rules = this.sheet.rules.map(({ selectors, declarations }) => ({
      selectors: readSelectors(selectors),
      declarations,
    }));
    this.html = described.find(({ name }) => name === 'html') ?? new Element('html', {});
    this.body = findBody(document, this.html) ?? new Element('body', {});
  }

  /**
   * Value of a property of an element with its variables written out, not inherited; undefined when
   * nothing sets it, or only to what another element has.
   */
  own(element: Element, name: string): string | undefined {
    const value = this.styleOf(element).get(name);
    if (value === undefined) return undefined;
    const written = this.vars.write(value, (property) => this.custom(property, element));
    return written === undefined || /^(?:inherit|initial|unset|revert|currentcolor)/i.test(written)
      ? undefined
      : written;
  }

  /** Value of a custom property of the page as a whole. */
  property(name: string): string | undefined {
    const value = this.custom(name, this.body);
    return value === undefined
      ? undefined
      : this.vars.write(value, (property) => this.custom(property, this.body));
  }

  /** Names of the custom properties of the page as a whole, in the order they are set in. */
  propertyNames(): readonly string[] {
    const names = [...this.styleOf(this.html).keys(), ...this.styleOf(this.body).keys()];
    return [...new Set(names.filter((name) => name.startsWith('--')))];
  }

  private custom(name: string, element: Element): string | undefined {
    return (
      this.styleOf(element).get(name) ??
      this.styleOf(this.body).get(name) ??
      this.styleOf(this.html).get(name)
    );
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
    for (const { selectors, declarations } of this.rules) {
      const specificity = this.specificityOf(selectors, chain);
      if (specificity >= 0) winners.add(declarations, specificity);
    }
    const { style } = element.attribs;
    if (style !== undefined) winners.add(readDeclarations(style), INLINE);
    return winners.values();
  }

  /** Of the strictest selector that matches; -1: none does. */
  private specificityOf(selectors: readonly Selector[], chain: readonly Element[]): number {
    let most = -1;
    for (const selector of selectors) {
      if (selector.specificity <= most || this.steps > MAX_CSS_MATCH_STEPS) continue;
      const isMatch = matches(selector, chain, (steps) => void (this.steps += steps));
      if (isMatch) most = selector.specificity;
    }
    if (this.steps > MAX_CSS_MATCH_STEPS) this.cuts.add('css_cap');
    return most;
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

/** What a shorthand sets of the properties that are asked for. */
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
  private readonly found = new Map<string, { readonly value: string; readonly weight: number }>();

  add(declarations: readonly Declaration[], specificity: number): void {
    for (const { name, value, isImportant } of declarations) {
      const weight = specificity + (isImportant ? IMPORTANT : 0);
      this.set(name, value, weight);
      for (const [long, own] of longhandsOf(name, value)) this.set(long, own, weight);
    }
  }

  values(): OwnStyle {
    return new Map([...this.found].map(([name, { value }]) => [name, value]));
  }

  private set(name: string, value: string, weight: number): void {
    if ((this.found.get(name)?.weight ?? -1) <= weight) this.found.set(name, { value, weight });
  }
}

function parentOf({ parent }: Element): Element | null {
  return parent !== null && isTag(parent) ? parent : null;
}

function findBody(document: Document, html: Element): Element | undefined {
  const places = [document.children, html.children];
  return places.flat().find((node): node is Element => isTag(node) && node.name === 'body');
}

/** Texts of the style elements for screens; a little more than may be read, if there is more. */
function styleText(document: Document): string {
  const texts: string[] = [];
  let chars = 0;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (element.name !== 'style') return element.name !== 'template';
      if (/print|speech/i.test(element.attribs.media ?? '')) return false;
      for (const child of element.children) {
        if (isText(child)) texts.push(child.data.slice(0, MAX_CSS_CHARS + 1));
        chars += texts.at(-1)?.length ?? 0;
      }
      return false;
    },
    isDone: () => chars > MAX_CSS_CHARS,
  });
  return texts.join('\n');
}
