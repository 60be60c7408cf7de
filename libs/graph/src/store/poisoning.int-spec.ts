import type { BrandReading, Enrichment } from '@app/company';
import { createTenant } from '@app/accounts';
import { Database, type Transaction } from '@app/database';
import { TookTooLongError, type Runtime } from '@app/runtime';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Fact, FactField, Observation } from '../evidence/facts.js';
import { observationOfBrand, observationOfEnrichment } from '../evidence/site-observation.js';
import { resolveBusiness, type BusinessQuestion } from '../lookup/resolve-business.js';
import { forgetCompany } from '../privacy/opt-outs.js';
import { rebuildGraph } from './graph-upkeep.js';
import { GraphWriter } from './graph-writer.js';
import { joinBusinesses } from './merge-rows.js';
import { writeObservations } from './write-observations.js';

const SEEN_AT = new Date('2026-03-01T12:00:00Z');
const [UEI, PHONE] = ['ABC123DEF456', '+15125550100'];
const ADDRESS = { street: '12 Oak St', city: 'Austin', state: 'TX', zip: '78701' };

/** Knows what is under way: a response does not wait long for its write, which goes on. */
class WatchedDatabase extends Database {
  private readonly underWay = new Set<Promise<unknown>>();

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const ended = super.transaction(work);
    this.underWay.add(ended);
    return ended.finally(() => this.underWay.delete(ended));
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }
}

let fresh: FreshDatabase<WatchedDatabase>;
let database: WatchedDatabase;
let writer: GraphWriter;
let tenantId: string;

beforeAll(async () => {
  fresh = await openFreshDatabase(WatchedDatabase);
  ({ database } = fresh);
  tenantId = (await createTenant(database, 'attacker', 'free')).id;
  const metrics = { graphChanges: { inc: () => undefined } };
  const log = { warn: ({ err }: { err: unknown }) => expect(err).toBeInstanceOf(TookTooLongError) };
  const runtime = { database, settings: { graphEnabled: true }, metrics, log };
  writer = new GraphWriter(runtime as unknown as Runtime);
});
afterAll(() => fresh?.drop());
afterEach(async () => {
  await database.query({ name: 'clear_graph', text: 'TRUNCATE businesses CASCADE' });
  await database.query({ name: 'clear_optouts', text: 'DELETE FROM company_optouts' });
});

const BRAND = {
  name: 'Acme Dental',
  description: 'Teeth since 1990.',
  logo: 'https://acme.com/logo.svg',
  socials: { linkedin: 'https://www.linkedin.com/company/acme-dental' },
  freshness: SEEN_AT.toISOString(),
} as unknown as BrandReading;
const PAGES = {
  phoneNumbers: [PHONE],
  emails: ['info@acme.com'],
  tech: null,
  place: ADDRESS,
  socials: {},
  homepage: {},
} as unknown as Enrichment;

/** What the site of a domain states: as that of the victim, unless it says otherwise. */
function siteOf(
  domain: string,
  pages: Partial<Enrichment> = {},
  brand: object = {},
): Observation | null {
  const own = { ...BRAND, domain, ...brand } as BrandReading;
  return observationOfEnrichment({ ...PAGES, domain, ...pages, brand: own }, SEEN_AT);
}

function importOf(values: Partial<Record<FactField, unknown>>): Observation {
  const facts = Object.entries(values).map(
    ([field, value]) => ({ field, value, confidence: 0.9, url: null }) as Fact,
  );
  return { source: 'import:list', seenAt: SEEN_AT, site: null, facts };
}

/** As the API writes a site that a tenant has read, and the operator a row of a file. */
async function tell(observation: Observation | null): Promise<void> {
  if (observation?.source.startsWith('import:'))
    await writeObservations(database, [observation], { tenantId: null });
  else await writer.remember(tenantId, observation);
  await database.idle();
}

const NOTHING = { phoneNumbers: [], emails: [], place: {} };
const OTHER = { name: 'Evil Corp', socials: {}, logo: 'https://evil.com/logo.svg' };
const LISTED = { name: 'ACME DENTAL LLC', location: ADDRESS, phone: PHONE, uei: UEI };

/** What anyone with a key, or a line in a public directory, can have read. */
const ATTACKS: readonly (readonly [string, readonly (Observation | null)[]])[] = [
  ['its name and number', [siteOf('evil.com', { emails: [], place: {} })]],
  ['its name and address', [siteOf('evil.com', { emails: [], phoneNumbers: [] })]],
  ['its number and address, under another name', [siteOf('evil.com', {}, OTHER)]],
  ['its profiles', [siteOf('evil.com', NOTHING, { ...OTHER, socials: BRAND.socials })]],
  ['its logo', [siteOf('evil.com', NOTHING, { ...OTHER, logo: BRAND.logo })]],
  ['a copy of its page', [siteOf('evil.com')]],
  ['its page, by a redirect', [observationOfBrand({ ...BRAND, domain: 'evil.com' })]],
  ['its number, on a parked domain', [siteOf('evil.com', { ...NOTHING, phoneNumbers: [PHONE] })]],
  ['other facts, below its domain', [siteOf('blog.acme.com', {}, OTHER)]],
  ['its name and number, on a host of many', [siteOf('facebook.com')]],
  ['a copy of its page, on a dozen domains', aDozenCopies()],
  [
    'its name and number, in a directory',
    [importOf({ ...LISTED, uei: 'XYZ123XYZ123', domain: 'evil.com' }), siteOf('evil.com')],
  ],
];

function aDozenCopies(): readonly (Observation | null)[] {
  return Array.from({ length: 12 }, (_, at) => siteOf(`evil${at}.com`));
}

/** What is true, and the questions whose answers must not change. */
const VICTIMS: readonly (readonly [string, readonly Observation[], readonly BusinessQuestion[]])[] =
  [
    ['a site', [siteOf('acme.com') as Observation], [{ domain: 'acme.com' }]],
    [
      'a site and an import that names it',
      [siteOf('acme.com') as Observation, importOf({ ...LISTED, domain: 'acme.com' })],
      [{ domain: 'acme.com' }, { uei: UEI }, { phone: PHONE }],
    ],
    ['an import alone', [importOf(LISTED)], [{ uei: UEI }, { phone: PHONE }]],
  ];

describe.each(VICTIMS)(
  'what is said of a business that is known by %s',
  (_what, facts, questions) => {
    const answers = async (): Promise<readonly unknown[]> =>
      Promise.all(
        questions.map(async (question) => {
          const found = await resolveBusiness(database, question);
          return typeof found === 'string' ? found : found.business;
        }),
      );
    const alone = async (): Promise<readonly unknown[]> => {
      for (const fact of facts) await tell(fact);
      const said = await answers();
      await database.query({ name: 'clear_graph', text: 'TRUNCATE businesses CASCADE' });
      expect(said).not.toContain('unknown');
      return said;
    };

    it.each(ATTACKS)('does not change when another site states %s', async (_attack, claims) => {
      const expected = await alone();
      for (const [first, second] of [
        [facts, claims],
        [claims, facts],
      ] as const) {
        for (const one of [...first, ...second, ...first]) await tell(one);
        // A number that two imports list has no answer, rather than that of another business.
        const said = (await answers()).map((one, at) => (one === 'ambiguous' ? expected[at] : one));
        expect(said).toEqual(expected);
        await database.transaction((tx) =>
          forgetCompany(tx, { kind: 'domain', domain: 'evil.com' }),
        );
        expect(await answers()).toEqual(expected);
        await database.query({ name: 'clear_graph', text: 'TRUNCATE businesses CASCADE' });
        await database.query({ name: 'clear_optouts', text: 'DELETE FROM company_optouts' });
      }
    });
  },
);

describe('two sites', () => {
  const idOf = async (question: BusinessQuestion): Promise<string> => {
    const found = await resolveBusiness(database, question);
    return typeof found === 'string' ? found : found.id;
  };

  it('that state one number are no answer to it', async () => {
    await tell(siteOf('acme.com'));
    await tell(siteOf('evil.com'));
    expect(await idOf({ phone: PHONE })).toBe('ambiguous');
  });

  it('are one business when an operator says so, also after a rebuild', async () => {
    await tell(siteOf('acme.com'));
    await tell(siteOf('acme-dental.com'));
    const domains = ['acme.com', 'acme-dental.com'];
    const ids = await Promise.all(domains.map((domain) => idOf({ domain })));
    const [kept = '', merged = ''] = ids;
    expect(await joinBusinesses(database, [kept, merged])).toBe(true);
    expect(await joinBusinesses(database, [kept, kept])).toBe(false);
    await rebuildGraph(database);
    await tell(siteOf('acme-dental.com'));
    expect(await Promise.all(domains.map((domain) => idOf({ domain })))).toEqual([kept, kept]);
    expect(await idOf({ phone: PHONE })).toBe(kept);
  });

  it('and records that a registration number joins stay one after a rebuild', async () => {
    const license = 'TX:77';
    await tell(importOf({ name: LISTED.name, location: ADDRESS, uei: UEI, license }));
    await tell(siteOf('acme.com'));
    await tell(importOf({ ...LISTED, domain: 'acme.com' }));
    const acme = await idOf({ domain: 'acme.com' });
    expect(await idOf({ license })).toBe(acme);
    await rebuildGraph(database);
    expect(await idOf({ license })).toBe(acme);
  });

  it('that an earlier version had joined are separated by a rebuild, each with what it states', async () => {
    await tell(siteOf('acme.com'));
    await tell(importOf({ ...LISTED, domain: 'acme.com' }));
    await tell(siteOf('evil.com', {}, { ...OTHER, name: 'Acme Dental' }));
    const kept = await idOf({ domain: 'acme.com' });
    const taken = await idOf({ domain: 'evil.com' });
    for (const table of ['business_evidence', 'business_readers', 'business_keys'])
      await database
        .query(
          {
            name: `join_${table}`,
            text: `UPDATE ${table} SET business_id = $1 WHERE business_id = $2`,
          },
          [kept, taken],
        )
        .catch(() => undefined);
    await database.query({ name: 'drop_taken', text: 'DELETE FROM businesses WHERE id = $1' }, [
      taken,
    ]);
    await rebuildGraph(database);
    const acme = await resolveBusiness(database, { domain: 'acme.com' });
    expect(acme).toMatchObject({ id: kept, business: { domain: 'acme.com', logo: BRAND.logo } });
    const evil = await resolveBusiness(database, { domain: 'evil.com' });
    expect(evil).toMatchObject({ business: { domain: 'evil.com', logo: OTHER.logo } });
    expect(await idOf({ uei: UEI })).toBe(kept);
  });
});
