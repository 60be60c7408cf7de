import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  item,
  list,
  docxMarkdown,
  paragraph,
  series,
  type TinyDocx,
} from './fixtures/tiny-docx.js';

const start = (level: number, number: number): string =>
  `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${number}"/></w:lvlOverride>`;
const indented = (twips: number): string => `<w:ind w:left="${twips}" w:hanging="360"/>`;
/** A series of one level that is as far in as a second level. */
const inner = (id: number, format: string): string =>
  series(id, format).replace('w:left="720"', 'w:left="1440"');

type Case = readonly [name: string, docx: TinyDocx, markdown: string];

describe('lists of a DOCX', () => {
  it('reads the reported list in a list', async () => {
    const file = path.join(__dirname, 'fixtures/reported/list-in-list.docx');
    expect(await docxMarkdown(readFileSync(file))).toBe(
      'Packing steps\n\n1. Take the crate\n2. Fill the crate\n   - paper first\n   - glass second\n3. Close the crate\n   1. fold the short flaps\n   2. fold the long flaps\n4. Label the crate\n',
    );
  });

  it.each<Case>([
    [
      'inside of an item, by their own indentation',
      {
        numbering:
          series(0, 'decimal') +
          inner(1, 'lowerLetter') +
          inner(2, 'bullet') +
          list(1, 0) +
          list(2, 1) +
          list(3, 2),
        body:
          item('A', 1) + item('a', 2) + item('b', 2) + item('B', 1) + item('x', 3) + item('C', 1),
      },
      '1. A\n   1. a\n   2. b\n2. B\n   - x\n3. C\n',
    ],
    [
      'inside of an item, by the indentation of the paragraph',
      {
        numbering: series(0, 'upperRoman') + series(1, 'lowerLetter') + list(1, 0) + list(2, 1),
        body:
          item('A', 1) +
          item('a', 2, 0, indented(1_440)) +
          item('b', 2, 0, indented(1_440)) +
          item('B', 1),
      },
      '1. A\n   1. a\n   2. b\n2. B\n',
    ],
    [
      'inside of an item, by the indentation of a style',
      {
        numbering:
          series(0, 'decimal') +
          '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:pStyle w:val="Sub"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>' +
          list(1, 0) +
          list(2, 1),
        styles: `<w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr>${indented(1_440)}</w:pPr></w:style>`,
        body: item('A', 1) + paragraph('a', 'Sub') + item('B', 1),
      },
      '1. A\n   - a\n2. B\n',
    ],
    [
      'beside each other where they are as far in',
      {
        numbering: series(0, 'decimal') + series(1, 'decimal') + list(1, 0) + list(2, 1),
        body: item('A', 1) + item('B', 1) + item('a', 2) + item('C', 1),
      },
      '1. A\n2. B\n\n1) a\n\n3. C\n',
    ],
    [
      'with levels of their own inside of another list',
      {
        numbering:
          series(0, 'decimal') + series(1, 'bullet', 'bullet', 'bullet') + list(1, 0) + list(2, 1),
        body: item('A', 1) + item('x', 2, 1) + item('y', 2, 2) + item('z', 2, 1) + item('B', 1),
      },
      '1. A\n   - x\n     - y\n   - z\n2. B\n',
    ],
    [
      'that go on after a paragraph',
      { body: item('first', 2) + paragraph('Between.') + item('second', 2) },
      '1. first\n\nBetween.\n\n2. second\n',
    ],
    [
      'that go on after a heading and a table, as another list of the same series',
      {
        numbering: series(0, 'decimal') + list(1, 0) + list(2, 0),
        body:
          item('first', 1) +
          paragraph('Part', 'Heading1') +
          item('second', 2) +
          `<w:tbl><w:tr><w:tc>${paragraph('x')}</w:tc><w:tc>${paragraph('y')}</w:tc></w:tr></w:tbl>` +
          item('third', 1),
      },
      '1. first\n\n# Part\n\n2. second\n\n| x | y |\n| --- | --- |\n\n3. third\n',
    ],
    [
      'that begin again where they say so',
      {
        numbering:
          series(0, 'decimal', 'lowerLetter') +
          list(1, 0) +
          list(2, 0, start(0, 1)) +
          list(3, 0, start(0, 10)),
        body:
          item('A', 1) +
          item('B', 1) +
          item('a', 2) +
          item('b', 2) +
          item('ten', 3) +
          item('eleven', 3),
      },
      '1. A\n2. B\n\n1) a\n2) b\n\n10. ten\n11. eleven\n',
    ],
    [
      'whose levels begin again below each item, or do not',
      {
        numbering:
          series(0, 'decimal', 'lowerLetter') +
          series(1, 'decimal', 'lowerLetter').replace(
            '<w:numFmt w:val="lowerLetter"/>',
            '<w:numFmt w:val="lowerLetter"/><w:lvlRestart w:val="0"/>',
          ) +
          list(1, 0) +
          list(2, 1),
        body:
          item('A', 1) +
          item('a', 1, 1) +
          item('b', 1, 1) +
          item('B', 1) +
          item('a', 1, 1) +
          paragraph('-') +
          item('A', 2) +
          item('a', 2, 1) +
          item('B', 2) +
          item('b', 2, 1),
      },
      '1. A\n   1. a\n   2. b\n2. B\n   1. a\n\n\\-\n\n1. A\n\n   1. a\n\n2. B\n\n   2. b\n',
    ],
    [
      'that a style of lists defines',
      {
        numbering:
          '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="L"/></w:abstractNum>' +
          series(1, 'decimal').replace('<w:lvl ', '<w:styleLink w:val="L"/><w:lvl ') +
          list(1, 0) +
          list(2, 1),
        styles:
          '<w:style w:type="numbering" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>',
        body: item('A', 1) + paragraph('Between.') + item('B', 2),
      },
      '1. A\n\nBetween.\n\n2. B\n',
    ],
    [
      'whose levels are written anew for one of them',
      {
        numbering:
          series(0, 'decimal') +
          list(1, 0) +
          list(
            2,
            0,
            '<w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:lvlOverride>',
          ),
        body: item('A', 1) + item('x', 2),
      },
      '1. A\n\n- x\n',
    ],
    [
      'from styles and what they are based on',
      {
        numbering:
          series(0, 'decimal', 'lowerLetter').replace(
            '<w:numFmt w:val="lowerLetter"/>',
            '<w:numFmt w:val="lowerLetter"/><w:pStyle w:val="L2"/>',
          ) + list(1, 0),
        styles: ['L1', 'L2', 'L3']
          .map(
            (id) =>
              `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${id === 'L1' ? '' : `<w:basedOn w:val="${id === 'L2' ? 'L1' : 'L2'}"/>`}<w:pPr>${id === 'L1' ? '<w:numPr><w:numId w:val="1"/></w:numPr>' : ''}</w:pPr></w:style>`,
          )
          .join(''),
        body:
          paragraph('A', 'L1') + paragraph('a', 'L2') + paragraph('b', 'L3') + paragraph('B', 'L1'),
      },
      '1. A\n   1. a\n   2. b\n2. B\n',
    ],
    [
      'whose items stand out for themselves',
      {
        numbering:
          series(0, 'bullet').replace('%1.', '☐') +
          series(1, 'bullet').replace('%1.', '☒') +
          list(1, 0) +
          list(2, 1),
        body: item('open', 1) + item('done', 2),
      },
      '- ☐ open\n- ☒ done\n',
    ],
    [
      'with paragraphs that count and show nothing',
      {
        numbering: series(0, 'decimal', 'none') + list(1, 0),
        body: item('A', 1) + item('more', 1, 1) + item('B', 1),
      },
      '1. A\n\n   more\n\n2. B\n',
    ],
    [
      'with items that are hidden or empty',
      {
        body:
          item('A', 2) +
          '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r></w:p>' +
          item('B', 2) +
          item('', 2) +
          item('D', 2),
      },
      '1. A\n2. B\n3.\n4. D\n',
    ],
    [
      'without the paragraphs that are taken out of them',
      {
        numbering: series(0, 'decimal') + list(1, 0),
        styles:
          '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
        body:
          paragraph('A', 'L') +
          paragraph('out', 'L').replace(
            '</w:pPr>',
            '<w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>',
          ) +
          paragraph('B', 'L'),
      },
      '1. A\n\nout\n\n2. B\n',
    ],
    [
      'counted by headings as well',
      {
        numbering: series(0, 'decimal', 'decimal') + list(1, 0),
        body:
          paragraph('One', 'Heading1').replace(
            '</w:pPr>',
            '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
          ) +
          item('a', 1, 1) +
          paragraph('Two', 'Heading1').replace(
            '</w:pPr>',
            '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
          ) +
          item('b', 1, 1),
      },
      '# One\n\n1. a\n\n# Two\n\n1. b\n',
    ],
  ])('are read %s', async (_, docx, markdown) => {
    expect(await docxMarkdown(docx)).toBe(markdown);
  });
});
