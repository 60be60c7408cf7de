import { canonicalJson } from '@app/content';
import {
  NETWORK_FIELDS,
  type BusinessEvidence,
  type FactField,
  type FactValues,
  type Observation,
  type EmployeeCount,
} from '../evidence/facts.js';
import type { BusinessProfiles, FusedBusiness, FusedEvidence } from './fused-business.js';

/** Evidence that is this much older than the newest of its field counts half. */
const HALF_LIFE_MS = 365 * 86_400_000;
/** Weights are compared at this precision, so that rounding never decides. */
const PRECISION = 1e9;

type EvidenceOf<F extends FactField> = BusinessEvidence & { readonly value: FactValues[F] };

/** What a business says of itself on its own site, no matter how many others say otherwise. */
const OWN_FIELDS: ReadonlySet<FactField> = new Set<FactField>([
  ...(['domain', 'logo', 'phone', 'email'] as const),
  ...NETWORK_FIELDS,
]);

/**
 * The record that evidence states, for each field by itself: a source's newest statement replaces its older ones; the
 * value with the most weight over all sources is taken, and of equal ones the most recent. Of the {@link OWN_FIELDS} only
 * the site's own statements count, if it makes any. The order of the evidence does not matter. Null: there is none.
 */
export function fuseEvidence(evidence: readonly BusinessEvidence[]): FusedEvidence | null {
  const newest = evidence.reduce((last, { lastSeen }) => Math.max(last, lastSeen.getTime()), -1);
  if (newest < 0) return null;
  const fields = Map.groupBy(evidence, ({ field }) => field);
  const of = <F extends FactField>(field: F): readonly EvidenceOf<F>[] =>
    currentOf(ownFirst(field, (fields.get(field) ?? []) as EvidenceOf<F>[]));
  return {
    business: fuseFields(of),
    hasSite: evidence.some(isOfSite),
    sourceCount: new Set(evidence.map(sourceKey)).size,
    evidenceCount: evidence.length,
    freshness: new Date(newest),
  };
}

/** The record that one reading states by itself. */
export function fuseObservation({ facts, source, seenAt }: Observation): FusedEvidence {
  const evidence = facts.map((fact) => ({ ...fact, source, firstSeen: seenAt, lastSeen: seenAt }));
  const none = { business: { techStack: [], socials: {} }, hasSite: false, sourceCount: 0 };
  return fuseEvidence(evidence) ?? { ...none, evidenceCount: 0, freshness: seenAt };
}

function fuseFields(
  of: <F extends FactField>(field: F) => readonly EvidenceOf<F>[],
): FusedBusiness {
  const best = <F extends FactField>(field: F): FactValues[F] | undefined => heaviest<F>(of(field));
  const employees = best('employees');
  const revenue = best('revenue');
  const socials: BusinessProfiles = {};
  for (const network of NETWORK_FIELDS) {
    const profile = best(network);
    if (profile !== undefined) socials[network] = profile;
  }
  return withoutAbsent({
    domain: best('domain'),
    name: best('name'),
    description: best('description'),
    logo: best('logo'),
    industry: best('industry'),
    location: best('location'),
    phone: best('phone'),
    email: best('email'),
    employeeBand: employees && employeeBand(employees),
    revenueBand: revenue === undefined ? undefined : revenueBand(revenue),
    techStack: [...new Set(of('tech').map(({ value }) => value))].toSorted(byCode),
    socials,
    uei: best('uei'),
  });
}

const isOfSite = ({ source }: BusinessEvidence): boolean => !source.startsWith('import:');

function ownFirst<E extends BusinessEvidence>(
  field: FactField,
  evidence: readonly E[],
): readonly E[] {
  const own = OWN_FIELDS.has(field) ? evidence.filter(isOfSite) : [];
  return own.length > 0 ? own : evidence;
}

/** Without statements that the same source replaced by newer ones. */
function currentOf<E extends BusinessEvidence>(evidence: readonly E[]): readonly E[] {
  const newest = new Map<string, number>();
  for (const one of evidence) {
    const key = sourceKey(one);
    newest.set(key, Math.max(newest.get(key) ?? 0, one.lastSeen.getTime()));
  }
  return evidence.filter((one) => one.lastSeen.getTime() === newest.get(sourceKey(one)));
}

interface Candidate<F extends FactField> {
  readonly key: string;
  readonly value: FactValues[F];
  readonly weight: number;
  readonly lastSeen: number;
}

/** Sources that agree add up: the chance that all of them are wrong is the product of theirs. */
function heaviest<F extends FactField>(
  evidence: readonly EvidenceOf<F>[],
): FactValues[F] | undefined {
  const newest = evidence.reduce((last, { lastSeen }) => Math.max(last, lastSeen.getTime()), 0);
  const byValue = Map.groupBy(evidence, ({ value }) => canonicalJson(value));
  const candidates = [...byValue].map(([key, rows]): Candidate<F> => {
    const doubts = rows.map((row) => 1 - row.confidence * recency(row, newest));
    // Multiplied in one order whatever the order of the rows.
    const doubt = doubts.toSorted((a, b) => a - b).reduce((all, one) => all * one, 1);
    return {
      key,
      value: (rows[0] as EvidenceOf<F>).value,
      weight: Math.round((1 - doubt) * PRECISION),
      lastSeen: Math.max(...rows.map(({ lastSeen }) => lastSeen.getTime())),
    };
  });
  const [first] = candidates.toSorted(
    (a, b) => b.weight - a.weight || b.lastSeen - a.lastSeen || byCode(a.key, b.key),
  );
  return first?.value;
}

function recency({ lastSeen }: BusinessEvidence, newest: number): number {
  return 0.5 ** ((newest - lastSeen.getTime()) / HALF_LIFE_MS);
}

function sourceKey({ source, url }: Pick<BusinessEvidence, 'source' | 'url'>): string {
  return `${source} ${url ?? ''}`;
}

const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Without undefined properties, so that equal records are equal as JSON. */
function withoutAbsent(fields: {
  readonly [K in keyof FusedBusiness]: FusedBusiness[K] | undefined;
}): FusedBusiness {
  const { techStack = [], socials = {}, ...rest } = fields;
  const present = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  );
  return { ...present, techStack, socials };
}

const EMPLOYEE_BANDS = [
  [10, '1-10'],
  [50, '11-50'],
  [200, '51-200'],
  [500, '201-500'],
  [1_000, '501-1000'],
  [5_000, '1001-5000'],
  [10_000, '5001-10000'],
] as const;

const REVENUE_BANDS = [
  [1e6, '<1M'],
  [1e7, '1M-10M'],
  [5e7, '10M-50M'],
  [1e8, '50M-100M'],
  [5e8, '100M-500M'],
  [1e9, '500M-1B'],
] as const;

/** The band of a number of employees; of a range, that of its middle. */
export function employeeBand({ least, most = least }: EmployeeCount): string {
  const count = Math.max(1, (least + most) / 2);
  return EMPLOYEE_BANDS.find(([limit]) => count <= limit)?.[1] ?? '10001+';
}

/** The band of a year's revenue in US dollars. */
export function revenueBand(dollars: number): string {
  return REVENUE_BANDS.find(([limit]) => dollars < limit)?.[1] ?? '1B+';
}
