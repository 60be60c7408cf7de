import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { recallCompany, rememberCompany, type CompanyFacts } from './company-graph.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';

const MORNING = new Date('2026-03-01T08:00:00Z');
const NOON = new Date('2026-03-01T12:00:00Z');
const EVENING = new Date('2026-03-01T18:00:00Z');

const BRAND: CompanyFacts = {
  domain: 'acme.example',
  source: 'brand',
  readAt: NOON,
  name: 'Acme',
  industry: { naics: '621210', title: 'Offices of Dentists' },
  record: { name: 'Acme', colors: [] },
};

let fresh: FreshDatabase;
let database: Database;
let tenantId: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  ({ database } = fresh);
  tenantId = (await createTenant(database, 'reader', 'pro')).id;
}, 60_000);
afterAll(() => fresh?.drop());
afterEach(() => database.query({ name: 'clear_companies', text: 'DELETE FROM companies' }));

const found = () => recallCompany(database, 'acme.example');

describe('the company graph', () => {
  it('stores a reading', async () => {
    await rememberCompany(database, tenantId, BRAND);
    expect(await found()).toEqual({
      domain: 'acme.example',
      name: 'Acme',
      industry: 'Offices of Dentists',
      naics: '621210',
      techStack: [],
      city: null,
      state: null,
      employeeBand: null,
      freshness: NOON,
      sourceCount: 1,
      record: { brand: { name: 'Acme', colors: [], readAt: NOON.toISOString() } },
      contacts: null,
    });
    expect(await recallCompany(database, 'other.example')).toBeNull();
  });

  it('uses the newer values, keeps those that the newer reading lacks, and counts', async () => {
    await rememberCompany(database, tenantId, BRAND);
    await rememberCompany(database, tenantId, {
      domain: 'acme.example',
      source: 'enrich',
      readAt: EVENING,
      name: 'Acme Dental',
      techStack: ['WordPress'],
      city: 'Madison',
      state: 'WI',
      record: { pagesCrawled: 1 },
    });
    expect(await found()).toMatchObject({
      name: 'Acme Dental',
      naics: '621210',
      techStack: ['WordPress'],
      city: 'Madison',
      state: 'WI',
      freshness: EVENING,
      sourceCount: 2,
      record: { brand: { name: 'Acme' }, enrich: { pagesCrawled: 1 } },
    });
  });

  it('lets an older reading fill gaps and replace nothing', async () => {
    await rememberCompany(database, tenantId, BRAND);
    const older = {
      ...BRAND,
      readAt: MORNING,
      name: 'Old Acme',
      employeeBand: '1-10',
      record: { name: 'Old' },
    };
    await rememberCompany(database, tenantId, older);
    expect(await found()).toMatchObject({
      name: 'Acme',
      employeeBand: '1-10',
      freshness: NOON,
      sourceCount: 2,
      record: { brand: { name: 'Acme' } },
    });
  });

  it('judges each fact by when it was read, not by when the company last was', async () => {
    await rememberCompany(database, tenantId, { ...BRAND, readAt: MORNING, name: 'Morning' });
    await rememberCompany(database, tenantId, {
      domain: 'acme.example',
      source: 'enrich',
      readAt: EVENING,
      state: 'WI',
      record: {},
    });
    await rememberCompany(database, tenantId, { ...BRAND, readAt: NOON, name: 'Noon' });
    expect(await found()).toMatchObject({
      name: 'Noon',
      state: 'WI',
      freshness: EVENING,
      sourceCount: 3,
    });
  });

  it('counts the same reading once, however often it is written', async () => {
    await rememberCompany(database, tenantId, BRAND);
    await rememberCompany(database, tenantId, BRAND);
    expect((await found())?.sourceCount).toBe(1);
  });

  it('has the same result in any order of writes, and concurrently', async () => {
    const readings = [MORNING, NOON, EVENING].map((readAt, n) => ({
      ...BRAND,
      readAt,
      name: `Name ${n}`,
    }));
    await Promise.all(readings.toReversed().map((one) => rememberCompany(database, tenantId, one)));
    expect(await found()).toMatchObject({ name: 'Name 2', freshness: EVENING, sourceCount: 3 });
  });

  it('stores texts of sites that a database cannot hold unchanged', async () => {
    await rememberCompany(database, tenantId, {
      ...BRAND,
      name: 'A\0c\ud800me',
      record: { 'k\0': ['v\0'] },
    });
    expect(await found()).toMatchObject({ name: 'Ac\ufffdme', record: { brand: { k: ['v'] } } });
  });
});
