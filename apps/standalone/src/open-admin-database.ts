import path from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '@app/config';
import { DEPENDENCY_FIXES } from '@app/runtime';
import { Database } from '@app/database';
import { AdminProblem } from '../../api/src/admin/admin-problem.js';
import { DataFolderInUse } from './data-folder-lock.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { postgresPlace } from './postgres-home.js';

export interface AdminDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

interface Reached {
  readonly url: string;
  /** Only this command uses it, so this command migrates its schema. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

/**
 * Opens the service's database: the one of DATABASE_URL, the embedded one of a running service, or the
 * embedded one started for this command. @throws AdminProblem that says what to do
 */
export async function openAdminDatabase(settings: Settings): Promise<AdminDatabase> {
  const reached = await reachDatabase(settings);
  const database = new Database({ url: reached.url, poolSize: 3, applicationName: 'trawl-admin' });
  const close = async (): Promise<void> => {
    await database.close();
    await reached.stop();
  };
  try {
    await connect(database, reached);
    return { database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function reachDatabase({ databaseUrl, dataDir }: Settings): Promise<Reached> {
  if (databaseUrl !== undefined) return reachedElsewhere(databaseUrl);
  const folder = path.resolve(dataDir);
  if (!hasDatabase(folder)) {
    throw new AdminProblem(
      `there is no database in ${folder}: start the service once (npm start), or set DATA_DIR to its folder or DATABASE_URL to its PostgreSQL`,
    );
  }
  try {
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    const { url, stop } = await startOwn(folder, log);
    return { url, isOwn: true, stop };
  } catch (error) {
    if (error instanceof DataFolderInUse) return reachedElsewhere(runningUrl(folder));
    throw new AdminProblem(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

async function startOwn(dataDir: string, log: (line: string) => void) {
  const server = await startEmbeddedPostgres({ dataDir, log });
  return { url: server.url, stop: () => server.stop() };
}

function reachedElsewhere(url: string): Reached {
  return { url, isOwn: false, stop: async () => undefined };
}

function runningUrl(dataDir: string): string {
  try {
    return runningPostgresUrl(dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AdminProblem(
      `a service runs on ${dataDir}, and its database cannot be reached from here (${reason}): run this as the user of the service`,
      { cause },
    );
  }
}

async function connect(database: Database, { isOwn }: Reached): Promise<void> {
  try {
    await database.connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AdminProblem(
      `the database does not respond (${reason}). ${DEPENDENCY_FIXES.database}`,
      {
        cause,
      },
    );
  }
  if (isOwn) await database.migrate();
  else if (!(await database.isMigrated()))
    throw new AdminProblem(`the schema is older than this build. ${DEPENDENCY_FIXES.schema}`);
}

/** Whether a start on this data folder has created a database. */
function hasDatabase(dataDir: string): boolean {
  return existsSync(path.join(postgresPlace(dataDir), 'data', 'PG_VERSION'));
}

/**
 * URL of the server that another process runs on the data folder; it may be starting or stopping.
 * @throws if this user may not read it
 */
function runningPostgresUrl(dataDir: string): string {
  const place = postgresPlace(dataDir);
  const [port, password] = ['port', 'password'].map((name) =>
    readFileSync(path.join(place, name), 'utf8').trim(),
  );
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}
