import { fileMarkdown } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { MAX_TABLE_COLUMNS } from '../limits.js';

const CSV = { name: 'a.csv' };

describe('readDelimited', () => {
  it.each<[string, string, string]>([
    ['RFC 4180', 'a,b\r\n1,2\r\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['no line end at the end', 'a,b\n1,2', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['line ends of old Macs', 'a,b\r1,2', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['quotes', '"a ""x""","b,c"\n1,2', '| a "x" | b,c |\n| --- | --- |\n| 1 | 2 |'],
    ['a quote within a cell', '6" pipe,2\na,b', '| 6" pipe | 2 |\n| --- | --- |\n| a | b |'],
    ['text after a quote', '"a"b,c\nd,e', '| ab | c |\n| --- | --- |\n| d | e |'],
    ['line ends in a cell', '"a\r\nb",c\nd,e', '| a<br>b | c |\n| --- | --- |\n| d | e |'],
    ['a quote that does not end', 'a,b\n"c,d\ne', '| a | b |\n| --- | --- |\n| c,d<br>e | |'],
    ['semicolons', 'a;b\n1,5;2\n3,5;4', '| a | b |\n| --- | --- |\n| 1,5 | 2 |\n| 3,5 | 4 |'],
    ['pipes', 'a|b\n1|2\n3|4', '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |'],
    ['tabs', 'a\tb\n1,0\t2', '| a | b |\n| --- | --- |\n| 1,0 | 2 |'],
    ['a stated delimiter', 'sep=;\r\na,x;b\r\n1,2;3', '| a,x | b |\n| --- | --- |\n| 1,2 | 3 |'],
    [
      'rows of other lengths',
      'a,b,c\n1\n2,3',
      '| a | b | c |\n| --- | --- | --- |\n| 1 | | |\n| 2 | 3 | |',
    ],
    ['blank rows', 'a,b\n\n,\n1,2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['a blank last cell', 'a,b,\n1,2,\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['one column', 'a\nb\nc', '| a |\n| --- |\n| b |\n| c |'],
    ['a byte order mark', '\ufeffa,b\n1,2', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  ])('reads %s', async (_, text, markdown) => {
    expect(await fileMarkdown(Buffer.from(text), CSV)).toBe(`${markdown}\n`);
  });

  it.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from('Größe,b\n1,2'), 'Größe'],
    ['Windows', Buffer.from('Gr\xf6\xdfe,b\n1,2', 'latin1'), 'Größe'],
    ['UTF-16', Buffer.from('\ufeffGröße,b\n1,2', 'utf16le'), 'Größe'],
  ])('decodes %s', async (_, bytes, word) => {
    expect(await fileMarkdown(bytes, CSV)).toContain(`| ${word} | b |`);
  });

  it('has text with tabs and its format', async () => {
    expect(await readFile(Buffer.from('a\tb\n1\t2'), { hint: { name: 'x.TSV' } })).toMatchObject({
      ok: true,
      file: { format: 'tsv', text: 'a\tb\n1\t2' },
    });
  });

  it.each([
    [MAX_TABLE_COLUMNS, false],
    [MAX_TABLE_COLUMNS + 1, true],
  ])('of %d columns reads 1,000 at most', async (columns, isCut) => {
    const row = Array.from({ length: columns }, (_, n) => `c${n}`).join(',');
    const markdown = await fileMarkdown(Buffer.from(`${row}\n${row}`), CSV);
    expect(markdown.includes('Columns beyond 1,000 are left out.')).toBe(isCut);
  });

  it('is no text when it is blank', async () => {
    expect(await readFile(Buffer.from(',,\n,,\n'), { hint: CSV })).toMatchObject({
      ok: false,
      problem: 'no_text',
    });
  });
});
