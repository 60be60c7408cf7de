import { createHash } from 'node:crypto';

/** A text from which an answer showed a piece; `about` is the first lines of each answer on it. */
export interface KeptCopy {
  /** Identifies exactly this text. */
  readonly id: string;
  readonly source: string;
  readonly about: string;
  readonly text: string;
}

const MAX_COPIES = 64;
const MAX_CHARS = 16 * 1024 * 1024;

/**
 * The texts of the last answers, so that a reader who continues gets the next piece of the same text, without
 * another request. The least recently used ones go first.
 */
export class KeptCopies {
  private readonly copies = new Map<string, KeptCopy>();
  private chars = 0;

  constructor(
    private readonly maxCopies = MAX_COPIES,
    private readonly maxChars = MAX_CHARS,
  ) {}

  find(key: string): KeptCopy | undefined {
    const copy = this.remove(key);
    if (copy) this.add(key, copy);
    return copy;
  }

  keep(key: string, content: Omit<KeptCopy, 'id'>): KeptCopy {
    const copy = { ...content, id: idOf(content.text) };
    this.remove(key);
    this.add(key, copy);
    return copy;
  }

  private add(key: string, copy: KeptCopy): void {
    if (copy.text.length > this.maxChars) return;
    this.copies.set(key, copy);
    this.chars += copy.text.length;
    for (const oldest of this.copies.keys()) {
      if (this.copies.size <= this.maxCopies && this.chars <= this.maxChars) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): KeptCopy | undefined {
    const copy = this.copies.get(key);
    if (!copy) return undefined;
    this.copies.delete(key);
    this.chars -= copy.text.length;
    return copy;
  }
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
