export interface TenantCooldownOptions {
  /** How long fingerprints are skipped for the tenant. */
  readonly cooldownMs: number;
  /** Maximum number of remembered tenants; the one with the oldest last hit is removed first. @default 10_000 */
  readonly maxTenants?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface TenantRecord {
  /** When scans hit the hard limit, oldest first; never more than {@link MAX_HITS}. */
  readonly hits: readonly number[];
  /** 0: not cooling. */
  readonly coolsUntilMs: number;
}

/** Specification, tech_meta `tenant_cooldown`: this many such scans within this time. */
export const MAX_HITS = 5;
export const WINDOW_MS = 10 * 60_000;
const MAX_TENANTS = 10_000;

/**
 * A tenant that keeps sending pages that cost a thread gets no scans for a while: each such page occupies a
 * thread for the whole hard limit, and a new thread must start after it. Counted in this process.
 */
export class TenantCooldown {
  private readonly records = new Map<string, TenantRecord>();
  private readonly cooldownMs: number;
  private readonly maxTenants: number;
  private readonly now: () => number;

  constructor({
    cooldownMs,
    maxTenants = MAX_TENANTS,
    now = () => performance.now(),
  }: TenantCooldownOptions) {
    this.cooldownMs = cooldownMs;
    this.maxTenants = maxTenants;
    this.now = now;
  }

  isCooling(tenantId: string): boolean {
    return this.now() < (this.records.get(tenantId)?.coolsUntilMs ?? 0);
  }

  /** A scan of the tenant hit the hard limit. True: this one starts a cool-down. */
  hit(tenantId: string): boolean {
    // Scans that were running when it started neither extend it nor count for the next.
    if (this.isCooling(tenantId)) return false;
    const now = this.now();
    const before = this.records.get(tenantId)?.hits ?? [];
    const hits = [...before.filter((atMs) => now - atMs < WINDOW_MS), now];
    const isFull = hits.length >= MAX_HITS;
    this.remember(
      tenantId,
      isFull ? { hits: [], coolsUntilMs: now + this.cooldownMs } : { hits, coolsUntilMs: 0 },
    );
    return isFull;
  }

  /** Remembered tenants. */
  get size(): number {
    return this.records.size;
  }

  /** A Map keeps insertion order: its first is the one that was hit longest ago. */
  private remember(tenantId: string, record: TenantRecord): void {
    this.records.delete(tenantId);
    this.records.set(tenantId, record);
    for (const [oldest] of this.records) {
      if (this.records.size <= this.maxTenants) break;
      this.records.delete(oldest);
    }
  }
}
