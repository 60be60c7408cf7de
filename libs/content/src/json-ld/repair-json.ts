/**
 * Turns nearly-JSON into JSON in one pass: drops comments and trailing commas, escapes control
 * characters and stray quotes in strings, wraps several values in an array.
 */
export function repairJson(source: string): string {
  return new Repair(source).run();
}

/** What may follow a backslash in a string. */
const ESCAPE = /["\\/bfnrt]|u[\da-fA-F]{4}/y;
const CONTROLS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** A line break in a string, and the indentation behind it. */
const WRAP = /(?:\\[nrt])+ */g;

class Repair {
  private readonly out: string[] = [];
  private at = 0;
  private depth = 0;
  private values = 0;
  /** Index in `out` of a comma that has nothing behind it yet. */
  private openComma = -1;

  constructor(private readonly source: string) {}

  run(): string {
    while (this.at < this.source.length) this.step();
    if (this.openComma !== -1) this.out[this.openComma] = '';
    return this.values > 1 ? `[${this.out.join('')}]` : this.out.join('');
  }

  private step(): void {
    const char = this.source[this.at] ?? '';
    if (char === '"') this.string();
    else if (char === '/' && this.isCommentAhead()) this.comment();
    else if (char === ',') this.comma();
    else if (char === '{' || char === '[') this.open(char);
    else if (char === '}' || char === ']') this.close(char);
    else this.plain(char);
  }

  private plain(char: string): void {
    this.at++;
    if (char === ';' && this.depth === 0) return;
    if (char > ' ') this.openComma = -1;
    this.out.push(char === '\u00a0' || char === '\ufeff' ? ' ' : char);
  }

  private comma(): void {
    this.at++;
    // Between values at the top, and doubled ones, say nothing.
    if (this.depth === 0 || this.openComma !== -1) return;
    this.openComma = this.out.push(',') - 1;
  }

  private open(char: string): void {
    this.at++;
    if (this.depth === 0 && ++this.values > 1) this.out.push(',');
    this.openComma = -1;
    this.depth++;
    this.out.push(char);
  }

  private close(char: string): void {
    this.at++;
    if (this.openComma !== -1) this.out[this.openComma] = '';
    this.openComma = -1;
    // One closing bracket too many is a common end of a template.
    if (this.depth === 0) return;
    this.depth--;
    this.out.push(char);
  }

  private isCommentAhead(): boolean {
    const next = this.source[this.at + 1];
    return next === '/' || next === '*';
  }

  private comment(): void {
    const isLine = this.source[this.at + 1] === '/';
    const end = this.source.indexOf(isLine ? '\n' : '*/', this.at + 2);
    this.at = end === -1 ? this.source.length : end + (isLine ? 1 : 2);
  }

  private string(): void {
    this.openComma = -1;
    const parts = ['"'];
    this.at++;
    while (this.at < this.source.length) {
      const char = this.source[this.at] ?? '';
      if (char === '"' && this.endsHere()) break;
      parts.push(this.stringPart(char));
    }
    this.at++;
    this.out.push(unwrapped(parts.join('')), '"');
  }

  private stringPart(char: string): string {
    this.at++;
    if (char === '"') return '\\"';
    if (char < ' ') return CONTROLS[char] ?? ' ';
    if (char !== '\\') return char;
    ESCAPE.lastIndex = this.at;
    const escape = ESCAPE.exec(this.source)?.[0] ?? '';
    this.at += escape.length;
    return escape === '' ? '' : `\\${escape}`;
  }

  /** A quote ends its string when the structure goes on behind it. */
  private endsHere(): boolean {
    let index = this.at + 1;
    while (index < this.source.length && (this.source[index] ?? '') <= ' ') index++;
    const next = this.source[index];
    return next === undefined || ',:}]/'.includes(next);
  }
}

/** An address has no white space: where it has a line break, its source was wrapped. */
function unwrapped(text: string): string {
  const whole = text.replace(WRAP, '');
  return /^"https?:\S*$/i.test(whole) ? whole : text;
}
