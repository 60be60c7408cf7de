import { Client } from 'pg';
import { newId } from '@app/contracts';
import {
  databaseServerUrl,
  freshDatabase,
  freshPrefix,
  type Fresh,
} from '../../../../test/setup/test-servers.js';
import { fillTenant } from '../../test/tenant-rows.js';
import { findJob } from '@app/jobs';
import { Database } from '../database.js';

const PASSWORD = 'spec';

/** A plain login, and databases that it owns, as on a managed server. */
class PlainOwner {
  readonly login = freshPrefix();
  private readonly created: Fresh[] = [];
  private readonly databases: Database[] = [];

  get role(): string {
    return `trawl_tenant_${this.login}`;
  }

  static async create(rights: 'CREATEROLE' | 'NOCREATEROLE'): Promise<PlainOwner> {
    const owner = new PlainOwner();
    await asAdmin(`CREATE ROLE ${owner.login} LOGIN NOSUPERUSER ${rights} PASSWORD '${PASSWORD}'`);
    return owner;
  }

  /** A separate, empty database. */
  async createDatabase(): Promise<Database> {
    const empty = await freshDatabase();
    this.created.push(empty);
    const url = new URL(empty.url);
    await asAdmin(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${this.login}`);
    [url.username, url.password] = [this.login, PASSWORD];
    const database = new Database({
      url: url.href,
      poolSize: 3,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    this.databases.push(database);
    await database.connect();
    return database;
  }

  async drop(): Promise<void> {
    for (const database of this.databases) await database.close();
    for (const database of this.created) await database.drop();
    await asAdmin(`DROP ROLE IF EXISTS ${this.role}`);
    await asAdmin(`DROP ROLE IF EXISTS ${this.login}`);
  }
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client(databaseServerUrl());
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Whether only the tenant finds its job. */
async function isLocked(database: Database): Promise<boolean> {
  const { tenantId, jobId } = await fillTenant(database, newId());
  const all = { name: 'spec all jobs', text: 'SELECT 1 FROM jobs' };
  const ofNobody = await database.asReader(newId()).query(all);
  return ofNobody.length === 0 && (await findJob(database, tenantId, jobId)) !== null;
}

describe('the role that statements of tenants run as', () => {
  let owner: PlainOwner;
  afterEach(() => owner?.drop());

  it('is made by an owner that may make roles', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const database = await owner.createDatabase();
    expect(await database.migrate()).not.toEqual([]);
    expect(await isLocked(database)).toBe(true);
    // The owner itself works for all tenants.
    await fillTenant(database, newId());
    const all = await database.query({ name: 'spec owner', text: 'SELECT 1 FROM jobs' });
    expect(all).toHaveLength(2);
  });

  it('is one for two deployments of a login, and each has rights in its own database', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const stores = [await owner.createDatabase(), await owner.createDatabase()];
    for (const database of stores) await database.migrate();
    for (const database of stores) expect(await isLocked(database)).toBe(true);
  });

  it('is requested, with the statements to run, by an owner without the right, and used once they ran', async () => {
    owner = await PlainOwner.create('NOCREATEROLE');
    const database = await owner.createDatabase();
    const create = `CREATE ROLE "${owner.role}" NOLOGIN`;
    const grant = `GRANT "${owner.role}" TO "${owner.login}"`;
    await expect(database.migrate()).rejects.toThrow(
      `${create}; ${grant}; the start then continues`,
    );
    await asAdmin(create);
    await expect(database.migrate()).rejects.toThrow(
      `administrator of the database server: ${grant};`,
    );
    await asAdmin(grant);
    await database.migrate();
    expect(await isLocked(database)).toBe(true);
  });

  it('gets its rights again at the next start after a restore, which brings none', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const database = await owner.createDatabase();
    await database.migrate();
    await database.query({ name: 'spec forget', text: `DROP OWNED BY "${owner.role}"` });
    await asAdmin(`DROP ROLE "${owner.role}"`);
    await expect(findJob(database, newId(), newId())).rejects.toThrow('MIGRATE_ON_START=true');
    expect(await database.migrate()).toEqual([]);
    expect(await isLocked(database)).toBe(true);
  });

  it('changes nothing at a start that finds it complete', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const database = await owner.createDatabase();
    const rights = `SELECT string_agg(xmin::text, ' ' ORDER BY oid) AS rows FROM pg_class WHERE relkind = 'r'`;
    await database.migrate();
    const before = await database.query({ name: 'spec rights', text: rights });
    await database.migrate();
    expect(await database.query({ name: 'spec rights', text: rights })).toEqual(before);
  });
});
