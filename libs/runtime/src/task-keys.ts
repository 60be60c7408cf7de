import { randomBytes } from 'node:crypto';
import type { Statement, Database } from '@app/database';

/** A key that tasks are sealed with. */
export interface TaskKey {
  readonly id: string;
  /** 32 random bytes. */
  readonly secret: Uint8Array;
}

const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
/** After this time a new key is used for sealing. */
export const TASK_KEY_SEALS_MS = 24 * HOUR_MS;
/**
 * After this time it is deleted. Messages sealed with it, including dead letters and copies of the broker's
 * disk, cannot be opened from then on; no task lives longer than the difference.
 */
export const TASK_KEY_LIFE_MS = 48 * HOUR_MS;
/** Keys cached by one process: there are seldom more than two. */
const MAX_KNOWN = 8;

/** Replicas that start at the same time may each create one: both are valid. */
const CURRENT: Statement = {
  name: 'current_task_key',
  text: `
    WITH fresh AS (
      SELECT id, secret, created_at FROM task_keys
      WHERE created_at > now() - $1::float8 * interval '1 millisecond' ORDER BY id DESC LIMIT 1
    ), made AS (
      INSERT INTO task_keys (secret) SELECT $2 WHERE NOT EXISTS (SELECT FROM fresh)
      RETURNING id, secret, created_at
    )
    SELECT id::text, secret, extract(epoch FROM now() - created_at)::float8 * 1000 AS "ageMs"
    FROM (SELECT * FROM fresh UNION ALL SELECT * FROM made) AS one`,
};
/** The id is from a message: it may be any text. */
const FIND: Statement = {
  name: 'find_task_key',
  text: `SELECT id::text, secret FROM task_keys
         WHERE id::text = $1 AND created_at > now() - $2::float8 * interval '1 millisecond'`,
};
const SWEEP: Statement = {
  name: 'sweep_task_keys',
  text: `DELETE FROM task_keys WHERE created_at <= $1::timestamptz - $2::float8 * interval '1 millisecond'
         RETURNING 1`,
};

interface CurrentRow extends TaskKey {
  readonly ageMs: number;
}

export interface TaskKeysOptions {
  /** Milliseconds of a clock that only goes forward. @default performance.now */
  readonly now?: () => number;
}

/** The keys for sealing tasks, cached by one process. */
export class TaskKeys {
  private readonly now: () => number;
  private readonly known = new Map<string, TaskKey>();
  private sealing: { readonly key: Promise<TaskKey>; readonly untilMs: number } | null = null;

  constructor(
    private readonly database: Pick<Database, 'query'>,
    { now = () => performance.now() }: TaskKeysOptions = {},
  ) {
    this.now = now;
  }

  /** The key for sealing; creates the first one, and a successor when it has reached its age. */
  current(): Promise<TaskKey> {
    const { sealing } = this;
    return sealing !== null && this.now() < sealing.untilMs ? sealing.key : this.renew();
  }

  /** Null: the key does not exist, or has expired. */
  async find(id: string): Promise<TaskKey | null> {
    const known = this.known.get(id);
    if (known) return known;
    const [key] = await this.database.query<TaskKey & Record<string, unknown>>(FIND, [
      id,
      TASK_KEY_LIFE_MS,
    ]);
    if (!key) return null;
    this.remember(key);
    return key;
  }

  /** One query at a time for all callers. A failed one is repeated by the next caller. */
  private renew(): Promise<TaskKey> {
    const key = this.read();
    this.sealing = { key, untilMs: Infinity };
    key.then(
      ({ ageMs }) => (this.sealing = { key, untilMs: this.now() + TASK_KEY_SEALS_MS - ageMs }),
      () => (this.sealing = null),
    );
    return key;
  }

  private async read(): Promise<CurrentRow> {
    const values = [TASK_KEY_SEALS_MS, randomBytes(SECRET_BYTES)];
    const [row] = await this.database.query<CurrentRow & Record<string, unknown>>(CURRENT, values);
    if (!row) throw new Error('no key for sealing tasks was created');
    this.remember(row);
    return row;
  }

  private remember({ id, secret }: TaskKey): void {
    this.known.set(id, { id, secret });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }
}

/** Deletes expired keys. Returns how many. */
export async function sweepTaskKeys(database: Database, now: Date): Promise<number> {
  return (await database.query(SWEEP, [now, TASK_KEY_LIFE_MS])).length;
}
