import { newId } from '@app/contracts';
import { run, type Queryable, type Statement, type Store } from '../open-store.js';
import { addTenant } from '../tenants.js';
import type { IssuedKey } from './api-key.js';
import { insertKey } from './issue-key.js';

/** How far back the threshold counts. */
const WINDOW = `interval '24 hours'`;
/** Any number: keeps these locks apart from others'. */
const LOCK_SEED = 7_261_774_195;
const FORGET_BATCH = 100;

export interface Provision {
  /** Whom the threshold counts, as a CIDR. */
  readonly network: string;
  /** Keys one network may be given within 24 hours. */
  readonly perDay: number;
  readonly label: string;
  /** Of the tenant's name, when it gives none. */
  readonly name: string;
  /** As it was given; nobody has proved that it is theirs. */
  readonly email: string | null;
  /** @default the clock of the database */
  readonly now?: Date;
}

export type ProvisionOutcome =
  | ({ readonly kind: 'provisioned'; readonly tenantId: string } & IssuedKey)
  /** The network had its keys; it may have another after that time. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/** Those who ask from one network do so one after the other. */
const LOCK_NETWORK: Statement = {
  name: 'lock_provisions',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1, ${LOCK_SEED}))`,
};
/** A row when the network had `$2` keys within the window: the time until the oldest of them leaves it. */
const WAIT: Statement = {
  name: 'wait_for_provision',
  text: `SELECT ceil(extract(epoch FROM created_at + ${WINDOW} - coalesce($3::timestamptz, now())))::int AS "waitSeconds"
         FROM key_provisions
         WHERE network = $1::cidr AND created_at > coalesce($3::timestamptz, now()) - ${WINDOW}
         ORDER BY created_at DESC OFFSET $2::int - 1 LIMIT 1`,
};
const COUNT: Statement = {
  name: 'count_provision',
  text: `INSERT INTO key_provisions (network, created_at) VALUES ($1::cidr, coalesce($2::timestamptz, now()))`,
};
const SWEEP: Statement = {
  name: 'sweep_key_provisions',
  text: `DELETE FROM key_provisions WHERE ctid = ANY (ARRAY (
           SELECT ctid FROM key_provisions WHERE created_at <= coalesce($2::timestamptz, now()) - ${WINDOW}
           ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};

/**
 * A new tenant on the free plan with one key, for whoever asks (specification: Key provisioning): never
 * more than `perDay` for one network within any 24 hours, however many ask at once.
 */
export async function provisionKey(store: Store, wanted: Provision): Promise<ProvisionOutcome> {
  return store.transaction(async (tx) => {
    const retryAfterSeconds = await takePlace(tx, wanted);
    if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds };
    await run(tx, SWEEP, [FORGET_BATCH, wanted.now ?? null]);
    const { name, email, label } = wanted;
    const tenantId = newId();
    await addTenant(tx, { id: tenantId, name, plan: 'free', email });
    const issued = await insertKey(tx, { tenantId, label, origin: 'provisioned' });
    return { kind: 'provisioned', tenantId, ...issued };
  });
}

/** Seconds to wait, or null: the place is taken, as soon as the transaction is committed. */
async function takePlace(
  tx: Queryable,
  { network, perDay, now }: Provision,
): Promise<number | null> {
  await run(tx, LOCK_NETWORK, [network]);
  const [full] = await run<{ waitSeconds: number }>(tx, WAIT, [network, perDay, now ?? null]);
  if (full) return full.waitSeconds;
  await run(tx, COUNT, [network, now ?? null]);
  return null;
}

/** Forgets at most `limit` addresses that no longer count. Returns how many. */
export async function sweepKeyProvisions(store: Store, limit: number, now?: Date): Promise<number> {
  return (await store.query(SWEEP, [limit, now ?? null])).length;
}
