/** Text that is collected piece by piece, trimmed, and never held beyond what is of use. */
export class BoundedText {
  private text = '';
  private isOver = false;

  constructor(private readonly maxChars: number) {}

  push(piece: string): void {
    if (this.isOver) return;
    const added = this.text === '' ? piece.trimStart() : piece;
    const room = 2 * this.maxChars - this.text.length;
    if (added.length <= room) {
      this.text += added;
      return;
    }
    this.text += added.slice(0, room);
    // Blanks at the end do not count, and the first character is none: more than blanks is too much.
    this.isOver = added.slice(room).trim() !== '';
  }

  /** The trimmed text, or null when it is longer than `maxChars`. Empty afterwards. */
  take(): string | null {
    const text = this.text.trim();
    const isLong = this.isOver || text.length > this.maxChars;
    this.text = '';
    this.isOver = false;
    return isLong ? null : text;
  }
}
