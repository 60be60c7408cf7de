import type { Statement, Database } from '@app/database';

/** Never waits for a locked row: a use of the next minute serves as well. */
const NOTE_USE: Statement = {
  name: 'note_key_use',
  text: `UPDATE api_keys SET last_used_at = now() WHERE id = (
           SELECT id FROM api_keys
           WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')
           FOR NO KEY UPDATE SKIP LOCKED)`,
};
/** So that connections are left for requests; who is not noted now is at its next request. */
const MOST_AT_ONCE = 2;
const PAUSE_MS = 10_000;

/**
 * Notes of one process that keys were used. Beside the request: it neither waits for the note nor fails
 * with it. The statement holds one note a minute for each key, whichever process writes it.
 */
class KeyUses {
  private readonly underWay = new Set<string>();
  private pausedUntilMs = 0;

  constructor(private readonly database: Database) {}

  note(keyId: string): void {
    const isBusy = this.underWay.size >= MOST_AT_ONCE || this.underWay.has(keyId);
    if (isBusy || performance.now() < this.pausedUntilMs) return;
    this.underWay.add(keyId);
    void this.write(keyId).finally(() => this.underWay.delete(keyId));
  }

  private async write(keyId: string): Promise<void> {
    try {
      await this.database.query(NOTE_USE, [keyId]);
    } catch {
      // A read-only database refuses every request that writes, which reports it.
      this.pausedUntilMs = performance.now() + PAUSE_MS;
    }
  }
}

const uses = new WeakMap<Database, KeyUses>();

/** Says that a key was used, at once and without a promise: see {@link KeyUses}. */
export function noteUse(database: Database, keyId: string): void {
  const known = uses.get(database) ?? new KeyUses(database);
  uses.set(database, known);
  known.note(keyId);
}
