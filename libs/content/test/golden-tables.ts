/** Name, HTML, and the grid a reader sees: rows of cells, `/` between the lines of a cell. */
export type GoldenTable = readonly [name: string, html: string, ...rows: (readonly string[])[]];

const t = (inside: string): string => `<table>${inside}</table>`;
const row = (tag: 'td' | 'th', ...cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;

export const GOLDEN_TABLES: readonly GoldenTable[] = [
  // Headers
  ['header of th', t(row('th', 'a', 'b') + row('td', '1', '2')), ['a', 'b'], ['1', '2']],
  ['no header', t(row('td', 'a', 'b') + row('td', '1', '2')), ['a', 'b'], ['1', '2']],
  ['header alone', t(row('th', 'a', 'b')), ['a', 'b']],
  ['one column', t(row('th', 'a') + row('td', '1')), ['a'], ['1']],
  ['row headers', t('<tr><th>a<td>1<tr><th>b<td>2'), ['a', '1'], ['b', '2']],
  ['corner', t(row('th', '', 'x') + '<tr><th>y<td>1'), ['', 'x'], ['y', '1']],
  [
    'two header rows',
    t(`<thead>${row('th', 'a', 'b')}${row('th', 'c', 'd')}</thead>${row('td', '1', '2')}`),
    ['a', 'b'],
    ['c', 'd'],
    ['1', '2'],
  ],
  ['empty header', t(row('th', '', '') + row('td', '1', '2')), ['', ''], ['1', '2']],
  [
    'bold header',
    t(row('th', '<b>a</b>', '<strong>b</strong>') + row('td', '1', '2')),
    ['a', 'b'],
    ['1', '2'],
  ],
  // Sections
  [
    'sections',
    t(
      `<thead>${row('th', 'a', 'b')}</thead><tbody>${row('td', '1', '2')}</tbody><tfoot>${row('td', '3', '4')}</tfoot>`,
    ),
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ],
  [
    'foot before body',
    t(
      `<thead>${row('th', 'a', 'b')}</thead><tfoot>${row('td', '3', '4')}</tfoot><tbody>${row('td', '1', '2')}</tbody>`,
    ),
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ],
  [
    'head after body',
    t(`<tbody>${row('td', '1', '2')}</tbody><thead>${row('th', 'a', 'b')}</thead>`),
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'several bodies',
    t(
      `${row('th', 'a', 'b')}<tbody>${row('td', '1', '2')}</tbody><tbody>${row('td', '3', '4')}</tbody>`,
    ),
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ],
  [
    'columns declared',
    t(`<colgroup><col><col></colgroup>${row('th', 'a', 'b')}${row('td', '1', '2')}`),
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'caption',
    t(`<caption>c</caption>${row('th', 'a', 'b')}${row('td', '1', '2')}`),
    ['a', 'b'],
    ['1', '2'],
  ],
  // End tags left out
  ['no end tags', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', ['a', 'b'], ['1', '2']],
  ['no end of the table', '<table><tr><th>a<th>b<tr><td>1<td>2', ['a', 'b'], ['1', '2']],
  ['no row', '<table><td>a<td>b</table>', ['a', 'b']],
  [
    'white space between all',
    '<table>\n <tr>\n  <th>\n a \n </th>\n <th>b</th>\n </tr>\n <tr> <td>1</td> <td> 2\n3 </td> </tr> </table>',
    ['a', 'b'],
    ['1', '2 3'],
  ],
  // Empty cells
  ['empty cell first', t(row('th', 'a', 'b') + row('td', '', '2')), ['a', 'b'], ['', '2']],
  [
    'empty cell in the middle',
    t(row('th', 'a', 'b', 'c') + row('td', '1', '', '3')),
    ['a', 'b', 'c'],
    ['1', '', '3'],
  ],
  ['empty cell last', t(row('th', 'a', 'b') + row('td', '1', '')), ['a', 'b'], ['1', '']],
  [
    'empty row',
    t(row('th', 'a', 'b') + row('td', '', '') + row('td', '1', '2')),
    ['a', 'b'],
    ['', ''],
    ['1', '2'],
  ],
  ['cells of white space', t(row('th', 'a', 'b') + row('td', ' ', '&nbsp;')), ['a', 'b'], ['', '']],
  [
    'cells of empty elements',
    t(row('th', 'a', 'b') + row('td', '<span></span>', '<b> </b>')),
    ['a', 'b'],
    ['', ''],
  ],
  [
    'row without cells',
    t(`${row('th', 'a', 'b')}<tr></tr>${row('td', '1', '2')}`),
    ['a', 'b'],
    ['1', '2'],
  ],
  // Uneven rows
  ['short row', t(row('th', 'a', 'b') + row('td', '1')), ['a', 'b'], ['1', '']],
  ['long row', t(row('th', 'a') + row('td', '1', '2')), ['a', ''], ['1', '2']],
  [
    'long and short rows',
    t(row('th', 'a', 'b') + row('td', '1', '2', '3') + row('td', '4')),
    ['a', 'b', ''],
    ['1', '2', '3'],
    ['4', '', ''],
  ],
  // colspan
  [
    'colspan in the header',
    t(`<tr><th colspan=2>a<th>b${row('td', '1', '2', '3')}`),
    ['a', 'a', 'b'],
    ['1', '2', '3'],
  ],
  [
    'colspan in a row',
    t(`${row('th', 'a', 'b', 'c')}<tr><td>1<td colspan=2>2`),
    ['a', 'b', 'c'],
    ['1', '2', '2'],
  ],
  [
    'colspan over all',
    t(`${row('th', 'a', 'b')}<tr><td colspan=2>t${row('td', '1', '2')}`),
    ['a', 'b'],
    ['t', 't'],
    ['1', '2'],
  ],
  [
    'colspan beyond the table',
    t(`${row('th', 'a', 'b')}<tr><td colspan=3>x`),
    ['a', 'b', ''],
    ['x', 'x', 'x'],
  ],
  [
    'colspan 0 and nonsense',
    t(`${row('th', 'a', 'b')}<tr><td colspan=0>1<td colspan=x>2`),
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'colspan of an empty cell',
    t(`${row('th', 'a', 'b', 'c')}<tr><td colspan=2><td>3`),
    ['a', 'b', 'c'],
    ['', '', '3'],
  ],
  // rowspan
  [
    'rowspan first',
    t(`${row('th', 'a', 'b')}<tr><td rowspan=2>x<td>1<tr><td>2`),
    ['a', 'b'],
    ['x', '1'],
    ['x', '2'],
  ],
  [
    'rowspan in the middle',
    t(`${row('th', 'a', 'b', 'c')}<tr><td>1<td rowspan=2>x<td>2<tr><td>3<td>4`),
    ['a', 'b', 'c'],
    ['1', 'x', '2'],
    ['3', 'x', '4'],
  ],
  [
    'rowspan last',
    t(`${row('th', 'a', 'b')}<tr><td>1<td rowspan=2>x<tr><td>2`),
    ['a', 'b'],
    ['1', 'x'],
    ['2', 'x'],
  ],
  [
    'rowspan of three',
    t(`${row('th', 'a', 'b')}<tr><td rowspan=3>x<td>1<tr><td>2<tr><td>3`),
    ['a', 'b'],
    ['x', '1'],
    ['x', '2'],
    ['x', '3'],
  ],
  [
    'rowspan in the header',
    t(`<tr><th rowspan=2>a<th>b<tr><th>c${row('td', '1', '2')}`),
    ['a', 'b'],
    ['a', 'c'],
    ['1', '2'],
  ],
  [
    'rowspan to the end of its section',
    t(`${row('th', 'a', 'b')}<tr><td rowspan=0>x<td>1<tr><td>2<tr><td>3`),
    ['a', 'b'],
    ['x', '1'],
    ['x', '2'],
    ['x', '3'],
  ],
  [
    'rowspan stops at the edge of its section',
    t(`<thead><tr><th rowspan=3>a<th>b</thead><tbody>${row('td', '1', '2')}</tbody>`),
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'rowspan beyond the table',
    t(`${row('th', 'a', 'b')}<tr><td rowspan=9>x<td>1`),
    ['a', 'b'],
    ['x', '1'],
  ],
  [
    'rowspan past a gap',
    t(`${row('th', 'a', 'b', 'c')}<tr><td>1<td>2<td rowspan=2>x<tr><td>3`),
    ['a', 'b', 'c'],
    ['1', '2', 'x'],
    ['3', '', 'x'],
  ],
  // Both
  [
    'block of two by two',
    t(`${row('th', 'a', 'b', 'c')}<tr><td colspan=2 rowspan=2>x<td>1<tr><td>2`),
    ['a', 'b', 'c'],
    ['x', 'x', '1'],
    ['x', 'x', '2'],
  ],
  [
    'grouped header',
    t(`<tr><th rowspan=2>n<th colspan=2>g<tr><th>p<th>q${row('td', '1', '2', '3')}`),
    ['n', 'g', 'g'],
    ['n', 'p', 'q'],
    ['1', '2', '3'],
  ],
  [
    'spans side by side',
    t(`${row('th', 'a', 'b', 'c')}<tr><td rowspan=2>x<td rowspan=2>y<td>1<tr><td>2`),
    ['a', 'b', 'c'],
    ['x', 'y', '1'],
    ['x', 'y', '2'],
  ],
  [
    'stairs',
    t(`${row('th', 'a', 'b')}<tr><td rowspan=2>x<td>1<tr><td rowspan=2>y<tr><td>z`),
    ['a', 'b'],
    ['x', '1'],
    ['x', 'y'],
    ['z', 'y'],
  ],
  // Content
  ['pipes', t(row('th', 'a|b', 'c') + row('td', '|', '||')), ['a|b', 'c'], ['|', '||']],
  [
    'pipes in code',
    t(row('th', 'a', 'b') + row('td', '<code>x|y</code>', '<code>|</code>')),
    ['a', 'b'],
    ['x|y', '|'],
  ],
  [
    'backslash before a pipe',
    t(row('th', 'a', 'b') + row('td', '\\|', 'x\\\\|')),
    ['a', 'b'],
    ['\\|', 'x\\\\|'],
  ],
  ['line breaks', t(row('th', 'a', 'b') + row('td', 'x<br>y', '1')), ['a', 'b'], ['x/y', '1']],
  [
    'paragraphs',
    t(row('th', 'a', 'b') + row('td', '<p>x</p><p>y</p>', '<div>1</div>')),
    ['a', 'b'],
    ['x/y', '1'],
  ],
  [
    'list in a cell',
    t(row('th', 'a', 'b') + row('td', '<ul><li>x<li>y</ul>', '1')),
    ['a', 'b'],
    ['- x/- y', '1'],
  ],
  [
    'code block in a cell',
    t(row('th', 'a', 'b') + row('td', '<pre>x\n  y|z</pre>', '1')),
    ['a', 'b'],
    ['x/y|z', '1'],
  ],
  [
    'quote and rule in a cell',
    t(row('th', 'a', 'b') + row('td', '<blockquote>q</blockquote><hr>r', '1')),
    ['a', 'b'],
    ['q/r', '1'],
  ],
  [
    'definition list in a cell',
    t(row('th', 'a', 'b') + row('td', '<dl><dt>k<dd>v</dl>', '1')),
    ['a', 'b'],
    ['k/v', '1'],
  ],
  [
    'table in a cell',
    t(row('th', 'a', 'b') + row('td', t(row('td', '1', '2') + row('td', '3', '4')), 'x')),
    ['a', 'b'],
    ['1 2/3 4', 'x'],
  ],
  [
    'links, pictures and emphasis',
    t(
      row('th', 'a', 'b') +
        row('td', '<a href="/x">l</a> <b>m</b>', '<i>n</i><img src="i.png" alt="p">'),
    ),
    ['a', 'b'],
    ['l m', 'n[p]'],
  ],
  [
    'stars and underscores',
    t(row('th', '*a*', '_b_') + row('td', '**', '`')),
    ['*a*', '_b_'],
    ['**', '`'],
  ],
  [
    'dashes and colons',
    t(row('th', '---', ':-:') + row('td', ':--', '--:')),
    ['---', ':-:'],
    [':--', '--:'],
  ],
  [
    'markup as text',
    t(row('th', 'a', 'b') + row('td', '&lt;b&gt;', '&amp;amp;')),
    ['a', 'b'],
    ['<b>', '&amp;'],
  ],
  [
    'hidden text in a cell',
    t(row('th', 'a', 'b') + row('td', '1<span style="display:none">x</span>', '2')),
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'long text',
    t(row('th', 'a', 'b') + row('td', 'word '.repeat(200).trim(), '1')),
    ['a', 'b'],
    ['word '.repeat(200).trim(), '1'],
  ],
  [
    'a long text that spans',
    t(`${row('th', 'a', 'b')}<tr><td rowspan=2>${'w'.repeat(200)}<td>1<tr><td>2`),
    ['a', 'b'],
    ['w'.repeat(200), '1'],
    ['w'.repeat(200), '2'],
  ],
  [
    'right to left and wide scripts',
    t(row('th', '名前', 'שם') + row('td', '値段', '١')),
    ['名前', 'שם'],
    ['値段', '١'],
  ],
  ['numbers', t(row('th', 'a', 'b') + row('td', '1.5', '-2')), ['a', 'b'], ['1.5', '-2']],
  [
    'a link to its own address',
    t(row('th', 'a', 'b') + row('td', 'https://example.com/x', 'a@b.cd')),
    ['a', 'b'],
    ['https://example.com/x', 'a@b.cd'],
  ],
  // Its position
  [
    'in a list item',
    `<ul><li>x${t(row('th', 'a', 'b') + row('td', '1', '2'))}</li></ul>`,
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'in a quote',
    `<blockquote>${t(row('th', 'a', 'b') + row('td', '1', '2'))}</blockquote>`,
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'in a layout table',
    t(`<tr><td>nav<td>${t(row('th', 'a', 'b') + row('td', '1', '2'))}`),
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'in a link and in bold',
    `<b><a href="/x">${t(row('th', 'a', 'b') + row('td', '1', '2'))}</a></b>`,
    ['a', 'b'],
    ['1', '2'],
  ],
  [
    'between paragraphs',
    `<p>x</p>${t(row('th', 'a', 'b') + row('td', '1', '2'))}<p>y</p>`,
    ['a', 'b'],
    ['1', '2'],
  ],
];
