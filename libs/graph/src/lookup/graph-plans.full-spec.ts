import { Database, type Statement } from '@app/database';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { ExplainingDatabase } from '../../../database/test/explaining-database.js';
import { fillGraph } from '../../test/fill-graph.js';
import { observationOfEnrichment } from '../evidence/site-observation.js';
import { forgetCompany } from '../privacy/opt-outs.js';
import { writeObservations } from '../store/write-observations.js';
import { findBusinessById } from './found-business.js';
import { PAGE_OF_FEW, PAGE_OF_MANY, queryBusinesses } from './query-businesses.js';
import { resolveBusiness } from './resolve-business.js';

const BUSINESSES = 40_000;

/** By statement: the index that finds its rows, however many businesses there are. */
const INDEXES: Readonly<Record<string, string>> = {
  find_business_by_domain: 'business_keys_pkey',
  find_business_by_key: 'business_keys_pkey',
  find_business_by_id: 'businesses_pkey',
  resolve_business_by_name: 'businesses_name',
  resolve_business_by_similar_name_in_state: 'businesses_name_start',
  resolve_business_by_similar_name_in_zip: 'businesses_zip',
  count_business_values: 'business_keys_pkey',
  forget_company_address: 'business_evidence_emails',
  read_business_evidence: 'business_evidence_pkey',
  lock_business_groups: 'businesses_merged',
  forget_company: 'business_keys_pkey',
  separate_business_members: 'businesses_merged',
};

/** A candidate is found by a key, by its name, or by a name alike in its ZIP code or state. */
const CANDIDATE_INDEXES = [
  'business_keys_pkey',
  'businesses_name',
  'businesses_zip',
  'businesses_name_start',
  'businesses_pkey',
  'business_merges_merged',
];

describe('the plans of statements over a graph of many businesses', () => {
  let fresh: FreshDatabase<ExplainingDatabase>;
  let database: ExplainingDatabase;

  beforeAll(async () => {
    fresh = await openFreshDatabase(ExplainingDatabase);
    ({ database } = fresh);
    await fresh.patiently(fillGraph(BUSINESSES));
  });
  afterAll(() => fresh?.drop());

  it('find businesses, and write a reading, by indexes', async () => {
    const reading = observationOfEnrichment(
      {
        ...{ domain: 'firm77.com', emails: [], phones: [], phoneNumbers: ['+12000000077'] },
        ...{ place: { city: 'Austin', state: 'TX', zip: '78701' }, socials: {}, team: [] },
        ...{ pagesCrawled: 1, homepage: {}, completeness: 0, tech: null, isByModel: false },
        brand: {
          ...{ domain: 'firm77.com', name: 'Firm 77', colors: [], fonts: [], socials: {} },
          ...{ confidence: 0.5, provenance: {}, reasons: [], freshness: '2026-03-01T00:00:00Z' },
        },
        latencyMs: 1,
      },
      new Date(),
    );
    if (reading === null) throw new Error('the reading has nothing for the graph');
    const { businessIds } = await writeObservations(database, [reading], { tenantId: null });
    await database.transaction((tx) => findBusinessById(tx, businessIds[0] ?? ''));
    await resolveBusiness(database, { domain: 'none.com', name: 'None at all', state: 'TX' });
    await resolveBusiness(database, { name: 'None at all', zip: '78701' });
    await resolveBusiness(database, { phone: '+12000000077' });
    await database.transaction((tx) => forgetCompany(tx, { kind: 'domain', domain: 'firm78.com' }));
    await database.transaction((tx) => forgetCompany(tx, { kind: 'email', email: 'a@firm79.com' }));
    for (const [name, index] of Object.entries(INDEXES))
      expect([name, database.plans.get(name)]).toEqual([name, expect.stringContaining(index)]);
    for (const index of CANDIDATE_INDEXES)
      expect(database.plans.get('read_business_candidates')).toContain(index);
    const scans = [...database.plans].filter(([, plan]) =>
      /Seq Scan on business|hashed SubPlan/.test(plan),
    );
    expect(scans).toEqual([]);
  });

  it.each<[string, Statement, readonly string[], string]>([
    ['a rare technology in a state', PAGE_OF_FEW, ['t:tech 190', 's:tx'], 'businesses_facets'],
    ['a state', PAGE_OF_FEW, ['s:al'], 'businesses_facets'],
    ['a technology that one of six uses', PAGE_OF_MANY, ['t:tech 0'], 'businesses_pkey'],
  ])('query %s by the index that fits it', async (_, statement, facets, index) => {
    const plain = new Database({
      url: database.url,
      poolSize: 1,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    await plain.connect();
    try {
      const values = [facets, null, null, null, '00000000-0000-0000-0000-000000000000', 51];
      expect(await planOf(plain, statement, values)).toContain(index);
      const criteria = { tech: ['Tech 190'], techAny: [], notTech: [], state: 'TX' };
      const page = await queryBusinesses(plain, criteria, { limit: 200, after: null });
      expect(page).toMatchObject({ isEstimated: false, count: page.businesses.length });
    } finally {
      await plain.close();
    }
  });
});

/** The plan for these values, as queries are planned. */
async function planOf(
  database: Database,
  { text }: Statement,
  values: readonly unknown[],
): Promise<string> {
  return database.transaction(async (tx) => {
    await tx.query("SET LOCAL plan_cache_mode = 'force_custom_plan'");
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
