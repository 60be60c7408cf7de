import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createApiKey, createTenant } from '@app/accounts';
import type { Database } from '@app/database';
import { projectNode, projectRoot, spawnApp, TrawlClient, type SpawnedApp } from '@app/testing';
import { Client } from 'pg';
import {
  brokerUrl,
  databaseServerUrl,
  freshBucket,
  freshPrefix,
  type Fresh,
} from '../setup/test-servers.js';
import { openTestDatabase, spawnApi, stopAll } from './deployment.js';

const PROCESSES = ['api', 'fetcher', 'tech-scan'] as const;
type Process = (typeof PROCESSES)[number];
type Addresses = Readonly<Record<Process, string>>;

/** Accounts that the files of docker/ make, as compose runs them. */
export interface Accounts {
  /** STORAGE_URL of each process. */
  readonly storage: Addresses;
  /** DATABASE_URL of the fetcher. */
  readonly fetcherDatabase: string;
  /** DATABASE_URL of the API, which owns the tables. */
  readonly apiDatabase: string;
  /** Of the administrator of the database server. */
  readonly adminDatabase: string;
  drop(): Promise<void>;
}

export async function makeAccounts(prefix = freshPrefix()): Promise<Accounts> {
  const bucket = await freshBucket();
  const storage = makeStorageAccounts(bucket);
  const { api, fetcher, admin, drop } = await makeDatabaseAccounts(prefix);
  return {
    ...{ storage, apiDatabase: api, fetcherDatabase: fetcher, adminDatabase: admin },
    async drop() {
      await drop();
      await bucket.drop();
    },
  };
}

/** A cluster whose processes have them. */
export interface AccountsRun {
  readonly client: TrawlClient;
  readonly apps: readonly SpawnedApp[];
  readonly database: Database;
  stop(): Promise<void>;
}

export async function startAccounts(): Promise<AccountsRun> {
  const prefix = freshPrefix();
  const { storage, ...accounts } = await makeAccounts(prefix);
  const env = {
    FETCH_ALLOW_PRIVATE: '127.0.0.1/32:1024-65535',
    PORT: '0',
    METRICS_PORT: '0',
    BROKER_URL: brokerUrl(),
    BROKER_PREFIX: prefix,
  };
  const api = await spawnApi({
    ...env,
    DATABASE_URL: accounts.apiDatabase,
    STORAGE_URL: storage.api,
  });
  const fetcher = await spawnApp({
    app: 'fetcher',
    env: { ...env, DATABASE_URL: accounts.fetcherDatabase, STORAGE_URL: storage.fetcher },
  });
  const scanner = await spawnApp({
    app: 'tech-scan',
    env: { ...env, STORAGE_URL: storage['tech-scan'] },
  });
  const apps = [api, fetcher, scanner];
  const database = await openTestDatabase(accounts.adminDatabase);
  // A plan with credits of a month: they are held for jobs, and what is left goes back.
  const { id } = await createTenant(database, 'accounts', 'pro');
  const key = await createApiKey(database, id, 'spec');
  return {
    ...{ client: new TrawlClient(api.url, key), apps, database },
    async stop() {
      await database.close();
      await stopAll(apps);
      await accounts.drop();
    },
  };
}

/** By the script of the image; the accounts are left, as a MinIO of tests is thrown away. */
function makeStorageAccounts(bucket: Fresh): Addresses {
  const secrets = PROCESSES.map((name) => [name, randomBytes(16).toString('hex')] as const);
  const variables = secrets.map(
    ([name, secret]) => [`${name.toUpperCase().replace('-', '_')}_STORAGE_SECRET`, secret] as const,
  );
  const script = path.join(projectRoot(), 'docker/storage/make-storage.mjs');
  // Again it changes nothing.
  for (let n = 0; n < 2; n++) {
    const { status, stderr } = spawnSync(projectNode(), [script], {
      env: { ...Object.fromEntries(variables), STORAGE_URL: bucket.url },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`);
  }
  const addresses = secrets.map(([name, secret]) => {
    const url = new URL(bucket.url);
    [url.username, url.password] = [`${url.pathname.slice(1)}-${name}`, secret];
    return [name, url.href] as const;
  });
  return Object.fromEntries(addresses) as Addresses;
}

interface DatabaseAccounts {
  readonly admin: string;
  readonly api: string;
  readonly fetcher: string;
  drop(): Promise<void>;
}

/** By the statements of the compose file's PostgreSQL, with names of their own: roles belong to the server. */
async function makeDatabaseAccounts(prefix: string): Promise<DatabaseAccounts> {
  const password = randomBytes(12).toString('hex');
  const text = readFileSync(path.join(projectRoot(), 'docker/postgres-accounts.sql'), 'utf8')
    .replaceAll(/^(--|\\getenv).*\n/gm, '')
    .replaceAll(/:'\w+'/g, `'${password}'`)
    .replaceAll(/trawl_(tenant|fetcher)_trawl/g, `trawl_$1_${prefix}`)
    .replaceAll(/\btrawl_fetch\b/g, `${prefix}_fetch`)
    .replaceAll(/\btrawl\b/g, prefix);
  await asAdmin(text.split(';\n').filter((statement) => statement.trim() !== ''));
  const addressOf = (login: string): string => {
    const url = new URL(databaseServerUrl());
    [url.username, url.password, url.pathname] = [login, password, `/${prefix}`];
    return url.href;
  };
  const admin = new URL(databaseServerUrl());
  admin.pathname = `/${prefix}`;
  const roles = [`${prefix}_fetch`, `trawl_fetcher_${prefix}`, `trawl_tenant_${prefix}`, prefix];
  return {
    admin: admin.href,
    api: addressOf(prefix),
    fetcher: addressOf(`${prefix}_fetch`),
    drop: () =>
      asAdmin([
        `DROP DATABASE IF EXISTS ${prefix} WITH (FORCE)`,
        ...roles.map((role) => `DROP ROLE IF EXISTS ${role}`),
      ]),
  };
}

async function asAdmin(statements: readonly string[]): Promise<void> {
  const client = new Client(databaseServerUrl());
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
