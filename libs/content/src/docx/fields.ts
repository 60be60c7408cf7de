import { codePoint } from 'dingbat-to-unicode';
import { child, type XmlElement } from '../files/xml-tree.js';
import { isTurnedOn, holdsNoText } from './word-xml.js';

export const BOXES = { checked: '☒', unchecked: '☐' } as const;

/** A field (ECMA-376 part 1, 17.16): a code, and the text that Word made of it last, which is what readers see. */
export class WordField {
  code = '';
  /** Its code has ended. */
  isInResult = false;
  hasResult = false;
  /** Where its result leads to. */
  link: string | undefined;

  /** @param begin its first mark, which describes a field of a form */
  constructor(
    private readonly begin: XmlElement,
    private readonly outerLink: string | undefined,
  ) {}

  startResult(): void {
    this.isInResult = true;
    this.link = linkOf(this.code) ?? this.outerLink;
  }

  /** What is shown of a field without a result. Null: something that cannot be told. */
  shown(): string | null {
    const [start = '', name = ''] = /^\s*(\w+)/.exec(this.code) ?? [];
    const rest = this.code.slice(start.length);
    const form = child(this.begin, 'w:ffData');
    switch (name.toUpperCase()) {
      case 'FORMCHECKBOX':
        return isChecked(child(form, 'w:checkBox')) ? BOXES.checked : BOXES.unchecked;
      case 'FORMDROPDOWN':
        return chosenOf(child(form, 'w:ddList'));
      case 'MACROBUTTON':
      case 'GOTOBUTTON':
        return rest.trim().replace(/^\S+\s*/, '');
      case 'SYMBOL':
        return symbolOf(rest);
      case 'EQ':
        return equationText(rest);
      case 'INCLUDETEXT':
      case 'DATABASE':
        return null;
      default:
        return '';
    }
  }
}

/** Marks of fields that have a beginning and an end; others stand alone and mean nothing. */
export function wholeFields(root: XmlElement): ReadonlySet<XmlElement> {
  const whole = new Set<XmlElement>();
  gatherMarks(root, [], whole);
  return whole;
}

function gatherMarks(element: XmlElement, open: XmlElement[][], whole: Set<XmlElement>): void {
  for (const one of element.children) {
    if (holdsNoText(one)) continue;
    if (one.name !== 'w:fldChar') {
      // A text box is a text of its own.
      gatherMarks(one, one.name === 'w:txbxContent' ? [] : open, whole);
      continue;
    }
    const type = one.attributes['w:fldCharType'];
    if (type === 'begin') open.push([one]);
    else if (type === 'separate') open.at(-1)?.push(one);
    else if (type === 'end') for (const mark of [...(open.pop() ?? []), one]) whole.add(mark);
  }
}

/** `HYPERLINK "https://a.example/" \l "place"`, in any order. */
function linkOf(code: string): string | undefined {
  const rest = /^\s*HYPERLINK\b([^]*)$/i.exec(code)?.[1];
  if (rest === undefined) return undefined;
  let address = '';
  let place = '';
  for (const [, option, quoted, bare] of rest.matchAll(ARGUMENTS)) {
    const value = quoted ?? bare ?? '';
    if (option === undefined) address ||= value;
    else if (option.toLowerCase() === 'l') place = value;
  }
  return place === '' ? address || undefined : `${address}#${place}`;
}

/** An option with or without a value, or a value alone. */
const ARGUMENTS = /(?:\\([a-z])(?=\s)\s*)?(?:"([^"]*)"|([^\s"\\][^\s"]*))|\\[a-z]/gi;

function isChecked(box: XmlElement | undefined): boolean {
  return isTurnedOn(child(box, 'w:checked')) ?? isTurnedOn(child(box, 'w:default')) ?? false;
}

function chosenOf(list: XmlElement | undefined): string {
  const chosen = child(list, 'w:result') ?? child(list, 'w:default');
  const entries = list?.children.filter(({ name }) => name === 'w:listEntry') ?? [];
  return entries[Number(chosen?.attributes['w:val'] ?? 0)]?.attributes['w:val'] ?? '';
}

/** `SYMBOL 74 \f "Wingdings"`. */
function symbolOf(code: string): string {
  const char = /^\s*(0x[\da-f]{1,6}|\d{1,7})/i.exec(code)?.[1];
  const font = /\\f\s*"([^"]*)"/i.exec(code)?.[1] ?? '';
  return char === undefined ? '' : symbolText(font, Number(char));
}

/** An equation as Word wrote them before it had formulas; text with its reading above it is one as well. */
function equationText(code: string): string {
  return code
    .replace(/\\\*\s*(?:"[^"]*"|\S+)/g, ' ')
    .replace(/\\f\s*\(([^(),;]*)[,;]([^(),;]*)\)/gi, ' $1/$2 ')
    .replace(/\\[a-z]{1,2}\s?\d*/gi, ' ')
    .replace(/[\s(),;]+/g, ' ')
    .trim();
}

/** The Unicode text for a character of a symbol font; empty if it is unknown. */
export function symbolText(font: string, code: number): string {
  // Word moves the characters of symbol fonts to where Unicode has none.
  const own = (code & ~0xff) === 0xf000 ? code & 0xff : code;
  const known = codePoint(font, code) ?? codePoint(font, own);
  if (known !== undefined) return known.string;
  const isPrivate = code >= 0xe000 && code <= 0xf8ff;
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  const isCharacter = code > 0x1f && code <= 0x10_ffff && !isPrivate && !isSurrogate;
  return isCharacter ? String.fromCodePoint(code) : '';
}
