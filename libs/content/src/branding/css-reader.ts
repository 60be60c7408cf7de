import type { CssNodePlain } from 'css-tree';
import parse from 'css-tree/parser';
import { MAX_CSS_RULES, MAX_CSS_VALUE_CHARS, MAX_CUSTOM_PROPERTY_CHARS } from '../limits.js';
import { importOf } from './css-imports.js';
import { cutToPieces, isGroup, type PieceSink } from './css-pieces.js';

/** One declaration; names in lower case, but custom properties as written. */
export interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

export interface StyleRule {
  readonly selectors: string;
  readonly declarations: readonly Declaration[];
}

export interface StyleSheet {
  /** Rules of a light screen of a desktop's width, in order. */
  readonly rules: readonly StyleRule[];
  /** Families of `@font-face`, unique, in order. */
  readonly fontFaces: readonly string[];
  /** Addresses of `@import` for such a screen, as written. */
  readonly imports: readonly string[];
  /** A value or custom property was cut or dropped (`css_value_cap`). */
  readonly isValueCut: boolean;
  /** Rules, or a part of a huge one, were left out (`css_cap`). */
  readonly isCut: boolean;
}

/**
 * Reads CSS by css-tree, leniently, in time linear in its length: rules with the declarations that
 * say how a page looks. Of what is nested in a rule, conditions count (`@media`), and other
 * selectors (`&:hover`) do not. Never throws.
 */
export function readCss(css: string): StyleSheet {
  const reader = new CssReader();
  const isPassedOver = cutToPieces(css, reader);
  const { rules, imports, isValueCut, isFull } = reader;
  const isCut = isPassedOver || isFull;
  return { rules, fontFaces: [...reader.fontFaces], imports, isValueCut, isCut };
}

/** The declarations of a style attribute, and whether something of them was cut. */
export function readDeclarations(
  style: string,
): Pick<StyleRule, 'declarations'> & Pick<StyleSheet, 'isValueCut'> {
  const { rules, isValueCut } = readCss(`*{${style.slice(0, MAX_STYLE_CHARS)}}`);
  const declarations = rules[0]?.declarations ?? [];
  return { declarations, isValueCut: isValueCut || style.length > MAX_STYLE_CHARS };
}

const MAX_STYLE_CHARS = 8 * MAX_CSS_VALUE_CHARS;
const KEPT = new Set(
  'color background background-color background-image border-color fill font font-family font-size border-radius color-scheme display visibility'.split(
    ' ',
  ),
);
const MAX_SELECTORS_CHARS = 4_000;
const MAX_FONT_FACES = 50;
const MAX_IMPORTS = 50;
/** css-tree makes an error, with its stack, of each declaration it cannot read. */
const MAX_ERRORS = 5_000;

/** Values, selectors and conditions stay text: only a few of them are examined. */
const AS_TEXT = {
  parseAtrulePrelude: false,
  parseRulePrelude: false,
  parseValue: false,
  parseCustomProperty: false,
  list: false,
} as const;

class TooManyErrors extends Error {}

class CssReader implements PieceSink {
  readonly rules: StyleRule[] = [];
  readonly fontFaces = new Set<string>();
  readonly imports: string[] = [];
  isValueCut = false;
  isFull = false;
  private errors = 0;

  takeRules(css: string): void {
    if (this.isFull) return;
    for (const node of this.parsed(css)) {
      if (node.type === 'Rule') this.takeRule(textOf(node.prelude), childrenOf(node.block));
      else if (node.type === 'Atrule') this.takeFontFace(childrenOf(node.block));
    }
  }

  takeStatement(text: string): void {
    const address = importOf(text);
    if (address !== null && this.imports.length < MAX_IMPORTS) this.imports.push(address);
  }

  private parsed(css: string): readonly CssNodePlain[] {
    try {
      const sheet = parse(css, { ...AS_TEXT, onParseError: () => this.countError() });
      return childrenOf(sheet);
    } catch (error) {
      if (!(error instanceof TooManyErrors)) throw error;
      this.isFull = true;
      return [];
    }
  }

  /** Throwing is the only way to stop css-tree. */
  private countError(): void {
    if (++this.errors > MAX_ERRORS) throw new TooManyErrors();
  }

  private takeRule(selectors: string, nodes: readonly CssNodePlain[]): void {
    const declarations = declarationsIn(nodes).flatMap((node) => this.declarationOf(node) ?? []);
    if (declarations.length === 0 || selectors.length > MAX_SELECTORS_CHARS) return;
    if (this.rules.length < MAX_CSS_RULES) this.rules.push({ selectors, declarations });
    else this.isFull = true;
  }

  private declarationOf(node: DeclarationNode): Declaration | undefined {
    const isCustom = node.property.startsWith('--');
    const name = isCustom ? node.property : node.property.toLowerCase();
    if (!isCustom && !KEPT.has(name)) return undefined;
    const value = textOf(node.value);
    const isPicture = name === 'background-image' && !/gradient\(|var\(/i.test(value);
    // `!ie` and the like make browsers drop the declaration.
    if (isPicture || !isUsable(node.important)) return undefined;
    if (value.length > (isCustom ? MAX_CUSTOM_PROPERTY_CHARS : MAX_CSS_VALUE_CHARS)) {
      this.isValueCut = true;
      if (isCustom) return undefined;
    }
    const isImportant = node.important !== false;
    return { name, value: value.slice(0, MAX_CSS_VALUE_CHARS), isImportant };
  }

  private takeFontFace(nodes: readonly CssNodePlain[]): void {
    for (const { property, value } of declarationsIn(nodes)) {
      const isFamily = property.toLowerCase() === 'font-family';
      if (isFamily && this.fontFaces.size < MAX_FONT_FACES) this.fontFaces.add(textOf(value));
    }
  }
}

type DeclarationNode = Extract<CssNodePlain, { type: 'Declaration' }>;

/** Those of a block, and of the conditions in it that hold; the pieces are bounded in depth. */
function declarationsIn(nodes: readonly CssNodePlain[]): readonly DeclarationNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'Declaration') return [node];
    const isOpen = node.type === 'Atrule' && isGroup(node.name, textOf(node.prelude));
    return isOpen ? declarationsIn(childrenOf(node.block)) : [];
  });
}

function childrenOf(node: CssNodePlain | null): readonly CssNodePlain[] {
  return node !== null && (node.type === 'StyleSheet' || node.type === 'Block')
    ? node.children
    : [];
}

function textOf(node: CssNodePlain | null): string {
  return node?.type === 'Raw' ? node.value.trim() : '';
}

function isUsable(important: boolean | string): boolean {
  return typeof important === 'boolean' || important.toLowerCase() === 'important';
}
