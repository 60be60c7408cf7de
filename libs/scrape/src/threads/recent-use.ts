/** Half-life of a tenant's use. */
const HALF_LIFE_MS = 5_000;
/** Work that takes less than this share of the time counts as little. */
const LITTLE_SHARE = 0.3;
const LITTLE_MS = (LITTLE_SHARE * HALF_LIFE_MS) / Math.LN2;
/** Maximum number of tenants, beyond which those with long past use are forgotten. */
const MANY_TENANTS = 1_000;

type TenantId = string | null;

interface Use {
  readonly ms: number;
  readonly atMs: number;
}

/** Running work. */
export interface RunningWork {
  /** @param usedMs time of the work; without it, the time since it began counts */
  end(usedMs?: number): void;
}

/** Recent work time of each tenant: the older, the less it counts. */
export class RecentUse {
  private readonly past = new Map<TenantId, Use>();
  private readonly running = new Set<{ readonly tenantId: TenantId; readonly sinceMs: number }>();

  constructor(private readonly now: () => number) {}

  isLittle(tenantId: TenantId): boolean {
    let ms = this.pastMs(tenantId);
    for (const work of this.running)
      if (work.tenantId === tenantId) ms += this.now() - work.sinceMs;
    return ms < LITTLE_MS;
  }

  begin(tenantId: TenantId): RunningWork {
    const work = { tenantId, sinceMs: this.now() };
    this.running.add(work);
    return {
      end: (usedMs = this.now() - work.sinceMs) => {
        this.running.delete(work);
        this.past.set(tenantId, { ms: this.pastMs(tenantId) + usedMs, atMs: this.now() });
        if (this.past.size > MANY_TENANTS) this.forgetIdle();
      },
    };
  }

  private pastMs(tenantId: TenantId): number {
    const use = this.past.get(tenantId);
    return use === undefined ? 0 : use.ms * 2 ** ((use.atMs - this.now()) / HALF_LIFE_MS);
  }

  private forgetIdle(): void {
    for (const tenantId of this.past.keys())
      if (this.pastMs(tenantId) < 1) this.past.delete(tenantId);
  }
}
