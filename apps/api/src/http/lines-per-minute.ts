const MINUTE_MS = 60_000;

/** Bounds log lines of one kind: who causes them at will neither fills the log nor hides other lines. */
export class LinesPerMinute {
  private fromMs = 0;
  private lines = 0;
  private left = 0;

  constructor(
    private readonly most: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Null: not this one. @returns how many were left out in the minute before, with its first line */
  next(): { readonly left: number } | null {
    const { left } = this;
    const isNew = this.now() - this.fromMs >= MINUTE_MS;
    if (isNew) Object.assign(this, { fromMs: this.now(), lines: 0, left: 0 });
    if (++this.lines <= this.most) return { left: isNew ? left : 0 };
    this.left++;
    return null;
  }
}
