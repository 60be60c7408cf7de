import type { ConnectorSources } from '../src/port/connector-sources.js';

const BUSINESSES = 250;
const PAGE = 100;

/** Sources with data for every connector, and nothing behind them. */
export function fakeConnectorSources(): ConnectorSources {
  return {
    findBusinesses({ from }) {
      const page = from?.page ?? 1;
      const first = (page - 1) * PAGE;
      const businesses = Array.from({ length: Math.min(PAGE, BUSINESSES - first) }, (_, at) => ({
        name: `Business ${first + at}`,
        phone: `(512) 555-${String(1_000 + first + at)}`,
        page: `https://source.example/${first + at}`,
        ...(at % 2 === 0 ? { rating: 4.5, website: `https://b${first + at}.example/` } : {}),
      }));
      const isLast = first + PAGE >= BUSINESSES;
      const next = isLast ? null : { source: 'fake', page: page + 1 };
      return Promise.resolve({ businesses, next, costMicroUsd: 10_000, isMock: false });
    },
    readListing: (url) =>
      Promise.resolve(
        url.endsWith('/none')
          ? null
          : {
              ...{
                name: `Listing of ${url}`,
                phone: '(512) 555-1000',
                url: 'https://other.example/',
              },
              ...{ _completeness: 0.5, _confidence: 0.5, _extraction_method: 'json-ld' as const },
              _provenance: {},
            },
      ),
    readCompany: (domain) =>
      Promise.resolve({
        ...{ domain, title: `The ${domain}`, description: null, emails: [`a@${domain}`] },
        ...{ phones: ['555 1000'], socials: { linkedin: `https://l.example/${domain}` } },
        team: [{ name: 'Ada', role: 'CEO' }, { name: 'Bob' }],
        technologies: [
          { name: 'WordPress', category: 'CMS', confidence: 1, version: '6.1' },
          { name: 'Stripe', category: 'Payment', confidence: 0.8 },
        ],
      }),
    mapSite: (url, { limit }) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, 30) }, (_, at) => new URL(`/p/${at}`, url).href),
      ),
    searchWeb: ({ limit }) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, 25) }, (_, at) => ({
          url: `https://found.example/${at}`,
          title: `Title ${at}`,
          snippet: 'Text',
        })),
      ),
    fetchPage: (url) => Promise.resolve({ url, html: '<p>x</p>', markdown: 'x' }),
  };
}
