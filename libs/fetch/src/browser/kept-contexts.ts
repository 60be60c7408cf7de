import type { OpenContext } from './open-context.js';
import type { LeaseRequest, PageDoor } from './pool-options.js';
import type { Seat } from './seat-desk.js';

/** A context on its seat. */
export interface Place<D extends PageDoor> {
  readonly seat: Seat;
  readonly open: OpenContext<D>;
  readonly key: string | null;
}

interface Kept<D extends PageDoor> {
  readonly place: Place<D>;
  readonly timer: NodeJS.Timeout;
}

/** Everything that must be alike for two pages to follow each other in one context. */
export function contextKeyOf(request: LeaseRequest): string | null {
  const { contextKey, country, stealth, mobile, viewport } = request;
  if (contextKey === null) return null;
  return JSON.stringify([contextKey, country, stealth, mobile, viewport.width, viewport.height]);
}

/** Cleared contexts between two pages of their key, still on their seats, for a few seconds. */
export class KeptContexts<D extends PageDoor> {
  private readonly kept = new Set<Kept<D>>();

  constructor(
    private readonly keepMs: number,
    private readonly drop: (place: Place<D>) => void,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  keep(place: Place<D>): void {
    const timer = setTimeout(() => this.end(kept), this.keepMs);
    const kept = { place, timer };
    this.kept.add(kept);
  }

  /** The context kept last for the key; null when there is none on a living browser. */
  take(key: string): Place<D> | null {
    for (const kept of [...this.kept].reverse()) {
      if (kept.place.key !== key || !kept.place.seat.chromium.isUsable) continue;
      this.remove(kept);
      return kept.place;
    }
    return null;
  }

  /** Gives up the one that waits longest, for its seat. */
  dropOldest(): void {
    for (const kept of this.kept) return this.end(kept);
  }

  /** Gives up those for which `isDue`. */
  dropWhere(isDue: (place: Place<D>) => boolean): void {
    for (const kept of [...this.kept]) if (isDue(kept.place)) this.end(kept);
  }

  private end(kept: Kept<D>): void {
    this.remove(kept);
    this.drop(kept.place);
  }

  private remove(kept: Kept<D>): void {
    clearTimeout(kept.timer);
    this.kept.delete(kept);
  }
}
