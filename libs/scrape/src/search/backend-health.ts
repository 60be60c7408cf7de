import type { SearchSource } from '@app/search';
import { waitAtMost } from '@app/runtime';
import type { Database, Statement } from '@app/database';
import type { BackendAdmission, BackendBreaker } from '@app/providers';

/** Failures in a row after which a backend is left out. */
export const MAX_BACKEND_FAILURES = 5;
/** How long it is left out at first; twice as long after each failed try. */
export const BACKEND_PAUSE_MS = 15_000;
/** The longest pause, also of one that the backend requests. */
export const MAX_BACKEND_PAUSE_MS = 10 * 60_000;
/** Longest wait of a search for the database: it can be run without the answer. */
const MAX_WAIT_MS = 500;

/**
 * One caller of the cluster tries a backend whose pause has ended, and the pause begins again for the others. The snapshot of
 * the statement is the row before that.
 */
const ADMIT: Statement = {
  name: 'admit_search_backend',
  text: `
    WITH taken AS (
      UPDATE search_backends SET paused_until = now() + $2::int * interval '1 millisecond'
      WHERE source = $1 AND paused_until <= now() RETURNING 1)
    SELECT paused_until IS NULL OR EXISTS (SELECT FROM taken) AS "isOpen",
           greatest(1000, extract(epoch FROM paused_until - now()) * 1000)::float8 AS "leftMs"
    FROM search_backends WHERE source = $1`,
};
const FAIL: Statement = {
  name: 'fail_search_backend',
  text: `
    INSERT INTO search_backends AS b (source, failures, paused_until)
    VALUES ($1, 1, CASE WHEN $2::int > 0 THEN now() + $2::int * interval '1 millisecond' END)
    ON CONFLICT (source) DO UPDATE SET
      failures = least(b.failures + 1, 1000),
      paused_until = CASE WHEN b.failures + 1 >= $3::int OR $2::int > 0 THEN now() + least($5::int, greatest($2::int,
        $4::int * power(2, least(greatest(b.failures + 1 - $3::int, 0), 10))::int)) * interval '1 millisecond' END`,
};
const SUCCEED: Statement = {
  name: 'succeed_search_backend',
  text: 'DELETE FROM search_backends WHERE source = $1',
};

interface AdmissionRow {
  readonly isOpen: boolean;
  /** Null without a pause. */
  readonly leftMs: number | null;
}

export interface BackendHealthOptions {
  readonly database: Database;
  /** The name of a backend's row. @default its own name */
  readonly keyOf?: (source: string) => string;
  /** Called with failures of the database; backends then count as healthy. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Circuit breakers of the search backends, shared by all replicas through SQL. After {@link MAX_BACKEND_FAILURES} failures in
 * a row, or when it requests a delay, a backend is left out for a while; then one search tries it.
 */
export class BackendHealth<S extends string = SearchSource> implements BackendBreaker<S> {
  /** Backends of which a row was seen: only they have a failure to forget. */
  private readonly troubled = new Set<S>();

  constructor(private readonly options: BackendHealthOptions) {}

  async admit(source: S): Promise<BackendAdmission> {
    const rows = await this.run<AdmissionRow & Record<string, unknown>>(ADMIT, [
      this.keyOf(source),
      BACKEND_PAUSE_MS,
    ]);
    const [row] = rows ?? [];
    if (row === undefined) return { isOpen: true };
    this.troubled.add(source);
    return row.isOpen ? { isOpen: true } : { isOpen: false, retryAfterMs: row.leftMs ?? 0 };
  }

  async succeeded(source: S): Promise<void> {
    if (!this.troubled.delete(source)) return;
    await this.run(SUCCEED, [this.keyOf(source)]);
  }

  async failed(source: S, retryAfterMs: number | null): Promise<void> {
    this.troubled.add(source);
    const pauseMs = Math.min(MAX_BACKEND_PAUSE_MS, Math.ceil(retryAfterMs ?? 0));
    await this.run(FAIL, [
      this.keyOf(source),
      pauseMs,
      MAX_BACKEND_FAILURES,
      BACKEND_PAUSE_MS,
      MAX_BACKEND_PAUSE_MS,
    ]);
  }

  private keyOf(source: S): string {
    return this.options.keyOf?.(source) ?? source;
  }

  private async run<R extends Record<string, unknown>>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly R[] | null> {
    try {
      return await waitAtMost(MAX_WAIT_MS, this.options.database.query<R>(statement, values));
    } catch (error) {
      this.options.onProblem(error);
      return null;
    }
  }
}
