import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import {
  deleteTenantReadings,
  expireCompanyContacts,
  forgetContacts,
  type CompanyContacts,
  type OptOut,
} from './company-contacts.js';
import { recallCompany, rememberCompany, type CompanyFacts } from './company-graph.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';

const DAY_MS = 86_400_000;
const NOON = new Date('2026-03-01T12:00:00Z');
const later = (ms: number): Date => new Date(NOON.getTime() + ms);

const CONTACTS: CompanyContacts = {
  emails: ['info@acme.example', 'Jane.Doe@acme.example'],
  phones: ['+1 608 555 0100'],
  team: [{ name: 'Jane Doe', role: 'Owner', email: 'jane.doe@acme.example' }, { name: 'Bo Li' }],
};
const READING: CompanyFacts = {
  domain: 'acme.example',
  source: 'enrich',
  readAt: NOON,
  techStack: ['WordPress'],
  contacts: CONTACTS,
  record: { pagesCrawled: 3 },
};

let fresh: FreshDatabase;
let database: Database;
let mine: string;
let other: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  ({ database } = fresh);
  mine = (await createTenant(database, 'mine', 'pro')).id;
  other = (await createTenant(database, 'other', 'pro')).id;
}, 60_000);
afterAll(() => fresh?.drop());
afterEach(async () => {
  for (const table of ['companies', 'company_readings', 'company_optouts'])
    await database.query({ name: `clear ${table}`, text: `DELETE FROM ${table}` });
});

const remember = (over: Partial<CompanyFacts> = {}, tenantId = mine): Promise<void> =>
  rememberCompany(database, tenantId, { ...READING, ...over });
const found = (domain = 'acme.example') => recallCompany(database, domain);
const forget = (one: OptOut): Promise<number> =>
  database.transaction((tx) => forgetContacts(tx, one));
const erase = (tenantId: string, until = later(0)): Promise<number> =>
  deleteTenantReadings(database, { tenantId, until, limit: 100 });

/** The complete content of the tables of companies, as text. */
async function kept(): Promise<string> {
  const text = `SELECT coalesce((SELECT string_agg(c::text, ' ') FROM companies c), '') ||
    coalesce((SELECT string_agg(r::text, ' ') FROM company_readings r), '') ||
    coalesce((SELECT string_agg(o::text, ' ') FROM company_optouts o), '') AS all`;
  return (await database.query<{ all: string }>({ name: 'all of companies', text }))[0]?.all ?? '';
}

describe('contacts of companies', () => {
  it('are stored apart from the company record', async () => {
    await remember();
    expect(await found()).toMatchObject({
      contacts: CONTACTS,
      record: { enrich: { pagesCrawled: 3 } },
    });
    const text = `SELECT c::text AS row FROM companies c`;
    const [row] = await database.query<{ row: string }>({ name: 'rows of companies', text });
    expect(row?.row).not.toContain('@acme.example');
  });

  it('expire after their time, to the millisecond, and leave the company', async () => {
    await remember();
    expect(await expireCompanyContacts(database, { before: later(0), limit: 10 })).toBe(0);
    expect(await expireCompanyContacts(database, { before: later(1), limit: 10 })).toBe(1);
    expect(await found()).toMatchObject({ contacts: null, techStack: ['WordPress'] });
    expect(await kept()).not.toContain('@acme.example');
  });

  it('are kept by a reading that finds them again', async () => {
    await remember();
    await remember({ readAt: later(DAY_MS) });
    expect(await expireCompanyContacts(database, { before: later(DAY_MS), limit: 10 })).toBe(0);
    expect(await found()).toMatchObject({ contacts: CONTACTS });
  });

  it('are deleted when a later reading does not find them', async () => {
    await remember();
    const emails = ['info@acme.example'];
    await remember({ readAt: later(DAY_MS), contacts: { emails, phones: [], team: [] } });
    // Late writes of earlier readings change nothing.
    await remember();
    expect(await found()).toMatchObject({ contacts: { emails, team: [] } });
    expect(await kept()).not.toContain('Jane');
  });

  it('expire a bounded number at a time, the oldest first', async () => {
    await remember({ domain: 'b.example', readAt: later(1) });
    await remember({ domain: 'a.example' });
    expect(await expireCompanyContacts(database, { before: later(DAY_MS), limit: 1 })).toBe(1);
    expect(await found('a.example')).toMatchObject({ contacts: null });
    expect(await found('b.example')).toMatchObject({ contacts: CONTACTS });
  });
});

describe('the deletion of the data of a tenant', () => {
  it('deletes companies that no other tenant read', async () => {
    await remember();
    expect(await erase(mine)).toBe(1);
    expect(await found()).toBeNull();
    expect(await kept()).toBe('');
  });

  it('deletes the readings of the tenant, and keeps those of another', async () => {
    await remember();
    await remember({ source: 'brand', record: { name: 'Acme' }, contacts: undefined }, other);
    expect(await erase(mine)).toBe(1);
    expect(await found()).toMatchObject({ contacts: null, record: { brand: { name: 'Acme' } } });
    expect((await found())?.record).not.toHaveProperty('enrich');
    expect(await kept()).not.toContain('@acme.example');
  });

  it('leaves contacts that another tenant read, too', async () => {
    await remember();
    await remember({ readAt: later(1) }, other);
    await erase(mine);
    expect(await found()).toMatchObject({ contacts: CONTACTS });
    await erase(other, later(1));
    expect(await found()).toBeNull();
  });

  it('deletes readings until then, and no later ones', async () => {
    await remember({ readAt: later(1) });
    expect(await erase(mine, later(0))).toBe(0);
    expect(await erase(mine, later(1))).toBe(1);
  });

  it('is done in parts', async () => {
    for (const domain of ['a.example', 'b.example', 'c.example']) await remember({ domain });
    const part = { tenantId: mine, until: NOON, limit: 2 };
    expect(await deleteTenantReadings(database, part)).toBe(2);
    expect(await deleteTenantReadings(database, part)).toBe(1);
    expect(await kept()).toBe('');
  });
});

describe('an opt-out', () => {
  it('of a company deletes it and prevents its return, whichever tenant reads it', async () => {
    await remember();
    expect(await forget({ kind: 'domain', domain: 'ACME.example' })).toBe(1);
    await remember();
    await remember({ source: 'brand' }, other);
    expect(await found()).toBeNull();
    expect(await kept()).not.toContain('acme');
  });

  it('of an address deletes it and its person, whatever its case, and leaves the others', async () => {
    await remember();
    await remember({}, other);
    const rest = {
      emails: ['info@acme.example'],
      phones: CONTACTS.phones,
      team: [{ name: 'Bo Li' }],
    };
    expect(await forget({ kind: 'email', email: ' JANE.DOE@acme.example ' })).toBe(2);
    expect(await found()).toMatchObject({ contacts: rest });
    await remember({ readAt: later(1) });
    expect(await found()).toMatchObject({ contacts: rest });
    expect((await kept()).toLowerCase()).not.toContain('jane');
  });

  it('can be noted before anything is known, and twice', async () => {
    expect(await forget({ kind: 'email', email: 'x@y.example' })).toBe(0);
    expect(await forget({ kind: 'email', email: 'x@y.example' })).toBe(0);
    expect(await kept()).not.toContain('y.example');
  });

  it('is kept also when readings are written at that moment', async () => {
    const writes = Array.from({ length: 20 }, (_, n) => remember({ readAt: later(n) }));
    await Promise.all([...writes, forget({ kind: 'domain', domain: 'acme.example' })]);
    expect(await found()).toBeNull();
  });
});
