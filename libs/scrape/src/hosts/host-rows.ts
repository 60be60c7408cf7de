import type { ErrorClass, Rung } from '@app/contracts';
import type { Statement, Database } from '@app/database';

/** How often one page of the cluster checks whether a cheaper rung works again. */
export const PROBE_EVERY_MS = 5 * 60_000;

/** Maximum number of shapes of path stored per host; beyond it the one confirmed longest ago is deleted. */
export const MAX_HOST_SHAPES = 64;

/** Instead of a shape: applies to every page of the host, as a bot wall does. */
export const WHOLE_HOST = '';
/** Instead of a shape: where pages of unknown shapes start. */
export const OTHER_SHAPES = '*';

/** The rung that works for the pages of one shape of a host. */
export interface HostRung {
  /** A shape of path, {@link WHOLE_HOST} or {@link OTHER_SHAPES}. */
  readonly shape: string;
  readonly rung: Rung;
  /** The error class of the rungs below; null: none failed. */
  readonly errorClass: ErrorClass | null;
  readonly learnedAt: Date;
  /** By the clock of the database. */
  readonly ageMs: number;
  /** It is time to start with the cheap rungs once: see {@link takeHostProbe}. */
  readonly isProbeDue: boolean;
}

/** More than there can be, except when several processes write at the same time. */
const RECALL: Statement = {
  name: 'recall_host',
  text: `
    SELECT shape, rung, error_class AS "errorClass", learned_at AS "learnedAt",
           (extract(epoch FROM now() - learned_at) * 1000)::float8 AS "ageMs",
           probe_after <= now() AS "isProbeDue"
    FROM host_rungs WHERE host = $1 AND expires_at > now()
    LIMIT ${2 * MAX_HOST_SHAPES}`,
};
const TAKE_PROBE: Statement = {
  name: 'take_host_probe',
  text: `
    UPDATE host_rungs SET probe_after = now() + $3::int * interval '1 millisecond'
    WHERE host = $1 AND shape = $2 AND probe_after <= now() AND expires_at > now()
    RETURNING 1`,
};
const LEARN: Statement = {
  name: 'learn_host',
  text: `
    WITH surplus AS (
      DELETE FROM host_rungs WHERE host = $1 AND shape = ANY (ARRAY (
        SELECT shape FROM host_rungs
        WHERE host = $1 AND shape NOT IN ($2, '${WHOLE_HOST}', '${OTHER_SHAPES}')
        ORDER BY learned_at DESC OFFSET ${MAX_HOST_SHAPES - 1} FOR UPDATE SKIP LOCKED)))
    INSERT INTO host_rungs (host, shape, rung, error_class, expires_at, probe_after)
    VALUES ($1, $2, $3, $4, now() + $5::bigint * interval '1 millisecond',
            now() + $6::int * interval '1 millisecond')
    ON CONFLICT (host, shape) DO UPDATE SET rung = excluded.rung, error_class = excluded.error_class,
      learned_at = now(), expires_at = excluded.expires_at, probe_after = excluded.probe_after`,
};
const FORGET: Statement = {
  name: 'forget_host',
  text: 'DELETE FROM host_rungs WHERE host = $1 AND shape = $2',
};
const SWEEP: Statement = {
  name: 'sweep_host_rungs',
  text: `
    DELETE FROM host_rungs WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM host_rungs WHERE expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** The entries of a host (`URL.host`), by shape. */
export function recallHost(database: Database, host: string): Promise<readonly HostRung[]> {
  return database.query<HostRung & Record<string, unknown>>(RECALL, [host]);
}

/**
 * Whether this caller, and within {@link PROBE_EVERY_MS} no other in the cluster, starts with the cheap rungs
 * nevertheless, so that a change of the site is noticed.
 */
export async function takeHostProbe(
  database: Database,
  host: string,
  shape: string,
): Promise<boolean> {
  return (await database.query(TAKE_PROBE, [host, shape, PROBE_EVERY_MS])).length > 0;
}

/** Stores for `ttlMs` that the rung works where those below fail. The last writer wins. */
export async function learnHost(
  database: Database,
  learnt: {
    readonly host: string;
    readonly shape: string;
    readonly rung: Rung;
    readonly errorClass: ErrorClass | null;
    readonly ttlMs: number;
  },
): Promise<void> {
  const { host, shape, rung, errorClass, ttlMs } = learnt;
  await database.query(LEARN, [host, shape, rung, errorClass, ttlMs, PROBE_EVERY_MS]);
}

export async function forgetHost(database: Database, host: string, shape: string): Promise<void> {
  await database.query(FORGET, [host, shape]);
}

/** Deletes at most `limit` expired rows. Returns how many. */
export async function sweepHostRungs(database: Database, limit: number): Promise<number> {
  return (await database.query(SWEEP, [limit])).length;
}
