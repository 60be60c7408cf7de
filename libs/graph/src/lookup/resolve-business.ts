import { run, type Database, type Queryable, type Statement } from '@app/database';
import { MAX_NEIGHBORS } from '../match/candidate-keys.js';
import { nameKey } from '../match/name-key.js';
import { zipKey } from '../match/places/comparable-place.js';
import {
  BUSINESS_COLUMNS,
  findBusinessByDomain,
  findBusinessByKey,
  type FoundBusiness,
  type Unresolved,
} from './found-business.js';

/** What a business is asked for by; each absent or not empty. */
export interface BusinessQuestion {
  /** Registrable domain. */
  readonly domain?: string;
  readonly uei?: string;
  /** `CA:12345` */
  readonly license?: string;
  /** E.164. */
  readonly phone?: string;
  readonly name?: string;
  readonly state?: string;
  readonly zip?: string;
}

/** How a business was found (specification: Company record, `_resolved_by`). */
export type ResolvedBy =
  'domain' | 'uei' | 'license' | 'phone' | 'name' | 'name+zip' | 'name+state' | 'name+state+zip';

/** The confidence of each way (specification: Company record). */
export const RESOLVED_CONFIDENCE: Readonly<Record<ResolvedBy, number>> = {
  domain: 0.9,
  uei: 0.9,
  license: 0.9,
  phone: 0.85,
  'name+state+zip': 0.7,
  'name+zip': 0.7,
  'name+state': 0.7,
  name: 0.7,
};

export interface ResolvedBusiness extends FoundBusiness {
  readonly resolvedBy: ResolvedBy;
  /** When a resolve request last read its site, or an import listed it; null: other operations found parts of it alone. */
  readonly readAt: Date | null;
}

type Resolved = Omit<ResolvedBusiness, 'readAt'>;

const READ_AT: Statement = {
  name: 'when_business_was_read',
  text: `
    SELECT max(last_seen) AS "readAt" FROM business_evidence
    WHERE business_id IN (SELECT $1::uuid UNION ALL SELECT id FROM businesses WHERE merged_into = $1)
      AND (source = 'resolve' OR starts_with(source, 'import:'))`,
};

const NUMBERS = ['uei', 'license', 'phone'] as const;

/** The business that a question names, by its strongest key first. */
export async function resolveBusiness(
  database: Database,
  question: BusinessQuestion,
): Promise<ResolvedBusiness | Unresolved> {
  return database.transaction(async (tx) => {
    const found = await resolveByStrongest(tx, question);
    if (typeof found === 'string') return found;
    const [row] = await run<{ readAt: Date | null }>(tx, READ_AT, [found.id]);
    return { ...found, readAt: row?.readAt ?? null };
  });
}

async function resolveByStrongest(
  tx: Queryable,
  question: BusinessQuestion,
): Promise<Resolved | Unresolved> {
  const { domain } = question;
  const ofDomain = domain === undefined ? null : await findBusinessByDomain(tx, domain);
  if (ofDomain) return { ...ofDomain, resolvedBy: 'domain' };
  let why: Unresolved = 'unknown';
  for (const kind of NUMBERS) {
    const value = question[kind];
    const found = value === undefined ? 'unknown' : await findBusinessByKey(tx, kind, value);
    if (typeof found !== 'string') return { ...found, resolvedBy: kind };
    if (found === 'ambiguous') why = found;
  }
  const named = await resolveByName(tx, question);
  return named === 'unknown' ? why : named;
}

const BY_NAME: Statement = {
  name: 'resolve_business_by_name',
  text: `
    SELECT ${BUSINESS_COLUMNS} FROM businesses b
    WHERE b.name_key = $1 AND b.merged_into IS NULL AND ($2::text IS NULL OR b.state = $2)
      AND ($3::text IS NULL OR b.zip = $3)
    ORDER BY b.evidence_count DESC, b.id LIMIT 2`,
};
/** Of the ZIP code; without one those of the state whose names begin alike. */
const similarName = (name: string, place: string): Statement => ({
  name,
  text: `
    SELECT ${BUSINESS_COLUMNS} FROM (
      SELECT * FROM businesses b WHERE ${place} AND b.name_key IS NOT NULL AND b.merged_into IS NULL
      LIMIT ${MAX_NEIGHBORS}) b
    WHERE similarity(b.name_key, $1) >= $4 AND ($2::text IS NULL OR b.state = $2) AND ($3::text IS NULL OR b.zip = $3)
    ORDER BY similarity(b.name_key, $1) DESC, b.id LIMIT 2`,
});
const BY_SIMILAR_NAME_IN_ZIP = similarName('resolve_business_by_similar_name_in_zip', 'b.zip = $3');
const BY_SIMILAR_NAME_IN_STATE = similarName(
  'resolve_business_by_similar_name_in_state',
  'b.state = $2 AND left(b.name_key, 3) = left($1, 3)',
);
/** Of the trigrams of two names. */
const LEAST_SIMILARITY = 0.7;

/** A misspelled name counts only with a place; several businesses of a name are no answer. */
async function resolveByName(
  tx: Queryable,
  { name, state, zip }: BusinessQuestion,
): Promise<Resolved | Unresolved> {
  const key = name === undefined ? '' : nameKey(name);
  if (key === '') return 'unknown';
  const resolvedBy = wayOf(state, zip);
  const values = [key, state?.toUpperCase() ?? null, zip === undefined ? null : zipKey(zip)];
  const equal = await run<FoundBusiness & Record<string, unknown>>(tx, BY_NAME, values);
  if (equal.length > 0) return onlyOne(equal, resolvedBy);
  if (resolvedBy === 'name') return 'unknown';
  return onlyOne(
    await run<FoundBusiness & Record<string, unknown>>(
      tx,
      zip === undefined ? BY_SIMILAR_NAME_IN_STATE : BY_SIMILAR_NAME_IN_ZIP,
      [...values, LEAST_SIMILARITY],
    ),
    resolvedBy,
  );
}

function wayOf(state: string | undefined, zip: string | undefined): ResolvedBy {
  if (state !== undefined && zip !== undefined) return 'name+state+zip';
  if (zip !== undefined) return 'name+zip';
  return state === undefined ? 'name' : 'name+state';
}

function onlyOne(
  [first, second]: readonly FoundBusiness[],
  resolvedBy: ResolvedBy,
): Resolved | Unresolved {
  if (!first) return 'unknown';
  return second ? 'ambiguous' : { ...first, resolvedBy };
}
