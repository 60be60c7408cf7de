import {
  fieldRule,
  foldText,
  isMisspelling,
  type MatchReason,
  type MatchTable,
  scoreByTable,
} from '@app/graph';
import type { LabelledSet, RowPair, LabelledRow } from './labelled-set.js';
import type { SetMatcher } from './matched-set.js';
import { shortTextField, textLevel, type TextLevel } from './text-fields.js';

interface Person {
  readonly given: string;
  readonly surname: string;
  readonly number: string;
  readonly street: string;
  readonly place: string;
  readonly suburb: string;
  readonly postcode: string;
  readonly state: string;
  readonly born: string;
  readonly socialId: string;
}

function personOf(row: LabelledRow): Person {
  const of = (column: string): string => foldText(row[column] ?? '').trim();
  return {
    ...{ given: of('given_name'), surname: of('surname'), number: of('street_number') },
    ...{ street: of('address_1'), place: of('address_2'), suburb: of('suburb') },
    ...{ postcode: of('postcode'), state: of('state') },
    ...{ born: of('date_of_birth'), socialId: of('soc_sec_id') },
  };
}

/** One digit changed, lost, added or swapped. */
function digitLevel(one: string, other: string): TextLevel {
  if (one === other) return 'same';
  // Letters instead of digits: the rule for words refuses texts whose digits differ.
  const asLetters = (digits: string): string =>
    digits.replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
  return isMisspelling(asLetters(one), asLetters(other)) ? 'close' : 'different';
}

const bothNames = fieldRule<Person, unknown, 'swapped' | 'not swapped'>({
  field: 'order of names',
  weights: { swapped: 14, 'not swapped': 0 },
  compare: (a, b) => {
    const isSwapped =
      a.given !== b.given &&
      textLevel(a.given, b.surname) !== 'different' &&
      textLevel(a.surname, b.given) !== 'different';
    return isSwapped && a.given !== '' && a.surname !== '' ? { level: 'swapped' } : undefined;
  },
});

/**
 * Weights from how many values a field has (a day of birth: ten thousands; a state: eight) and how often typing changes
 * one. They were set before the first run.
 */
const PERSONS: MatchTable<Person, unknown> = {
  threshold: 8,
  correct: (reasons) => householdReason(reasons),
  fields: [
    shortTextField('given name', ({ given }) => given, { same: 6, close: 5, different: -3 }),
    shortTextField('surname', ({ surname }) => surname, { same: 7, close: 6, different: -3 }),
    bothNames,
    shortTextField(
      'date of birth',
      ({ born }) => born,
      { same: 11, close: 6, different: -4 },
      digitLevel,
    ),
    shortTextField(
      'social id',
      ({ socialId }) => socialId,
      { same: 14, close: 8, different: -5 },
      digitLevel,
    ),
    shortTextField('street', ({ street }) => street, { same: 8, close: 7, different: -3 }),
    shortTextField(
      'house number',
      ({ number }) => number,
      { same: 4, close: 1, different: -2 },
      digitLevel,
    ),
    shortTextField('place', ({ place }) => place, { same: 7, close: 6, different: -1 }),
    shortTextField('suburb', ({ suburb }) => suburb, { same: 6, close: 5, different: -2 }),
    shortTextField(
      'postcode',
      ({ postcode }) => postcode,
      { same: 7, close: 3, different: -2 },
      digitLevel,
    ),
    shortTextField('state', ({ state }) => state, { same: 1.5, close: 1, different: -1.5 }),
  ],
};

const ADDRESS_FIELDS = ['street', 'house number', 'place', 'suburb', 'postcode', 'state'];
/** Most that an address may say: a household shares all of it. */
const MOST_FOR_ADDRESS = 16;

function householdReason(reasons: ReadonlyMap<string, MatchReason>): readonly MatchReason[] {
  const sum = ADDRESS_FIELDS.reduce((all, field) => all + (reasons.get(field)?.weight ?? 0), 0);
  if (sum <= MOST_FOR_ADDRESS) return [];
  return [{ field: 'address', level: 'one fact', weight: MOST_FOR_ADDRESS - sum }];
}

/** Values by which candidates are found: any one of them may be damaged. */
const keysOf = (person: Person): readonly string[] =>
  [
    ['born', person.born],
    ['id', person.socialId],
    ['street', person.street],
    ['names', `${person.given} ${person.surname}`],
    ['surname', `${person.surname.slice(0, 4)} ${person.postcode}`],
    ['given', `${person.given} ${person.postcode}`],
    ['house', `${person.number} ${person.postcode}`],
    ['suburb', `${person.suburb} ${person.number}`],
    ['place', person.place],
  ].flatMap(([kind, value = '']) => (value.trim().length < 3 ? [] : [`${kind} ${value}`]));

const MAX_BLOCK = 60;

function candidatesOf(persons: readonly Person[]): readonly RowPair[] {
  const blocks = new Map<string, number[]>();
  for (const [at, person] of persons.entries())
    for (const key of keysOf(person)) blocks.set(key, [...(blocks.get(key) ?? []), at]);
  const pairs = new Map<number, RowPair>();
  for (const members of blocks.values()) {
    if (members.length > MAX_BLOCK) continue;
    for (const [at, one] of members.entries())
      for (const other of members.slice(at + 1))
        pairs.set(one * persons.length + other, [one, other]);
  }
  return [...pairs.values()];
}

export function personMatcher({ rows }: LabelledSet): SetMatcher {
  const persons = rows.map(personOf);
  return {
    candidates: candidatesOf(persons),
    isOneToOne: false,
    score: ([one, other]) => {
      const [a, b] = [persons[one], persons[other]];
      if (a === undefined || b === undefined) throw new Error(`no row ${one} or ${other}`);
      return scoreByTable(PERSONS, [a, b], undefined);
    },
  };
}
