import { child, type XmlElement } from '../files/xml-tree.js';

/** What stands before a part whose place says what it is. */
const SIGNS: Readonly<Record<string, string>> = { 'm:den': '/', 'm:sup': '^', 'm:sub': '_' };

const INTEGRAL = '∫';
const HAT = '\u0302';
/** Equations below each other, rows of a matrix, and their cells. */
const PARTS_APART = new Set(['m:eqArr', 'm:m', 'm:mr']);

/** One of Word's formulas (ECMA-376 part 1, 22.1) as a line of text. */
export function formulaText(element: XmlElement): string {
  const { name, children } = element;
  if (name === 'm:t' || name === 'w:t') return element.text;
  if (name === 'w:del' || name === 'w:moveFrom') return '';
  // Brackets and operators are named by properties, except for the usual ones.
  const properties = child(element, `${name}Pr`);
  const char = (of: string): string | undefined =>
    child(properties, `m:${of}`)?.attributes['m:val'];
  let text = '';
  let isFirst = true;
  for (const part of children) {
    if (part.name.endsWith('Pr')) continue;
    const isEmpty = part.children.length === 0;
    // A root has a degree, which is empty for a square root.
    const sign = part.name === 'm:deg' ? '√' : isEmpty ? '' : (SIGNS[part.name] ?? '');
    text += charBefore(name, isFirst, char) + sign + formulaText(part);
    isFirst = false;
  }
  if (name === 'm:d') return text + (char('endChr') ?? ')');
  // An accent combines with the character before it.
  return name === 'm:acc' ? text + (char('chr') ?? HAT) : text;
}

/** The opening bracket or the one between two parts, or the operator. */
function charBefore(
  name: string,
  isFirst: boolean,
  char: (of: string) => string | undefined,
): string {
  if (name === 'm:d') return isFirst ? (char('begChr') ?? '(') : (char('sepChr') ?? '|');
  if (!isFirst) return PARTS_APART.has(name) ? ' ' : '';
  if (name === 'm:nary') return char('chr') ?? INTEGRAL;
  return name === 'm:groupChr' ? (char('chr') ?? '') : '';
}
