import { createHash } from 'node:crypto';
import type { Statement, Database } from '@app/database';

/** Links sent to one address within a window, for all requesters together. */
export const REQUESTS_PER_ADDRESS = 5;
/** Links one network may request within a window, for all addresses together. */
export const REQUESTS_PER_NETWORK = 30;
/** Length of a window; they begin at full hours, UTC. */
const WINDOW = `interval '1 hour'`;

export interface SignInRequest {
  readonly email: string;
  /** The requester, as a CIDR. */
  readonly network: string;
  /** @default the clock of the database */
  readonly now?: Date;
}

export type SignInRequestOutcome =
  | { readonly kind: 'taken' }
  /** The window is full for the address or the network; the answer does not say which. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

/**
 * The row lock makes each count exact under any concurrency. The network is checked first, and its
 * refused requests do not count for the address: no network can use up the requests of an address beyond
 * its own limit.
 */
const TAKE: Statement = {
  name: 'take_sign_in_ask',
  text: `
    WITH clock AS (SELECT coalesce($3::timestamptz, now()) AS at),
    open AS (SELECT date_trunc('hour', at, 'UTC') AS start, at FROM clock),
    network AS (
      INSERT INTO sign_in_asks AS a (subject, window_start, asks) SELECT $1::bytea, start, 1 FROM open
      ON CONFLICT (subject, window_start) DO UPDATE SET asks = a.asks + 1 WHERE a.asks < $4::int
      RETURNING 1),
    address AS (
      INSERT INTO sign_in_asks AS a (subject, window_start, asks)
      SELECT $2::bytea, start, 1 FROM open WHERE EXISTS (SELECT FROM network)
      ON CONFLICT (subject, window_start) DO UPDATE SET asks = a.asks + 1 WHERE a.asks < $5::int
      RETURNING 1)
    SELECT EXISTS (SELECT FROM address) AS "isTaken",
           ceil(extract(epoch FROM start + ${WINDOW} - at))::int AS "waitSeconds" FROM open`,
};

/**
 * Counts a request for a link: never more than {@link REQUESTS_PER_ADDRESS} and {@link
 * ASKS_PER_NETWORK} within an hour of the clock, across all processes. The same work for known and
 * unknown addresses.
 */
export async function takeSignInRequest(
  database: Database,
  { email, network, now }: SignInRequest,
): Promise<SignInRequestOutcome> {
  const [row] = await database.query<{ isTaken: boolean; waitSeconds: number }>(TAKE, [
    subjectOf('network', network),
    subjectOf('address', email.toLowerCase()),
    now ?? null,
    REQUESTS_PER_NETWORK,
    REQUESTS_PER_ADDRESS,
  ]);
  if (!row) throw new Error('take_sign_in_ask returned no row');
  return row.isTaken
    ? { kind: 'taken' }
    : { kind: 'limited', retryAfterSeconds: Math.max(1, row.waitSeconds) };
}

/** Requester and address are stored as hashes only. */
function subjectOf(kind: 'address' | 'network', text: string): Buffer {
  return createHash('sha256').update(`${kind}:${text}`).digest();
}

const SWEEP: Statement = {
  name: 'sweep_sign_in_asks',
  text: `
    DELETE FROM sign_in_asks WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM sign_in_asks WHERE window_start <= coalesce($2::timestamptz, now()) - ${WINDOW}
      ORDER BY window_start LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Forgets at most `limit` counts of windows that are over. Returns how many. */
export async function sweepSignInRequests(
  database: Database,
  { limit, now }: { readonly limit: number; readonly now?: Date },
): Promise<number> {
  return (await database.query(SWEEP, [limit, now ?? null])).length;
}
