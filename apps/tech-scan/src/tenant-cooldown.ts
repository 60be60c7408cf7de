export interface TenantCooldownOptions {
  /** How long fingerprints are skipped for the tenant. */
  readonly cooldownMs: number;
  /** Tenants that are remembered; the one whose last hit is longest ago goes first. @default 10_000 */
  readonly maxTenants?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

interface TenantRecord {
  /** When scans hit the hard limit, oldest first; never more than {@link MAX_HITS}. */
  readonly hits: readonly number[];
  /** 0: not cooling. */
  readonly coolsUntilMs: number;
}

/** Specification, tech_meta `tenant_cooldown`: so many such scans within so long. */
export const MAX_HITS = 5;
export const WINDOW_MS = 10 * 60_000;
const MAX_TENANTS = 10_000;

/**
 * Who keeps sending pages that cost a thread gets no scans for a while: each such page holds a thread
 * for the whole hard limit, and a thread has to be started anew after it. Counted in this process.
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

  /** A scan of the tenant hit the hard limit. True: it is the one that begins a cool-down. */
  hit(tenantId: string): boolean {
    // Scans that were under way when it began neither lengthen it nor count for the next.
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

  /** Tenants that are remembered. */
  get size(): number {
    return this.records.size;
  }

  /** A Map keeps the order of insertion: its first is the one that was hit longest ago. */
  private remember(tenantId: string, record: TenantRecord): void {
    this.records.delete(tenantId);
    this.records.set(tenantId, record);
    for (const [oldest] of this.records) {
      if (this.records.size <= this.maxTenants) break;
      this.records.delete(oldest);
    }
  }
}
