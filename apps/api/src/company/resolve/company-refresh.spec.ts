import type { EnrichReply } from '@app/company';
import type { Observation } from '@app/graph';
import { until } from '@app/testing';
import { CompanyRefresh } from './resolve.service.js';

const ENRICHED: EnrichReply = {
  kind: 'enriched',
  enrichment: {
    ...{ domain: 'acme.com', emails: [], phones: [], phoneNumbers: [], place: {}, socials: {} },
    ...{ team: [], pagesCrawled: 1, homepage: {}, completeness: 0, tech: null, brand: null },
    ...{ isByModel: false, latencyMs: 1 },
  },
};

function setUp(read: (domain: string) => Promise<EnrichReply>) {
  const requested: string[] = [];
  const written: (Observation | null)[] = [];
  const log = { debug: () => undefined };
  const sites = {
    read: ([url]: readonly [string, ...string[]]) => {
      requested.push(url);
      return read(url);
    },
  };
  const graph = {
    remember: (_: string, observation: Observation | null) => {
      written.push(observation);
      return Promise.resolve(null);
    },
  };
  type Args = ConstructorParameters<typeof CompanyRefresh>;
  const refreshes = new CompanyRefresh(...([{ log }, sites, graph] as never as Args));
  return { refreshes, requested, written };
}

describe('CompanyRefresh', () => {
  it('reads stale companies one after the other, and writes what it read', async () => {
    const gate = Promise.withResolvers<EnrichReply>();
    const { refreshes, requested, written } = setUp(() => gate.promise);
    for (const domain of ['a.com', 'b.com', 'a.com'])
      expect(refreshes.add({ domain, tenantId: 't' })).toBe(true);
    expect(requested).toEqual(['https://a.com/']);
    gate.resolve(ENRICHED);
    await until(() => written.length === 2);
    expect(requested).toEqual(['https://a.com/', 'https://b.com/']);
    expect(written[0]).toMatchObject({ source: 'resolve', site: 'acme.com' });
  });

  it('goes on after a site that cannot be read', async () => {
    const { refreshes, requested, written } = setUp((url) =>
      url.includes('a.com') ? Promise.reject(new Error('draining')) : Promise.resolve(ENRICHED),
    );
    refreshes.add({ domain: 'a.com', tenantId: 't' });
    refreshes.add({ domain: 'b.com', tenantId: 't' });
    await until(() => written.length === 1);
    expect(requested).toHaveLength(2);
  });

  it('lets a hundred wait, and no more', () => {
    const { refreshes } = setUp(() => new Promise(() => undefined));
    const added = Array.from({ length: 101 }, (_, at) =>
      refreshes.add({ domain: `a${at}.com`, tenantId: 't' }),
    );
    expect(added.filter(Boolean)).toHaveLength(100);
  });

  it('starts nothing after shutdown', () => {
    const { refreshes, requested } = setUp(() => Promise.resolve(ENRICHED));
    refreshes.onApplicationShutdown();
    expect(refreshes.add({ domain: 'a.com', tenantId: 't' })).toBe(false);
    expect(requested).toEqual([]);
  });
});
