const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** Characters that may be markup of Markdown; everything between them is copied as it is. */
const SUSPECT = /[\\`*~[\]<|!]/g;

/** The text of one line of Markdown outside of code blocks: one pass, whatever the line. */
export function lineText(line: string): string {
  return new LineReader(line).read();
}

class LineReader {
  private at = 0;
  private text = '';

  constructor(private readonly line: string) {}

  read(): string {
    for (let next = this.nextSuspect(); next !== -1; next = this.nextSuspect()) {
      this.text += this.line.slice(this.at, next);
      this.at = next;
      this.mark();
    }
    return this.text + this.line.slice(this.at);
  }

  private nextSuspect(): number {
    SUSPECT.lastIndex = this.at;
    return SUSPECT.exec(this.line)?.index ?? -1;
  }

  private mark(): void {
    const character = this.line.charAt(this.at);
    const following = this.line.charAt(this.at + 1);
    switch (character) {
      case '\\':
        return PUNCTUATION.test(following) ? this.put(following, 2) : this.put('\\', 1);
      case '`':
        return this.code();
      case ']':
        return following === '(' ? this.target() : this.put('', 1);
      case '|':
        return this.put(' ', 1);
      case '!':
        return this.put(following === '[' ? '' : '!', 1);
      case '<':
        // An address in angle brackets is text; so is a lone sign.
        return this.put(/[a-z]/i.test(following) ? ' ' : '<', 1);
      case '~':
        return following === '~' ? this.put('', 2) : this.put('~', 1);
      default:
        return this.put('', 1);
    }
  }

  private put(text: string, consumed: number): void {
    this.text += text;
    this.at += consumed;
  }

  /** Nothing is markup up to the next run of as many backticks, or up to the end of the line. */
  private code(): void {
    const start = this.at;
    while (this.line.charAt(this.at) === '`') this.at++;
    const fence = this.at - start;
    const from = this.at;
    while (this.at < this.line.length) {
      const run = this.line.indexOf('`', this.at);
      if (run === -1) break;
      this.at = run;
      while (this.line.charAt(this.at) === '`') this.at++;
      if (this.at - run !== fence) continue;
      this.text += this.line.slice(from, run);
      return;
    }
    this.text += this.line.slice(from);
    this.at = this.line.length;
  }

  /** The address of a link is no text. */
  private target(): void {
    let depth = 0;
    for (this.at++; this.at < this.line.length; this.at++) {
      const character = this.line.charAt(this.at);
      if (character === '\\') this.at++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) break;
    }
    this.at++;
  }
}
