import { fileMarkdown, relationsXml } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import {
  MAX_FILE_CHARS,
  MAX_LINK_URL_CHARS,
  MAX_SHEET_CELLS,
  MAX_TABLE_COLUMNS,
  MAX_ZIP_PART_BYTES,
} from '../limits.js';
import { rowOf, tinyXlsx, type TinySheet, type TinyXlsx } from './fixtures/tiny-xlsx.js';

/** Markdown of one sheet without its heading. */
async function sheetMarkdown(sheet: TinySheet, book: Partial<TinyXlsx> = {}): Promise<string> {
  const markdown = await fileMarkdown(tinyXlsx({ ...book, sheets: [sheet] }));
  expect(markdown).toMatch(/^## Sheet1\n\n/);
  return markdown.slice('## Sheet1\n\n'.length).trimEnd();
}

const cell = (place: string, value: string, attributes = ''): string =>
  `<c r="${place}" ${attributes}><v>${value}</v></c>`;

describe('readXlsx', () => {
  it('reads sheets in their order under their names', async () => {
    const book = tinyXlsx({
      sheets: [
        { name: 'Ships', rows: rowOf(1, 'Ship', 'Length') + rowOf(2, 'Albatros', 12.5) },
        { name: 'Crew &amp; more', rows: rowOf(1, 'Name', 'Age') + rowOf(2, 'Ann', 41) },
        { name: 'Blank', rows: '' },
      ],
    });
    expect(await readFile(book)).toMatchObject({
      ok: true,
      file: {
        format: 'xlsx',
        markdown:
          '## Ships\n\n| Ship | Length |\n| --- | --- |\n| Albatros | 12.5 |\n\n' +
          '## Crew & more\n\n| Name | Age |\n| --- | --- |\n| Ann | 41 |\n\n## Blank\n',
        text: 'Ships\n\nShip\tLength\nAlbatros\t12.5\n\nCrew & more\n\nName\tAge\nAnn\t41',
      },
    });
  });

  it.each<[string, string, string]>([
    ['a shared text', cell('A1', '1', 't="s"'), 'High water'],
    ['a shared text that is not there', cell('A1', '9', 't="s"'), ''],
    ['a shared text that is not named', cell('A1', '', 't="s"'), ''],
    ['a text of runs, without its reading', cell('A1', '2', 't="s"'), '東京'],
    ['a truth', cell('A1', '1', 't="b"'), 'TRUE'],
    ['an error', cell('A1', '#DIV/0!', 't="e"'), '#DIV/0!'],
    ['the result of a formula', '<c r="A1" t="str"><f>A2</f><v>six</v></c>', 'six'],
    ['a formula that was never computed', '<c r="A1"><f>A2</f></c>', ''],
    ['a number as it is computed', cell('A1', '0.30000000000000004'), '0.3'],
    ['a date of ISO', cell('A1', '2024-03-01T00:00:00Z', 't="d"'), '2024-03-01'],
    ['a date by its format', cell('A1', '45352', 's="1"'), '2024-03-01'],
    ['a percentage', cell('A1', '0.125', 's="2"'), '12.5%'],
    ['an escaped character', cell('A1', 'a_x000A_b_x0007_', 't="str"'), 'a<br>b'],
    ['what would be markup', cell('A1', '*a* | b', 't="str"'), '\\*a\\* \\| b'],
    ['lines of one cell', '<c r="A1" t="inlineStr"><is><t>a\r\nb</t></is></c>', 'a<br>b'],
  ])('shows %s', async (_, first, text) => {
    const strings =
      '<si><t>Low</t></si><si><t>High water</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="1"><t>とう</t></rPh></si>';
    const styles = `<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs>`;
    const rows = `<row r="1">${first}${cell('B1', 'x', 't="str"')}</row>${rowOf(2, 'y', 'z')}`;
    const [head = ''] = (await sheetMarkdown({ rows }, { strings, styles })).split('\n');
    // A row of one cell is a title.
    expect(head).toBe(text === '' ? 'x' : `| ${text} | x |`);
  });

  it('places cells by their names, and leaves blank columns out', async () => {
    const rows = `<row r="2">${cell('C2', '1')}${cell('F2', '2')}</row><row r="3">${cell('C3', '3')}${cell('F3', '4')}</row>`;
    expect(await sheetMarkdown({ rows })).toBe('| 1 | 2 |\n| --- | --- |\n| 3 | 4 |');
  });

  it('parts tables at blank rows, and puts titles above them', async () => {
    const rows =
      rowOf(1, 'Sales') +
      rowOf(2, 'a', 'b') +
      rowOf(3, 1, 2) +
      rowOf(5, 'c', 'd', 'e') +
      rowOf(6, 3, 4, 5) +
      rowOf(8, '', '', 'Total') +
      rowOf(10, 'x', 'y', 'z');
    expect(await sheetMarkdown({ rows })).toBe(
      'Sales\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n' +
        '| c | d | e |\n| --- | --- | --- |\n| 3 | 4 | 5 |\n\nTotal\n\n| x | y | z |\n| --- | --- | --- |',
    );
  });

  it.each([
    [5, 'a1\n\na2\n\na3\n\na4\n\na5'],
    [6, '| a1 |\n| --- |\n| a2 |\n| a3 |\n| a4 |\n| a5 |\n| a6 |'],
  ])('takes %d rows of one column beside a table for %j', async (count, text) => {
    const lines = Array.from({ length: count }, (_, n) => rowOf(n + 1, `a${n + 1}`)).join('');
    const rows = lines + rowOf(count + 2, 'b', 'c') + rowOf(count + 3, 1, 2);
    expect(await sheetMarkdown({ rows })).toBe(`${text}\n\n| b | c |\n| --- | --- |\n| 1 | 2 |`);
  });

  it('goes on with a table of the same columns after a blank row', async () => {
    const rows = rowOf(1, 'a', 'b') + rowOf(2, 1, 2) + rowOf(4, 3, 4);
    expect(await sheetMarkdown({ rows })).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |');
  });

  it('repeats a cell that is merged over rows in each of them', async () => {
    const rows =
      rowOf(1, 'Port', 'Tide') + rowOf(2, 'Kiel', 'low') + rowOf(3, '', 'high') + rowOf(4, '', 'x');
    const rest = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="Z9"/></mergeCells>';
    expect(await sheetMarkdown({ rows, rest })).toBe(
      '| Port | Tide |\n| --- | --- |\n| Kiel | low |\n| Kiel | high |\n| | x |',
    );
  });

  it('leaves out what is hidden, and says so', async () => {
    const markdown = await fileMarkdown(
      tinyXlsx({
        sheets: [
          { name: 'Secret', state: 'hidden', rows: rowOf(1, 'Password') },
          {
            name: 'Open',
            columns: '<cols><col min="2" max="2" hidden="1"/></cols>',
            rows:
              rowOf(1, 'a', 'PIN', 'c') +
              rowOf(2, 1, 4711, 3) +
              rowOf(3, 9, 9, 9).replace('<row ', '<row hidden="1" '),
          },
        ],
      }),
    );
    expect(markdown).toBe(
      '## Open\n\n| a | c |\n| --- | --- |\n| 1 | 3 |\n\n*Hidden rows, left out: 1.*\n\n' +
        '*Hidden columns, left out: 1.*\n\n*Hidden sheets, left out: Secret.*\n',
    );
  });

  it('links cells to the web and lists the addresses', async () => {
    const result = await readFile(
      tinyXlsx({
        sheets: [
          {
            rows: rowOf(1, 'Name', 'Site') + rowOf(2, 'Tides', 'look (here)'),
            rest: '<hyperlinks><hyperlink ref="B2" r:id="l"/><hyperlink ref="A2" r:id="f"/></hyperlinks>',
            relations: [
              ['l', 'hyperlink', 'https://tides.example/a(b)', true],
              ['f', 'hyperlink', 'file:///etc/passwd', true],
            ],
          },
        ],
      }),
    );
    expect(result).toMatchObject({ ok: true, file: { links: ['https://tides.example/a(b)'] } });
    expect(result.ok && result.file.markdown).toContain(
      '| Tides | [look (here)](https://tides.example/a%28b%29) |',
    );
  });

  it('lists comments with their cells', async () => {
    const comments =
      '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><commentList><comment ref="B2"><text><r><t>Ann: check</t></r></text></comment></commentList></comments>';
    const markdown = await sheetMarkdown(
      { rows: rowOf(1, 'a', 'b'), relations: [['c', 'comments', '../comments1.xml']] },
      { parts: { 'xl/comments1.xml': comments } },
    );
    expect(markdown).toMatch(/\n\n- B2: Ann: check$/);
  });

  it.each([
    ['as many columns as are read', MAX_TABLE_COLUMNS, false],
    ['one more', MAX_TABLE_COLUMNS + 1, true],
  ])('has %s', async (_, columns, isCut) => {
    const names = Array.from({ length: columns }, (__, n) => `c${n}`);
    const markdown = await sheetMarkdown({ rows: rowOf(1, ...names) + rowOf(2, ...names) });
    expect(markdown.includes('Columns beyond 1,000 are left out.')).toBe(isCut);
    expect(markdown.includes(`c${MAX_TABLE_COLUMNS - 1} |`)).toBe(true);
    expect(markdown.includes(`c${MAX_TABLE_COLUMNS} |`)).toBe(false);
  });

  it('ends at the limit of cells, and says so', async () => {
    // Each row counts one more than its cells, blank ones among them.
    const rows = Math.floor(MAX_SHEET_CELLS / (MAX_TABLE_COLUMNS + 1));
    const row = (n: number): string =>
      `<row r="${n + 1}">${cell(`A${n + 1}`, '1')}${cell(`ALL${n + 1}`, '2')}</row>`;
    const book = (count: number) =>
      tinyXlsx({ sheets: [{ rows: Array.from({ length: count }, (_, n) => row(n)).join('') }] });
    const whole = await readFile(book(rows));
    expect(whole.ok && whole.file.truncatedBy).toBeUndefined();
    const cut = await readFile(book(rows + 1));
    expect(cut).toMatchObject({ ok: true, file: { truncatedBy: 'max_table_cells' } });
    expect(cut.ok && cut.file.markdown).toMatch(/\*The following rows are left out\.\*\n$/);
  });

  it('reads the start of a sheet that is larger than any part may be', async () => {
    const blank = `<row r="9">${' '.repeat(MAX_ZIP_PART_BYTES)}</row>`;
    const sheets = [
      { rows: rowOf(1, 'a', 'b') + rowOf(2, 1, 2) + blank + rowOf(10, 'x', 'y') },
      { rows: rowOf(1, 'next') },
    ];
    const result = await readFile(tinyXlsx({ sheets, isStored: true }));
    expect(result).toMatchObject({
      ok: true,
      file: {
        markdown:
          '## Sheet1\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n*The following rows are left out.*\n',
        truncatedBy: 'max_table_cells',
      },
    });
  });

  it('leaves out a sheet for which the others leave no room', async () => {
    const blank = `<row r="9">${' '.repeat(MAX_ZIP_PART_BYTES)}</row>`;
    const large = { rows: rowOf(1, 'a', 'b') + blank };
    const parts = {
      'xl/_rels/workbook.xml.rels': relationsXml(
        [2, 0, 1].map((n, at) => [`s${at}`, 'worksheet', `worksheets/sheet${n}.xml`] as const),
      ),
    };
    const sheets = [large, large, { rows: rowOf(1, 'no room') }];
    expect(await readFile(tinyXlsx({ sheets, parts, isStored: true }))).toMatchObject({
      ok: true,
      file: { text: 'Sheet2\n\na\tb', truncatedBy: 'max_table_cells' },
    });
  });

  it('says what is missing, but not of sheets that are no tables', async () => {
    const reason = async (kind: string, strings: string): Promise<unknown> => {
      const parts = {
        'xl/_rels/workbook.xml.rels': relationsXml([
          ['s0', kind, 'worksheets/gone.xml'],
          ['s1', 'worksheet', 'Worksheets/SHEET1.xml'],
          ['t', 'sharedStrings', 'sharedstrings.xml'],
        ]),
      };
      const rows = `<row r="1">${cell('A1', '0', 't="s"')}</row>`;
      const result = await readFile(tinyXlsx({ sheets: [{ rows }, { rows }], strings, parts }));
      return result.ok && [result.file.text, result.file.truncatedBy];
    };
    const text = '<si><t>x</t></si>';
    expect(await reason('chartsheet', text)).toEqual(['Sheet2\n\nx', undefined]);
    expect(await reason('worksheet', text)).toEqual(['Sheet2\n\nx', 'unreadable_parts']);
  });

  it('says when a shared text is missing', async () => {
    const rows = rowOf(1, 'a', 'b') + `<row r="2">${cell('A2', '7', 't="s"')}</row>`;
    expect(await readFile(tinyXlsx({ sheets: [{ rows }] }))).toMatchObject({
      ok: true,
      file: { truncatedBy: 'unreadable_parts' },
    });
  });

  it.each(['-1000000000', '-1e300', '1.5', 'x'])('hides columns from %s on', async (min) => {
    const columns = `<cols><col min="${min}" max="1" hidden="1"/></cols>`;
    const rows = rowOf(1, 'a', 'b', 'c') + rowOf(2, 1, 2, 3);
    const [head] = (await sheetMarkdown({ rows, columns })).split('\n');
    expect(head).toBe('| b | c |');
  });

  it('writes no more than it holds of narrow rows below a wide one', async () => {
    const names = Array.from({ length: MAX_TABLE_COLUMNS }, (_, n) => `c${n}`);
    const rows = Array.from(
      { length: 400_000 },
      (_, n) => `<row r="${n + 2}"><c><v>1</v></c></row>`,
    );
    const markdown = await sheetMarkdown(
      { rows: rowOf(1, ...names) + rows.join('') },
      { isStored: true },
    );
    expect(markdown.length).toBeLessThan(4_000_000);
    expect(markdown.endsWith('\n| 1 |')).toBe(true);
  });

  it.each<[string, string]>([
    ['a text of many cells', ''],
    ['a cell merged over many rows', '<mergeCells><mergeCell ref="B1:B600"/></mergeCells>'],
  ])('counts the characters of %s', async (_, rest) => {
    const row = (n: number): string =>
      `<row r="${n}">${rest === '' || n === 1 ? cell(`B${n}`, '0', 't="s"') : cell(`A${n}`, '1')}</row>`;
    const rows = Array.from({ length: 600 }, (__, n) => row(n + 1)).join('');
    const strings = `<si><t>${'x'.repeat(900_000)}</t></si>`;
    const result = await readFile(tinyXlsx({ sheets: [{ rows, rest }], strings, isStored: true }));
    expect(result).toMatchObject({ ok: true, file: { truncatedBy: 'max_table_cells' } });
    expect(result.ok && result.file.markdown.length).toBeLessThan(MAX_FILE_CHARS + 20_000);
  });

  it('leaves out addresses that are too long, or too long together', async () => {
    const linked = (count: number, address: string): Uint8Array => {
      const places = Array.from({ length: count }, (_, n) => n + 1);
      const links = places.map((n) => `<hyperlink ref="A${n}" r:id="l"/>`);
      return tinyXlsx({
        sheets: [
          {
            rows: places.map((n) => rowOf(n, 'x')).join(''),
            rest: `<hyperlinks>${links.join('')}</hyperlinks>`,
            relations: [['l', 'hyperlink', address, true]],
          },
        ],
        isStored: true,
      });
    };
    const start = 'https://tides.example/';
    const tooLong = await fileMarkdown(linked(1, start.padEnd(MAX_LINK_URL_CHARS + 1, 'a')));
    expect(tooLong).toBe('## Sheet1\n\nx\n');
    const result = await readFile(linked(70_000, start.padEnd(MAX_LINK_URL_CHARS, 'a')));
    expect(result).toMatchObject({ ok: true, file: { truncatedBy: 'max_chars' } });
  });

  it.each<[string, Partial<TinyXlsx>, string]>([
    ['has no text', {}, 'no_text'],
    [
      'declares entities',
      { parts: { 'xl/workbook.xml': '<!DOCTYPE w [<!ENTITY a "ha">]><workbook/>' } },
      'malformed',
    ],
    ['has XML that is none', { parts: { 'xl/worksheets/sheet0.xml': '<worksheet' } }, 'malformed'],
    [
      'inflates a thousandfold',
      { parts: { 'xl/worksheets/bomb.xml': 'a'.repeat(5_000_000) } },
      'too_large',
    ],
  ])('is refused when it %s', async (_, book, problem) => {
    const result = await readFile(tinyXlsx({ sheets: [{ rows: '' }], ...book }));
    expect(result).toMatchObject({ ok: false, problem });
  });
});
