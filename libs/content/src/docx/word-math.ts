/**
 * Elements of Word's formulas (ECMA-376 part 1, 22.1). mammoth skips them with all they hold; as inserted text it reads
 * them. Parts above, below and under a bar are marked by signs, since the structure is lost.
 */
const MATH_TAG = /<(\/?)m:(\w{1,40})\b([^<>]{0,500}?)(\/?)>/g;

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['den', '/'],
  ['sup', '^'],
  ['sub', '_'],
]);
/** Brackets and operators where none are named. */
const DEFAULTS = { begChr: '(', sepChr: '|', endChr: ')' } as const;
const INTEGRAL = '∫';
const HAT = '\u0302';
/** Equations below each other, rows of a matrix, and their cells. */
const PARTS_APART: ReadonlySet<string> = new Set(['eqArr', 'm', 'mr']);
/** Of formulas in one another. */
const MAX_DEPTH = 1_000;

/** An element that is open, with the characters that its properties name. */
interface OpenElement {
  readonly name: string;
  readonly chars: { [name: string]: string };
  /** Its first part has begun. */
  isBegun: boolean;
}

/** The XML of a document with its formulas as text. Linear time. */
export function mathAsText(xml: string): string {
  if (!xml.includes('<m:')) return xml;
  const open: OpenElement[] = [];
  return xml.replace(MATH_TAG, (_, closing: string, name: string, rest: string, empty: string) => {
    if (name === 'r' || name === 't') {
      const attributes = name === 't' && closing === '' ? ' xml:space="preserve"' : '';
      return `<${closing}w:${name}${attributes}${empty}>`;
    }
    if (closing !== '') {
      const ended = open.at(-1)?.name === name ? open.pop() : undefined;
      return `${runOf(ended === undefined ? '' : lastChar(ended))}</w:ins>`;
    }
    const shown = runOf(charBefore(name, open.at(-1)) + signOf(name, empty));
    nameChar(name, rest, open.at(-2));
    if (empty !== '') return shown;
    if (open.length < MAX_DEPTH) open.push({ name, chars: {}, isBegun: false });
    return `${shown}<w:ins>`;
  });
}

const runOf = (text: string): string => (text === '' ? '' : `<w:r><w:t>${text}</w:t></w:r>`);

/** A root has a degree, which is empty for a square root. */
function signOf(name: string, empty: string): string {
  if (name === 'deg') return '√';
  return empty === '' ? (SIGNS.get(name) ?? '') : '';
}

/** `<m:dPr><m:begChr m:val="["/>` names a character of the element that has the properties. */
function nameChar(name: string, attributes: string, element: OpenElement | undefined): void {
  if (name !== 'chr' && !Object.hasOwn(DEFAULTS, name)) return;
  const value = /m:val="([^"<>]{0,12})"/.exec(attributes)?.[1];
  if (value !== undefined && element) element.chars[name] = value;
}

/** What stands before a part of an element: the opening bracket or the one between two parts, or the operator. */
function charBefore(part: string, element: OpenElement | undefined): string {
  if (element === undefined || part.endsWith('Pr')) return '';
  const { name, chars, isBegun } = element;
  element.isBegun = true;
  if (name === 'd') {
    const char = isBegun ? 'sepChr' : 'begChr';
    return chars[char] ?? DEFAULTS[char];
  }
  if (isBegun) return PARTS_APART.has(name) ? ' ' : '';
  if (name === 'nary') return chars['chr'] ?? INTEGRAL;
  return name === 'groupChr' ? (chars['chr'] ?? '') : '';
}

/** What stands after an element: its closing bracket, or its accent, which combines with the character before it. */
function lastChar({ name, chars }: OpenElement): string {
  if (name === 'd') return chars['endChr'] ?? DEFAULTS.endChr;
  return name === 'acc' ? (chars['chr'] ?? HAT) : '';
}
