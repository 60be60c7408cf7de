import { listeningPid } from '@app/testing';
import pg from 'pg';

/** The servers behind a cluster, as the environment names them, with a database of our own. */
export interface ClusterServices {
  readonly env: Readonly<
    Record<'DATABASE_URL' | 'BROKER_URL' | 'BROKER_PREFIX' | 'STORAGE_URL', string>
  >;
  /** Root process of each server; none for one that does not run on this machine. */
  readonly roots: Readonly<Record<string, readonly number[]>>;
  close(): Promise<void>;
}

const DATABASE = `trawl_bench_${process.pid}`;
/** The same every time, so that benches do not pile up queues. */
const BROKER_PREFIX = 'trawl-bench';

/** Makes an empty database beside the one that TEST_DATABASE_URL names; `close` drops it. */
export async function openClusterServices(): Promise<ClusterServices> {
  const databaseUrl = variable('TEST_DATABASE_URL');
  const brokerUrl = variable('TEST_BROKER_URL');
  const storageUrl = variable('TEST_STORAGE_URL');
  await runSql(databaseUrl, `CREATE DATABASE ${DATABASE}`);
  const ownUrl = new URL(databaseUrl);
  ownUrl.pathname = `/${DATABASE}`;
  return {
    env: {
      DATABASE_URL: ownUrl.href,
      BROKER_URL: brokerUrl,
      BROKER_PREFIX,
      STORAGE_URL: storageUrl,
    },
    roots: {
      postgres: rootOf(databaseUrl, 5_432),
      rabbitmq: rootOf(brokerUrl, 5_672),
      minio: rootOf(storageUrl.replace(/^s3\+/, ''), 80),
    },
    close: async () => {
      await runSql(databaseUrl, `DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
    },
  };
}

export function variable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: npm run bench sets it, or: npm run services -- env`);
}

/** All on one connection. Returns the number of rows of the last one. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows = 0;
    for (const sql of statements) rows = (await client.query(sql)).rowCount ?? 0;
    return rows;
  } finally {
    await client.end();
  }
}

/** Found by its port, so that it does not matter who started the server. */
function rootOf(url: string, defaultPort: number): readonly number[] {
  const pid = listeningPid(Number(new URL(url).port || defaultPort));
  if (pid === null)
    console.error(`no local process listens at ${new URL(url).host}: its CPU is not counted`);
  return pid === null ? [] : [pid];
}
