import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';
import type { Fact, FactField, FactSource, Observation } from '../evidence/facts.js';
import { findBusinessById, findBusinessByDomain } from '../lookup/found-business.js';
import { resolveBusiness } from '../lookup/resolve-business.js';
import { forgetCompany } from '../privacy/opt-outs.js';
import { deleteTenantReadings, expireCompanyContacts } from '../privacy/expire-evidence.js';
import { listMerges, splitMerge } from './merge-rows.js';
import { writeObservations } from './write-observations.js';

let fresh: FreshDatabase;
let database: Database;
let tenantId: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  ({ database } = fresh);
  tenantId = (await createTenant(database, 'reader', 'pro')).id;
});
afterAll(() => fresh?.drop());
afterEach(async () => {
  await database.query({ name: 'clear_graph', text: 'TRUNCATE businesses CASCADE' });
  await database.query({ name: 'clear_optouts', text: 'DELETE FROM company_optouts' });
});

const NOON = new Date('2026-03-01T12:00:00Z');
const EVENING = new Date('2026-03-01T18:00:00Z');

type Values = Partial<Record<FactField, unknown>>;

function observation(
  values: Values,
  {
    site = null as string | null,
    source = (site ? 'enrich' : 'import:list') as FactSource,
    seenAt = NOON,
  } = {},
): Observation {
  const all = site === null ? values : { ...values, domain: site };
  const facts = Object.entries(all).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (one: unknown) =>
        ({ field, value: one, confidence: 0.8, url: site && `https://${site}/` }) as Fact,
    ),
  );
  return { source, seenAt, site, facts };
}

const write = (...observations: readonly Observation[]) =>
  writeObservations(database, observations, { tenantId });
const byDomain = (domain: string) => database.transaction((tx) => findBusinessByDomain(tx, domain));
const count = async (table: string): Promise<number> => {
  const text = `SELECT count(*)::int AS count FROM ${table}`;
  const [row] = await database.query<{ count: number }>({ name: `count_${table}`, text });
  return row?.count ?? 0;
};

const AUSTIN = { street: '12 Oak St', city: 'Austin', state: 'TX', zip: '78701' };
const ACME: Values = { name: 'Acme Dental LLC', location: AUSTIN, phone: '+15125550100' };

describe('writing observations', () => {
  it('stores the facts of a site under its domain, and fuses them', async () => {
    await write(observation({ ...ACME, tech: ['WordPress', 'nginx'] }, { site: 'acme.com' }));
    expect(await byDomain('acme.com')).toMatchObject({
      business: {
        domain: 'acme.com',
        name: 'Acme Dental LLC',
        location: AUSTIN,
        phone: '+15125550100',
        techStack: ['WordPress', 'nginx'],
      },
      sourceCount: 1,
      freshness: NOON,
    });
    expect(await byDomain('other.com')).toBeNull();
  });

  it('changes nothing when the same is written again, and renews what is seen again', async () => {
    const reading = observation(ACME, { site: 'acme.com' });
    const [first] = (await write(reading)).businessIds;
    expect(await write(reading)).toEqual({ businessIds: [first], created: 0, merged: 0 });
    const rows = await count('business_evidence');
    await write({ ...reading, seenAt: EVENING });
    expect(await count('business_evidence')).toBe(rows);
    expect((await byDomain('acme.com'))?.freshness).toEqual(EVENING);
  });

  it('adds an import to the site that it names, and others with one of its numbers', async () => {
    const employees = { least: 12 };
    const listed = { name: 'ACME DENTAL', location: AUSTIN, license: 'TX:77' };
    await write(observation(ACME, { site: 'acme.com' }));
    await write(observation({ ...listed, employees }));
    expect((await byDomain('acme.com'))?.business).not.toHaveProperty('employeeBand');
    const named = observation({ ...listed, domain: 'acme.com' }, { source: 'import:other' });
    expect(await write(named)).toMatchObject({ created: 0, merged: 1 });
    expect((await byDomain('acme.com'))?.business).toMatchObject({ employeeBand: '11-50' });
  });

  it('believes a site about itself, whatever others say', async () => {
    const listed = { ...ACME, phone: '+15125550999', logo: 'https://list.example/acme.png' };
    for (const source of ['import:a', 'import:b', 'import:c'] as const)
      await write(observation({ ...listed, domain: 'acme.com' }, { source, seenAt: EVENING }));
    expect((await byDomain('acme.com'))?.business).toMatchObject(listed);
    const logo = 'https://acme.com/logo.svg';
    await write(observation({ ...ACME, logo }, { site: 'acme.com' }));
    expect((await byDomain('acme.com'))?.business).toMatchObject({ logo, phone: ACME.phone });
  });

  it('makes another business of the same name elsewhere', async () => {
    await write(observation(ACME, { site: 'acme.com' }));
    const dallas = { street: '900 Elm St', city: 'Dallas', state: 'TX', zip: '75201' };
    await write(observation({ name: 'Acme Dental', location: dallas, phone: '+12145550199' }));
    expect(await count('businesses')).toBe(2);
  });

  it('lets the observations of one batch find each other', async () => {
    const result = await write(
      observation(ACME),
      observation({ ...ACME, uei: 'ABC123DEF456' }, { source: 'import:sam' }),
      observation({ name: 'Bee Plumbing', location: AUSTIN, phone: '+15125550777' }),
    );
    const [a, b, c] = result.businessIds;
    expect([a === b, a === c, result.created]).toEqual([true, false, 2]);
  });

  it('keeps all evidence when four write one business at the same time', async () => {
    const names = Array.from({ length: 24 }, (_, at) => `Tech ${at}`);
    await Promise.all(
      names.map((tech, at) =>
        write(
          observation({ ...ACME, tech }, { site: 'acme.com', source: at % 2 ? 'brand' : 'enrich' }),
        ),
      ),
    );
    expect(await count('businesses')).toBe(1);
    expect((await byDomain('acme.com'))?.business.techStack).toHaveLength(24);
  });

  it('bounds the statements of one field, and keeps the latest ones', async () => {
    for (const [at] of Array.from({ length: 130 }).entries())
      await write(
        observation(
          { name: `Name ${at}` },
          { site: 'acme.com', seenAt: new Date(NOON.getTime() + at) },
        ),
      );
    expect(await count('business_evidence')).toBeLessThanOrEqual(102);
    expect((await byDomain('acme.com'))?.business.name).toBe('Name 129');
  });
});

describe('merging and splitting', () => {
  const uei = 'ABC123DEF456';
  const mergeTwo = async () => {
    // Two records of one firm that share too little, until a third has the keys of both.
    await write(observation({ name: 'Acme Dental LLC', uei }, { source: 'import:sam' }));
    await write(observation({ name: 'Acme Dental', phone: '+15125550100' }, { site: 'acme.com' }));
    const before = await count('businesses');
    const result = await write(
      observation({ ...ACME, uei, domain: 'acme.com' }, { source: 'import:other' }),
    );
    return { before, result };
  };

  it('makes one of two businesses that an observation connects, found by the keys of both', async () => {
    const { before, result } = await mergeTwo();
    expect([before, result.merged]).toEqual([2, 1]);
    const found = await resolveBusiness(database, { uei });
    expect(found).toMatchObject({ id: (await byDomain('acme.com'))?.id, resolvedBy: 'uei' });
    const [merge] = await listMerges(database, { businessId: null, limit: 10 });
    expect(merge?.reasons).not.toEqual([]);
    const old = merge?.merged ?? '';
    const byOldId = await database.transaction((tx) => findBusinessById(tx, old));
    expect(byOldId?.id).toBe(merge?.kept);
  });

  it('splits a merge without losing evidence, and does not repeat it', async () => {
    await mergeTwo();
    const evidence = await count('business_evidence');
    const [merge] = await listMerges(database, { businessId: null, limit: 10 });
    expect(await splitMerge(database, merge?.id ?? '')).toEqual({
      kept: merge?.kept,
      merged: merge?.merged,
    });
    expect(await splitMerge(database, merge?.id ?? '')).toBeNull();
    expect(await count('business_evidence')).toBe(evidence);
    const sides = await Promise.all([resolveBusiness(database, { uei }), byDomain('acme.com')]);
    expect(new Set(sides.map((side) => (side as { id: string }).id)).size).toBe(2);
    await write(
      observation(
        { ...ACME, uei, domain: 'acme.com' },
        { source: 'import:other', seenAt: EVENING },
      ),
    );
    expect(await listMerges(database, { businessId: null, limit: 10 })).toHaveLength(1);
  });
});

describe('a business that was separated from another', () => {
  const [uei, license] = ['ABC123DEF456', 'TX:77'];
  /** The strongest of the three, so the group has its id. */
  const tech = Array.from({ length: 30 }, (_, at) => `Technology ${at}`);
  const third = observation({ name: 'Acme Dental', license, tech }, { source: 'import:tx' });
  /** Connect the third with the one, and with the other. */
  const toOne = observation({ name: 'Acme Dental LLC', uei, license }, { source: 'import:a' });
  const toOther = observation(
    { name: 'Acme Dental', license, phone: '+15125550100', domain: 'acme.com' },
    { source: 'import:b', seenAt: EVENING },
  );

  beforeEach(async () => {
    await write(observation({ name: 'Acme Dental LLC', uei }, { source: 'import:sam' }));
    await write(observation({ name: 'Acme Dental', phone: '+15125550100' }, { site: 'acme.com' }));
    await write(observation({ ...ACME, uei, domain: 'acme.com' }, { source: 'import:other' }));
    const [merge] = await listMerges(database, { businessId: null, limit: 10 });
    await splitMerge(database, merge?.id ?? '');
    await write(third);
  });

  it.each([
    ['in one write after the other', () => write(toOne).then(() => write(toOther))],
    ['in one batch', () => write(toOne, toOther)],
    ['in one batch, the other way', () => write(toOther, toOne)],
  ])('stays out of the group of a third that matches both, %s', async (_, connect) => {
    await connect();
    const merges = await listMerges(database, { businessId: null, limit: 10 });
    expect(merges.filter(({ splitAt }) => splitAt === null)).toHaveLength(1);
    const ofUei = await resolveBusiness(database, { uei });
    expect(ofUei).toMatchObject({ resolvedBy: 'uei' });
    expect(ofUei).not.toMatchObject({ id: (await byDomain('acme.com'))?.id });
  });
});

describe('resolving', () => {
  beforeEach(() =>
    write(observation({ ...ACME, license: 'TX:77', uei: 'U1' }, { site: 'acme.com' })),
  );

  it.each([
    [{ domain: 'acme.com', uei: 'other' }, 'domain'],
    [{ domain: 'unknown.com', uei: 'U1' }, 'uei'],
    [{ license: 'TX:77' }, 'license'],
    [{ phone: '+15125550100', name: 'x' }, 'phone'],
    [{ name: 'ACME Dental', zip: '78701', state: 'tx' }, 'name+state+zip'],
    [{ name: 'acme dental, l.l.c.', zip: '78701' }, 'name+zip'],
    [{ name: 'Acme Dental', state: 'TX' }, 'name+state'],
    [{ name: 'Acme Dentall', state: 'TX' }, 'name+state'],
    [{ name: 'Acme Dental' }, 'name'],
  ])('finds %j by %s', async (question, resolvedBy) => {
    expect(await resolveBusiness(database, question)).toMatchObject({ resolvedBy });
  });

  it.each([
    [{}, 'unknown'],
    [{ name: '!!!' }, 'unknown'],
    [{ name: 'Acme Dentall' }, 'unknown'],
    [{ name: 'Acme Dental', state: 'CA' }, 'unknown'],
    [{ name: 'Acme Dental', zip: '10001' }, 'unknown'],
  ])('has no answer for %j', async (question, why) => {
    expect(await resolveBusiness(database, question)).toBe(why);
  });

  it('has no answer when several businesses have the name', async () => {
    const place = { street: '900 Elm St', city: 'Dallas', state: 'TX', zip: '75201' };
    await write(observation({ name: 'Acme Dental', location: place, phone: '+12145550199' }));
    expect(await resolveBusiness(database, { name: 'Acme Dental' })).toBe('ambiguous');
    expect(await resolveBusiness(database, { name: 'Acme Dental', zip: '75201' })).toMatchObject({
      resolvedBy: 'name+zip',
    });
  });
});

describe('personal data', () => {
  const contacts: Values = { ...ACME, email: 'info@acme.com' };

  it('forgets a company by its domain, and stores nothing of it again', async () => {
    await write(observation(contacts, { site: 'acme.com' }));
    const forgotten = await database.transaction((tx) =>
      forgetCompany(tx, { kind: 'domain', domain: 'www.ACME.com' }),
    );
    expect([forgotten, await count('businesses'), await count('business_evidence')]).toEqual([
      1, 0, 0,
    ]);
    expect(await write(observation(contacts, { site: 'acme.com' }))).toEqual({
      ...{ businessIds: [null], created: 0, merged: 0 },
    });
    expect(await byDomain('acme.com')).toBeNull();
  });

  it('forgets what names the company, and separates what that had joined', async () => {
    const uei = 'ABC123DEF456';
    const sam = { name: 'Acme Dental LLC', location: AUSTIN, uei };
    await write(observation(contacts, { site: 'acme.com' }));
    await write(observation({ ...ACME, uei, domain: 'acme.com' }, { source: 'import:other' }));
    await write(observation({ ...sam, license: 'TX:77' }, { source: 'import:sam' }));
    expect((await byDomain('acme.com'))?.business).toMatchObject({ uei, domain: 'acme.com' });
    const forgotten = { kind: 'domain', domain: 'acme.com' } as const;
    await database.transaction((tx) => forgetCompany(tx, forgotten));
    expect(await byDomain('acme.com')).toBeNull();
    const left = await resolveBusiness(database, { license: 'TX:77' });
    expect(left).toMatchObject({ business: sam, resolvedBy: 'license' });
    expect(left).not.toHaveProperty('business.phone');
  });

  it('forgets an address, and stores it of no company again', async () => {
    const reading = observation(contacts, { site: 'acme.com' });
    await write(reading);
    const email = 'Info@acme.com';
    expect(await database.transaction((tx) => forgetCompany(tx, { kind: 'email', email }))).toBe(1);
    await write({ ...reading, seenAt: EVENING });
    expect((await byDomain('acme.com'))?.business).not.toHaveProperty('email');
    expect((await byDomain('acme.com'))?.business.phone).toBe('+15125550100');
  });

  it('lets contacts expire, and keeps the other facts', async () => {
    await write(observation(contacts, { site: 'acme.com' }));
    expect(await expireCompanyContacts(database, { before: NOON, limit: 10 })).toBe(0);
    expect(await expireCompanyContacts(database, { before: EVENING, limit: 10 })).toBe(2);
    const found = await byDomain('acme.com');
    expect(Object.keys(found?.business ?? {})).toEqual(
      expect.not.arrayContaining(['phone', 'email']),
    );
    expect(found?.business.name).toBe('Acme Dental LLC');
    expect(await resolveBusiness(database, { phone: '+15125550100' })).toBe('unknown');
  });

  it("deletes with a tenant's data only what no other tenant read", async () => {
    const other = (await createTenant(database, 'other', 'pro')).id;
    await write(observation(ACME, { site: 'acme.com' }));
    await write(observation({ name: 'Bee' }, { site: 'bee.com' }));
    await writeObservations(database, [observation({ name: 'Bee' }, { site: 'bee.com' })], {
      tenantId: other,
    });
    await write(observation({ description: 'Mine' }, { site: 'bee.com', source: 'brand' }));
    await writeObservations(
      database,
      [observation({ uei: 'U9', name: 'Acme Dental', location: AUSTIN })],
      {
        tenantId: null,
      },
    );
    expect(await deleteTenantReadings(database, { tenantId, until: new Date(), limit: 100 })).toBe(
      3,
    );
    expect((await byDomain('bee.com'))?.business).toMatchObject({ name: 'Bee' });
    expect((await byDomain('bee.com'))?.business).not.toHaveProperty('description');
    expect(await byDomain('acme.com')).toBeNull();
    expect(await resolveBusiness(database, { uei: 'U9' })).toMatchObject({ resolvedBy: 'uei' });
  });
});
