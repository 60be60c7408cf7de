/** What an RTF file consists of. */
export interface RtfTokens {
  open(): void;
  close(): void;
  /** A control word with its number; `name` has letters alone. */
  word(name: string, value: number | undefined): void;
  /** A control symbol: one character after the backslash. */
  symbol(character: string): void;
  /** Characters of the current code page. */
  bytes(part: Uint8Array): void;
}

const [OPEN, CLOSE, BACKSLASH, QUOTE, SPACE, MINUS] = [0x7b, 0x7d, 0x5c, 0x27, 0x20, 0x2d];
const [LF, CR, NUL] = [0x0a, 0x0d, 0x00];

/** Longer ones are no control words. */
const MAX_WORD_CHARS = 32;
const MAX_DIGITS = 10;

/** Reads the tokens of a file, each once; what cannot be one is text. */
export function tokenizeRtf(file: Uint8Array, tokens: RtfTokens): void {
  let at = 0;
  while (at < file.length) {
    switch (file[at] ?? NUL) {
      case OPEN:
        tokens.open();
        at++;
        break;
      case CLOSE:
        tokens.close();
        at++;
        break;
      case BACKSLASH:
        at = readControl(file, at + 1, tokens);
        break;
      case LF:
      case CR:
      case NUL:
        at++;
        break;
      default: {
        const end = endOfText(file, at);
        tokens.bytes(file.subarray(at, end));
        at = end;
      }
    }
  }
}

function endOfText(file: Uint8Array, from: number): number {
  let at = from;
  for (; at < file.length; at++) {
    const byte = file[at];
    if (byte === BACKSLASH || byte === OPEN || byte === CLOSE) break;
    if (byte === LF || byte === CR || byte === NUL) break;
  }
  return at;
}

/** Returns where the control ends. */
function readControl(file: Uint8Array, from: number, tokens: RtfTokens): number {
  const first = file[from];
  if (first === undefined) return from;
  if (first === QUOTE) {
    const code = Number.parseInt(latin1(file, from + 1, from + 3), 16);
    if (!Number.isNaN(code)) tokens.bytes(Uint8Array.of(code));
    return from + 3;
  }
  if (!isLetter(first)) {
    tokens.symbol(String.fromCharCode(first));
    return from + 1;
  }
  let at = from + 1;
  while (at < file.length && at - from < MAX_WORD_CHARS && isLetter(file[at])) at++;
  const name = latin1(file, from, at);
  const start = at;
  if (file[at] === MINUS) at++;
  while (at < file.length && at - start < MAX_DIGITS && isDigit(file[at])) at++;
  const digits = latin1(file, start, at);
  const value = /\d/.test(digits) ? Number(digits) : undefined;
  if (value === undefined) at = start;
  if (file[at] === SPACE) at++;
  // Raw bytes follow.
  if (name === 'bin' && value !== undefined && value > 0) return at + value;
  tokens.word(name, value);
  return at;
}

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

const latin1 = (file: Uint8Array, from: number, to: number): string =>
  Buffer.from(
    file.buffer,
    file.byteOffset + from,
    Math.max(0, Math.min(to, file.length) - from),
  ).toString('latin1');
