import type { Database, Statement } from '@app/database';
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

/** Calls that are charged one by one; the pages of a crawl are charged when they are finished. */
export type ChargedOperation =
  | ('scrape' | 'map' | 'search' | 'scraper' | 'screenshot' | 'extract' | 'parse')
  | ('enrich' | 'brand' | 'resolve');

/**
 * Writes entries of the ledger: every charge is one of these, within the statement that does what is charged.
 * @param entries SELECT of tenant, operation, reference, item (the same pair is charged once), credits, model cost in
 *   millionths of a dollar, whether the credits were reserved, then the columns of `more`
 */
export function chargesSql(
  entries: string,
  ...more: readonly ('is_extraction' | 'created_at')[]
): string {
  const columns = ['tenant_id', 'operation', 'reference', 'item', 'credits', 'cost_micro_usd'];
  return `INSERT INTO credit_ledger (${[...columns, 'from_hold', ...more].join(', ')})
    ${entries}`;
}

const CHARGE: Statement = {
  name: 'charge',
  text: `${chargesSql('SELECT $1::uuid, $2::text, $3::uuid, $3::uuid, $4::int, $5::bigint, false, $6::boolean', 'is_extraction')}
         ON CONFLICT (reference, item) DO NOTHING RETURNING 1`,
};

const CHARGED: Statement = {
  name: 'is_charged',
  text: 'SELECT 1 FROM credit_ledger WHERE reference = $1 AND item = $1',
};

/** Whether a call was charged by an earlier try. */
export async function isCharged(database: Database, chargeId: string): Promise<boolean> {
  return (await database.query(CHARGED, [chargeId])).length > 0;
}

/**
 * Charges one call; false when it was charged before. One charge id is charged once, however often
 * the call is replayed.
 */
export async function charge(
  database: Database,
  entry: {
    readonly tenantId: string;
    readonly operation: ChargedOperation;
    /** Request id. */
    readonly chargeId: string;
    readonly credits: number;
    /** Model cost in millionths of a dollar. @default 0 */
    readonly costMicroUsd?: number;
    /** A model made its JSON or summary. @default false */
    readonly isExtraction?: boolean;
  },
): Promise<boolean> {
  const { tenantId, operation, chargeId, credits, costMicroUsd = 0, isExtraction = false } = entry;
  const values = [tenantId, operation, chargeId, credits, costMicroUsd, isExtraction];
  return (await database.query(CHARGE, values)).length > 0;
}
