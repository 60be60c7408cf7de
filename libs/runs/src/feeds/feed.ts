/** paused: no run starts by its schedule. */
export const FEED_STATES = ['active', 'paused'] as const;
export type FeedState = (typeof FEED_STATES)[number];

/** silent: the rows of the first complete run are known, not delivered. */
export const FIRST_RUNS = ['silent', 'full'] as const;
export type FirstRun = (typeof FIRST_RUNS)[number];

export const RUN_STATES = ['running', 'completed', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** So many failed runs in a row pause a feed. */
export const MAX_FAILURES = 5;
/** Rows that a feed knows: those not seen for the longest time are forgotten. Twice the rows of a run. */
export const MAX_KNOWN_ROWS = 20_000;
export const MAX_RUN_ROWS = 10_000;
/** UTF-16 units of all rows of a run, and of those that a feed knows. */
export const MAX_RUN_CHARS = 32_000_000;
export const MAX_KNOWN_CHARS = 2 * MAX_RUN_CHARS;
/** Runs in the history of a feed. */
export const KEPT_RUNS = 100;

/** A connector with parameters that runs by a schedule, and delivers its new rows. */
export interface Feed {
  readonly id: string;
  readonly connectorId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schedule: string;
  readonly timeZone: string;
  readonly webhookUrl: string | null;
  readonly firstRun: FirstRun;
  /** Whether rows whose fields changed are delivered too. */
  readonly deliversChanged: boolean;
  /** Most rows of a run. */
  readonly maxRows: number;
  readonly state: FeedState;
  /** Why it paused itself. */
  readonly pausedReason: string | null;
  /** Failed runs since the last complete one. */
  readonly failures: number;
  readonly nextAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly isRunning: boolean;
  /** Rows that it knows. */
  readonly rows: number;
  readonly createdAt: Date;
  /** Of the signed addresses of its files. */
  readonly addressVersion: number;
}

/** One run of a feed. */
export interface FeedRun {
  readonly id: string;
  /** When it was due. */
  readonly tick: Date;
  readonly isManual: boolean;
  readonly status: RunState;
  readonly newRows: number;
  readonly changedRows: number;
  /** Rows that were known before, or only noted by a silent first run. */
  readonly knownRows: number;
  readonly credits: number;
  readonly error: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** Columns of `feeds` that make a {@link Feed}, of a row under a name. */
export const feedColumns = (
  row: string,
): string => `${row}.id, ${row}.connector_id AS "connectorId",
  ${row}.params, ${row}.schedule, ${row}.time_zone AS "timeZone", ${row}.webhook_url AS "webhookUrl",
  ${row}.first_run AS "firstRun", ${row}.delivers_changed AS "deliversChanged", ${row}.max_rows AS "maxRows",
  ${row}.state, ${row}.paused_reason AS "pausedReason", ${row}.failures, ${row}.next_at AS "nextAt",
  ${row}.last_run_at AS "lastRunAt", ${row}.run_id IS NOT NULL AS "isRunning", ${row}.row_count AS rows,
  ${row}.created_at AS "createdAt", ${row}.address_version AS "addressVersion"`;

/** Columns of `feed_runs` that make a {@link FeedRun}. */
export const RUN_COLUMNS = `id, tick, is_manual AS "isManual", status, new_rows AS "newRows",
  changed_rows AS "changedRows", known_rows AS "knownRows", credits, error, started_at AS "startedAt",
  ended_at AS "endedAt"`;
