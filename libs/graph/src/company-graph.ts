import {
  lockContacts,
  readingOf,
  storable,
  type CompanyContacts,
  type CompanySource,
} from './company-contacts.js';
import { run, type Statement, type Database } from '@app/database';

export type { CompanySource };

/** One reading of a company with the facts it found. */
export interface CompanyFacts {
  /** Without protocol, `www.` and port. */
  readonly domain: string;
  readonly source: CompanySource;
  readonly readAt: Date;
  readonly name?: string;
  readonly industry?: { readonly naics: string; readonly title: string };
  /** Names of technologies; an empty list means that none are known. */
  readonly techStack?: readonly string[];
  readonly city?: string;
  readonly state?: string;
  readonly employeeBand?: string;
  /** Contact data of people there; absent: the reading has none. */
  readonly contacts?: CompanyContacts;
  /** The complete reading except its contacts, as JSON. */
  readonly record: object;
}

/** A company in the graph. */
export interface GraphCompany {
  readonly domain: string;
  readonly name: string | null;
  readonly industry: string | null;
  readonly naics: string | null;
  readonly techStack: readonly string[];
  readonly city: string | null;
  readonly state: string | null;
  readonly employeeBand: string | null;
  readonly freshness: Date;
  readonly sourceCount: number;
  /** The last reading of each source. */
  readonly record: Readonly<Partial<Record<CompanySource, unknown>>>;
  /**
   * Of the last reading with contacts, by any tenant's request; null: there are none, or they have expired.
   */
  readonly contacts: CompanyContacts | null;
}

/** Columns that a reading may set, each separately; industry and naics belong together. */
const FACTS = [
  'name',
  'industry',
  'naics',
  'tech_stack',
  'city',
  'state',
  'employee_band',
] as const;

/** A fact replaces one of the same time or earlier; facts that a reading lacks are kept. */
const factOf = (column: (typeof FACTS)[number]): string => `
      ${column} = CASE WHEN excluded.fact_times ? '${column}' AND ${isNewer(column)}
        THEN excluded.${column} ELSE companies.${column} END`;

function isNewer(fact: string): string {
  return `coalesce((companies.fact_times ->> '${fact}')::timestamptz, '-infinity') <= excluded.freshness`;
}

/** The reading that is stored for its source already: a repeated write does not count. */
const IS_KNOWN = `coalesce((companies.record -> $11 ->> 'readAt')::timestamptz = excluded.freshness, false)`;
const IS_SOURCE_NEWER = `coalesce((companies.record -> $11 ->> 'readAt')::timestamptz, '-infinity') <= excluded.freshness`;

const REMEMBER: Statement = {
  name: 'remember_company',
  text: `
    INSERT INTO companies (domain, name, industry, naics, tech_stack, city, state, employee_band,
                           fact_times, freshness, record)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
            $9, $10, jsonb_build_object($11::text, $12::jsonb))
    ON CONFLICT (domain) DO UPDATE SET ${FACTS.map(factOf).join(',')},
      fact_times = companies.fact_times || (
        SELECT coalesce(jsonb_object_agg(key, value), '{}')
        FROM jsonb_each(excluded.fact_times)
        WHERE coalesce((companies.fact_times ->> key)::timestamptz, '-infinity') <= excluded.freshness),
      freshness = greatest(companies.freshness, excluded.freshness),
      source_count = companies.source_count + CASE WHEN ${IS_KNOWN} THEN 0 ELSE 1 END,
      record = companies.record || CASE WHEN ${IS_SOURCE_NEWER} THEN excluded.record ELSE '{}' END`,
};

const RECALL: Statement = {
  name: 'recall_company',
  text: `
    SELECT domain, name, industry, naics, tech_stack AS "techStack", city, state,
           employee_band AS "employeeBand", freshness, source_count AS "sourceCount", record,
           (SELECT r.contacts FROM company_readings r WHERE r.domain = c.domain AND r.contacts IS NOT NULL
            ORDER BY r.read_at DESC LIMIT 1) AS contacts
    FROM companies c WHERE domain = $1`,
};

/**
 * Merges a tenant's reading into the graph. Each fact is the most recent one: an older reading fills gaps and
 * replaces nothing. The same reading written twice counts once. Contacts are stored for that tenant. Nothing is
 * written of a company that opted out; an address that opted out is left out with its person.
 */
export async function rememberCompany(
  database: Database,
  tenantId: string,
  facts: CompanyFacts,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockContacts(tx, 'write');
    const reading = await readingOf(tx, { ...facts, tenantId });
    if (reading === null) return;
    await run(tx, REMEMBER, valuesOf(facts));
    await reading.write();
  });
}

function valuesOf(facts: CompanyFacts): readonly unknown[] {
  const { domain, source, readAt, name, industry, techStack = [], city, state } = facts;
  const { employeeBand } = facts;
  const values = {
    name,
    industry: industry?.title,
    naics: industry?.naics,
    tech_stack: techStack.length === 0 ? undefined : techStack,
    city,
    state,
    employee_band: employeeBand,
  } satisfies Record<(typeof FACTS)[number], unknown>;
  const said = FACTS.filter((fact) => values[fact] !== undefined);
  const times = Object.fromEntries(said.map((fact) => [fact, readAt.toISOString()]));
  const columns = FACTS.map(
    (fact) => storable(values[fact]) ?? (fact === 'tech_stack' ? [] : null),
  );
  const record = storable({ ...facts.record, readAt: readAt.toISOString() });
  return [
    storable(domain),
    ...columns,
    JSON.stringify(times),
    readAt,
    source,
    JSON.stringify(record),
  ];
}

/** A company of the graph, or null. */
export async function recallCompany(
  database: Database,
  domain: string,
): Promise<GraphCompany | null> {
  const [row] = await database.query<GraphCompany & Record<string, unknown>>(RECALL, [domain]);
  return row ?? null;
}
