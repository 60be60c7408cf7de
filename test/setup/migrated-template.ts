import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Database } from '@app/database';
import { until } from '@app/testing';
import { Client } from 'pg';

const DATABASE_SOURCES = path.resolve(__dirname, '../../libs/database/src');
/** Any number: one process at a time creates the template. */
const TEMPLATE_LOCK = 5_113_902_877;

let template: Promise<string> | undefined;

/**
 * Name of a database with the current schema, for `CREATE DATABASE … TEMPLATE`. Created once per server and version
 * of the schema; nothing ever connects to it afterwards, which would make copies fail.
 */
export function migratedTemplate(server: string): Promise<string> {
  template ??= createTemplate(server);
  return template;
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function createTemplate(server: string): Promise<string> {
  const name = `schema_${schemaHash()}`;
  const client = new Client(server);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await migrateOnce(client, server, name);
    return name;
  } finally {
    await client.end();
  }
}

/** Under another name until it is complete, so that a run that was killed meanwhile leaves no half a schema. */
async function migrateOnce(client: Client, server: string, name: string): Promise<void> {
  const draft = `${name}_draft`;
  await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${draft}`);
  const database = new Database({
    url: databaseUrl(server, draft),
    poolSize: 2,
    applicationName: 'schema-template',
    connectTimeoutMs: 60_000,
  });
  const isConnected = () => database.connect().then(() => true);
  await until(isConnected, { what: 'a connection to the new database' });
  await database.migrate();
  await database.close();
  // Connections that were closed may be on their way out still.
  const rename = () => client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  await until(rename, { what: 'the name of the new database' });
}

/** Of all sources that write the schema. */
function schemaHash(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(DATABASE_SOURCES, { recursive: true, encoding: 'utf8' }).sort())
    if (/(migrations|tenant-isolation).*\.ts$/.test(file) && !file.endsWith('spec.ts'))
      hash.update(file).update(readFileSync(path.join(DATABASE_SOURCES, file)));
  return hash.digest('hex').slice(0, 16);
}
