import { MAX_CSS_RULES, MAX_CSS_VALUE_CHARS, MAX_CUSTOM_PROPERTY_CHARS } from '../limits.js';

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
  /** Addresses of `@import`, as written. */
  readonly imports: readonly string[];
  /** A value or custom property was cut or dropped (`css_value_cap`). */
  readonly isValueCut: boolean;
}

/**
 * Reads CSS in one pass, leniently, in time linear in its length: rules with the declarations that
 * say how a page looks. Rules nested in others (`&:hover`) are passed over. Never throws.
 */
export function readCss(css: string): StyleSheet {
  const reader = new CssReader(css);
  reader.read();
  return {
    rules: reader.rules,
    fontFaces: [...reader.fontFaces],
    imports: reader.imports,
    isValueCut: reader.isValueCut,
  };
}

/** The declarations of a style attribute. */
export function readDeclarations(style: string): StyleSheet['rules'][number]['declarations'] {
  return readCss(`*{${style.slice(0, 8 * MAX_CSS_VALUE_CHARS)}}`).rules[0]?.declarations ?? [];
}

/** What an open block is: rules inside count, nothing does, declarations do. */
type Block = 'group' | 'skipped' | 'rule' | 'font-face';

const KEPT = new Set(
  'color background background-color font font-family font-size border-radius color-scheme'.split(
    ' ',
  ),
);
const MAX_SELECTORS_CHARS = 4_000;
const MAX_FONT_FACES = 50;
const MAX_IMPORTS = 50;
/** Deeper groups and rules are passed over with what they hold. */
const MAX_BLOCKS = 100;

class CssReader {
  readonly rules: StyleRule[] = [];
  readonly fontFaces = new Set<string>();
  readonly imports: string[] = [];
  isValueCut = false;
  private readonly blocks: Block[] = [];
  /** Blocks beyond {@link MAX_BLOCKS}. */
  private uncounted = 0;
  private selectors = '';
  private declarations: Declaration[] = [];
  /** Text since the last mark, comments left out. */
  private text = '';

  constructor(private readonly css: string) {}

  read(): void {
    let at = 0;
    while (at < this.css.length) at = this.take(at);
    // What is open at the end counts, as in browsers.
    this.close();
  }

  /** Takes one piece; answers where the next starts. */
  private take(at: number): number {
    PLAIN.lastIndex = at;
    if (PLAIN.test(this.css)) return this.keep(at, PLAIN.lastIndex);
    switch (this.css[at] ?? '') {
      case '/':
        return this.css[at + 1] === '*' ? endOf(this.css, '*/', at + 2) : this.keep(at, at + 1);
      case '"':
      case "'":
        return this.keep(at, endOfString(this.css, at));
      case '(':
        return this.keep(at, endOfBrackets(this.css, at));
      case '\\':
        return this.keep(at, at + 2);
      case '{':
        this.open();
        return at + 1;
      case '}':
        this.close();
        return at + 1;
      default:
        this.endStatement();
        return at + 1;
    }
  }

  private keep(start: number, end: number): number {
    // A longer selector or value is one nobody reads; its end is all that is looked for.
    if (this.text.length <= MAX_SELECTORS_CHARS) this.text += this.css.slice(start, end);
    return end;
  }

  private get block(): Block {
    return this.blocks.at(-1) ?? 'group';
  }

  private open(): void {
    const prelude = this.text.trim();
    this.text = '';
    if (this.blocks.length >= MAX_BLOCKS) {
      this.uncounted++;
      return;
    }
    const block = this.block === 'group' ? blockOf(prelude) : 'skipped';
    this.blocks.push(block);
    if (block === 'group' || block === 'skipped') return;
    this.selectors = prelude;
    this.declarations = [];
  }

  private close(): void {
    if (this.uncounted > 0) {
      this.uncounted--;
      this.text = '';
      return;
    }
    this.endStatement();
    if (this.blocks.pop() !== 'rule' || this.declarations.length === 0) return;
    const { selectors, declarations } = this;
    if (this.rules.length < MAX_CSS_RULES && selectors.length <= MAX_SELECTORS_CHARS) {
      this.rules.push({ selectors, declarations });
    }
    this.declarations = [];
  }

  private endStatement(): void {
    const text = this.text.trim();
    this.text = '';
    if (text === '') return;
    if (this.block === 'rule') this.declare(text);
    else if (this.block === 'font-face') this.keepFontFace(text);
    else if (this.block === 'group' && /^@import\s/i.test(text)) this.keepImport(text);
  }

  private declare(text: string): void {
    const colon = text.indexOf(':');
    const written = text.slice(0, Math.max(0, colon)).trim();
    const isCustom = written.startsWith('--');
    const name = isCustom ? written : written.toLowerCase();
    if (!isCustom && !KEPT.has(name)) return;
    const whole = text.slice(colon + 1).trim();
    const isImportant = /!\s*important$/i.test(whole.slice(-40));
    const value = isImportant ? whole.slice(0, whole.lastIndexOf('!')).trim() : whole;
    if (value.length > (isCustom ? MAX_CUSTOM_PROPERTY_CHARS : MAX_CSS_VALUE_CHARS)) {
      this.isValueCut = true;
      if (isCustom) return;
    }
    this.declarations.push({ name, value: value.slice(0, MAX_CSS_VALUE_CHARS), isImportant });
  }

  private keepFontFace(text: string): void {
    const family = /^font-family\s*:\s*(.+)$/is.exec(text)?.[1];
    if (family !== undefined && this.fontFaces.size < MAX_FONT_FACES) this.fontFaces.add(family);
  }

  private keepImport(text: string): void {
    const address = /^@import\s+(?:url\(\s*)?["']?([^"')\s]+)/i.exec(text)?.[1];
    if (address !== undefined && this.imports.length < MAX_IMPORTS) this.imports.push(address);
  }
}

/** What needs no look. */
const PLAIN = /[^/"'()\\{};]+/y;

function blockOf(prelude: string): Block {
  if (!prelude.startsWith('@')) return 'rule';
  const [, name = '', condition = ''] = /^@([\w-]+)\s*(.*)$/s.exec(prelude) ?? [];
  switch (name.toLowerCase()) {
    case 'media':
      return isForDesktop(condition) ? 'group' : 'skipped';
    case 'supports':
    case 'layer':
    case 'container':
    case 'scope':
      return 'group';
    case 'font-face':
      return 'font-face';
    default:
      return 'skipped';
  }
}

/** CSS pixels of the window that a page is thought to be shown in. */
const WINDOW_PX = 1_280;

/** Whether a light screen of {@link WINDOW_PX} has what a media query asks for. */
function isForDesktop(condition: string): boolean {
  const query = condition.slice(0, MAX_CSS_VALUE_CHARS).toLowerCase();
  if (/\bprint\b|\bspeech\b|\bnot\s+(?:all|screen)\b/.test(query)) return /,/.test(query);
  if (/prefers-color-scheme\s*:\s*dark|prefers-reduced|prefers-contrast|forced-colors/.test(query))
    return false;
  const widest = /(?:max-width\s*:|width\s*<=?)\s*([\d.]+)(px|r?em)/.exec(query);
  if (widest !== null && pixels(widest) < WINDOW_PX) return false;
  const narrowest = /(?:min-width\s*:|width\s*>=?)\s*([\d.]+)(px|r?em)/.exec(query);
  return narrowest === null || pixels(narrowest) <= WINDOW_PX;
}

const pixels = ([, amount, unit]: RegExpExecArray): number =>
  Number(amount) * (unit === 'px' ? 1 : 16);

function endOf(text: string, what: string, start: number): number {
  const at = text.indexOf(what, start);
  return at === -1 ? text.length : at + what.length;
}

/** A string ends at its quote, or at the line's end, where browsers end a bad one. */
function endOfString(css: string, start: number): number {
  const quote = css.charCodeAt(start);
  for (let at = start + 1; at < css.length; at++) {
    const code = css.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === 92) at++;
    else if (code === 10) return at;
  }
  return css.length;
}

/** Behind the bracket that closes the one at `start`; a brace means that it was forgotten. */
function endOfBrackets(css: string, start: number): number {
  let depth = 0;
  for (let at = start; at < css.length; at++) {
    switch (css.charCodeAt(at)) {
      case 34:
      case 39:
        at = endOfString(css, at) - 1;
        break;
      case 40:
        depth++;
        break;
      case 41:
        if (--depth === 0) return at + 1;
        break;
      case 92:
        at++;
        break;
      case 123:
      case 125:
        return at;
      default:
    }
  }
  return css.length;
}
