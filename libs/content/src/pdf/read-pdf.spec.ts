import { readFile } from '../files/read-file.js';
import { drawText, lines, PICTURE, tinyPdf, type TinyPage } from './fixtures/tiny-pdf.js';

async function markdownOf(pages: readonly TinyPage[]): Promise<string> {
  const result = await readFile(tinyPdf(pages));
  if (!result.ok) throw new Error(`${result.problem}: ${result.message}`);
  return result.file.markdown;
}

const LOREM = [
  'The harbour of the small town lies open to',
  'the west, and in winter the storms bring in',
  'more sand than the dredgers can take away',
  'before the first ships of spring come in.',
];
const OTHER = [
  'Fish is sold on the quay from four in the',
  'morning, and whoever comes after six finds',
  'empty boxes and gulls that have eaten well',
  'and do not fly up for strangers any more.',
];

describe('readPdf', () => {
  it('joins the lines of a paragraph and parts paragraphs', async () => {
    const draw = lines(72, 700, LOREM) + lines(72, 630, OTHER);
    expect(await markdownOf([{ draw }])).toBe(`${LOREM.join(' ')}\n\n${OTHER.join(' ')}\n`);
  });

  it('ranks headings by size, then by weight', async () => {
    const draw =
      drawText(72, 780, 'The Harbour', 24, 'F2') +
      drawText(72, 740, 'Winter', 16, 'F2') +
      lines(72, 715, LOREM) +
      drawText(72, 640, 'Fish market', 10, 'F2') +
      lines(72, 620, OTHER);
    expect(await markdownOf([{ draw }])).toBe(
      `# The Harbour\n\n## Winter\n\n${LOREM.join(' ')}\n\n### Fish market\n\n${OTHER.join(' ')}\n`,
    );
  });

  it('reads columns one after the other, and the text above and below them', async () => {
    const column = (texts: readonly string[]): string[] => [...texts, ...texts, ...texts];
    const draw =
      drawText(72, 780, 'A title over both columns of the page', 18, 'F2') +
      lines(50, 740, column(LOREM)) +
      // Baselines of their own: rows do not pair up.
      lines(310, 737, column(OTHER)) +
      lines(50, 560, [
        'A last line over the whole width of the page, below both of its columns of text.',
      ]);
    const text = await markdownOf([{ draw }]);
    const order = [
      'A title',
      'The harbour',
      'before the first',
      'Fish is sold',
      'strangers',
      'A last',
    ];
    const places = order.map((words) => text.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(text).not.toContain('|');
    expect(text).toContain(LOREM.join(' '));
  });

  it('reads level columns one after the other', async () => {
    const draw = lines(50, 740, [...LOREM, ...LOREM]) + lines(310, 740, [...OTHER, ...OTHER]);
    const text = await markdownOf([{ draw }]);
    expect(text.indexOf('before the first')).toBeLessThan(text.indexOf('Fish is sold'));
    expect(text).toContain(OTHER.join(' '));
  });

  it('reads a short column beside a long one, where the rest is a picture', async () => {
    const draw = lines(50, 740, [...LOREM, ...LOREM, ...LOREM, ...LOREM]) + lines(310, 737, OTHER);
    const text = await markdownOf([{ draw }]);
    expect(text).toContain(OTHER.join(' '));
    expect(text).not.toContain('|');
  });

  it('keeps terms and what they mean side by side', async () => {
    const terms = ['Ebb', 'Flood', 'Neap'];
    const meanings = [
      ['The water goes out, for about six hours, and', 'the boats lie dry.'],
      ['The water comes in, and everybody who stands', 'on the sand goes home.'],
      ['The moon is half and pulls across, so there is', 'little of both.'],
    ];
    const draw = terms
      .map(
        (term, index) =>
          drawText(72, 700 - index * 40, term) +
          lines(160, 700 - index * 40, meanings[index] ?? []),
      )
      .join('');
    const text = await markdownOf([{ draw }]);
    const order = ['Ebb', 'goes out', 'lie dry', 'Flood', 'comes in', 'Neap', 'moon', 'little'];
    const places = order.map((words) => text.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('makes a table of short cells that keep to their columns', async () => {
    const rows = [
      ['Name', 'Length', 'Built'],
      ['Albatros', '12 m', '1987'],
      ['Kormoran', '9 m', '2001'],
      ['Sturmvogel', '15 m', '1969'],
    ];
    const draw = rows
      .map((cells, row) =>
        cells.map((cell, column) => drawText(72 + column * 120, 700 - row * 14, cell)).join(''),
      )
      .join('');
    expect(await markdownOf([{ draw: lines(72, 760, LOREM) + draw }])).toContain(
      '| Name | Length | Built |\n| --- | --- | --- |\n| Albatros | 12 m | 1987 |\n| Kormoran | 9 m | 2001 |\n| Sturmvogel | 15 m | 1969 |',
    );
  });

  it('reads lists with their nesting and numbers', async () => {
    const draw =
      lines(72, 700, ['\x95 Ropes', '\x95 Anchors that hold in sand and in the']) +
      lines(80, 676, ['mud of the inner basin']) +
      lines(92, 664, ['\x95 Spare ones']) +
      lines(72, 640, ['3. Cast off', '4. Set sail']);
    expect(await markdownOf([{ draw }])).toBe(
      '- Ropes\n- Anchors that hold in sand and in the mud of the inner basin\n  - Spare ones\n\n3. Cast off\n4. Set sail\n',
    );
  });

  it('does not take a year at the start of a line for an item', async () => {
    const draw = lines(72, 700, ['The lighthouse was built in the year', '1887. It still stands.']);
    expect(await markdownOf([{ draw }])).toBe(
      'The lighthouse was built in the year 1887. It still stands.\n',
    );
  });

  it.each([
    [['The light', 'house keeps a con-', 'stant watch.'], 'constant'],
    [['A well-known pilot is', 'known well. He is well-', 'known here.'], 'well-known here'],
    [['We saw the new lighthouse then; the light-', 'house is white.'], 'the lighthouse is'],
    [['Part of the Baltic-', 'North Sea route.'], 'Baltic-North Sea'],
    [['State-of-the-', 'art boats.'], 'State-of-the-art boats'],
    [['A soft hy\xad', 'phen.'], 'hyphen'],
  ])('joins words broken at the end of a line: %j', async (texts, expected) => {
    expect(await markdownOf([{ draw: lines(72, 700, texts) }])).toContain(expected);
  });

  it('keeps listings with their lines and indents', async () => {
    const code = ['function sail() {', '  if (wind) {', '    go();', '  }', '}'];
    const draw = lines(72, 760, LOREM) + lines(72, 690, code, { font: 'F4' });
    expect(await markdownOf([{ draw }])).toContain(`\`\`\`\n${code.join('\n')}\n\`\`\``);
  });

  it('shows emphasis and raised characters', async () => {
    const draw =
      lines(72, 760, LOREM) +
      drawText(72, 700, 'Never ') +
      drawText(103, 700, 'ever', 10, 'F2') +
      drawText(128, 700, 'sail on ') +
      drawText(163, 700, 'Fridays', 10, 'F3');
    expect(await markdownOf([{ draw }])).toContain('Never **ever** sail on *Fridays*');
  });

  it('links the words that a link lies over, to the web and to mailboxes only', async () => {
    const page: TinyPage = {
      draw:
        lines(72, 700, ['Read the tide tables before you leave.']) +
        lines(72, 660, ['Click here.']),
      links: [
        { rect: [112, 697, 166, 710], uri: 'https://tides.example/tables' },
        { rect: [72, 657, 120, 670], uri: 'javascript:alert(1)' },
      ],
    };
    const result = await readFile(tinyPdf([page]));
    expect(result).toMatchObject({ ok: true, file: { links: ['https://tides.example/tables'] } });
    expect(result.ok && result.file.markdown).toBe(
      'Read the [tide tables](https://tides.example/tables) before you leave.\n\nClick here.\n',
    );
  });

  it('leaves running titles and page numbers out of the Markdown and in the text', async () => {
    const pages = [1, 2, 3, 4].map((number) => ({
      draw:
        drawText(72, 800, 'Handbook of the harbour', 9) +
        lines(72, 700, LOREM) +
        drawText(72, 640, `Only on page ${['one', 'two', 'three', 'four'][number - 1]}.`) +
        drawText(290, 30, `Page ${number} of 4`, 9),
    }));
    const result = await readFile(tinyPdf(pages));
    if (!result.ok) throw new Error(result.message);
    expect(result.file.markdown).not.toMatch(/Handbook|Page \d/);
    expect(result.file.markdown).toContain('Only on page three.');
    expect(result.file.text.match(/Handbook of the harbour/g)).toHaveLength(4);
    expect(result.file.text).toContain('Page 3 of 4');
    expect(result.file.pages).toBe(4);
  });

  it('keeps the first occurrence of a paragraph that is repeated at the foot of each page', async () => {
    const notice = [
      'This notice is given by the harbour to all who enter and who leave.',
      'Nobody may moor here without the word of the master.',
    ];
    const pages = ['one', 'two', 'three'].map((number) => ({
      draw:
        drawText(72, 800, 'Handbook of the harbour', 9) +
        lines(72, 700, [...LOREM, `Only on page ${number}.`]) +
        lines(72, 60, notice),
    }));
    const parts = (await markdownOf(pages)).split(notice.join(' '));
    expect(parts).toHaveLength(2);
    expect(parts[0]).toContain('page one');
    expect(parts[0]).not.toContain('page two');
    expect(parts.join('')).not.toContain('Handbook');
  });

  it('makes a paragraph whole that a page break cut', async () => {
    const pages = [
      { draw: lines(72, 400, LOREM.slice(0, 2)) },
      { draw: lines(72, 700, LOREM.slice(2)) },
    ];
    expect(await markdownOf(pages)).toBe(`${LOREM.join(' ')}\n`);
  });

  it('reads Chinese by the predefined character maps', async () => {
    const draw =
      drawText(72, 700, '港口向西开放，', 12, 'CJK') + drawText(72, 684, '冬天有风暴。', 12, 'CJK');
    expect(await markdownOf([{ draw }])).toBe('港口向西开放，冬天有风暴。\n');
  });

  it('reads Hebrew from right to left', async () => {
    // As typesetters draw it: each letter in its place, so the string runs backwards.
    const backwards = [...'שלום עולם'].reverse().join('');
    expect(await markdownOf([{ draw: drawText(300, 700, backwards, 12, 'UNI') }])).toBe(
      'שלום עולם\n',
    );
  });

  it('writes ligatures out', async () => {
    expect(
      await markdownOf([{ draw: drawText(72, 700, 'e\ufb03cient \ufb01sh', 12, 'UNI') }]),
    ).toBe('efficient fish\n');
  });

  it('reads a page that lies on its side', async () => {
    const turned = LOREM.map(
      (text, index) => `BT /F1 10 Tf 0 1 -1 0 ${100 + index * 12} 100 Tm (${text}) Tj ET\n`,
    ).join('');
    expect(await markdownOf([{ draw: turned }])).toBe(`${LOREM.join(' ')}\n`);
    expect(await markdownOf([{ draw: lines(72, 400, LOREM), rotate: 90 }])).toBe(
      `${LOREM.join(' ')}\n`,
    );
  });

  it('returns words once that are drawn twice to look bold', async () => {
    const draw = drawText(72, 700, 'Danger ahead') + drawText(72.3, 700, 'Danger ahead');
    expect(await markdownOf([{ draw }])).toBe('Danger ahead\n');
  });

  it.each([
    ['Harbour rules', 'Harbour rules'],
    ['Microsoft Word - rules.doc', 'Rules of the quay'],
    [undefined, 'Rules of the quay'],
  ])('with the title %j is called %j', async (title, expected) => {
    const draw = drawText(72, 780, 'Rules of the quay', 20, 'F2') + lines(72, 740, LOREM);
    const result = await readFile(tinyPdf([{ draw }], { title }));
    expect(result).toMatchObject({ ok: true, file: { title: expected } });
  });

  it('reports its cuts', async () => {
    const pages = [1, 2, 3].map((number) => ({
      draw: drawText(72, 700, `This is sheet ${number}.`),
    }));
    const two = await readFile(tinyPdf(pages), { maxPages: 2 });
    expect(two).toMatchObject({ ok: true, file: { pages: 3, truncatedBy: 'max_pages' } });
    expect(two.ok && two.file.text).toBe('This is sheet 1.\n\nThis is sheet 2.');
    const short = await readFile(tinyPdf(pages), { maxChars: 10 });
    expect(short).toMatchObject({ ok: true, file: { truncatedBy: 'max_chars' } });
    const late = await readFile(tinyPdf(pages), { budgetMs: 0 });
    expect(late).toMatchObject({
      ok: true,
      file: { truncatedBy: 'time', text: 'This is sheet 1.' },
    });
    const stopped = await readFile(tinyPdf(pages), { signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ ok: true, file: { truncatedBy: 'time' } });
  });

  it('returns the same bytes for the same file', async () => {
    const bytes = tinyPdf([{ draw: lines(72, 700, LOREM) }], { isPacked: true });
    const copy = Uint8Array.from(bytes);
    expect(await readFile(bytes)).toEqual(await readFile(bytes));
    expect(bytes).toEqual(Buffer.from(copy));
  });

  it('recognizes a file of pictures, and draws them on request', async () => {
    const bytes = tinyPdf([{ draw: PICTURE }, { draw: PICTURE }]);
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'no_text' });
    const drawn = await readFile(bytes, { pictures: { maxPages: 1, maxEdgePx: 200 } });
    expect(drawn).toMatchObject({ ok: false, problem: 'no_text', pageImages: [{ page: 1 }] });
  });
});
describe('readPdf by page', () => {
  const page = (title: string, ...texts: readonly string[]): TinyPage => ({
    draw: drawText(72, 780, title, 18, 'F2') + lines(72, 740, texts),
    width: 600,
    height: 800,
  });
  const HALF = 'The harbour of the small town lies open to the west, and in winter the';
  const REST = 'storms bring in more sand than the dredgers can take away before spring.';
  const PAGES = [
    page('One', HALF),
    { draw: lines(72, 740, [REST]), rotate: 90 },
    page('Three', 'End.'),
  ];

  it('adds each page by itself, with its size as it is shown', async () => {
    const result = await readFile(tinyPdf(PAGES), { pages: true });
    expect(result).toMatchObject({
      ok: true,
      file: {
        markdown: `# One\n\n${HALF} ${REST}\n\n# Three\n\nEnd.\n`,
        pages: 3,
        pageList: [
          { page: 1, markdown: `# One\n\n${HALF}\n`, width: 600, height: 800 },
          { page: 2, markdown: `${REST}\n`, width: 842, height: 595 },
          { page: 3, markdown: '# Three\n\nEnd.\n', width: 600, height: 800 },
        ],
      },
    });
  });

  it('puts a comment before each page that something begins on', async () => {
    const result = await readFile(tinyPdf(PAGES), { pageMarkers: true });
    expect(result.ok && result.file.markdown).toBe(
      `<!-- page 1 -->\n\n# One\n\n${HALF} ${REST}\n\n<!-- page 3 -->\n\n# Three\n\nEnd.\n`,
    );
  });

  it('says where pages begin, and writes a list over two pages in one go', async () => {
    const items = (from: number): TinyPage => ({
      draw: lines(72, 740, [`${from}. First of them.`, `${from + 1}. Second of them.`]),
    });
    const result = await readFile(
      tinyPdf([page('One', 'Text.'), items(1), items(3), page('Four', 'End.')]),
    );
    expect(result).toMatchObject({ ok: true });
    const { markdown } = (result.ok && result.file) || { markdown: '' };
    const starts = (result.ok && result.pageStarts) || [];
    expect(starts.map(({ page: number, at }) => [number, markdown.slice(at, at + 8)])).toEqual([
      [1, '# One\n\nT'],
      [2, '1. First'],
      [4, '# Four\n\n'],
    ]);
    expect(markdown).toContain('2. Second of them.\n3. First of them.');
  });

  it('says what stands where, also on pages that are turned and in text that reads upwards', async () => {
    const upward = 'BT /F1 10 Tf 0 1 -1 0 580 100 Tm (Aside.) Tj ET\n';
    const draw = drawText(72, 700, 'Title', 20, 'F2') + lines(72, 650, [HALF, REST]) + upward;
    const [straight, turned] = await Promise.all(
      [0, 180].map(async (rotate) => {
        const page = { draw, width: 600, height: 800, rotate };
        const result = await readFile(tinyPdf([page]), { pages: true, sources: true });
        return (result.ok && result.file.pageList?.[0]?.sources) || [];
      }),
    );
    const rounded = straight?.map(({ kind, text, box }) => [kind, text, box?.map(Math.round)]);
    expect(rounded).toEqual([
      ['heading', 'Title', [72, 84, 113, 105]],
      ['paragraph', `${HALF} ${REST}`, [72, 142, expect.any(Number), 165]],
      ['paragraph', 'Aside.', [572, 672, 583, 700]],
    ]);
    // Turned by half, all is on the other side.
    const back = turned?.map(({ box = [] }) => [
      ...[600 - (box[2] ?? 0), 800 - (box[3] ?? 0), 600 - (box[0] ?? 0), 800 - (box[1] ?? 0)],
    ]);
    expect(back?.map((box) => box.map(Math.round))).toEqual(rounded?.map(([, , box]) => box));
  });

  it('lists no pages unless they are requested', async () => {
    const result = await readFile(tinyPdf(PAGES));
    expect(result.ok && 'pageList' in result.file).toBe(false);
  });
});
