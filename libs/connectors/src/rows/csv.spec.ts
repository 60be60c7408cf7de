import { parse } from 'csv-parse/sync';
import Papa from 'papaparse';
import { csvFile } from './csv.js';

const COLUMNS = ['name', 'note', 'count', 'tags', 'more', 'open'];
const ROWS = [
  { name: 'Plain', note: 'text', count: -5, tags: ['a', 'b'], more: { x: 1 }, open: true },
  { name: 'Comma, "quote"', note: 'two\r\nlines\nthree', count: 4.5, tags: [], more: null },
  { name: 'Größe 日本 😀', note: '', count: 0, tags: ['a, b'], open: false },
  { name: '=1+1', note: '+1 512 555 0100', tags: ['=x', 'y'], more: '@SUM(A1)' },
  { name: '-2', note: '\t=cmd', more: ' =HYPERLINK("http://x")' },
  { name: '|calc', note: '＝1', more: '\u00a0=1' },
  { name: '\0=1', note: '\u200b+1', more: ';=1' },
  { name: 'a;b', note: '\u200btext', more: '; x' },
];

/** What each reader must see: a formula is text. */
const EXPECTED = [
  COLUMNS,
  ['Plain', 'text', '-5', 'a; b', '{"x":1}', 'true'],
  ['Comma, "quote"', 'two\r\nlines\nthree', '4.5', '', '', ''],
  ['Größe 日本 😀', '', '0', 'a, b', '', 'false'],
  ["'=1+1", "'+1 512 555 0100", '', "'=x; y", "'@SUM(A1)", ''],
  ["'-2", "'\t=cmd", '', '', '\' =HYPERLINK("http://x")', ''],
  ["'|calc", "'＝1", '', '', "'\u00a0=1", ''],
  ["'\0=1", "'\u200b+1", '', '', "';=1", ''],
  ['a;b', '\u200btext', '', '', '; x', ''],
];

describe('CSV', () => {
  const file = csvFile(COLUMNS, ROWS);

  it('is read by csv-parse as it was written', () => {
    expect(parse(file, { record_delimiter: '\r\n' })).toEqual(EXPECTED);
  });

  it('is read by Papa Parse as it was written', () => {
    const { data, errors } = Papa.parse<string[]>(file, { newline: '\r\n', skipEmptyLines: true });
    expect(errors).toEqual([]);
    expect(data).toEqual(EXPECTED);
  });

  it('ends every line as RFC 4180 has it, and has as many columns in each', () => {
    expect(file.endsWith('\r\n')).toBe(true);
    expect(csvFile(['a', 'b'], [{}])).toBe('a,b\r\n,\r\n');
  });
});
