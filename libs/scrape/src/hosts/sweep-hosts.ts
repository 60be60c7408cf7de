import { isRefusedValue, type Statement, type Database } from '@app/database';

export interface HostSweepOptions {
  /** Hosts without a request since then are deleted. */
  readonly before: Date;
  /** Maximum number of rows read. */
  readonly limit: number;
}

/**
 * Rows in the order of their names: an index on `updated_at` would be written at each of the many updates of a
 * busy host. A host that a job refers to stays; one that a job adds at this very moment is locked by the job, or
 * the foreign key prevents the deletion.
 */
const SWEEP: Statement = {
  name: 'sweep_hosts',
  text: `
    WITH looked AS MATERIALIZED (
      SELECT host, updated_at < $2 AND in_flight = 0 AS is_stale FROM hosts WHERE host > $1 ORDER BY host LIMIT $3
    ), stale AS MATERIALIZED (
      SELECT h.host FROM hosts h
      WHERE h.host = ANY (ARRAY (SELECT host FROM looked WHERE is_stale))
        AND h.updated_at < $2 AND h.in_flight = 0
        AND NOT EXISTS (SELECT FROM job_hosts j WHERE j.host = h.host)
      ORDER BY h.host FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM hosts WHERE host = ANY (ARRAY (SELECT host FROM stale)) RETURNING 1
    )
    SELECT (SELECT max(host) FROM looked) AS last, (SELECT count(*)::int FROM looked) AS looked,
           (SELECT count(*)::int FROM gone) AS gone`,
};

/** Deletes rows of hosts that are no longer fetched: a part of them at each call, in turn. */
export class HostSweep {
  private after = '';

  constructor(private readonly database: Database) {}

  /** Returns how many were deleted. */
  async next({ before, limit }: HostSweepOptions): Promise<number> {
    const row = await this.sweep([this.after, before, limit]);
    if (row) this.after = row.looked < limit ? '' : (row.last ?? '');
    return row?.gone ?? 0;
  }

  private async sweep(values: readonly unknown[]): Promise<SweptHosts | null> {
    try {
      const [row] = await this.database.query<SweptHosts & Record<string, unknown>>(SWEEP, values);
      return row ?? null;
    } catch (error) {
      // A job added one of them after the read: the same part is tried again.
      if (isRefusedValue(error)) return null;
      throw error;
    }
  }
}

interface SweptHosts {
  readonly last: string | null;
  readonly looked: number;
  readonly gone: number;
}
