/** The database is not connected yet or no longer reachable, or all connections stayed in use. */
export class DatabaseUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('Database not reachable', options);
    this.name = 'DatabaseUnavailableError';
  }
}

const DEADLOCK_TRIES = 4;
/**
 * deadlock_detected, serialization_failure, and foreign_key_violation: the retention loop may delete a host
 * while a job begins to refer to it; the next try inserts the host again.
 */
const VICTIM_CODES = new Set(['40P01', '40001', '23503']);

/**
 * insufficient_privilege, and duplicate_table: a login without rights does not see the table of migrations, so
 * TypeORM tries to create it.
 */
const HIDDEN_CODES = new Set(['42501', '42P07']);

/** Runs `work` again when the server ended it in favor of another transaction. */
export async function repeatIfVictim<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= DEADLOCK_TRIES || !VICTIM_CODES.has(sqlState(error))) throw error;
    }
  }
}

/** The server's five-character code; empty when the error is not the server's. */
export function sqlState(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** This login may not see the table. */
export function isHiddenTable(error: unknown): boolean {
  return HIDDEN_CODES.has(sqlState(error));
}

/** The server ends the connection: it is stopped or restarted, or an operator ended the session (57P01 to 57P05). */
export function isShutDown(error: unknown): boolean {
  return sqlState(error).startsWith('57P');
}

/** The server rejects a value (data exception) or a constraint forbids it: another try cannot succeed. */
export function isRefusedValue(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error)) && sqlState(error).length === 5;
}
