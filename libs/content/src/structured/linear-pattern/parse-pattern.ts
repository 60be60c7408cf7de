/** What a pattern is made of. Single characters are tested by the engine's own classes. */
export type PatternNode =
  | { readonly kind: 'char'; readonly source: string }
  | { readonly kind: 'assert'; readonly where: 'start' | 'end' | 'word' | 'inside' }
  | { readonly kind: 'sequence'; readonly of: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly of: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly of: PatternNode;
      readonly min: number;
      readonly max: number;
    };

/** A pattern that cannot be matched in linear time, or is none. The message says why. */
export class PatternError extends Error {}

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d+)?)?\})\??/;
/** One character written with a backslash; assertions and back references are distinguished before. */
const ESCAPE =
  /^\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]{1,60}\}|.)/su;

/**
 * Reads the part of ECMAScript's patterns that has a linear matcher: no look-around and no back
 * references. Recursion is as deep as groups nest; the caller bounds the length.
 * @throws PatternError
 */
export function parsePattern(source: string): PatternNode {
  const reader = new Reader(source);
  const node = readChoice(reader);
  if (!reader.isAtEnd) throw new PatternError('has an unmatched )');
  return node;
}

class Reader {
  private at = 0;

  constructor(private readonly source: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  get rest(): string {
    return this.source.slice(this.at);
  }

  get next(): string {
    return this.source.charAt(this.at);
  }

  /** Takes the text when it is next. */
  eat(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  take(length: number): string {
    const text = this.source.slice(this.at, this.at + length);
    this.at += length;
    return text;
  }
}

function readChoice(reader: Reader): PatternNode {
  const branches = [readSequence(reader)];
  while (reader.eat('|')) branches.push(readSequence(reader));
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? only : { kind: 'choice', of: branches };
}

function readSequence(reader: Reader): PatternNode {
  const of: PatternNode[] = [];
  while (!reader.isAtEnd && reader.next !== '|' && reader.next !== ')') {
    of.push(readRepeat(reader, readAtom(reader)));
  }
  return { kind: 'sequence', of };
}

function readRepeat(reader: Reader, of: PatternNode): PatternNode {
  const found = QUANTIFIER.exec(reader.rest);
  if (found === null) return of;
  const [text, low, comma, high] = found;
  reader.take(text.length);
  if (low !== undefined) {
    const min = Number(low);
    return { kind: 'repeat', of, min, max: comma ? Number(high ?? Infinity) : min };
  }
  const [sign] = text;
  return { kind: 'repeat', of, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
}

function readAtom(reader: Reader): PatternNode {
  switch (reader.next) {
    case '(':
      return readGroup(reader);
    case '[':
      return { kind: 'char', source: readClass(reader) };
    case '\\':
      return readEscape(reader);
    case '^':
      reader.take(1);
      return { kind: 'assert', where: 'start' };
    case '$':
      reader.take(1);
      return { kind: 'assert', where: 'end' };
    default:
      return { kind: 'char', source: readCharacter(reader) };
  }
}

function readCharacter(reader: Reader): string {
  const code = reader.rest.codePointAt(0) ?? 0;
  return reader.take(code > 0xffff ? 2 : 1);
}

function readGroup(reader: Reader): PatternNode {
  reader.take(1);
  if (/^\?<?[=!]/.test(reader.rest)) throw new PatternError('uses look-ahead or look-behind');
  const name = /^\?<\w{1,60}>/.exec(reader.rest)?.[0];
  if (name !== undefined) reader.take(name.length);
  else if (!reader.eat('?:') && reader.next === '?') {
    throw new PatternError('uses a kind of group that is not supported');
  }
  const node = readChoice(reader);
  if (!reader.eat(')')) throw new PatternError('has an unmatched (');
  return node;
}

/** The text of a character class, unchanged; its meaning is left to the engine. */
function readClass(reader: Reader): string {
  const { rest } = reader;
  let end = 1;
  while (end < rest.length && rest.charAt(end) !== ']') end += rest.charAt(end) === '\\' ? 2 : 1;
  if (end >= rest.length) throw new PatternError('has an unmatched [');
  return reader.take(end + 1);
}

function readEscape(reader: Reader): PatternNode {
  if (/^\\(?:[1-9]|k<)/.test(reader.rest)) throw new PatternError('uses a back reference');
  if (reader.eat('\\b')) return { kind: 'assert', where: 'word' };
  if (reader.eat('\\B')) return { kind: 'assert', where: 'inside' };
  const text = ESCAPE.exec(reader.rest)?.[0];
  if (text === undefined) throw new PatternError('ends with a backslash');
  return { kind: 'char', source: reader.take(text.length) };
}
