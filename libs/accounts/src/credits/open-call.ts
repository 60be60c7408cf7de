import type { ChargedOperation } from './credit-ledger.js';
import type { Database } from '@app/database';
import { queryWith, creditTerms, wholeCredits, type CreditTenant } from './credit-terms.js';
import { holdIn, tryHold, type HeldCredits, type NewHold } from './open-hold.js';

/**
 * How long the credits of an abandoned call stay reserved: longer than any call lasts. A later
 * settlement reserves them again.
 */
export const CALL_HOLD_MS = 30 * 60_000;

/** A call that waits for its work, and who pays. */
export interface CreditCall {
  readonly tenant: CreditTenant;
  readonly operation: ChargedOperation;
  /** The same for every try of one request, see the ledger: held once, charged once. */
  readonly reference: string;
  /** @default by the clock of the database */
  readonly now?: Date;
}

export type OpenedCall =
  /**
   * `remaining`: prepaid credits left, beside those held, that the operation may draw on; null where nothing
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
export async function openCall(
  database: Database,
  {
    credits,
    lifeMs = CALL_HOLD_MS,
    ...call
  }: CreditCall & {
    /** At least 1. */
    readonly credits: number;
    /** @default CALL_HOLD_MS */
    readonly lifeMs?: number;
  },
): Promise<OpenedCall> {
  const terms = creditTerms(call.tenant);
  if (terms.monthlyCredits === null) return { kind: 'open', remaining: null };
  const held = await hold(database, {
    tenantId: call.tenant.id,
    reference: call.reference,
    operation: call.operation,
    credits: wholeCredits(credits),
    terms,
    isClamped: false,
    lifeMs,
    now: call.now ?? null,
  });
  const { remaining } = held;
  if (held.kind === 'refused') return { kind: 'refused', balance: remaining, required: credits };
  return { kind: 'open', remaining };
}

/** Two tries of one request at once: the later finds the hold of the other when it looks again. */
const TRIES = 3;

async function hold(database: Database, asked: NewHold): Promise<HeldCredits> {
  const ask = queryWith(database);
  for (let tries = 1; ; tries++) {
    try {
      const held = await tryHold(ask, asked);
      return held ?? (await database.transaction((tx) => holdIn(tx, asked)));
    } catch (error) {
      if (tries >= TRIES || !isHeldMeanwhile(error)) throw error;
    }
  }
}

function isHeldMeanwhile(error: unknown): boolean {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown };
  return code === '23505' && constraint === 'credit_holds_pkey';
}
