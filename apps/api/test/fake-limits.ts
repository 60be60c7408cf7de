import { createHash } from 'node:crypto';
import type { Plan } from '@app/contracts';
import type { Agreed, TakenRequests } from '@app/accounts';

export interface FakeCaller {
  readonly tenantId: string;
  readonly key: string;
  readonly plan: Plan;
  readonly agreed?: Partial<Agreed>;
  /** Result of every rate window check; 'lost' fails it. @default there is room */
  readonly window?: Partial<TakenRequests> | 'lost';
}

interface KeyRequests {
  readonly number: number;
  readonly hash: Buffer;
  readonly window: string;
  readonly leastLimit: number;
  readonly wanted: number;
  readonly planLimits: Readonly<Record<string, number>>;
}

/** Fakes the part of the database that admits requests: it knows one key, and no time passes. */
export class FakeLimits {
  /** Counts in rate windows: tenant, window, limit and amount. */
  readonly counted: (readonly unknown[])[] = [];
  /** Calls that use a slot. */
  readonly held = new Set<unknown>();
  /** How often a slot was requested. */
  requestedSlots = 0;
  /** No slot can be taken or released. */
  areSlotsLost = false;
  private readonly secretHash: Buffer;

  constructor(private readonly caller: FakeCaller) {
    this.secretHash = createHash('sha256').update(caller.key).digest();
  }

  /** Null: not a statement of the limits. */
  answer(name: string, values: readonly unknown[]): unknown[] | null {
    switch (name) {
      case 'admit_requests':
        return keyRequestsOf(values).map((question) => this.admit(question));
      case 'take_call_slot':
        return this.take(values[1], Number(values[2]));
      case 'take_requests':
        return [{ admitted: Number(values[3]), remaining: 1, waitMs: 0 }];
      case 'return_request':
        this.counted.push([values[0], values[1], null, -1]);
        return [];
      case 'release_call_slot':
        return this.release(values[2]);
      case 'extend_call_slots':
        return [];
      case 'find_api_key':
        return [this.account()];
      default:
        return null;
    }
  }

  private account(): unknown {
    const { tenantId, plan, agreed = {} } = this.caller;
    return { id: tenantId, plan, keyId: 'k', agreed, secretHash: this.secretHash };
  }

  private admit({ number, hash, window, leastLimit, wanted, planLimits }: KeyRequests): unknown {
    const { tenantId, plan, agreed = {}, window: said = {} } = this.caller;
    if (said === 'lost') throw new Error('the database is gone');
    const limit = Math.max(leastLimit, agreed.requestsPerMinute ?? planLimits[plan] ?? NaN);
    const { secretHash } = this;
    const row = { question: number, tenantId, plan, keyId: 'k', secretHash, ...agreed };
    if (!secretHash.equals(hash)) return { ...row, limit: null, admitted: null, remaining: null };
    this.counted.push([tenantId, window, limit, wanted]);
    return { ...row, limit, admitted: wanted, remaining: 1, ...said };
  }

  private take(callId: unknown, limit: number): unknown[] {
    this.requestedSlots++;
    if (this.areSlotsLost) throw new Error('the database is gone');
    if (this.held.size >= limit) return [{ taken: null }];
    this.held.add(callId);
    return [{ taken: this.held.size - 1 }];
  }

  private release(callId: unknown): unknown[] {
    if (this.areSlotsLost) throw new Error('the database is gone');
    this.held.delete(callId);
    return [];
  }
}

function keyRequestsOf(values: readonly unknown[]): readonly KeyRequests[] {
  const [, hashes, windows, floors, wanted, plans] = values as readonly [
    unknown,
    readonly Buffer[],
    readonly string[],
    readonly number[],
    readonly number[],
    string,
  ];
  const planLimits = JSON.parse(plans) as Record<string, number>;
  return hashes.map((hash, at) => ({
    ...{ number: at + 1, hash, window: windows[at] ?? '', leastLimit: floors[at] ?? NaN },
    ...{ wanted: wanted[at] ?? NaN, planLimits },
  }));
}
