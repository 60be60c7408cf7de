import { MAX_CSS_VALUE_CHARS, MAX_VAR_DEPTH, MAX_VAR_SUBSTITUTIONS } from '../limits.js';

/** Why something of a page's looks was not read, in the words of the specification. */
export type BrandingCut =
  'css_cap' | 'var_budget' | 'var_depth_cap' | 'css_value_cap' | 'button_scan_cap';

/** A custom property's value, and where it was set: what it refers to is looked up from there. */
export interface PropertyValue {
  readonly value: string;
  readonly lookUp: LookUp;
}

/** Custom properties where they are requested; undefined for one that has no value. */
export type LookUp = (name: string) => PropertyValue | undefined;

/** Writes out `var()`; one for a page, as its substitutions are counted together. */
export class VarWriter {
  private substitutions = 0;

  constructor(private readonly note: (cut: BrandingCut) => void) {}

  /** The value with its variables written out; undefined when one has no value. */
  write(value: string, lookUp: LookUp, depth = 0): string | undefined {
    let text = '';
    let rest = value;
    for (;;) {
      const start = rest.search(/var\(/i);
      if (start === -1) return this.bounded(text + rest);
      const end = closingBracket(rest, start + 3);
      const own = this.substitute(rest.slice(start + 4, end), lookUp, depth);
      if (own === undefined) return undefined;
      text += rest.slice(0, start) + own;
      rest = rest.slice(end + 1);
      if (text.length > MAX_CSS_VALUE_CHARS) return this.bounded(text);
    }
  }

  private substitute(inside: string, lookUp: LookUp, depth: number): string | undefined {
    if (++this.substitutions > MAX_VAR_SUBSTITUTIONS) return this.give('var_budget');
    if (depth >= MAX_VAR_DEPTH) return this.give('var_depth_cap');
    const comma = inside.indexOf(',');
    const name = (comma === -1 ? inside : inside.slice(0, comma)).trim();
    const known = lookUp(name);
    const own = known === undefined ? undefined : this.write(known.value, known.lookUp, depth + 1);
    if (own !== undefined || comma === -1) return own;
    return this.write(inside.slice(comma + 1).trim(), lookUp, depth + 1);
  }

  private give(cut: BrandingCut): undefined {
    this.note(cut);
    return undefined;
  }

  private bounded(text: string): string {
    if (text.length <= MAX_CSS_VALUE_CHARS) return text;
    this.note('css_value_cap');
    return text.slice(0, MAX_CSS_VALUE_CHARS);
  }
}

/** Index of the bracket that closes the one at `open`, or the text's end. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

/** CSS pixels of `1em` and `1rem` where nothing else is said. */
export const USUAL_FONT_PX = 16;

/**
 * CSS pixels of a length. Of `clamp()` and `min()`, which follow the window, what a wide one gives.
 *
 * @param emPx pixels of `1em` and of `100%`
 */
export function lengthPx(
  value: string,
  emPx = USUAL_FONT_PX,
  remPx = USUAL_FONT_PX,
): number | undefined {
  const clamped = /^(?:clamp|min)\(.*,([^,()]+)\)$/is.exec(value.trim());
  const match = /^(-?(?:\d+(?:\.\d*)?|\.\d+))(px|rem|em|%|pt)?$/i.exec(
    (clamped?.[1] ?? value).trim(),
  );
  if (match === null) return undefined;
  const [, amount, unit = ''] = match;
  const number = Number(amount);
  switch (unit.toLowerCase()) {
    case 'px':
      return number;
    case 'rem':
      return number * remPx;
    case 'em':
      return number * emPx;
    case '%':
      return (number / 100) * emPx;
    case 'pt':
      return (number * 4) / 3;
    default:
      return number === 0 ? 0 : undefined;
  }
}

/** `16px`, at most two digits after the point. */
export function pixels(px: number): string {
  return `${Math.round(px * 100) / 100}px`;
}

const FONT =
  /(?:^|\s)((?:\d*\.)?\d+(?:px|rem|em|pt|%)|clamp\([^)]*\))(?:\s*\/\s*[\w.%]+)?\s+(\S.*)$/is;

/** Size and families of the `font` shorthand. */
export function fontShorthand(value: string): {
  readonly size?: string;
  readonly families?: string;
} {
  const match = FONT.exec(value);
  return match === null ? {} : { size: match[1], families: match[2] };
}

const MAX_FAMILIES = 20;
const MAX_FAMILY_CHARS = 80;

/** Names of a font-family list, without quotes. */
export function familiesOf(value: string): readonly string[] {
  return value
    .split(',', MAX_FAMILIES)
    .map((name) =>
      name
        .trim()
        .replace(/^(["'])(.*)\1$/s, '$2')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((name) => /^[^(){};<>"]+$/.test(name) && name.length <= MAX_FAMILY_CHARS);
}
