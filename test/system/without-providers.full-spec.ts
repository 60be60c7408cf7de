import { htmlPage, startFixtureSite, type FixtureSite } from '@app/testing';
import { deployEmbedded, type Deployment } from './deployment.js';
import { PRICE_COLOUR_SCHEMA, serveShop, Shopper } from './reextract-run.js';

/** A service for which nothing is set up: no model, search backend or source of businesses, and no graph. */
describe('a service without providers', () => {
  let site: FixtureSite;
  let service: Deployment;

  beforeAll(async () => {
    site = await startFixtureSite();
    serveShop(site);
    service = await deployEmbedded({ env: { BROWSER_MAX: '0', GRAPH_ENABLED: 'false' } });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => site.reset());

  it('names the missing setting where a model is needed, fetches and charges nothing', async () => {
    const url = site.url('/shop/bakery');
    const { id, client } = await service.tenant();
    const answers = [
      await client.call('POST', '/v1/extract', { url, schema: PRICE_COLOUR_SCHEMA }),
      await client.scrape({ url, formats: ['json'] }),
      await client.scrape({ url, formats: ['summary'] }),
    ];
    for (const { status, text } of answers)
      expect([status, text]).toEqual([503, expect.stringContaining('LLM_BASE_URL')]);
    expect(site.totalRequests).toBe(0);
    const text = 'SELECT 1 FROM credit_ledger WHERE tenant_id = $1';
    expect(await service.database.query({ name: 'ledger', text }, [id])).toEqual([]);
    const listing = await client.call('POST', '/v1/extract', { url });
    expect(listing.body).toMatchObject({ data: { name: 'Corner Bakery' } });
  });

  it('extracts from stored pages what needs no model', async () => {
    const shopper = await Shopper.on(service);
    const { id } = await shopper.crawl(site.url('/shop'));
    for (const body of [{ schema: PRICE_COLOUR_SCHEMA }, { formats: ['summary'] }]) {
      const { status, text } = await shopper.asked(id, body);
      expect([status, text]).toEqual([503, expect.stringContaining('LLM_BASE_URL')]);
    }
    expect((await shopper.extract(id, {})).status).toBe('completed');
  });

  it('resolves by the site alone, and refuses what only the graph can answer', async () => {
    const organization = { '@context': 'https://schema.org', '@type': 'Dentist', name: 'Acme' };
    const body = `<script type="application/ld+json">${JSON.stringify(organization)}</script>`;
    site.serve({ '/': htmlPage({ title: 'Acme', body }) });
    const { client } = service;
    for (const _ of [1, 2])
      expect((await client.call('POST', '/v1/resolve', { domain: site.url() })).body).toMatchObject(
        { resolved: true, _resolved_by: 'live', _source_count: 1 },
      );
    const refused = [
      await client.call('POST', '/v1/resolve', { name: 'Acme' }),
      await client.call('POST', '/v1/graph/query', { state: 'TX' }),
      await client.call('GET', '/v1/graph/business/acme.com'),
    ];
    for (const { status, body: said } of refused)
      expect([status, said]).toMatchObject([503, { error: 'The company graph is disabled' }]);
  });

  it.each<[string, object, string]>([
    ['scraper', { connectorId: 'reviews', query: 'gyms in Bern' }, 'scraper_not_set_up'],
    ['web search', { connectorId: 'search_results', params: { query: 'x' } }, 'search_unavailable'],
  ])('refuses a preview that needs a %s, in the form for agents', async (_what, body, code) => {
    const answer = await service.client.call('POST', '/v1/preview', body);
    expect([answer.status, answer.body]).toMatchObject([503, { error: { code } }]);
  });
});
