import type { MatchSubject } from './match-record.js';

/**
 * How two records of one business are found without comparing all: they share a key of one kind, strongest first. `similar
 * name` is no key: names within one place whose trigrams are alike (PostgreSQL: `similarity`, among those of the ZIP code).
 */
export const CANDIDATE_KINDS = [
  'uei',
  'domain',
  'license',
  'phone',
  'name and zip',
  'name and city',
  'similar name',
] as const;
export type CandidateKind = (typeof CANDIDATE_KINDS)[number];

/** Least share of trigrams of similar names: below it nothing scores as close. */
export const MIN_NAME_SIMILARITY = 0.4;

/** More records than this with one key: the key tells none of them apart, and the others find them. */
export const MAX_KEY_RECORDS = 50;

/** Names of one place that are compared with a misspelled one: so many take milliseconds, whatever they are. */
export const MAX_NEIGHBORS = 5_000;

export interface CandidateKey {
  readonly kind: Exclude<CandidateKind, 'similar name'>;
  readonly value: string;
}

/** The keys that a record is found by. */
export function candidateKeys(subject: MatchSubject): readonly CandidateKey[] {
  const names = subject.names.map(({ key }) => key);
  const named = (kind: CandidateKey['kind'], places: readonly string[]): readonly CandidateKey[] =>
    names.flatMap((name) => places.map((place) => ({ kind, value: `${name}|${place}` })));
  const own = (kind: CandidateKey['kind'], values: ReadonlySet<string>): readonly CandidateKey[] =>
    [...values].map((value) => ({ kind, value }));
  return [
    ...own('uei', subject.ueis),
    ...own('domain', subject.domains),
    ...own('license', subject.licenses),
    ...own('phone', subject.phones),
    ...named('name and zip', zipsOf(subject)),
    ...named('name and city', citiesOf(subject)),
  ];
}

const zipsOf = ({ places }: MatchSubject): readonly string[] =>
  places.flatMap(({ zip }) => (zip === '' ? [] : [zip]));

/** A city needs its state: there are thirty Springfields. */
const citiesOf = ({ places }: MatchSubject): readonly string[] =>
  places.flatMap(({ city, state }) => (city === '' || state === '' ? [] : [`${city}|${state}`]));

/** The places within which similar names are looked for. */
export const placeKeys = (subject: MatchSubject): readonly string[] => [
  ...zipsOf(subject).map((zip) => `zip ${zip}`),
  ...citiesOf(subject).map((city) => `city ${city}`),
];
