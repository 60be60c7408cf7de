import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { tinyEpub } from '../epub/fixtures/tiny-epub.js';
import { odfParagraph, tinyOdf } from '../open-document/fixtures/tiny-odf.js';
import { rowOf, tinyXlsx } from '../sheets/fixtures/tiny-xlsx.js';
import { drawnParagraph, slideShape, tinyPptx } from '../slides/fixtures/tiny-pptx.js';
import { readFile } from './read-file.js';

const many = (n: number, make: (index: number) => string): string =>
  Array.from({ length: n }, (_, index) => make(index)).join('');

const sheet = (
  rows: string,
  more: Parameters<typeof tinyXlsx>[0]['sheets'][number] | object = {},
) => tinyXlsx({ sheets: [{ rows: rowOf(1, 'a', 'b') + rows, ...more }], isStored: true });
const slide = (shapes: string): Uint8Array =>
  tinyPptx({ slides: [{ shapes: slideShape(drawnParagraph('a')) + shapes }], isStored: true });
const odt = (body: string, styles = ''): Uint8Array =>
  tinyOdf({ kind: 'text', body: odfParagraph('a') + body, styles, isStored: true });
const ods = (rows: string): Uint8Array =>
  tinyOdf({
    kind: 'spreadsheet',
    body: `<table:table><table:table-row><table:table-cell>${odfParagraph('a')}</table:table-cell></table:table-row>${rows}</table:table>`,
    isStored: true,
  });
const epub = (body: string): Uint8Array =>
  tinyEpub({ chapters: { 'a.xhtml': `<p>a</p>${body}` }, isStored: true });
const text = (content: string): Uint8Array => Buffer.from(content, 'latin1');
const rtf = (body: string): Uint8Array => text(`{\\rtf1 a ${body}}`);
const mail = (content: string): Uint8Array =>
  text(`From: a\r\nMIME-Version: 1.0\r\nDate: x\r\nSubject: s\r\n${content}`);

/** Files that would be slow for a reader that looks back, copies or counts again. */
const FILES: Readonly<Record<string, (n: number) => Uint8Array>> = {
  'XLSX of rows': (n) => sheet(many(n, (i) => rowOf(i + 2, i, 'b'))),
  'XLSX of columns that are hidden': (n) =>
    sheet(
      many(n, (i) => rowOf(i + 2, i, 'b')),
      {
        columns: `<cols>${many(n, () => '<col min="2" max="16384" hidden="1"/>')}</cols>`,
      },
    ),
  'XLSX of merged cells': (n) =>
    sheet(
      many(n, (i) => rowOf(i + 2, 'x')),
      {
        rest: `<mergeCells>${many(n, () => '<mergeCell ref="A2:A1048576"/>')}</mergeCells>`,
      },
    ),
  'XLSX of cells merged far from others': (n) =>
    sheet(`<row r="2"><c r="ALK2"><v>1</v></c></row>${many(n, (i) => rowOf(i + 3, 'x'))}`, {
      rest: `<mergeCells>${many(n, () => '<mergeCell ref="ALK2:ALK1048576"/>')}</mergeCells>`,
    }),
  'XLSX of tables': (n) => sheet(many(n, (i) => rowOf(i * 2 + 3, ...Array(1 + (i % 3)).fill(i)))),
  'XLSX of links': (n) =>
    sheet('', {
      rest: `<hyperlinks>${many(n, () => '<hyperlink ref="A1" r:id="l"/>')}</hyperlinks>`,
    }),
  'XLSX of narrow rows below a wide one': (n) =>
    sheet(`<row r="2"><c r="ALL2"><v>1</v></c></row>${many(n, (i) => rowOf(i + 3, 'x'))}`),
  'XLSX of cells that share a text': (n) =>
    tinyXlsx({
      sheets: [
        { rows: rowOf(1, 'a') + many(n, (i) => `<row r="${i + 2}"><c t="s"><v>0</v></c></row>`) },
      ],
      strings: `<si><t>${'x'.repeat(10_000)}</t></si>`,
      isStored: true,
    }),
  'PPTX of linked runs': (n) =>
    tinyPptx({
      slides: [
        {
          shapes: slideShape(
            `<a:p>${many(n, (i) => `<a:r><a:rPr b="${i % 2}"><a:hlinkClick r:id="l"/></a:rPr><a:t>a</a:t></a:r>`)}</a:p>`,
          ),
          relations: [['l', 'hyperlink', `https://a.example/${'x'.repeat(8_000)}`, true]],
        },
      ],
      isStored: true,
    }),
  'PPTX of runs': (n) =>
    slide(
      slideShape(`<a:p>${many(n, (i) => `<a:r><a:rPr b="${i % 2}"/><a:t>a </a:t></a:r>`)}</a:p>`),
    ),
  'PPTX of items at all levels': (n) =>
    slide(
      slideShape(
        many(n, (i) => drawnParagraph('a', `lvl="${i % 9}"`)),
        'idx="1"',
      ),
    ),
  'PPTX of forms of a drawing': (n) =>
    slide(`<mc:AlternateContent>${many(n, () => '<mc:Choice/>')}</mc:AlternateContent>`),
  'ODT of spans': (n) =>
    odt(odfParagraph(many(n, () => '<text:span text:style-name="x">a </text:span>'))),
  'ODT of notes': (n) =>
    odt(
      odfParagraph(
        many(
          n,
          () => `<text:note><text:note-body>${odfParagraph('a')}</text:note-body></text:note>`,
        ),
      ),
    ),
  'ODT of repeated cells': (n) =>
    odt(
      `<table:table>${many(n, () => `<table:table-row><table:table-cell table:number-columns-repeated="99">${odfParagraph('a')}</table:table-cell></table:table-row>`)}</table:table>`,
    ),
  'ODT of styles based on each other': (n) =>
    odt(
      many(n, (i) => odfParagraph('a', `s${i % 1_000}`)),
      many(
        1_000,
        (i) =>
          `<style:style style:name="s${i}" style:family="paragraph" style:parent-style-name="s${i + 1}"/>`,
      ),
    ),
  'ODT of properties of one style': (n) =>
    odt(
      many(n, () => odfParagraph('a', 's')),
      `<style:style style:name="s" style:family="paragraph">${many(n, () => '<style:x/>')}</style:style>`,
    ),
  'ODT of levels of one list': (n) =>
    odt(
      many(
        n,
        () =>
          `<text:list text:style-name="l"><text:list-item>${odfParagraph('a')}</text:list-item></text:list>`,
      ),
      `<text:list-style style:name="l">${many(n, () => '<text:list-level-style-bullet/>')}</text:list-style>`,
    ),
  'ODS of repeated rows': (n) =>
    ods(
      many(
        n,
        () =>
          '<table:table-row table:number-rows-repeated="9"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
      ),
    ),
  'EPUB of elements': (n) => epub(many(n, () => '<p>a <i>b</i></p>')),
  'EPUB of elements that end themselves': (n) => epub(many(n, () => '<i x="a"/>')),
  'EPUB of a tag that never ends': (n) => epub(`<a ${many(n, () => '/"\'')}`),
  'EPUB of a long tag': (n) => epub(`<${many(n, () => 'a-')}`),
  'EPUB of notes with one mark': (n) =>
    epub(
      many(n, (i) => `<p>a<sup><a href="#n${i}" id="r${i}">1</a></sup></p>`) +
        many(n, (i) => `<p id="n${i}">b <a href="#r${i}">1</a></p>`),
    ),
  'CSV of quotes': (n) => text(`a,b\n1,2\n3,4\n${many(n, () => '"a""b",c\n')}`),
  'CSV of a quote that never ends': (n) => text(`a,b\n1,2\n3,4\n"${many(n, () => '""a,\n')}`),
  'CSV of blank cells': (n) => text(`a,b\n1,2\n3,4\n${','.repeat(n)}`),
  'CSV of spaces': (n) => text(`a,b\n1,2\n3,4\n${many(n, () => '  ,')}`),
  'RTF of groups': (n) => rtf(many(n, () => '{\\b a }')),
  'RTF of bytes': (n) => rtf(many(n, () => "\\'41")),
  'RTF of cells': (n) =>
    rtf(`\\trowd${many(n, () => '\\cellx1')}\\intbl ${many(n, () => 'a\\cell ')}\\row`),
  'RTF of footnotes': (n) => rtf(many(n, () => 'a{\\footnote b}')),
  'RTF of fields': (n) => rtf(many(n, () => '{\\field{\\*\\fldinst HYPERLINK "a}{\\fldrslt a}}')),
  'a mail of fields': (n) => mail(`${many(n, (i) => `X-${i}: a\r\n b\r\n`)}\r\na`),
  'a mail of a field that never ends': (n) => mail(`Content-Type: a${many(n, () => ';a="\\"')}`),
  'a mail of encoded words': (n) => mail(`To: ${many(n, () => '=?utf-8?Q?=C3=?= ')}\r\n\r\na`),
  'a mail of delimiters within lines': (n) =>
    mail(`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\na${many(n, () => 'a--b')}`),
  'a mail of parts': (n) =>
    mail(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${many(n, () => '--b\r\n\r\na\r\n')}`),
  'a mail of mails': (n) =>
    mail(`${many(30, () => 'Content-Type: message/rfc822\r\n\r\n')}\r\n${'a\r\n'.repeat(n)}`),
  'a mail of quotes': (n) => mail(`\r\n${many(n, (i) => `${'>'.repeat(i % 9)} a\r\n`)}`),
  'a mail that flows': (n) =>
    mail(`Content-Type: text/plain; format=flowed\r\n\r\n${many(n, () => '> a \r\n')}`),
  'Markdown of links': (n) => text(`# a\n${many(n, () => '[a](b)![')}`),
};

describe('hostile files', () => {
  it.each(Object.entries(FILES))('%s: read in time linear in their number', async (_, file) => {
    const cost = cpuCost(file, async (bytes) => {
      expect(await readFile(bytes)).toMatchObject({ ok: true });
    });
    expect(await growthOf(cost, { from: 5_000, upTo: 100_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
