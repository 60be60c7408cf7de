import { type MatchRecord, prepareRecord, scoreSubjects } from '@app/graph';
import type { LabelledSet, RowPair, LabelledRow } from './labelled-set.js';
import type { SetMatcher } from './matched-set.js';

/** Columns of the okkam ontology end with the name of the field. */
function valueOf(row: LabelledRow, field: string): string | undefined {
  const column = Object.keys(row).find((name) => name === field || name.endsWith(`#${field}`));
  return (column === undefined ? undefined : row[column]) || undefined;
}

function recordOf(row: LabelledRow): MatchRecord {
  const [name, city] = ['name', 'city'].map((field) => valueOf(row, field));
  const street = valueOf(row, 'addr') ?? valueOf(row, 'street');
  const phone = valueOf(row, 'phone') ?? valueOf(row, 'phone_number');
  return {
    ...(name === undefined ? {} : { name }),
    ...(city === undefined ? {} : { city }),
    ...(street === undefined ? {} : { street }),
    ...(phone === undefined ? {} : { phones: [phone] }),
  };
}

/** Restaurants are businesses: the product's table, without counts. All pairs are compared. */
export function restaurantMatcher({ rows, secondFrom, labelled }: LabelledSet): SetMatcher {
  const subjects = rows.map((row) => prepareRecord(recordOf(row)));
  return {
    candidates: labelled ?? allPairs(rows.length, secondFrom),
    isOneToOne: secondFrom !== undefined,
    score: ([one, other]) => {
      const [a, b] = [subjects[one], subjects[other]];
      if (a === undefined || b === undefined) throw new Error(`no row ${one} or ${other}`);
      return scoreSubjects(a, b);
    },
  };
}

function allPairs(size: number, secondFrom: number | undefined): readonly RowPair[] {
  const pairs: RowPair[] = [];
  for (let one = 0; one < (secondFrom ?? size); one++)
    for (let other = secondFrom ?? one + 1; other < size; other++) pairs.push([one, other]);
  return pairs;
}
