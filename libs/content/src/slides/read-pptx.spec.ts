import { fileMarkdown, relationsXml } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { MAX_LINK_URL_CHARS } from '../limits.js';
import {
  drawnParagraph as p,
  slideShape,
  TINY_NAMESPACES,
  tinyPptx,
  type TinySlide,
} from './fixtures/tiny-pptx.js';

const title = slideShape(p('Tides'), 'type="title"');

/** Markdown of one slide below its title. */
async function slideMarkdown(
  slide: TinySlide,
  parts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const shapes = title + slide.shapes;
  const markdown = await fileMarkdown(tinyPptx({ slides: [{ ...slide, shapes }], parts }));
  expect(markdown).toMatch(/^## Tides\n/);
  return markdown.slice('## Tides\n\n'.length).trimEnd();
}

const frame = (inner: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="f"/></p:nvGraphicFramePr><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`;

describe('readPptx', () => {
  it('reads slides in their order, with titles, items, notes, and without what is on every slide', async () => {
    const slides = [
      {
        shapes:
          slideShape(p('High water'), 'idx="1"') +
          slideShape(p('Tides') + p('and ships'), 'type="ctrTitle"') +
          slideShape(p('7'), 'type="sldNum"') +
          slideShape(p('2024'), 'type="dt"'),
        notes: slideShape(p('Say hello.'), 'type="body"') + slideShape(p('1'), 'type="sldNum"'),
      },
      {
        shapes: slideShape(
          p('One') + p('Half', 'lvl="1"') + p('Two') + p('plain', '<a:buNone/>'),
          'idx="1"',
        ),
      },
    ];
    expect(await readFile(tinyPptx({ slides }))).toMatchObject({
      ok: true,
      file: {
        format: 'pptx',
        markdown:
          '## Tides and ships\n\nHigh water\n\n### Notes\n\nSay hello.\n\n' +
          '## Slide 2\n\n- One\n  - Half\n- Two\n\nplain\n',
        text: 'Tides and ships\n\nHigh water\n\nNotes\n\nSay hello.\n\nSlide 2\n\nOne\n\nHalf\n\nTwo\n\nplain',
      },
    });
  });

  it('leaves out hidden slides and shapes, and says which slides', async () => {
    const slides = [
      { shapes: title },
      { shapes: slideShape(p('Secret')), isHidden: true },
      { shapes: slideShape(p('Gone')).replace('name="s"', 'name="s" hidden="1"') },
    ];
    expect(await fileMarkdown(tinyPptx({ slides }))).toBe(
      '## Tides\n\n## Slide 3\n\n*Hidden slides, left out: 2.*\n',
    );
  });

  it.each<[string, string, string]>([
    ['numbers', slideShape(p('a', '<a:buAutoNum type="arabicPeriod"/>').repeat(2)), '1. a\n2. a'],
    ['bullets of a text box', slideShape(p('a', '<a:buChar char="-"/>').repeat(2)), '- a\n- a'],
    ['a text box without them', slideShape(p('a') + p('b')), 'a\n\nb'],
    [
      'looks of runs',
      slideShape(
        '<a:p><a:r><a:rPr b="1"/><a:t>bold</a:t></a:r><a:r><a:t> and </a:t></a:r><a:r><a:rPr i="1"/><a:t>slanted</a:t></a:r><a:br/><a:fld type="x"><a:t>field</a:t></a:fld></a:p>',
      ),
      '**bold** and *slanted*\\\nfield',
    ],
    ['groups', `<p:grpSp><p:grpSp>${slideShape(p('inside'))}</p:grpSp></p:grpSp>`, 'inside'],
    [
      'the first of alternatives that shows something',
      `<mc:AlternateContent><mc:Choice/><mc:Choice>${slideShape(p('new'))}</mc:Choice><mc:Fallback>${slideShape(p('old'))}</mc:Fallback></mc:AlternateContent>`,
      'new',
    ],
    [
      'descriptions of pictures',
      '<p:pic><p:nvPicPr><p:cNvPr id="1" name="Picture 1" descr="A lighthouse"/></p:nvPicPr></p:pic>',
      'A lighthouse',
    ],
    [
      'tables, with their merged cells',
      frame(
        `<a:tbl><a:tr><a:tc gridSpan="2"><a:txBody>${p('Ship')}</a:txBody></a:tc><a:tc hMerge="1"/></a:tr><a:tr><a:tc><a:txBody>${p('a')}</a:txBody></a:tc><a:tc><a:txBody>${p('b|c')}</a:txBody></a:tc></a:tr></a:tbl>`,
      ),
      '| Ship | Ship |\n| --- | --- |\n| a | b\\|c |',
    ],
    ['markup as text', slideShape(p('# &lt;b&gt; *a*')), '\\# \\<b> \\*a\\*'],
  ])('reads %s', async (_, shapes, markdown) => {
    expect(await slideMarkdown({ shapes })).toBe(markdown);
  });

  it('takes a level below the first one for the first one', async () => {
    const shapes = slideShape(p('a', 'lvl="-2"') + p('b', 'lvl="-1e300"'), 'idx="1"');
    expect(await slideMarkdown({ shapes })).toBe('- a\n- b');
  });

  it('says when a slide is missing', async () => {
    const slides = [{ shapes: title }, { shapes: title }];
    const links = relationsXml([
      ['s0', 'slide', 'Slides/SLIDE0.xml'],
      ['s1', 'slide', 'slides/gone.xml'],
    ]);
    const parts = { 'ppt/_rels/presentation.xml.rels': links };
    expect(await readFile(tinyPptx({ slides, parts }))).toMatchObject({
      ok: true,
      file: { markdown: '## Tides\n', truncatedBy: 'unreadable_parts' },
    });
  });

  it('keeps the headings of slides without words where another one has some', async () => {
    const slides = [{ shapes: '' }, { shapes: title }, { shapes: '' }];
    expect(await fileMarkdown(tinyPptx({ slides }))).toBe('## Slide 1\n\n## Tides\n\n## Slide 3\n');
  });

  it('has no text when no shown slide has words', async () => {
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="1" name="Picture 1"/></p:nvPicPr></p:pic>';
    const slides = [{ shapes: picture }, { shapes: title, isHidden: true }, { shapes: picture }];
    expect(await readFile(tinyPptx({ slides }))).toMatchObject({ ok: false, problem: 'no_text' });
  });

  it('leaves out addresses that are too long, or too long together', async () => {
    const run = (b: number): string =>
      `<a:r><a:rPr b="${b}"><a:hlinkClick r:id="l"/></a:rPr><a:t>x</a:t></a:r>`;
    const linked = (runs: number, address: string): Uint8Array =>
      tinyPptx({
        slides: [
          {
            shapes: slideShape(
              `<a:p>${Array.from({ length: runs }, (_, n) => run(n % 2)).join('')}</a:p>`,
            ),
            relations: [['l', 'hyperlink', address, true]],
          },
        ],
        isStored: true,
      });
    const start = 'https://tides.example/';
    expect(await fileMarkdown(linked(1, start.padEnd(MAX_LINK_URL_CHARS + 1, 'a')))).toBe(
      '## Slide 1\n\nx\n',
    );
    // Together they would be longer than any string.
    const result = await readFile(linked(70_000, start.padEnd(MAX_LINK_URL_CHARS, 'a')));
    expect(result).toMatchObject({ ok: true, file: { truncatedBy: 'max_chars' } });
  });

  it('links runs', async () => {
    const shapes = slideShape(
      '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>Tables</a:t></a:r></a:p>',
    );
    const relations = [['l', 'hyperlink', 'https://tides.example/', true]] as const;
    expect(await slideMarkdown({ shapes, relations })).toBe('[Tables](https://tides.example/)');
  });

  it('reads the numbers of a chart, once', async () => {
    const points = (name: string, ...values: readonly string[]): string =>
      `<c:${name}><c:strRef><c:strCache>${values.map((value, idx) => `<c:pt idx="${idx}"><c:v>${value}</c:v></c:pt>`).join('')}</c:strCache></c:strRef></c:${name}>`;
    const ser = (name: string, ...values: readonly string[]): string =>
      `<c:ser>${points('tx', name)}${points('cat', 'Mon', 'Tue')}${points('val', ...values)}</c:ser>`;
    const chart = `<c:chartSpace ${TINY_NAMESPACES}><c:chart><c:title><a:t>Height</a:t></c:title><c:plotArea>${ser('Kiel', '1', '2')}${ser('Rostock', '3')}</c:plotArea></c:chart></c:chartSpace>`;
    const named = frame('<c:chart r:id="c"/>');
    const markdown = await slideMarkdown(
      { shapes: named + named, relations: [['c', 'chart', '../charts/chart1.xml']] },
      { 'ppt/charts/chart1.xml': chart },
    );
    expect(markdown).toBe(
      'Height\n\n| | Kiel | Rostock |\n| --- | --- | --- |\n| Mon | 1 | 3 |\n| Tue | 2 | |',
    );
  });

  it('names the groups of categories', async () => {
    const level = (...points: readonly (readonly [number, string])[]): string =>
      `<c:lvl>${points.map(([idx, value]) => `<c:pt idx="${idx}"><c:v>${value}</c:v></c:pt>`).join('')}</c:lvl>`;
    const cat = `<c:cat><c:multiLvlStrRef>${level([0, 'Kiel'], [1, 'Flensburg'])}${level([0, 'Baltic'])}</c:multiLvlStrRef></c:cat>`;
    const chart = `<c:chartSpace ${TINY_NAMESPACES}><c:ser>${cat}<c:val><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt></c:val></c:ser></c:chartSpace>`;
    const markdown = await slideMarkdown(
      { shapes: frame('<c:chart r:id="c"/>'), relations: [['c', 'chart', '../charts/chart1.xml']] },
      { 'ppt/charts/chart1.xml': chart },
    );
    expect(markdown).toContain('| Baltic / Kiel | 1 |\n| Flensburg | 2 |');
  });

  it('reads the words of a diagram', async () => {
    const data = `<dgm:dataModel ${TINY_NAMESPACES}><dgm:ptLst><dgm:pt><dgm:t>${p('Plan')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${p('Do')}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`;
    const markdown = await slideMarkdown(
      {
        shapes: frame('<dgm:relIds r:dm="d"/>'),
        relations: [['d', 'diagramData', '../diagrams/data1.xml']],
      },
      { 'ppt/diagrams/data1.xml': data },
    );
    expect(markdown).toBe('Plan\n\nDo');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['has no presentation', { 'ppt/presentation.xml': '' }, 'malformed'],
    ['nests too deep', { 'ppt/slides/slide0.xml': '<p:sld>'.repeat(100_000) }, 'malformed'],
    ['inflates a thousandfold', { 'ppt/slides/x.xml': 'a'.repeat(5_000_000) }, 'too_large'],
  ])('is refused when it %s', async (_, parts, problem) => {
    const result = await readFile(tinyPptx({ slides: [{ shapes: title }], parts }));
    expect(result).toMatchObject({ ok: false, problem });
  });
});
