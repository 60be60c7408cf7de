import { freePort } from '@app/processes';
import { startFolderSite, type SiteServer } from '@app/testing';
import { realSite } from '../setup/real-site.js';
import { deployEmbedded, type Deployment } from './deployment.js';
import type { SearchBody } from './search-run.js';
import { FolderIndex, SearxngInstance } from './searxng-instance.js';

/** Questions about the PostgreSQL manual, and the page that answers each. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['create table', 'sql-createtable.html'],
  ['row security policies', 'ddl-rowsecurity.html'],
  ['pg_dump', 'app-pgdump.html'],
  ['create policy', 'sql-createpolicy.html'],
  ['vacuum', 'sql-vacuum.html'],
  ['logical replication', 'logical-replication.html'],
];

describe('a real SearXNG over a local engine', () => {
  let site: SiteServer;
  let index: FolderIndex;
  let service: Deployment;
  let searxng: SearxngInstance;
  let port: number;

  beforeAll(async () => {
    site = await startFolderSite(realSite());
    index = await FolderIndex.start(realSite(), (file) => site.url(`/${file}`));
    port = await freePort();
    searxng = await SearxngInstance.start({
      port,
      engineUrl: index.url,
      formats: ['html', 'json'],
    });
    service = await deployEmbedded({
      env: { SEARCH_SEARXNG_URL: searxng.url, BROWSER_MAX: '0' },
    });
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    await searxng?.stop();
    await index?.close();
    await site?.close();
  });

  async function search(body: object): Promise<SearchBody> {
    const answer = await service.client.call('POST', '/v1/search', body);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    return answer.body as SearchBody;
  }

  const answersAll = async (): Promise<void> => {
    for (const [query, file] of QUESTIONS) {
      const { source, results } = await search({ query, limit: 5 });
      expect([query, source]).toEqual([query, 'html_provider_1']);
      expect([query, results.map(({ url }) => url)]).toEqual([
        query,
        expect.arrayContaining([site.url(`/${file}`)]),
      ]);
      expect(results[0]?.title).not.toBe('');
    }
  };

  it('answers real searches by its JSON', answersAll);

  it('has more than one page of results', async () => {
    const { results } = await search({ query: 'table', limit: 25 });
    expect(results.map(({ position }) => position)).toEqual(
      Array.from({ length: 25 }, (_, at) => at + 1),
    );
    expect(new Set(results.map(({ url }) => url)).size).toBe(25);
  });

  it('leads to pages that are scraped', async () => {
    const { results } = await search({ query: 'create policy', limit: 2, scrapeResults: true });
    expect(results[0]?.markdown).toContain('CREATE POLICY');
  });

  it('finds nothing honestly, and is incomplete when its engine is down', async () => {
    const words = { query: 'zxqv nowhere' };
    expect(await search(words)).toMatchObject({ error: 'no_results', source: 'html_provider_1' });
    index.isSilent = true;
    const answer = await service.client.call('POST', '/v1/search', { query: 'vacuum' });
    index.isSilent = false;
    expect([answer.status, answer.body]).toMatchObject([503, { error: 'search_unavailable' }]);
  });

  it('answers the same by its page of results when it refuses JSON, its default', async () => {
    await searxng.stop();
    searxng = await SearxngInstance.start({ port, engineUrl: index.url, formats: ['html'] });
    const refused = await fetch(`${searxng.url}/search?q=x&format=json`);
    expect(refused.status).toBe(403);
    await answersAll();
    expect(await search({ query: 'zxqv nowhere' })).toMatchObject({ error: 'no_results' });
  });
});
