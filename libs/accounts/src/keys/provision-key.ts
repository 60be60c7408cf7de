import { newId } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';
import { addTenant } from '../tenants/tenants.js';
import type { IssuedKey } from './api-key.js';
import { insertKey } from './issue-key.js';

/** How far back the threshold counts. */
const WINDOW = `interval '24 hours'`;
/** Any number: keeps these locks apart from others'. */
const LOCK_SEED = 7_261_774_195;
const FORGET_BATCH = 100;

/** Addresses that share one limit, and their limit for 24 hours. */
export interface ProvisionBound {
  /** A CIDR. */
  readonly network: string;
  readonly perDay: number;
}

export interface Provision {
  /** The client: an IPv4 address, or the /64 of an IPv6 one. This is stored. */
  readonly client: ProvisionBound;
  /** The network around it, which counts all its clients. */
  readonly around: ProvisionBound;
  readonly label: string;
  /** Default of the tenant's name. */
  readonly name: string;
  /** As sent; it is not verified. */
  readonly email: string | null;
  /** @default the clock of the database */
  readonly now?: Date;
}

export type ProvisionOutcome =
  | ({ readonly kind: 'provisioned'; readonly tenantId: string } & IssuedKey)
  /** The network of `bound` had its keys; it may have another after that time. */
  | {
      readonly kind: 'limited';
      readonly bound: 'client' | 'around';
      readonly retryAfterSeconds: number;
    };

/** Requests from one network run one after the other: the lock is that of the wider one, so both counts are exact. */
const LOCK_NETWORK: Statement = {
  name: 'lock_provisions',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1, ${LOCK_SEED}))`,
};
/**
 * A row when the network had `$2` keys within the window: the time until the oldest of them leaves
 * it. The range is that of `<<=`, for the index: a network sorts before the networks within it. The
 * time is that of the statement, which runs under the lock: the transaction may have begun before
 * the one that counted last.
 */
const WAIT: Statement = {
  name: 'wait_for_provision',
  text: `SELECT ceil(extract(epoch FROM created_at + ${WINDOW} - coalesce($3::timestamptz, statement_timestamp())))::int AS "waitSeconds"
         FROM key_provisions
         WHERE network >= $1::cidr AND network <= set_masklen(broadcast($1::cidr), $4)
           AND network <<= $1::cidr AND created_at > coalesce($3::timestamptz, statement_timestamp()) - ${WINDOW}
         ORDER BY created_at DESC OFFSET $2::int - 1 LIMIT 1`,
};
const COUNT: Statement = {
  name: 'count_provision',
  text: `INSERT INTO key_provisions (network, created_at) VALUES ($1::cidr, coalesce($2::timestamptz, statement_timestamp()))`,
};
const SWEEP: Statement = {
  name: 'sweep_key_provisions',
  text: `DELETE FROM key_provisions WHERE ctid = ANY (ARRAY (
           SELECT ctid FROM key_provisions WHERE created_at <= coalesce($2::timestamptz, now()) - ${WINDOW}
           ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};

/**
 * A new tenant on the free plan with one key, without an account (specification: Key provisioning): never
 * more than `perDay` for the client, and for the network around it, within any 24 hours, however many
 * requests come at once.
 */
export async function provisionKey(
  database: Database,
  wanted: Provision,
): Promise<ProvisionOutcome> {
  return database.transaction(async (tx) => {
    const refused = await takePlace(tx, wanted);
    if (refused !== null) return refused;
    await run(tx, SWEEP, [FORGET_BATCH, wanted.now ?? null]);
    const { name, email, label } = wanted;
    const tenantId = newId();
    await addTenant(tx, { id: tenantId, name, plan: 'free', email });
    const issued = await insertKey(tx, { tenantId, label, origin: 'provisioned' });
    return { kind: 'provisioned', tenantId, ...issued };
  });
}

/** Null: the place is taken, as soon as the transaction is committed. */
async function takePlace(tx: Queryable, wanted: Provision): Promise<Limited | null> {
  const now = wanted.now ?? null;
  await run(tx, LOCK_NETWORK, [wanted.around.network]);
  for (const bound of ['client', 'around'] as const) {
    const { network, perDay } = wanted[bound];
    const values = [network, perDay, now, network.includes(':') ? 128 : 32];
    const [full] = await run<{ waitSeconds: number }>(tx, WAIT, values);
    if (full) return { kind: 'limited', bound, retryAfterSeconds: full.waitSeconds };
  }
  await run(tx, COUNT, [wanted.client.network, now]);
  return null;
}

type Limited = Extract<ProvisionOutcome, { kind: 'limited' }>;

/** Forgets at most `limit` addresses that no longer count. Returns how many. */
export async function sweepKeyProvisions(
  database: Database,
  limit: number,
  now?: Date,
): Promise<number> {
  return (await database.query(SWEEP, [limit, now ?? null])).length;
}
