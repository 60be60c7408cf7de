import { mayBePunctuation, mayBeWord } from './escape-text.js';
import { InlineBuffer } from './inline-buffer.js';
import { type EmphasisDelimiter, type InlineMark } from './inline-mark.js';
import { type LinkAddresses } from './link-addresses.js';
import { fold, foldWords, leadingPunctuation, trimSpaces } from './inline-text.js';

const SPACE = 32;

/**
 * The inline content of one block. Delimiters are written late: an opening one with the first
 * character inside it, a closing one with the first character after it. So white space at the edges
 * ends up outside, empty emphasis vanishes, equal neighbours join, and it is known on which sides
 * of punctuation a delimiter is, which decides whether CommonMark sees it (6.2, flanking).
 */
export class InlineWriter {
  /** In a heading a link is repeated though an image before it had it. */
  isHeading = false;
  /** In headings and header cells bold says nothing. */
  mutesBold = false;
  private readonly buffer = new InlineBuffer();
  private hasSpace = false;
  private lineBreak = '';
  /** Every open mark, for the end tags to match. */
  private readonly marks: InlineMark[] = [];
  /** Those of them that are not inside their like: four at most, however deep the nesting. */
  private readonly active: InlineMark[] = [];
  private closing: InlineMark[] = [];
  private codeDepth = 0;
  private codeParts = '';
  private linkDepth = 0;

  constructor(private readonly addresses: LinkAddresses) {}

  get isEmpty(): boolean {
    return this.buffer.isEmpty && this.codeParts === '';
  }

  /** UTF-16 units written since the block began. */
  get chars(): number {
    return this.buffer.chars + this.codeParts.length;
  }

  /** In the text of a link, which stays on one line. */
  get isInLabel(): boolean {
    if (this.linkDepth === 0) return false;
    return (
      this.codeParts !== '' ||
      this.active.some((mark) => mark.delimiter === '[' && mark.part !== -1)
    );
  }

  get hasLineBreak(): boolean {
    return this.lineBreak !== '' && this.codeParts === '';
  }

  /** Text as it is in the source; white space collapses across elements. */
  text(raw: string): void {
    if (this.codeDepth > 0) {
      this.codeParts += raw;
      return;
    }
    const text = foldWords(raw);
    if (text === '') return;
    if (text.charCodeAt(0) === SPACE) this.hasSpace = true;
    const body = trimSpaces(text);
    if (body === '') return;
    this.putText(body);
    if (text.charCodeAt(text.length - 1) === SPACE) this.hasSpace = true;
  }

  /** White space where the source has a boundary but the block has none. */
  space(): void {
    this.flushCode();
    this.hasSpace = true;
  }

  /** Forgets white space and breaks at a block's end. */
  dropSpace(): void {
    this.hasSpace = false;
    this.lineBreak = '';
  }

  /** A list marker inside a line; a space follows it. */
  marker(text: string): void {
    this.put(text, 'atom');
    this.hasSpace = true;
  }

  /** A line break before whatever comes next, if anything does. */
  break(syntax: '\\\n' | '<br>'): void {
    this.flushCode();
    if (!this.buffer.isAtLineStart) this.lineBreak = syntax;
  }

  /** Raised figures after a word: `10^6` instead of a number ten times as large. */
  raise(): void {
    if (this.codeDepth === 0 && this.followsWord()) this.putText('^');
  }

  /** Ready Markdown: an image, a formula. */
  atom(markdown: string): void {
    this.flushCode();
    this.put(markdown, 'atom');
  }

  enterCode(): void {
    this.codeDepth++;
  }

  leaveCode(): void {
    if (--this.codeDepth === 0) this.flushCode();
  }

  openEmphasis(delimiter: EmphasisDelimiter): void {
    this.push(delimiter, '', '');
  }

  closeEmphasis(): void {
    const mark = this.pop();
    if (mark !== undefined && mark.part !== -1) this.closing.push(mark);
  }

  /** A link inside a link has no Markdown; it stays text. */
  openLink(target: string, title: string): void {
    this.flushCode();
    this.push('[', target, title);
    this.linkDepth++;
  }

  closeLink(): void {
    this.flushCode();
    this.linkDepth--;
    const mark = this.pop();
    if (mark !== undefined && mark.part !== -1) this.endLink(mark);
  }

  /**
   * The block's Markdown; the writer is empty again. Emphasis that is still open goes on in the
   * next block; a link has been shown.
   */
  finish(): string {
    this.flushCode();
    this.resolveClosing(false);
    for (let index = this.active.length - 1; index >= 0; index--) {
      const mark = this.active[index];
      if (mark === undefined || mark.part === -1) continue;
      if (mark.delimiter === '[') {
        this.endLink(mark);
        mark.isSpent = true;
      } else {
        this.buffer.pushClosing(mark.delimiter);
      }
      mark.part = -1;
    }
    this.dropSpace();
    return this.buffer.take();
  }

  private push(delimiter: InlineMark['delimiter'], target: string, title: string): void {
    const isNested = this.active.some((mark) => mark.delimiter === delimiter);
    const isMuted = isNested || (this.codeDepth > 0 && delimiter !== '[');
    const mark = { delimiter, part: -1, isMuted, isSpent: false, target, title };
    this.marks.push(mark);
    if (!isMuted) this.active.push(mark);
  }

  private pop(): InlineMark | undefined {
    const mark = this.marks.pop();
    const index = mark === undefined ? -1 : this.active.lastIndexOf(mark);
    if (index !== -1) this.active.splice(index, 1);
    return mark;
  }

  private endLink(mark: InlineMark): void {
    this.resolveClosing(false);
    this.closeWithin(mark);
    const label = mark.title === '' ? '' : this.buffer.since(mark.part);
    const title = mark.title === label ? '' : mark.title;
    this.buffer.pushLinkEnd(`]${this.addresses.behind(mark.target, title)}`, mark.part);
  }

  /** Emphasis around a link that was opened inside it ends with it, and may go on after it. */
  private closeWithin(link: InlineMark): void {
    for (const mark of this.active.toReversed()) {
      if (mark.part <= link.part) continue;
      this.buffer.pushClosing(mark.delimiter);
      mark.part = -1;
    }
  }

  private flushCode(): void {
    if (this.codeParts === '') return;
    const text = fold(this.codeParts);
    this.codeParts = '';
    if (text.charCodeAt(0) === SPACE) this.hasSpace = true;
    const body = trimSpaces(text);
    if (body !== '') this.putCode(body);
    if (text.charCodeAt(text.length - 1) === SPACE) this.hasSpace = true;
  }

  private putCode(body: string): void {
    const isApart = this.hasSpace || this.lineBreak !== '' || this.closing.length > 0;
    if (!isApart && !this.opensLinkNext() && this.buffer.joinCode(body)) return;
    this.beforeContent(96, true);
    this.buffer.pushCode(body);
  }

  private putText(text: string): void {
    if (this.active.length > 0 && this.needsOutsidePunctuation(text)) {
      const leadLength = leadingPunctuation(text);
      if (leadLength > 0) {
        this.beforeContent(text.charCodeAt(0), false);
        this.buffer.push(text.slice(0, leadLength), this.textKind());
      }
      const isApart = text.charCodeAt(leadLength) === SPACE;
      if (isApart) this.hasSpace = true;
      const rest = text.slice(isApart ? leadLength + 1 : leadLength);
      if (rest !== '') this.put(rest, 'text');
    } else {
      this.put(text, 'text');
    }
  }

  /** `a**"b"**` opens nothing in CommonMark; `a"**b**"` does. */
  private needsOutsidePunctuation(text: string): boolean {
    if (!this.followsWord() || !mayBePunctuation(text.charCodeAt(0))) return false;
    const unopened = this.active.filter((mark) => this.isWaiting(mark));
    return unopened.length > 0 && unopened.every((mark) => mark.delimiter !== '[');
  }

  private followsWord(): boolean {
    return !this.hasSpace && this.lineBreak === '' && this.buffer.endsInWord;
  }

  private put(markdown: string, kind: 'text' | 'atom'): void {
    this.beforeContent(markdown.charCodeAt(0), true);
    this.buffer.push(markdown, kind === 'text' ? this.textKind() : kind);
  }

  private textKind(): 'text' | 'label' {
    return this.isInLabel ? 'label' : 'text';
  }

  private beforeContent(first: number, opensMarks: boolean): void {
    if (this.closing.length > 0 && !this.joinsClosing(opensMarks)) {
      const isApart = this.hasSpace || this.lineBreak !== '';
      this.resolveClosing(!isApart && mayBeWord(first) && !this.opensLinkNext());
    }
    this.putSpace();
    this.dropSpace();
    if (opensMarks && this.active.length > 0) this.openMarks(first);
  }

  /** The break or space before the next content. */
  private putSpace(): void {
    // A link's text stays on one line; a break at its end comes after it.
    const isBroken = this.lineBreak !== '' && !(this.lineBreak === '\\\n' && this.isInLabel);
    const isSpaced = this.hasSpace || this.lineBreak !== '';
    if (isBroken) this.buffer.pushBreak(this.lineBreak);
    else if (isSpaced && !this.buffer.isAtLineStart) this.buffer.pushSpace(this.textKind());
  }

  /** To be opened with the next content. */
  private isWaiting(mark: InlineMark): boolean {
    if (mark.part !== -1 || mark.isMuted) return false;
    if (mark.delimiter === '[') return this.isHeading || !mark.isSpent;
    return !this.mutesBold || mark.delimiter !== '**';
  }

  private opensLinkNext(): boolean {
    return this.active.some((mark) => mark.delimiter === '[' && this.isWaiting(mark));
  }

  private openMarks(first: number): void {
    const isAmbiguous = this.makesOneRun(first);
    if (this.followsWord() || isAmbiguous) this.openLinkFirst();
    const afterWord = this.followsWord();
    const innermost = this.active.findLast((mark) => this.isWaiting(mark));
    for (const mark of this.active) {
      if (!this.isWaiting(mark)) continue;
      const isMixed = mark.delimiter.charAt(0) !== innermost?.delimiter.charAt(0);
      const meetsPunctuation = isMixed || mayBePunctuation(first);
      const isInRun = isAmbiguous && this.buffer.endsWithClosing(mark.delimiter);
      const isUnread = isInRun || (afterWord && meetsPunctuation);
      if (mark.delimiter !== '[' && isUnread) mark.isMuted = true;
      else mark.part = this.buffer.pushOpening(mark.delimiter);
    }
  }

  /** `**a.***b*`: which of the asterisks close and which open is anyone's guess. */
  private makesOneRun(first: number): boolean {
    const next = this.active.find((mark) => this.isWaiting(mark));
    if (next === undefined || !this.buffer.endsWithClosing(next.delimiter)) return false;
    return (
      !this.buffer.endsInWord || mayBePunctuation(first) || this.buffer.endsWithClosing('**', 3)
    );
  }

  /** `a**[b](c)**` opens nothing in CommonMark; `a[**b**](c)` does. */
  private openLinkFirst(): void {
    const index = this.active.findIndex((mark) => mark.delimiter === '[' && this.isWaiting(mark));
    const link = this.active[index];
    if (link === undefined) return;
    const outer = this.active.findIndex((mark) => this.isWaiting(mark));
    this.active.splice(index, 1);
    this.active.splice(outer, 0, link);
    link.part = this.buffer.pushOpening('[');
  }

  /** `<b>a</b><b>b</b>`: the second goes on where the first has not been closed yet. */
  private joinsClosing(opensMarks: boolean): boolean {
    const [closed] = this.closing;
    if (!opensMarks || this.closing.length !== 1 || closed === undefined) return false;
    if (this.hasSpace || this.lineBreak !== '') return false;
    const next = this.active.find((mark) => this.isWaiting(mark));
    if (next?.delimiter !== closed.delimiter) return false;
    next.part = closed.part;
    this.closing = [];
    return true;
  }

  private resolveClosing(meetsWord: boolean): void {
    if (this.closing.length === 0) return;
    const closing = this.closing;
    this.closing = [];
    if (meetsWord) this.dropMixed(closing);
    const delimiters = closing.map((mark) => (mark.isMuted ? '' : mark.delimiter)).join('');
    if (!meetsWord || !mayBePunctuation(this.buffer.last)) {
      this.buffer.pushClosing(delimiters);
    } else if (
      !this.buffer.closeEarlier(delimiters, closing[0]?.part ?? 0) &&
      !this.buffer.closeInLink(closing.length === 1 ? delimiters : '', closing[0]?.part ?? 0)
    ) {
      for (const mark of closing) this.buffer.takeBack(mark.part);
    }
  }

  /** In `**~~` before a word only the inner delimiter could close: its neighbour is punctuation. */
  private dropMixed(closing: readonly InlineMark[]): void {
    for (const mark of closing) {
      if (mark.delimiter.charAt(0) === closing[0]?.delimiter.charAt(0)) continue;
      this.buffer.takeBack(mark.part);
      mark.isMuted = true;
    }
  }
}
