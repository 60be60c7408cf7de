/** States of a pull: a preview becomes a job when it is pulled. */
export const PULL_STATES = [
  'previewed',
  'queued',
  'running',
  'completed',
  'failed',
  'cancelled',
] as const;
export type PullState = (typeof PULL_STATES)[number];

export function isEndedPull(state: PullState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled';
}

/** A preview, or the job that it became. */
export interface Pull {
  readonly id: string;
  readonly connectorId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly status: PullState;
  /** Null: the preview could not tell. */
  readonly estimatedRows: number | null;
  readonly rowLimit: number;
  readonly rows: number;
  readonly credits: number;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly pulledAt: Date | null;
  readonly completedAt: Date | null;
  readonly expiresAt: Date;
}

/** Columns of `pulls` that make a {@link Pull}, of a row under a name. */
export const pullColumns = (
  row: string,
): string => `${row}.id, ${row}.connector_id AS "connectorId",
  ${row}.params, ${row}.status, ${row}.estimated_rows AS "estimatedRows", ${row}.row_limit AS "rowLimit",
  ${row}.row_count AS rows, ${row}.credits, ${row}.error, ${row}.created_at AS "createdAt",
  ${row}.pulled_at AS "pulledAt", ${row}.completed_at AS "completedAt", ${row}.expires_at AS "expiresAt"`;
