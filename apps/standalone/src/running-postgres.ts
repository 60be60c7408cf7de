import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { postgresPlace } from './postgres-home.js';

/** Whether a start on this data folder has created a database. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(path.join(postgresPlace(dataDir), 'data', 'PG_VERSION'));
}

/**
 * URL of the server that another process runs on the data folder; it may be starting or stopping.
 * @throws if this user may not read it
 */
export function runningPostgresUrl(dataDir: string): string {
  const place = postgresPlace(dataDir);
  const [port, password] = ['port', 'password'].map((name) =>
    readFileSync(path.join(place, name), 'utf8').trim(),
  );
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}
