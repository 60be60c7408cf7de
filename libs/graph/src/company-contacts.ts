import { createHash } from 'node:crypto';
import {
  run,
  type Queryable,
  type Statement,
  type Database,
  type SweepOptions,
  type TenantData,
} from '@app/database';

/** The source a company was read from. */
export type CompanySource = 'brand' | 'enrich';

/** Contact data of people at a company. */
export interface CompanyContacts {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly team: readonly CompanyPerson[];
}

export interface CompanyPerson {
  readonly name: string;
  readonly role?: string;
  readonly email?: string;
}

/** The fields of a tenant's reading that matter here. */
interface Reading {
  readonly domain: string;
  readonly tenantId: string;
  readonly source: CompanySource;
  readonly readAt: Date;
  readonly contacts?: CompanyContacts;
}

/**
 * Shared by any number of writers of readings; exclusive for deletions: no reading is written between the steps
 * of a deletion.
 */
const LOCK = 7_261_774_197;

const LOCK_TO: Readonly<Record<'write' | 'remove', Statement>> = {
  write: {
    name: 'lock_company_readings_shared',
    text: `SELECT pg_advisory_xact_lock_shared(${LOCK})`,
  },
  remove: { name: 'lock_company_readings', text: `SELECT pg_advisory_xact_lock(${LOCK})` },
};

/** Held until the end of the transaction. */
export async function lockContacts(tx: Queryable, to: keyof typeof LOCK_TO): Promise<void> {
  await run(tx, LOCK_TO[to], []);
}

/** A company by its domain, or the person with an e-mail address. */
export type OptOut =
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'email'; readonly email: string };

/** The stored form of an opt-out: it recognises a repeated request, and identifies no one. */
export function optOutHash(one: OptOut): Buffer {
  const text = one.kind === 'domain' ? one.domain : one.email;
  return createHash('sha256').update(`${one.kind}:${text.trim().toLowerCase()}`).digest();
}

const OPTED_OUT: Statement = {
  name: 'company_optouts_of',
  text: `SELECT encode(hash, 'hex') AS hash FROM company_optouts WHERE hash = ANY ($1::bytea[])`,
};
const KEEP: Statement = {
  name: 'keep_company_reading',
  text: `
    INSERT INTO company_readings AS r (domain, tenant_id, source, read_at, contacts)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (domain, source, tenant_id) DO UPDATE SET
      read_at = greatest(r.read_at, excluded.read_at),
      contacts = CASE WHEN r.read_at <= excluded.read_at THEN excluded.contacts ELSE r.contacts END`,
};

/** The part of a reading that may be stored; null: the company may not be stored. */
export async function readingOf(
  tx: Queryable,
  reading: Reading,
): Promise<{ write(): Promise<void> } | null> {
  const { domain, tenantId, source, readAt, contacts } = reading;
  const addresses = contacts ? addressesOf(contacts) : [];
  const asked = [domainOptout(domain), ...addresses.map(emailOptout)];
  const rows = await run<{ hash: string }>(tx, OPTED_OUT, [asked]);
  const hidden = new Set(rows.map(({ hash }) => hash));
  if (hidden.has(domainOptout(domain).toString('hex'))) return null;
  const kept = contacts && withoutHidden(contacts, hidden);
  const text = kept && hasContacts(kept) ? JSON.stringify(storable(kept)) : null;
  return {
    write: async () =>
      void (await run(tx, KEEP, [storable(domain), tenantId, source, readAt, text])),
  };
}

function domainOptout(domain: string): Buffer {
  return optOutHash({ kind: 'domain', domain });
}

function emailOptout(email: string): Buffer {
  return optOutHash({ kind: 'email', email });
}

function addressesOf({ emails, team }: CompanyContacts): string[] {
  return [...emails, ...team.flatMap(({ email }) => (email === undefined ? [] : [email]))];
}

/** Without the opted-out addresses and the people they belong to. */
function withoutHidden(
  { emails, phones, team }: CompanyContacts,
  hidden: ReadonlySet<string>,
): CompanyContacts {
  const isKept = (email: string): boolean => !hidden.has(emailOptout(email).toString('hex'));
  return {
    emails: emails.filter(isKept),
    phones,
    team: team.filter(({ email }) => email === undefined || isKept(email)),
  };
}

function hasContacts({ emails, phones, team }: CompanyContacts): boolean {
  return emails.length + phones.length + team.length > 0;
}

const EXPIRE: Statement = {
  name: 'expire_company_contacts',
  text: `
    UPDATE company_readings r SET contacts = NULL
    FROM (SELECT domain, source, tenant_id FROM company_readings
          WHERE contacts IS NOT NULL AND read_at < $1 ORDER BY read_at LIMIT $2 FOR UPDATE SKIP LOCKED) old
    WHERE r.domain = old.domain AND r.source = old.source AND r.tenant_id = old.tenant_id
    RETURNING 1`,
};

/** Deletes contacts that no later reading has confirmed. Returns the number of readings. */
export async function expireCompanyContacts(
  database: Database,
  { before, limit }: SweepOptions,
): Promise<number> {
  return (await database.query(EXPIRE, [before, limit])).length;
}

const DELETE_READINGS: Statement = {
  name: 'delete_company_readings_of_tenant',
  text: `
    DELETE FROM company_readings r USING (
      SELECT domain, source FROM company_readings WHERE tenant_id = $1 AND read_at <= $2 LIMIT $3) own
    WHERE r.tenant_id = $1 AND r.domain = own.domain AND r.source = own.source
    RETURNING r.domain`,
};
/** Companies without a reading by another tenant's request. */
const DELETE_UNREAD: Statement = {
  name: 'delete_unread_companies',
  text: `DELETE FROM companies c WHERE domain = ANY ($1)
           AND NOT EXISTS (SELECT FROM company_readings r WHERE r.domain = c.domain)`,
};
/** For the other companies: complete readings of a source without another tenant's reading. */
const FORGET_SOURCES: Statement = {
  name: 'forget_unread_sources',
  text: `
    UPDATE companies c SET record = (
      SELECT coalesce(jsonb_object_agg(source, reading), '{}') FROM jsonb_each(c.record) AS t (source, reading)
      WHERE EXISTS (SELECT FROM company_readings r WHERE r.domain = c.domain AND r.source = t.source))
    WHERE domain = ANY ($1)`,
};

/** Deletes company data that only a tenant's requests read. Returns the number of deleted readings. */
export async function deleteTenantReadings(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  return database.transaction(async (tx) => {
    await lockContacts(tx, 'remove');
    const values = [tenantId, until, limit];
    const gone = await run<{ domain: string }>(tx, DELETE_READINGS, values);
    const domains = [...new Set(gone.map(({ domain }) => domain))];
    await run(tx, DELETE_UNREAD, [domains]);
    await run(tx, FORGET_SOURCES, [domains]);
    return gone.length;
  });
}

const INSERT_OPTOUT: Statement = {
  name: 'note_company_optout',
  text: 'INSERT INTO company_optouts (hash) VALUES ($1) ON CONFLICT DO NOTHING',
};
const FORGET_COMPANY: Statement = {
  name: 'forget_company',
  text: `
    WITH company AS (DELETE FROM companies WHERE domain = $1 RETURNING 1),
         reading AS (DELETE FROM company_readings WHERE domain = $1 RETURNING 1)
    SELECT greatest((SELECT count(*) FROM company), (SELECT count(*) FROM reading))::int AS forgotten`,
};
const FORGET_ADDRESS: Statement = {
  name: 'forget_company_address',
  text: `
    WITH changed AS (
      UPDATE company_readings SET contacts = contacts || jsonb_build_object(
        'emails', (SELECT coalesce(jsonb_agg(e ORDER BY n), '[]')
          FROM jsonb_array_elements_text(contacts -> 'emails') WITH ORDINALITY AS t (e, n) WHERE lower(e) <> $1),
        'team', (SELECT coalesce(jsonb_agg(m ORDER BY n), '[]')
          FROM jsonb_array_elements(contacts -> 'team') WITH ORDINALITY AS t (m, n)
          WHERE lower(m ->> 'email') IS DISTINCT FROM $1))
      WHERE contacts IS NOT NULL AND position($1 IN lower(contacts::text)) > 0
      RETURNING 1)
    SELECT count(*)::int AS forgotten FROM changed`,
};

/**
 * Deletes the data of a company, or of the person with an address, and prevents its return: only a hash remains.
 * Returns the number of changed readings.
 */
export async function forgetContacts(tx: Queryable, one: OptOut): Promise<number> {
  await lockContacts(tx, 'remove');
  await run(tx, INSERT_OPTOUT, [optOutHash(one)]);
  const [statement, text] =
    one.kind === 'domain' ? [FORGET_COMPANY, one.domain] : [FORGET_ADDRESS, one.email];
  const [row] = await run<{ forgotten: number }>(tx, statement, [text.trim().toLowerCase()]);
  return row?.forgotten ?? 0;
}

/** PostgreSQL stores neither NUL nor lone surrogates, and sites contain both. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [storable(key), storable(one)]),
  );
}
