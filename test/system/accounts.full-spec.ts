import { startFixtureSite, type FixtureSite } from '@app/testing';
import { startAccounts, type AccountsRun } from './accounts-run.js';

describe('processes with accounts of their own, as compose gives them (cluster)', () => {
  let run: AccountsRun;
  let site: FixtureSite;

  beforeAll(async () => {
    run = await startAccounts();
    site = await startFixtureSite();
  });
  afterAll(async () => {
    await run?.stop();
    await site?.close();
  });

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
  });

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
  });

  it('enrich, with the technologies that the scanner sees', async () => {
    const answer = await run.client.enrich({ domain: site.url('/') });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ tech_meta: expect.objectContaining({ partial: false }) }),
    ]);
  });

  it('log no refused statement', () => {
    const refused = run.apps.flatMap(({ process }) =>
      process.log((line) => /permission denied for|AccessDenied/.test(JSON.stringify(line))),
    );
    expect(refused).toEqual([]);
  });

  it('are ready, a scanner without a database', async () => {
    const [, , scanner] = run.apps;
    const ready = await fetch(`${scanner?.metricsUrl}/health/ready?verbose`);
    expect(ready.status).toBe(200);
    const { dependencies } = (await ready.json()) as { dependencies: { name: string }[] };
    expect(dependencies.map(({ name }) => name).sort()).toEqual(['broker', 'scanners', 'storage']);
  });
});
