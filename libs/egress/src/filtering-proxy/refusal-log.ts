import type { Refusal, RefusalKind } from './refusal.js';

/** Characters of a target that are kept. */
export const MAX_TARGET_LENGTH = 2_048;
/** Far more than a page has in flight while the answer to its own refused document is on its way. */
export const MAX_KEPT_REFUSALS = 128;

/** What of a page's requests was refused, by target; only the latest are kept. */
export class RefusalLog {
  /** The latest; a new object for each. */
  last: Refusal | null = null;
  private readonly kinds = new Map<string, RefusalKind>();

  add({ kind, target }: Refusal): void {
    const kept = target.slice(0, MAX_TARGET_LENGTH);
    this.last = { kind, target: kept };
    this.kinds.delete(kept);
    this.kinds.set(kept, kind);
    const [oldest] = this.kinds.keys();
    if (this.kinds.size > MAX_KEPT_REFUSALS && oldest !== undefined) this.kinds.delete(oldest);
  }

  /** How that URL or `host:port` was refused; null when it was not, or too many were since. */
  kindOf(target: string): RefusalKind | null {
    return this.kinds.get(target.slice(0, MAX_TARGET_LENGTH)) ?? null;
  }

  clear(): void {
    this.last = null;
    this.kinds.clear();
  }
}
