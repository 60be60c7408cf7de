import { newId } from '@app/contracts';
import type { Statement, Database } from '@app/database';
import { LeaseKeeper } from '@app/runtime';
import type { Logger } from '@app/telemetry';

/** A process that died is taken for dead after this time; its calls' slots are free then. */
export const SLOT_LEASE_MS = 30_000;

/** A call that is being answered, and the slot of its tenant that it holds. */
export interface CallSlot {
  readonly tenantId: string;
  /** Id of the call, a UUID. */
  readonly callId: string;
  readonly slot: number;
}

const TAKE: Statement = {
  name: 'take_call_slot',
  text: `SELECT taken FROM take_call_slot($1, $2, $3, $4::int * interval '1 millisecond', $5)`,
};
/** A slot close to its end may be assigned to another call at this moment: it is not renewed. */
const EXTEND: Statement = {
  name: 'extend_call_slots',
  text: `
    UPDATE call_slots AS s SET until = clock_timestamp() + $4::int * interval '1 millisecond'
    FROM unnest($1::uuid[], $2::int[], $3::uuid[]) AS held (tenant_id, slot, call_id)
    WHERE s.tenant_id = held.tenant_id AND s.slot = held.slot AND s.call_id = held.call_id
      AND s.until > clock_timestamp() + interval '1 second'
    RETURNING 1`,
};
const RELEASE: Statement = {
  name: 'release_call_slot',
  text: `UPDATE call_slots SET until = '-infinity' WHERE tenant_id = $1 AND slot = $2 AND call_id = $3`,
};

/**
 * Takes one of a tenant's slots for `leaseMs`; null when `limit` calls hold one. Exact for any
 * number of processes: after a plan was lowered, running calls end, and no new one starts before. A
 * call that takes twice holds one slot.
 */
export async function takeCallSlot(
  database: Database,
  call: {
    readonly tenantId: string;
    readonly callId: string;
    readonly limit: number;
    /** A process that dies holds its slots for so long. */
    readonly leaseMs: number;
    /** Instant, for specs. @default the clock of the database */
    readonly now?: Date;
  },
): Promise<CallSlot | null> {
  const { tenantId, callId, limit, leaseMs, now } = call;
  const values = [tenantId, callId, limit, leaseMs, now ?? null];
  const [row] = await database.query<{ taken: number | null }>(TAKE, values);
  const slot = row?.taken ?? null;
  return slot === null ? null : { tenantId, callId, slot };
}

/** Keeps slots for `leaseMs` from now. Returns how many were still theirs: one that ran out stays lost. */
export async function extendCallSlots(
  database: Database,
  slots: readonly CallSlot[],
  leaseMs: number,
): Promise<number> {
  if (slots.length === 0) return 0;
  // In one order for all processes, as rows are locked in it.
  const sorted = slots.toSorted((a, b) => a.tenantId.localeCompare(b.tenantId) || a.slot - b.slot);
  const columns = [
    sorted.map(({ tenantId }) => tenantId),
    sorted.map(({ slot }) => slot),
    sorted.map(({ callId }) => callId),
  ];
  return (await database.query(EXTEND, [...columns, leaseMs])).length;
}

/** Releases a slot; without effect when it expired and belongs to another call. */
export async function releaseCallSlot(
  database: Database,
  { tenantId, slot, callId }: CallSlot,
): Promise<void> {
  await database.query(RELEASE, [tenantId, slot, callId]);
}

/** Releases a slot; a second call does nothing. Never rejects. */
export type Release = () => Promise<void>;

/** Slots that calls of this process hold; their leases are kept up together. */
export class LiveSlots {
  private readonly leases: LeaseKeeper<CallSlot>;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {
    const renew = async (slots: readonly CallSlot[]): Promise<readonly CallSlot[]> => {
      await extendCallSlots(database, slots, SLOT_LEASE_MS);
      return [];
    };
    this.leases = new LeaseKeeper({ kind: 'slots of calls', log, leaseMs: SLOT_LEASE_MS, renew });
  }

  /** Null when the tenant's calls hold `limit`. @throws when the database does not answer */
  async take(tenantId: string, limit: number): Promise<Release | null> {
    const call = { tenantId, callId: newId(), limit, leaseMs: SLOT_LEASE_MS };
    const slot = await takeCallSlot(this.database, call);
    if (!slot) return null;
    this.leases.hold(slot);
    return () => this.release(slot);
  }

  stop(): void {
    this.leases.close();
  }

  private async release(slot: CallSlot): Promise<void> {
    if (!this.leases.release(slot)) return;
    try {
      await releaseCallSlot(this.database, slot);
    } catch (err) {
      // No longer kept up, it is free when its lease is over.
      this.log.warn({ err }, 'a slot of a call could not be given back');
    }
  }
}
