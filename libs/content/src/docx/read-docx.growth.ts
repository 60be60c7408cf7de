import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readFile } from '../files/read-file.js';
import { item, list, paragraph, series, tinyDocx } from './fixtures/tiny-docx.js';

const WORDS = paragraph('Words.');
const run = (inner: string): string => `<w:r>${inner}</w:r>`;
const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
const code = (text: string): string => run(`<w:instrText>${text}</w:instrText>`);
const many = (n: number, make: (index: number) => string): string =>
  Array.from({ length: n }, (_, index) => make(index)).join('');
const p = (inner: string): string => `<w:p>${inner}</w:p>`;

/** Bodies that would be slow for a reader that looks back, copies or counts again. */
const BODIES: Readonly<Record<string, (n: number) => string>> = {
  'runs of one paragraph': (n) =>
    p(many(n, (index) => run(`<w:rPr><w:b w:val="${index % 2}"/></w:rPr><w:t>a </w:t>`))),
  'paragraphs that go on with the next': (n) =>
    many(n, () => p('<w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>a </w:t></w:r>')),
  'fields in each other': (n) =>
    p(
      many(n, () => mark('begin') + mark('separate') + run('<w:t>a </w:t>')) +
        many(n, () => mark('end')),
    ),
  'fields that never end': (n) => p(many(n, () => mark('begin') + code('HYPERLINK &quot;'))),
  'codes of many pieces': (n) =>
    p(
      mark('begin') +
        code('HYPERLINK ') +
        many(n, () => code('\\l &quot; \\f( \\* ')) +
        mark('separate') +
        run('<w:t>a</w:t>') +
        mark('end'),
    ),
  'old equations': (n) =>
    p(mark('begin') + code('EQ ') + many(n, () => code('\\f(a\\s \\* &quot;')) + mark('end')),
  'lists of their own, each further in': (n) =>
    many(n, (index) => item('a', index % 100, 0, `<w:ind w:left="${index * 200}"/>`)),
  'forms of one drawing': (n) =>
    p(
      run(
        `<mc:AlternateContent>${many(n, () => '<mc:Choice><w:pict/></mc:Choice>')}</mc:AlternateContent>`,
      ),
    ),
  'text boxes of one paragraph': (n) =>
    p(many(n, () => run(`<w:pict><w:txbxContent>${WORDS}</w:txbxContent></w:pict>`))),
  notes: (n) => p(many(n, (index) => run(`<w:footnoteReference w:id="${index % 50}"/>`))),
  'cells merged over rows': (n) =>
    `<w:tbl>${many(n, () => `<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${WORDS}</w:tc><w:tc>${WORDS}</w:tc></w:tr>`)}</w:tbl>`,
  'styles based on each other': (n) => many(n, (index) => paragraph('a', `s${index % 1_000}`)),
  'namespaces declared anew': (n) =>
    many(n, (index) => `<w:p xmlns:n${index}="urn:x"><n${index}:t/></w:p>`),
  'attributes of one element': (n) => `<w:p ${many(n, (index) => `a${index}=""`)}/>`,
  formulas: (n) =>
    p(`<m:oMath>${many(n, () => '<m:d><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d>')}</m:oMath>`),
};

const NUMBERING = many(100, (index) => series(index, 'decimal') + list(index, index));
const STYLES = many(
  1_000,
  (index) =>
    `<w:style w:type="paragraph" w:styleId="s${index}"><w:basedOn w:val="s${index + 1}"/></w:style>`,
);
const NOTES = many(50, (index) => `<w:footnote w:id="${index}">${WORDS}</w:footnote>`);

describe('hostile documents', () => {
  it.each(Object.entries(BODIES))('%s: read in time linear in their number', async (_, make) => {
    const file = (n: number): Uint8Array =>
      tinyDocx({
        ...{ body: WORDS + make(n), numbering: NUMBERING, styles: STYLES, footnotes: NOTES },
        isStored: true,
      });
    const cost = cpuCost(file, async (bytes) => {
      expect(await readFile(bytes)).toMatchObject({ ok: true });
    });
    expect(await growthOf(cost, { from: 5_000, upTo: 100_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
