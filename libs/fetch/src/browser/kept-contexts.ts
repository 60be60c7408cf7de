import type { OpenContext } from './open-context.js';
import type { LeaseRequest, ProxyPort } from './pool-options.js';
import type { PageSlot } from './slot-pool.js';

/** A context in its page slot. */
export interface SlotContext<D extends ProxyPort> {
  readonly slot: PageSlot;
  readonly open: OpenContext<D>;
  readonly key: string | null;
}

interface Kept<D extends ProxyPort> {
  readonly slotContext: SlotContext<D>;
  readonly timer: NodeJS.Timeout;
}

/** Everything that must be alike for two pages to follow each other in one context. */
export function contextKeyOf(request: LeaseRequest): string | null {
  const { contextKey, country, stealth, mobile, viewport } = request;
  if (contextKey === null) return null;
  return JSON.stringify([contextKey, country, stealth, mobile, viewport.width, viewport.height]);
}

/**
 * Cleared contexts between two pages of their key, still in their page slots, for a few seconds.
 */
export class KeptContexts<D extends ProxyPort> {
  private readonly kept = new Set<Kept<D>>();

  constructor(
    private readonly keepMs: number,
    private readonly drop: (slotContext: SlotContext<D>) => void,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  keep(slotContext: SlotContext<D>): void {
    const timer = setTimeout(() => this.end(kept), this.keepMs);
    const kept = { slotContext, timer };
    this.kept.add(kept);
  }

  /** The context kept last for the key; null when there is none on a living browser. */
  take(key: string): SlotContext<D> | null {
    for (const kept of [...this.kept].reverse()) {
      if (kept.slotContext.key !== key || !kept.slotContext.slot.chromium.isUsable) continue;
      this.remove(kept);
      return kept.slotContext;
    }
    return null;
  }

  /** Drops the context that waits longest, to free its page slot. */
  dropOldest(): void {
    for (const kept of this.kept) return this.end(kept);
  }

  /** Gives up those for which `isDue`. */
  dropWhere(isDue: (slotContext: SlotContext<D>) => boolean): void {
    for (const kept of [...this.kept]) if (isDue(kept.slotContext)) this.end(kept);
  }

  private end(kept: Kept<D>): void {
    this.remove(kept);
    this.drop(kept.slotContext);
  }

  private remove(kept: Kept<D>): void {
    clearTimeout(kept.timer);
    this.kept.delete(kept);
  }
}
