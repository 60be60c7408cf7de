import type { ErrorClass, Rung } from '@app/contracts';
import type { Statement, Store } from './open-store.js';

/** How long nobody checks whether a cheaper rung works again. */
export const PROBE_EVERY_MS = 5 * 60_000;

/** The rung a host is begun with. */
export interface HostRung {
  readonly rung: Rung;
  /** What the rungs below failed with. */
  readonly errorClass: ErrorClass;
  readonly learnedAt: Date;
  /** By the clock of the database. */
  readonly ageMs: number;
  /**
   * This caller, and within {@link PROBE_EVERY_MS} no other of the whole cluster, is to begin with the
   * cheap rungs all the same, so that a site that changed is noticed.
   */
  readonly isProbe: boolean;
}

/** A read, except that the first one after `probe_after` moves it on and so takes the probe. */
const RECALL: Statement = {
  name: 'recall_host',
  text: `
    WITH probe AS (
      UPDATE host_rungs SET probe_after = now() + $2::int * interval '1 millisecond'
      WHERE host = $1 AND probe_after <= now() AND expires_at > now()
      RETURNING host
    )
    SELECT rung, error_class AS "errorClass", learned_at AS "learnedAt",
           (extract(epoch FROM now() - learned_at) * 1000)::float8 AS "ageMs",
           EXISTS (SELECT FROM probe) AS "isProbe"
    FROM host_rungs WHERE host = $1 AND expires_at > now()`,
};
const LEARN: Statement = {
  name: 'learn_host',
  text: `
    INSERT INTO host_rungs (host, rung, error_class, expires_at, probe_after)
    VALUES ($1, $2, $3, now() + $4::bigint * interval '1 millisecond',
            now() + $5::int * interval '1 millisecond')
    ON CONFLICT (host) DO UPDATE SET rung = excluded.rung, error_class = excluded.error_class,
      learned_at = now(), expires_at = excluded.expires_at, probe_after = excluded.probe_after`,
};
const FORGET: Statement = { name: 'forget_host', text: 'DELETE FROM host_rungs WHERE host = $1' };
const SWEEP: Statement = {
  name: 'sweep_host_rungs',
  text: `
    DELETE FROM host_rungs WHERE host = ANY (ARRAY (
      SELECT host FROM host_rungs WHERE expires_at <= now()
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** What is known of a host (`URL.host`), or null. */
export async function recallHost(store: Store, host: string): Promise<HostRung | null> {
  const [row] = await store.query<HostRung & Record<string, unknown>>(RECALL, [
    host,
    PROBE_EVERY_MS,
  ]);
  return row ?? null;
}

/** Remembers for `ttlMs` that the rung works where those below fail. The last one to learn is believed. */
export async function learnHost(
  store: Store,
  learnt: {
    readonly host: string;
    readonly rung: Rung;
    readonly errorClass: ErrorClass;
    readonly ttlMs: number;
  },
): Promise<void> {
  const { host, rung, errorClass, ttlMs } = learnt;
  await store.query(LEARN, [host, rung, errorClass, ttlMs, PROBE_EVERY_MS]);
}

export async function forgetHost(store: Store, host: string): Promise<void> {
  await store.query(FORGET, [host]);
}

/** Deletes at most `limit` hosts whose time is over. Returns how many. */
export async function sweepHostRungs(store: Store, limit: number): Promise<number> {
  return (await store.query(SWEEP, [limit])).length;
}
