import { type WrittenLink } from '../links/collect-links.js';
import { MAX_LINK_URL_CHARS } from '../limits.js';

// Every repetition is bounded: the engine keeps a way back for each, and has room for some millions.
const FENCE = /^ {0,3}(`{3,999}|~{3,999})/;
const DEFINITION = /^ {0,3}\[[^\]]{1,999}\]:\s{0,9}<?([^\s<>]{1,9999})/;
const SCHEME = /https?:\/\//y;
const AUTOLINK_END = /[\s<>]/g;
const BARE_END = /[\s<>()[\]"'`]/g;
const TARGET = /\(\s{0,9}(?:<([^<>\n]{0,9999})>|((?:[^\s()\\]|\\.|\([^\s()]{0,8192}\)){1,9999}))/y;
const BACKQUOTES = /`{1,999}/y;
/** A longer run is no code span but a line of its own. */
const MAX_BACKQUOTES = 32;

/**
 * The links of a text in Markdown, in order: inline links, autolinks, definitions, and bare addresses of the web.
 * None in code. Time is linear in the text.
 */
export function* findMarkdownLinks(markdown: string): Generator<WrittenLink> {
  let fence: string | null = null;
  for (const line of linesOf(markdown)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const defined = DEFINITION.exec(line)?.[1];
    if (defined === undefined) yield* new LineReader(line).links();
    else if (defined.length <= MAX_LINK_URL_CHARS) yield linkTo(defined);
  }
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at);
    yield text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length + 1 : end + 1;
  }
}

const linkTo = (target: string): WrittenLink => ({ target, isNofollow: false });

class LineReader {
  /** Per open bracket: does it begin an image? */
  private readonly brackets: boolean[] = [];
  /** Lengths of runs of back quotes that nothing closes further on. */
  private readonly unclosed = new Set<number>();
  private at = 0;

  constructor(private readonly line: string) {}

  *links(): Generator<WrittenLink> {
    while (this.at < this.line.length) {
      const target = this.step();
      if (target !== null && target.length <= MAX_LINK_URL_CHARS) yield linkTo(target);
    }
  }

  /** Moves on; the target of a link that ends here, or null. */
  private step(): string | null {
    switch (this.line.charAt(this.at)) {
      case '\\':
        this.at += 2;
        return null;
      case '`':
        return this.skipCode();
      case '[':
        this.brackets.push(this.line[this.at - 1] === '!');
        this.at++;
        return null;
      case ']':
        return this.closeBracket();
      case '<':
        return this.autolink();
      case 'h':
        return this.bareAddress();
      default:
        return this.skip();
    }
  }

  private skip(): null {
    this.at++;
    return null;
  }

  private closeBracket(): string | null {
    const isImage = this.brackets.pop();
    this.at++;
    if (isImage === undefined) return null;
    const written = this.read(TARGET);
    const target = written?.[1] ?? written?.[2];
    return isImage || target === undefined ? null : target.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  }

  /** `<https://a.example/>` */
  private autolink(): string | null {
    this.at++;
    const end = this.endOfRun(AUTOLINK_END);
    if (end === null || this.line[end] !== '>') return null;
    const target = this.line.slice(this.at, end);
    this.at = end + 1;
    return target;
  }

  private bareAddress(): string | null {
    const isInWord = /[\w-]/.test(this.line[this.at - 1] ?? ' ');
    const end = isInWord ? null : this.endOfRun(BARE_END);
    if (end === null) return this.skip();
    const address = this.line.slice(this.at, end);
    this.at = end;
    return address.slice(0, endOfAddress(address));
  }

  /** Where an address that begins here ends: at the first character that is none of it. Null: none begins here. */
  private endOfRun(stop: RegExp): number | null {
    SCHEME.lastIndex = this.at;
    const scheme = SCHEME.exec(this.line)?.[0];
    if (scheme === undefined) return null;
    const first = this.at + scheme.length;
    stop.lastIndex = first;
    const end = stop.exec(this.line)?.index ?? this.line.length;
    return end === first ? null : end;
  }

  private skipCode(): null {
    const length = this.read(BACKQUOTES)?.[0].length ?? 1;
    if (length > MAX_BACKQUOTES || this.unclosed.has(length)) return null;
    BACKQUOTES.lastIndex = this.at;
    const end = this.endOfCode(length);
    if (end === -1) this.unclosed.add(length);
    else this.at = end;
    return null;
  }

  /** The place behind the next run of that length; -1 without one. */
  private endOfCode(length: number): number {
    for (let at = this.line.indexOf('`', this.at); at !== -1; at = this.line.indexOf('`', at)) {
      let end = at;
      while (this.line[end] === '`') end++;
      if (end - at === length) return end;
      at = end;
    }
    return -1;
  }

  private read(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.line);
    if (found !== null) this.at += found[0].length;
    return found;
  }
}

/** Punctuation at the end belongs to the sentence. */
function endOfAddress(address: string): number {
  let end = address.length;
  while (end > 0 && '.,;:!?*_~'.includes(address.charAt(end - 1))) end--;
  return end;
}
