import { fileMarkdown } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { MAX_SHEETS } from '../limits.js';
import { odfParagraph as p, tinyOdf } from './fixtures/tiny-odf.js';

const cell = (inner: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${inner}</table:table-cell>`;
const text = (value: string): string => cell(p(value), 'office:value-type="string"');
const row = (inner: string, attributes = ''): string =>
  `<table:table-row ${attributes}>${inner}</table:table-row>`;
const table = (name: string, inner: string, style = ''): string =>
  `<table:table table:name="${name}" table:style-name="${style}">${inner}</table:table>`;
const ods = (body: string, styles = ''): Uint8Array =>
  tinyOdf({ kind: 'spreadsheet', body, styles });

const HIDDEN =
  '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';

describe('readOds', () => {
  it('reads sheets under their names, with values in one form', async () => {
    const date = cell(
      p('01.03.24'),
      'office:value-type="date" office:date-value="2024-03-01T00:00:00"',
    );
    const number = cell(p('1.234,50 €'), 'office:value-type="float" office:value="1234.5"');
    const share = cell(p('12 %'), 'office:value-type="percentage" office:value="0.12"');
    const body =
      table(
        'Ships',
        row(text('Ship') + text('Built') + text('Price') + text('Share')) +
          row(text('Albatros') + date + number + share),
      ) + table('Crew', row(text('Name')) + row(text('Ann')) + row(text('Bob')));
    const file = ods(body);
    expect(await readFile(file)).toMatchObject({ ok: true, file: { format: 'ods' } });
    expect(await fileMarkdown(file)).toBe(
      '## Ships\n\n| Ship | Built | Price | Share |\n| --- | --- | --- | --- |\n' +
        '| Albatros | 2024-03-01 | 1234.5 | 12 % |\n\n## Crew\n\n| Name |\n| --- |\n| Ann |\n| Bob |\n',
    );
  });

  it('expands repeated cells and rows with text, and none that are blank', async () => {
    const blank = cell('', 'table:number-columns-repeated="16384"');
    const body = table(
      'a',
      row(text('x') + cell(p('y'), 'table:number-columns-repeated="2"') + blank) +
        row(text('1') + text('2') + text('3'), 'table:number-rows-repeated="2"') +
        row(blank, 'table:number-rows-repeated="1048570"'),
    );
    expect(await fileMarkdown(ods(body))).toBe(
      '## a\n\n| x | y | y |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 2 | 3 |\n',
    );
  });

  it('leaves out what is hidden, and says so', async () => {
    const columns =
      '<table:table-column/><table:table-column-group><table:table-column table:visibility="collapse"/></table:table-column-group>';
    const body =
      table('Secret', row(text('Password')), 'ta2') +
      table(
        'Open',
        `${columns}${row(text('a') + text('PIN') + text('c'))}${row(text('1') + text('2') + text('3'))}${row(text('9'), 'table:visibility="filter"')}`,
      );
    expect(await fileMarkdown(ods(body, HIDDEN))).toBe(
      '## Open\n\n| a | c |\n| --- | --- |\n| 1 | 3 |\n\n*Hidden rows, left out: 1.*\n\n' +
        '*Hidden columns, left out: 1.*\n\n*Hidden sheets, left out: Secret.*\n',
    );
  });

  it('links cells, and lists comments with their cells', async () => {
    const link = cell(p('<text:a xlink:href="https://tides.example/">Tables</text:a>'));
    const noted = cell(`<office:annotation>${p('check')}</office:annotation>${p('six')}`);
    const body = table('a', row(text('x') + text('y')) + row(link + noted));
    expect(await fileMarkdown(ods(body))).toBe(
      '## a\n\n| x | y |\n| --- | --- |\n| [Tables](https://tides.example/) | six |\n\n- B2: check\n',
    );
  });

  it('ends at the limit of cells, though few elements stand for many', async () => {
    const body = table('a', row(text('x').repeat(2), 'table:number-rows-repeated="1048576"'));
    expect(await readFile(ods(body))).toMatchObject({
      ok: true,
      file: { truncatedBy: 'max_table_cells' },
    });
  });

  const endless = row(
    cell('', 'table:number-columns-repeated="998"') + text('x'),
    'table:number-rows-repeated="1048576"',
  );

  it('says of the sheet in which it ends, under its name, that rows are left out', async () => {
    const body = table('Whole', row(text('a'))) + table('Cut', endless) + table('Next', endless);
    const markdown = await fileMarkdown(ods(body));
    expect(markdown).toMatch(/^## Whole\n\na\n\n## Cut\n/);
    expect(markdown.match(/The following rows are left out/g)).toHaveLength(1);
    expect(markdown).not.toContain('Next');
  });

  it('does not show a hidden sheet in which it ends', async () => {
    const body = table('Open', row(text('a'))) + table('Secret', endless, 'ta2');
    expect(await fileMarkdown(ods(body, HIDDEN))).toBe(
      '## Open\n\na\n\n*Hidden sheets, left out: Secret.*\n',
    );
  });

  it.each([
    [MAX_SHEETS, undefined],
    [MAX_SHEETS + 1, 'max_parts'],
  ])('of %d sheets is cut by %s', async (sheets, truncatedBy) => {
    const result = await readFile(ods(table('a', row(text('x'))).repeat(sheets)));
    expect(result.ok && result.file.truncatedBy).toBe(truncatedBy);
    expect(result.ok && result.file.text.match(/x/g)?.length).toBe(MAX_SHEETS);
  });

  it('takes counts that are none for one', async () => {
    const columns = ['-1000000000', 'x', '1']
      .map((count) => `<table:table-column table:number-columns-repeated="${count}"/>`)
      .join('');
    const hidden = '<table:table-column table:visibility="collapse"/>';
    const cells = ['-5', '1', '0', '1'].map((count, index) =>
      cell(p(`c${index}`), `table:number-columns-repeated="${count}"`),
    );
    const body = table(
      'a',
      columns + hidden + row(cells.join(''), 'table:number-rows-repeated="-1"'),
    );
    expect(await fileMarkdown(ods(body))).toBe(
      '## a\n\n| c0 | c1 | c2 |\n| --- | --- | --- |\n\n*Hidden columns, left out: 1.*\n',
    );
  });
});
