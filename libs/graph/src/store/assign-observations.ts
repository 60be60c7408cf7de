import { newId } from '@app/contracts';
import type { Observation } from '../evidence/facts.js';
import { KEY_KINDS, keysOf, type BusinessKey } from '../fuse/business-keys.js';
import { fuseObservation } from '../fuse/fuse-evidence.js';
import type { MatchCounts } from '../match/business-table.js';
import { candidateKeys, MIN_NAME_SIMILARITY, placeKeys } from '../match/candidate-keys.js';
import { joinSubjects, prepareRecord, type MatchSubject } from '../match/match-record.js';
import type { MatchResult } from '../match/match-table.js';
import { scoreSubjects } from '../match/score-match.js';
import { trigramSimilarity, trigramsOf } from '../match/text-similarity.js';
import { matchRecordOf, type Candidate } from './candidate-rows.js';

/** Two businesses that an observation shows to be one. */
export interface FoundMerge {
  readonly kept: string;
  readonly merged: string;
  readonly match: MatchResult;
}

export interface Assignment {
  /** The business of each observation, in their order. */
  readonly businessIds: readonly string[];
  readonly created: readonly string[];
  readonly merges: readonly FoundMerge[];
}

/**
 * Assigns observations to businesses. A site's reading belongs to the business of its domain. Every other observation
 * belongs to the business that it matches best; without a match it makes a new one. Observations of one batch find each
 * other, too. What a page says counts for its own domain alone: a site and another record are one business only if that
 * record names the domain, or a registration number that an import states of both.
 * @param counts how many businesses have the values that they share
 */
export function assignObservations(
  observations: readonly DescribedObservation[],
  candidates: readonly Candidate[],
  counts: MatchCounts,
): Assignment {
  const pool = new CandidatePool(candidates, counts);
  const created: string[] = [];
  const merges: FoundMerge[] = [];
  const businessIds = observations.map((described) => {
    const hasSite = described.site !== null;
    const matches = pool
      .matches(described)
      .filter(({ candidate }) => mayBeOne({ ...described, hasSite }, candidate));
    const chosen = ownerOf(described, matches, pool);
    if (chosen === null) {
      const id = newId();
      created.push(id);
      const keys = described.keys.map((key) => ({ ...key, owner: id }));
      const known = { id, ids: new Set([id]), separated: new Set<string>() };
      pool.add({ ...known, subject: described.subject, keys, hasSite, evidenceCount: 0 });
      return id;
    }
    let joined = pool.extend(chosen, described);
    for (const { candidate } of matches) {
      const merge = mergeOf(joined, candidate, counts);
      if (merge === null || !joined.separated.isDisjointFrom(candidate.ids)) continue;
      merges.push(merge);
      joined = pool.merge(joined, candidate, merge);
    }
    return memberOf(chosen, described.keys);
  });
  return { businessIds, created, merges };
}

interface Described {
  readonly subject: MatchSubject;
  readonly keys: readonly BusinessKey[];
}

/** An observation ready to be compared. */
export interface DescribedObservation extends Described {
  /** The domain of the site that was read; null: another source. */
  readonly site: string | null;
}

export function describeObservation(observation: Observation): DescribedObservation {
  const keys = keysOf(observation.facts);
  const record = matchRecordOf(fuseObservation(observation).business, keys);
  return { keys, subject: prepareRecord(record), site: observation.site };
}

interface Match {
  readonly candidate: Candidate;
  readonly match: MatchResult;
}

/** The business that an observation belongs to; null: a new one. */
function ownerOf(
  { site, subject }: DescribedObservation,
  matches: readonly Match[],
  pool: CandidatePool,
): Candidate | null {
  if (site === null) return matches[0]?.candidate ?? null;
  const ofDomain = pool.withKey({ kind: 'domain', value: site }).toSorted(byStrength);
  const known = ofDomain.find(({ hasSite }) => hasSite);
  if (known) return known;
  const matched = matches.find(({ candidate }) => ofDomain.includes(candidate));
  if (matched) return matched.candidate;
  // An import named the domain: without a name there is nothing that says otherwise.
  const [only] = ofDomain.length === 1 ? ofDomain : [];
  return only && !pool.isConflict(only.subject, subject) ? only : null;
}

interface Claimant {
  readonly keys: readonly BusinessKey[];
  readonly hasSite: boolean;
}

/** Keys that no page states of itself: a domain is where it was read, the others come from imports. */
const PROOF: ReadonlySet<string> = new Set<BusinessKey['kind']>(['domain', 'uei', 'license']);

/** Whether a match may make one of two records: a site must not take over a record that does not name it. */
export function mayBeOne(one: Claimant, other: Claimant): boolean {
  return (!one.hasSite && !other.hasSite) || !proofOf(one).isDisjointFrom(proofOf(other));
}

const proofOf = ({ keys }: Claimant): ReadonlySet<string> =>
  new Set(keys.filter(({ kind }) => PROOF.has(kind)).map(({ kind, value }) => `${kind} ${value}`));

/** The member of its group that has one of the keys already, so that a split leaves the evidence where it belongs. */
function memberOf({ id, keys }: Candidate, stated: readonly BusinessKey[]): string {
  for (const kind of KEY_KINDS) {
    const values = new Set(stated.filter((key) => key.kind === kind).map(({ value }) => value));
    const owned = keys.find((key) => key.kind === kind && values.has(key.value));
    if (owned) return owned.owner;
  }
  return id;
}

/**
 * Two businesses are one if all that is known of the one, the observation included, matches all that is known of the other.
 * The stronger one is kept.
 */
function mergeOf(one: Candidate, other: Candidate, counts: MatchCounts): FoundMerge | null {
  if (one.id === other.id || !mayBeOne(one, other)) return null;
  const match = scoreSubjects(one.subject, other.subject, counts);
  if (!match.isMatch) return null;
  const [kept, merged] = [one, other].toSorted(byStrength);
  return kept && merged ? { kept: kept.id, merged: merged.id, match } : null;
}

function byStrength(a: Candidate, b: Candidate): number {
  return (
    Number(b.hasSite) - Number(a.hasSite) ||
    b.evidenceCount - a.evidenceCount ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Of one key: the records of a batch that has it throughout are not compared each with each. */
const MAX_PER_TERM = 200;

/** Candidates by their keys and names, those of the batch included. */
class CandidatePool {
  private readonly byId = new Map<string, PooledCandidate>();
  private readonly byTerm = new Map<string, Set<string>>();
  private readonly byPlace = new Map<string, Set<string>>();

  constructor(
    candidates: readonly Candidate[],
    private readonly counts: MatchCounts,
  ) {
    for (const candidate of candidates) this.add(candidate);
  }

  add(candidate: Candidate): void {
    const { id, subject } = candidate;
    this.byId.set(id, { candidate, trigrams: nameTrigrams(subject) });
    for (const term of termsOf(candidate)) addTo(this.byTerm, term, id);
    for (const place of placeKeys(subject)) addTo(this.byPlace, place, id);
  }

  /** The business is known by what the batch states of it, too. */
  extend(one: Candidate, { subject, keys, site }: DescribedObservation): Candidate {
    return this.replace({
      ...one,
      subject: joinSubjects(one.subject, subject),
      keys: [...one.keys, ...keys.map((key) => ({ ...key, owner: one.id }))],
      hasSite: one.hasSite || site !== null,
    });
  }

  /** Both as one: the kept one, with all that is known of the other. */
  merge(one: Candidate, other: Candidate, { kept, merged }: FoundMerge): Candidate {
    this.byId.delete(merged);
    const stronger = one.id === kept ? one : other;
    return this.replace({
      ...stronger,
      subject: joinSubjects(one.subject, other.subject),
      hasSite: one.hasSite || other.hasSite,
      evidenceCount: one.evidenceCount + other.evidenceCount,
      keys: [...one.keys, ...other.keys],
      ids: one.ids.union(other.ids),
      separated: one.separated.union(other.separated),
    });
  }

  private replace(candidate: Candidate): Candidate {
    this.add(candidate);
    return candidate;
  }

  withKey({ kind, value }: BusinessKey): readonly Candidate[] {
    return this.of([`${kind} ${value}`]);
  }

  /** The best first. */
  matches(described: Described): readonly Match[] {
    return this.comparable(described)
      .map((candidate) => ({
        candidate,
        match: scoreSubjects(described.subject, candidate.subject, this.counts),
      }))
      .filter(({ match }) => match.isMatch)
      .toSorted((a, b) => b.match.score - a.match.score || byStrength(a.candidate, b.candidate));
  }

  /** Both have a name, and all that is known of them makes no match. */
  isConflict(a: MatchSubject, b: MatchSubject): boolean {
    const areNamed = a.names.length > 0 && b.names.length > 0;
    return areNamed && !scoreSubjects(a, b, this.counts).isMatch;
  }

  /** Those that share a key, and those of one place whose names are alike: a misspelled name is no key. */
  private comparable(described: Described): readonly Candidate[] {
    const own = nameTrigrams(described.subject);
    const neighbors = new Set(
      placeKeys(described.subject).flatMap((place) => [...(this.byPlace.get(place) ?? [])]),
    );
    const similar = [...neighbors]
      .flatMap((id) => this.byId.get(id) ?? [])
      .filter(({ trigrams }) => trigramSimilarity(own, trigrams) >= MIN_NAME_SIMILARITY)
      .map(({ candidate }) => candidate);
    return [...new Set([...this.of(termsOf(described)), ...similar])];
  }

  private of(terms: readonly string[]): readonly Candidate[] {
    const ids = new Set(
      terms.flatMap((term) => [...(this.byTerm.get(term) ?? [])].slice(0, MAX_PER_TERM)),
    );
    return [...ids].flatMap((id) => this.byId.get(id)?.candidate ?? []);
  }
}

interface PooledCandidate {
  readonly candidate: Candidate;
  readonly trigrams: ReadonlySet<string>;
}

const nameTrigrams = ({ names: [name] }: MatchSubject): ReadonlySet<string> =>
  trigramsOf(name?.key ?? '');

function addTo(index: Map<string, Set<string>>, term: string, id: string): void {
  const ids = index.get(term) ?? new Set();
  index.set(term, ids.add(id));
}

/** Terms that two records share when they may be the same business. */
function termsOf({ keys, subject }: Described): readonly string[] {
  return [
    ...keys.map(({ kind, value }) => `${kind} ${value}`),
    ...candidateKeys(subject).map(({ kind, value }) => `${kind} ${value}`),
  ];
}
