import { collapseInside } from '../dom/walk.js';

/** Text gathered piece by piece with white space collapsed, up to a number of characters. */
export class TextSample {
  private text = '';
  /** Noted: asked of the text, it would be joined anew for each piece. */
  private endsInSpace = true;

  constructor(private readonly maxChars: number) {}

  get isFull(): boolean {
    return this.text.length >= this.maxChars;
  }

  add(data: string): void {
    if (this.isFull) return;
    // What is cut here is longer than what is kept, whatever white space it has inside.
    const piece = data.length > 65_536 ? data.trimStart().slice(0, 65_536) : data;
    const collapsed = collapseInside(piece);
    const added = this.endsInSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (added === '') return;
    this.text += added;
    this.endsInSpace = added.endsWith(' ');
  }

  /** The edge of a block: words do not join across it. */
  space(): void {
    if (this.endsInSpace) return;
    this.text += ' ';
    this.endsInSpace = true;
  }

  /** Well-formed, without NUL, none but single spaces inside. */
  finish(): string {
    return this.text.slice(0, this.maxChars).trim().toWellFormed().replaceAll('\0', '');
  }
}
