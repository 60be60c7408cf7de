import path from 'node:path';
import type { Settings } from '@app/config';
import { startEmbeddedPostgres } from './embedded-postgres.js';

export interface DatabaseServer {
  readonly url: string;
  /** Resolves with the reason if an embedded database cannot be kept running. */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

/** The configured database, or an embedded PostgreSQL in the data folder. */
export async function openDatabase(settings: Settings): Promise<DatabaseServer> {
  if (settings.databaseUrl !== undefined) {
    return {
      url: settings.databaseUrl,
      failed: new Promise<Error>(() => undefined),
      stop: async () => undefined,
    };
  }
  return startEmbeddedPostgres({
    dataDir: path.resolve(settings.dataDir),
    log: (line: string) => process.stdout.write(`${line}\n`),
  });
}
