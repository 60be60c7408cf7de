import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  pairsOf,
  readPersons,
  readRestaurantList,
  readRestaurantPairs,
  readTwoSources,
  rowsOf,
} from './labelled-set.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'labelled-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

describe('rowsOf', () => {
  it('gives the columns their names', () => {
    expect(rowsOf('id, name\r\n0, a\r\n\r\n1\r\n', ',')).toEqual([
      { id: '0', name: 'a' },
      { id: '1', name: '' },
    ]);
  });
});

describe('pairsOf', () => {
  it('reads pairs with and without a line of names', () => {
    expect(pairsOf('D1|D2\n1|2\n', '|')).toEqual([[1, 2]]);
    expect(pairsOf('1|2\n3|4', '|')).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});

describe('labelled sets', () => {
  it('of one list have the pairs of its duplicates, the lower row first', () => {
    write('der/restaurantProfiles.csv', 'id|name\n0|a\n1|a\n');
    write('der/duplicates.csv', '1|0\n');
    const { rows, truth } = readRestaurantList(folder);
    expect(rows).toHaveLength(2);
    expect(truth).toEqual([[0, 1]]);
  });

  it('of two sources have the second behind the first', () => {
    write('ccer/D9/a.csv', 'id|name\n0|a\n1|b\n');
    write('ccer/D9/b.csv', 'id|name\n0|b\n');
    write('ccer/D9/gt.csv', 'D1|D2\n1|0\n');
    const set = readTwoSources(folder, {
      name: 'x',
      separator: '|',
      files: ['D9/a.csv', 'D9/b.csv'],
    });
    expect(set).toMatchObject({ secondFrom: 2, truth: [[1, 2]] });
  });

  it('of labelled pairs have two rows a line, without the marks of the tokens', () => {
    const line = (label: string): string =>
      `COL name VAL \` joe \\ 's ( la ) ' COL phone VAL 213/857 -0034 \tCOL name VAL joe COL phone VAL 1 \t${label}`;
    write('er_magellan/Fodors-Zagats/train.txt', line('1'));
    write('er_magellan/Fodors-Zagats/valid.txt', line('0'));
    write('er_magellan/Fodors-Zagats/test.txt', line('1'));
    const { rows, truth, labelled } = readRestaurantPairs(folder);
    expect(rows[0]).toEqual({ name: "joe's ( la)", phone: '213/857-0034' });
    expect(truth).toEqual([
      [0, 1],
      [4, 5],
    ]);
    expect(labelled).toHaveLength(3);
  });

  it('of persons pair all copies of one', () => {
    write(
      'febrl/dataset1.csv',
      'rec_id, surname\nrec-1-org, a\nrec-2-org, b\nrec-1-dup-0, a\nrec-1-dup-1, aa\n',
    );
    expect(readPersons(folder, 1).truth).toEqual([
      [0, 2],
      [0, 3],
      [2, 3],
    ]);
  });
});
