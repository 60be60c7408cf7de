import type { ChargedOperation } from './credit-ledger.js';
import type { Database } from '@app/database';
import { queryWith, creditTerms, wholeCredits, type CreditTenant } from './credit-terms.js';
import {
  reserveIn,
  tryReserve,
  type ReservedCredits,
  type NewReservation,
} from './reservations.js';

/**
 * How long the credits of an abandoned call stay reserved: longer than any call lasts. A later
 * settlement reserves them again.
 */
export const RESERVATION_MS = 30 * 60_000;

/** A call that waits for its work, and who pays. */
export interface CallCredits {
  readonly tenant: CreditTenant;
  readonly operation: ChargedOperation;
  /** The same for every try of one request, see the credit ledger: reserved once, charged once. */
  readonly chargeId: string;
  /** @default by the clock of the database */
  readonly now?: Date;
}

export type CallReservation =
  /**
   * `remaining`: prepaid credits left, beside those reserved, that the operation may draw on; null where nothing
   * bounds the tenant.
   */
  | { readonly kind: 'open'; readonly remaining: number | null }
  /** Nothing was taken. `balance`: the prepaid credits that the operation may draw on. */
  | { readonly kind: 'refused'; readonly balance: number; readonly required: number };

/**
 * Reserves the maximum cost of a call before its work: one statement, exact under any concurrency.
 * An unlimited tenant needs no reservation, and none is made. The first call of a month adds its
 * grant in a preceding transaction.
 */
export async function reserveCredits(
  database: Database,
  {
    credits,
    lifeMs = RESERVATION_MS,
    ...call
  }: CallCredits & {
    /** At least 1. */
    readonly credits: number;
    /** @default CALL_HOLD_MS */
    readonly lifeMs?: number;
  },
): Promise<CallReservation> {
  const terms = creditTerms(call.tenant);
  if (terms.monthlyCredits === null) return { kind: 'open', remaining: null };
  const reserved = await reserve(database, {
    tenantId: call.tenant.id,
    chargeId: call.chargeId,
    operation: call.operation,
    credits: wholeCredits(credits),
    terms,
    isClamped: false,
    lifeMs,
    now: call.now ?? null,
  });
  const { remaining } = reserved;
  if (reserved.kind === 'refused')
    return { kind: 'refused', balance: remaining, required: credits };
  return { kind: 'open', remaining };
}

/** Concurrent tries of one request: the later one finds the reservation of the other at its next try. */
const TRIES = 3;

async function reserve(database: Database, reservation: NewReservation): Promise<ReservedCredits> {
  const query = queryWith(database);
  for (let tries = 1; ; tries++) {
    try {
      const reserved = await tryReserve(query, reservation);
      return reserved ?? (await database.transaction((tx) => reserveIn(tx, reservation)));
    } catch (error) {
      if (tries >= TRIES || !isReservedMeanwhile(error)) throw error;
    }
  }
}

function isReservedMeanwhile(error: unknown): boolean {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return code === '23505' && constraint === 'credit_holds_pkey';
}
