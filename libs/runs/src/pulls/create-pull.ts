import {
  reserveJobCredits,
  unlessUnpaid,
  UnpaidJobError,
  type CreditTenant,
  type UnpaidJob,
} from '@app/accounts';
import { run, type Database, type Queryable, type Statement } from '@app/database';
import { pullColumns, type Pull } from './pull.js';

/** So many credits for each begun group of so many rows. */
export interface PullPrice {
  readonly credits: number;
  readonly rows: number;
}

export interface NewPreview {
  readonly id: string;
  readonly tenantId: string;
  readonly connectorId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly estimatedRows: number | null;
  /** Most rows of a pull. */
  readonly rowLimit: number;
  readonly price: PullPrice;
  /** How long it can be pulled. */
  readonly lifeMs: number;
}

const INSERT: Statement = {
  name: 'create_pull_preview',
  text: `
    INSERT INTO pulls AS p (id, tenant_id, connector_id, params, status, estimated_rows, row_limit, price_credits,
                            price_rows, expires_at)
    VALUES ($1, $2, $3, $4, 'previewed', $5, $6, $7, $8, now() + $9::float8 * interval '1 millisecond')
    ON CONFLICT (id) DO UPDATE SET params = excluded.params WHERE p.status = 'previewed' AND p.tenant_id = $2
    RETURNING ${pullColumns('p')}`,
};

/** Keeps a preview, so that it can be pulled. The same id is the same preview. */
export async function createPreview(database: Database, preview: NewPreview): Promise<Pull> {
  const { id, tenantId, connectorId, params, estimatedRows, rowLimit, price, lifeMs } = preview;
  const values = [id, tenantId, connectorId, JSON.stringify(params), estimatedRows, rowLimit];
  const [row] = await database.query<Pull & Record<string, unknown>>(INSERT, [
    ...values,
    price.credits,
    price.rows,
    lifeMs,
  ]);
  if (row === undefined) throw new Error(`preview ${id} was pulled meanwhile`);
  return row;
}

/** A preview becomes a job: once, whoever asks at the same time. The row is locked until its credits are reserved. */
const TAKE: Statement = {
  name: 'take_pull_preview',
  text: `SELECT ${pullColumns('p')}, p.pulled_by AS "pulledBy", p.price_credits AS "priceCredits",
                p.price_rows AS "priceRows", p.expires_at <= now() AS "isExpired"
         FROM pulls p WHERE p.id = $1 AND p.tenant_id = $2 FOR UPDATE`,
};
const QUEUE: Statement = {
  name: 'queue_pull',
  text: `UPDATE pulls p SET status = 'queued', pulled_by = $2, row_limit = $3, is_reserved = $4, pulled_at = now(),
                not_before = now(), expires_at = now() + $5::float8 * interval '1 millisecond'
         WHERE p.id = $1 RETURNING ${pullColumns('p')}`,
};

interface Taken extends Pull, Record<string, unknown> {
  readonly pulledBy: string | null;
  readonly priceCredits: number;
  readonly priceRows: number;
  readonly isExpired: boolean;
}

export type StartedPull =
  /** `isNew` false: the same request pulled it before. */
  | { readonly kind: 'started'; readonly isNew: boolean; readonly pull: Pull }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'expired' }
  /** By another request. */
  | { readonly kind: 'pulled_before'; readonly pull: Pull }
  | UnpaidJob;

export interface PullStart {
  readonly id: string;
  readonly tenant: CreditTenant;
  /** Id of the request: a repeated one gets the same pull. */
  readonly chargeId: string;
  /** Most rows; null: those of the preview. */
  readonly maxRows: number | null;
  /** How long its rows are kept. */
  readonly keptMs: number;
}

/**
 * Turns a preview into a job and reserves its credits, in one transaction. With fewer credits than rows it has as many rows
 * as there are credits for.
 */
export function startPull(database: Database, start: PullStart): Promise<StartedPull> {
  return unlessUnpaid(database.transaction((tx) => startIn(tx, start)));
}

async function startIn(
  tx: Queryable,
  { id, tenant, chargeId, maxRows, keptMs }: PullStart,
): Promise<StartedPull> {
  const [taken] = await run<Taken>(tx, TAKE, [id, tenant.id]);
  if (taken === undefined) return { kind: 'unknown' };
  if (taken.status !== 'previewed') {
    const isSame = taken.pulledBy === chargeId;
    return isSame
      ? { kind: 'started', isNew: false, pull: taken }
      : { kind: 'pulled_before', pull: taken };
  }
  if (taken.isExpired) return { kind: 'expired' };
  const wanted = Math.min(maxRows ?? taken.rowLimit, taken.rowLimit);
  const { rows, isReserved } = await reserve(tx, tenant, taken, wanted);
  const [pull] = await run<Pull & Record<string, unknown>>(tx, QUEUE, [
    id,
    chargeId,
    rows,
    isReserved,
    keptMs,
  ]);
  if (pull === undefined) throw new Error(`pull ${id} went away while it was locked`);
  return { kind: 'started', isNew: true, pull };
}

/** @throws UnpaidJobError */
async function reserve(
  tx: Queryable,
  tenant: CreditTenant,
  { id, priceCredits, priceRows }: Taken,
  wanted: number,
): Promise<{ readonly rows: number; readonly isReserved: boolean }> {
  if (priceCredits === 0) return { rows: wanted, isReserved: false };
  const credits = Math.ceil(wanted / priceRows) * priceCredits;
  const job = { tenant, chargeId: id, operation: 'pull', credits } as const;
  const reservation = await reserveJobCredits(tx, job);
  const covered =
    reservation.kind === 'open' ? Math.floor(reservation.credits / priceCredits) * priceRows : 0;
  if (reservation.kind === 'refused' || covered === 0) {
    const balance = reservation.kind === 'refused' ? reservation.balance : reservation.credits;
    throw new UnpaidJobError({ kind: 'unpaid', balance, required: priceCredits });
  }
  return { rows: Math.min(wanted, covered), isReserved: reservation.isReserved };
}
