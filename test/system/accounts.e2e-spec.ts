import { openBlobStore, type BlobStore } from '@app/blobs';
import { Client } from 'pg';
import { makeAccounts, type Accounts } from './accounts-run.js';
import { openTestDatabase } from './deployment.js';

/** Statements that an attacker who controls a fetcher would try. */
const REFUSED = [
  'SELECT secret_hash FROM api_keys',
  'SELECT * FROM account_sessions',
  'SELECT * FROM sign_in_links',
  'SELECT * FROM billing_accounts',
  'SELECT * FROM webhook_secrets',
  'SELECT webhook_url FROM jobs',
  'SELECT name FROM tenants',
  "UPDATE tenants SET plan = 'custom'",
  'UPDATE credit_balances SET period = period',
  'INSERT INTO task_keys (secret) VALUES (NULL)',
  "INSERT INTO jobs (id) VALUES ('00000000-0000-0000-0000-000000000000')",
  'DELETE FROM jobs',
  'CREATE TABLE mine ()',
  'SELECT * FROM admin_acts',
];

describe('accounts of processes, as compose makes them', () => {
  let accounts: Accounts;
  const stores: BlobStore[] = [];

  beforeAll(async () => {
    accounts = await makeAccounts();
    const owner = await openTestDatabase(accounts.apiDatabase);
    await owner.migrate();
    await owner.close();
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await accounts?.drop();
  });

  const storageOf = (account: keyof Accounts['storage']): BlobStore => {
    const url = accounts.storage[account];
    const store = openBlobStore({ url, publicUrl: '', downloadSecret: new Uint8Array(32) });
    stores.push(store);
    return store;
  };

  it.each(REFUSED)('a fetcher may not: %s', async (statement) => {
    const client = new Client(accounts.fetcherDatabase);
    await client.connect();
    try {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('a scanner reads only pages to scan', async () => {
    const [api, own] = [storageOf('api'), storageOf('tech-scan')];
    for (const key of ['jobs/t/j/segments/s', 'screenshots/2026-01-01/t/i.png', 'scans/t/i.scan'])
      await api.put(key, Buffer.from('x'));
    expect(String(await own.read('scans/t/i.scan', undefined, 10))).toBe('x');
    const denied = { code: 'AccessDenied' };
    await expect(own.read('jobs/t/j/segments/s', undefined, 10)).rejects.toMatchObject(denied);
    await expect(own.read('screenshots/2026-01-01/t/i.png', undefined, 10)).rejects.toMatchObject(
      denied,
    );
    await expect(own.put('scans/t/i.scan', Buffer.from('y'))).rejects.toMatchObject(denied);
  });

  it('a fetcher reads no reply and no stored answer, and deletes no result', async () => {
    const [api, own] = [storageOf('api'), storageOf('fetcher')];
    const denied = { code: 'AccessDenied' };
    for (const key of ['replies/t/r.json', 'tenants/t/idempotency/i.body']) {
      await api.put(key, Buffer.from('x'));
      await expect(own.read(key, undefined, 10)).rejects.toMatchObject(denied);
    }
    await api.put('jobs/t/j/results-1.json', Buffer.from('x'));
    await expect(own.delete('jobs/t/j/results-1.json')).rejects.toMatchObject(denied);
    await expect(own.deletePrefix('tenants/')).rejects.toThrow();
  });
});
