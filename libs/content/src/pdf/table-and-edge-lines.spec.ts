import { readFile } from '../files/read-file.js';
import { drawText, lines, TinyFile, tinyPdf } from './fixtures/tiny-pdf.js';

const TIDES = [
  'The harbour of the small town lies open to',
  'the west, and in winter the storms bring in',
  'more sand than the dredgers can take away',
  'before the first ships of spring come in.',
];

async function fileOf(pdf: Uint8Array) {
  const result = await readFile(pdf);
  if (!result.ok) throw new Error(`${result.problem}: ${result.message}`);
  return result.file;
}

const pageOf = (draw: string) => fileOf(tinyPdf([{ draw }]));

describe('edge lines of a single page', () => {
  it.each([
    ['a page number', drawText(290, 30, '62', 9)],
    ['a page number with a word', drawText(290, 30, 'Page 3 of 4', 9)],
    [
      'a title beside a page number',
      drawText(72, 800, '400', 9) + drawText(250, 800, 'Handbook of husbandry', 9),
    ],
    [
      'a revision line with a date',
      drawText(72, 30, 'Revision: 2.4', 9) +
        drawText(280, 30, 'P/N 119-036', 9) +
        drawText(460, 30, '10 June 2019', 9),
    ],
    ['a stamp', drawText(72, 800, 'Downloaded from http://journal.example/ on July 12, 2017', 9)],
  ])('stay out of the Markdown, but not of the text: %s', async (_, edge) => {
    const { markdown, text } = await pageOf(lines(72, 700, TIDES) + edge);
    expect(markdown).toBe(`${TIDES.join(' ')}\n`);
    expect(text.length).toBeGreaterThan(markdown.length);
  });

  it.each([
    ['a letterhead', drawText(72, 800, 'Harbour Office, 12 Quay Street', 9)],
    ['a sender and a date', drawText(72, 800, 'Jane Doe') + drawText(400, 800, '12 March 2024')],
    ['a signature', drawText(72, 60, 'Jane Doe, harbour master')],
    ['a number that ends the text', drawText(72, 650, '1848')],
  ])('are kept where they are of the text: %s', async (_, edge) => {
    const { markdown } = await pageOf(lines(72, 700, TIDES) + edge);
    expect(markdown.length).toBeGreaterThan(TIDES.join(' ').length + 4);
  });

  it('are kept where they are the last row of a table', async () => {
    const rows = [180, 150, 120, 90, 60].map(
      (y, index) =>
        drawText(72, y, `Quay ${'ABCDE'[index]}`) +
        drawText(250, y, '3.5 m') +
        drawText(400, y, String(10 + index)),
    );
    const { markdown } = await pageOf(lines(72, 400, TIDES) + rows.join(''));
    expect(markdown).toContain('Quay E');
  });
});

describe('tables', () => {
  const ROWS = ['Easy', 'Normal', 'Challenge'];

  it('of numbers stay whole, though titles between the rows have no numbers', async () => {
    const draw = Array.from({ length: 24 }, (_, row) => {
      const y = 760 - row * 24;
      const numbers = [300, 340, 380, 440, 480, 520].map((x) => drawText(x, y, '0.87')).join('');
      return row % 4 === 0
        ? drawText(72, y, `Topic ${'ABCDEF'[row / 4]} of the study`, 10, 'F2')
        : drawText(72, y, `${ROWS[(row % 4) - 1]} clustering of proteins`) + numbers;
    }).join('');
    const { markdown } = await pageOf(draw);
    expect(markdown).toMatch(
      /\| Challenge clustering of proteins \| 0\.87 \| 0\.87 \| 0\.87 \| 0\.87 \| 0\.87 \| 0\.87 \|/,
    );
  });

  it('hold a title over several of their columns', async () => {
    const row = (y: number, texts: readonly string[]): string =>
      texts.map((text, column) => drawText(72 + column * 130, y, text)).join('');
    const draw =
      row(700, ['Source', 'Type', 'Tokens', 'Words']) +
      drawText(205, 676, 'Pretraining') +
      row(652, ['arXiv', 'Papers', '20.8B', '19.3B']) +
      row(638, ['Wiki', 'Articles', '3.7B', '3.16B']);
    const { markdown } = await pageOf(draw);
    expect(markdown).toMatch(/^\| Source \| Type \| Tokens \| Words \|/);
    expect(markdown).toContain('| arXiv | Papers | 20.8B | 19.3B |');
  });
});

/** A font whose letters are programs: half an em wide, in a box that is ten times as high. */
function typeThreePdf(texts: readonly string[]): Uint8Array {
  const file = new TinyFile();
  const tree = file.reserve();
  const glyph = file.stream('', '500 0 0 -2000 1000 8000 d1 0 0 400 700 re f');
  const codes = Array.from({ length: 95 }, (_, index) => 32 + index);
  const font = file.add(
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 -2000 1000 8000] /FontMatrix [0.001 0 0 0.001 0 0] ` +
      `/FirstChar 32 /LastChar 126 /Widths [${codes.map(() => 500).join(' ')}] /Resources << >> ` +
      `/Encoding << /Type /Encoding /Differences [32 ${codes.map((code) => `/g${code}`).join(' ')}] >> ` +
      `/CharProcs << ${codes.map((code) => `/g${code} ${glyph} 0 R`).join(' ')} >> ` +
      `/ToUnicode ${file.stream('', TO_UNICODE)} 0 R >>`,
  );
  const drawn = texts.map(
    (text, index) => `BT /T3 1 Tf 10 0 0 10 72 ${700 - index * 12} Tm (${text}) Tj ET\n`,
  );
  const content = file.stream('', drawn.join(''));
  const page = file.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595 842] /Resources << /Font << /T3 ${font} 0 R >> >> /Contents ${content} 0 R >>`,
  );
  file.set(tree, `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
  return file.finish(`/Root ${file.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`)} 0 R`);
}

const TO_UNICODE =
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <0020> endbfrange endcmap end end';

describe('fonts drawn by programs', () => {
  it('do not merge lines by the height that they state', async () => {
    const { markdown } = await fileOf(typeThreePdf(TIDES));
    expect(markdown).toBe(`${TIDES.join(' ')}\n`);
  });
});
