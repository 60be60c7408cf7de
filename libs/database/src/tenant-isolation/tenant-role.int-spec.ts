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
import { Store } from '../database.js';

const PASSWORD = 'spec';

/** A plain login, and databases that it owns: what a managed server gives. */
class PlainOwner {
  readonly login = freshPrefix();
  private readonly databases: Fresh[] = [];
  private readonly stores: Store[] = [];

  get role(): string {
    return `trawl_tenant_${this.login}`;
  }

  static async create(rights: 'CREATEROLE' | 'NOCREATEROLE'): Promise<PlainOwner> {
    const owner = new PlainOwner();
    await asAdmin(`CREATE ROLE ${owner.login} LOGIN NOSUPERUSER ${rights} PASSWORD '${PASSWORD}'`);
    return owner;
  }

  /** A store on an empty database of its own. */
  async store(): Promise<Store> {
    const database = await freshDatabase();
    this.databases.push(database);
    const url = new URL(database.url);
    await asAdmin(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${this.login}`);
    [url.username, url.password] = [this.login, PASSWORD];
    const store = new Store({ url: url.href, poolSize: 3, applicationName: 'spec' });
    this.stores.push(store);
    await store.connect();
    return store;
  }

  async drop(): Promise<void> {
    for (const store of this.stores) await store.close();
    for (const database of this.databases) await database.drop();
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

/** Whether a tenant finds its job, and nobody else does. */
async function isLocked(store: Store): Promise<boolean> {
  const { tenantId, jobId } = await fillTenant(store, newId());
  const all = { name: 'spec all jobs', text: 'SELECT 1 FROM jobs' };
  const ofNobody = await store.asReader(newId()).query(all);
  return ofNobody.length === 0 && (await findJob(store, tenantId, jobId)) !== null;
}

describe('the role that statements of tenants run as', () => {
  let owner: PlainOwner;
  afterEach(() => owner?.drop(), 30_000);

  it('is made by an owner that may make roles', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const store = await owner.store();
    expect(await store.migrate()).not.toEqual([]);
    expect(await isLocked(store)).toBe(true);
    // The owner itself works for all tenants.
    await fillTenant(store, newId());
    const all = await store.query({ name: 'spec owner', text: 'SELECT 1 FROM jobs' });
    expect(all).toHaveLength(2);
  }, 60_000);

  it('is one for two deployments of a login, and each has rights in its own database', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const stores = [await owner.store(), await owner.store()];
    for (const store of stores) await store.migrate();
    for (const store of stores) expect(await isLocked(store)).toBe(true);
  }, 60_000);

  it('is asked for, in statements to run, by an owner that may not, and used once they were', async () => {
    owner = await PlainOwner.create('NOCREATEROLE');
    const store = await owner.store();
    const create = `CREATE ROLE "${owner.role}" NOLOGIN`;
    const grant = `GRANT "${owner.role}" TO "${owner.login}"`;
    await expect(store.migrate()).rejects.toThrow(`${create}; ${grant}; the start goes on`);
    await asAdmin(create);
    await expect(store.migrate()).rejects.toThrow(
      `administrator of the database server: ${grant};`,
    );
    await asAdmin(grant);
    await store.migrate();
    expect(await isLocked(store)).toBe(true);
  }, 60_000);

  it('gets its rights again at the next start after a restore, which brings none', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const store = await owner.store();
    await store.migrate();
    await store.query({ name: 'spec forget', text: `DROP OWNED BY "${owner.role}"` });
    await asAdmin(`DROP ROLE "${owner.role}"`);
    await expect(findJob(store, newId(), newId())).rejects.toThrow('MIGRATE_ON_START=true');
    expect(await store.migrate()).toEqual([]);
    expect(await isLocked(store)).toBe(true);
  }, 60_000);

  it('changes nothing at a start that finds it complete', async () => {
    owner = await PlainOwner.create('CREATEROLE');
    const store = await owner.store();
    const rights = `SELECT string_agg(xmin::text, ' ' ORDER BY oid) AS rows FROM pg_class WHERE relkind = 'r'`;
    await store.migrate();
    const before = await store.query({ name: 'spec rights', text: rights });
    await store.migrate();
    expect(await store.query({ name: 'spec rights', text: rights })).toEqual(before);
  }, 60_000);
});
