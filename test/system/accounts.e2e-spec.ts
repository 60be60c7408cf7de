import { openBlobStore, type BlobStore } from '@app/blobs';
import { startFixtureSite, type FixtureSite } from '@app/testing';
import { Client } from 'pg';
import { startAccounts, type AccountsRun } from './accounts-run.js';

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

describe('processes with accounts of their own, as compose gives them (cluster)', () => {
  let run: AccountsRun;
  let site: FixtureSite;
  const stores: BlobStore[] = [];

  beforeAll(async () => {
    run = await startAccounts();
    site = await startFixtureSite();
  }, 180_000);
  afterAll(async () => {
    for (const store of stores) await store.close();
    await run?.stop();
    await site?.close();
  }, 60_000);

  const storageOf = (account: keyof AccountsRun['storage']): BlobStore => {
    const url = run.storage[account];
    const store = openBlobStore({ url, publicUrl: '', downloadSecret: new Uint8Array(32) });
    stores.push(store);
    return store;
  };

  it('scrape twice, the second time from the page cache, with a picture that can be fetched', async () => {
    const body = { url: site.url('/'), formats: ['markdown', 'screenshot'] };
    const answer = await run.client.scrape(body);
    expect(answer.status).toBe(200);
    const picture = /http[^"]*screenshots[^"]*/.exec(answer.text)?.[0] ?? '';
    expect((await fetch(picture.replaceAll('\\u0026', '&'))).status).toBe(200);
    const plain = { url: site.url('/'), formats: ['markdown'] };
    for (let n = 0; n < 2; n++) expect((await run.client.scrape(plain)).status).toBe(200);
    const [cached] = await run.database.query({
      name: 'spec cached',
      text: 'SELECT count(*) > 0 AS "isCached" FROM page_cache',
    });
    expect(cached).toEqual({ isCached: true });
  }, 90_000);

  it('crawl and batch to the end, and release reserved credits', async () => {
    const { jobId } = await run.client.crawl({ url: site.url('/'), limit: 5 });
    expect(await run.client.waitForEnd(jobId)).toMatchObject({ status: 'completed' });
    const one = await run.client.crawl({ url: site.url('/'), limit: 5, maxDepth: 0 });
    expect(await run.client.waitForEnd(one.jobId)).toMatchObject({ pages_scraped: 1 });
    const urls = [site.url('/')];
    const batch = await run.client.call('POST', '/v1/batch', { urls, async: true });
    expect(batch.text.slice(0, 300)).toContain('jobId');
    const holds = `
      SELECT (SELECT count(*) FROM credit_holds)::int AS open,
             (SELECT count(*) > 0 FROM credit_transfers WHERE from_account = 'held') AS "isReturned"`;
    const { jobId: id } = batch.body as { jobId: string };
    expect(await run.client.waitForEnd(id)).toMatchObject({ status: 'completed' });
    expect(await run.database.query({ name: 'spec holds', text: holds })).toEqual([
      { open: 0, isReturned: true },
    ]);
    const results = await run.client.resultsSlice(jobId);
    expect(results.results.length).toBeGreaterThan(0);
  }, 90_000);

  it('enrich, with the technologies that the scanner sees', async () => {
    const answer = await run.client.enrich({ domain: site.url('/') });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ tech_meta: expect.objectContaining({ partial: false }) }),
    ]);
  }, 90_000);

  it('log no refused statement', () => {
    const refused = run.apps.flatMap(({ process }) =>
      process.log((line) => /permission denied for|AccessDenied/.test(JSON.stringify(line))),
    );
    expect(refused).toEqual([]);
  });

  it.each(REFUSED)('a fetcher may not: %s', async (statement) => {
    const client = new Client(run.fetcherDatabase);
    await client.connect();
    try {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('a scanner is ready without a database, and reads only pages to scan', async () => {
    const [, , scanner] = run.apps;
    const ready = await fetch(`${scanner?.metricsUrl}/health/ready?verbose`);
    expect(ready.status).toBe(200);
    const { dependencies } = (await ready.json()) as { dependencies: { name: string }[] };
    expect(dependencies.map(({ name }) => name).sort()).toEqual(['broker', 'scanners', 'storage']);
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
  }, 30_000);

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
  }, 30_000);
});
