import { newId } from '@app/contracts';
import { extendCallSlots, releaseCallSlot, takeCallSlot, type CallSlot } from './call-slots.js';
import { type Database } from '@app/database';
import type { Logger } from '@app/telemetry';

/** A process that died is taken for dead after this time; its calls' slots are free then. */
export const SLOT_LEASE_MS = 30_000;
const HEARTBEAT_MS = SLOT_LEASE_MS / 3;

/** Releases a slot; a second call does nothing. Never rejects. */
export type Release = () => Promise<void>;

/** Slots that calls of this process hold; their leases are kept up together. */
export class LiveSlots {
  private readonly live = new Set<CallSlot>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  /** Null when the tenant's calls hold `limit`. @throws when the database does not answer */
  async take(tenantId: string, limit: number): Promise<Release | null> {
    const call = { tenantId, callId: newId(), limit, leaseMs: SLOT_LEASE_MS };
    const slot = await takeCallSlot(this.database, call);
    if (!slot) return null;
    this.keepUp(slot);
    return () => this.release(slot);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private keepUp(slot: CallSlot): void {
    this.live.add(slot);
    this.timer ??= setInterval(() => this.beat(), HEARTBEAT_MS);
    this.timer.unref();
  }

  private async release(slot: CallSlot): Promise<void> {
    if (!this.live.delete(slot)) return;
    if (this.live.size === 0) this.stop();
    try {
      await releaseCallSlot(this.database, slot);
    } catch (err) {
      // No longer kept up, it is free when its lease is over.
      this.log.warn({ err }, 'a slot of a call could not be given back');
    }
  }

  private beat(): void {
    extendCallSlots(this.database, [...this.live], SLOT_LEASE_MS).catch((err: unknown) =>
      this.log.warn({ err, slots: this.live.size }, 'slots of calls could not be extended'),
    );
  }
}
