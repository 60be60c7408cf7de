import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readFile } from '../files/read-file.js';
import { docxMarkdown, tinyDocx, type TinyDocx } from './fixtures/tiny-docx.js';

const reported = (name: string): Uint8Array =>
  readFileSync(path.join(__dirname, 'fixtures/reported', name));

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (...parts: readonly string[]): string => `<w:p>${parts.join('')}</w:p>`;
const inRun = (xml: string): string => `<w:r>${xml}</w:r>`;
const mark = (type: string, inner = ''): string =>
  inRun(`<w:fldChar w:fldCharType="${type}">${inner}</w:fldChar>`);
const code = (text: string): string =>
  inRun(`<w:instrText xml:space="preserve"> ${text} </w:instrText>`);
const field = (instruction: string, result: string, form = ''): string =>
  `${mark('begin', form)}${code(instruction)}${mark('separate')}${result}${mark('end')}`;
const simple = (instruction: string, inner: string): string =>
  `<w:fldSimple w:instr=" ${instruction} ">${inner}</w:fldSimple>`;
const style = (type: string, id: string, inner: string): string =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${inner}</w:style>`;
const HIDES = '<w:rPr><w:vanish/></w:rPr>';
const styled = (id: string): string => `<w:pPr><w:pStyle w:val="${id}"/></w:pPr>`;

type Case = readonly [name: string, body: string | TinyDocx, markdown: string];

async function check(docx: string | TinyDocx, markdown: string): Promise<void> {
  const written = await docxMarkdown(typeof docx === 'string' ? { body: docx } : docx);
  expect(written.replaceAll('\\', '')).toBe(`${markdown}\n`);
}

describe('fields of a DOCX', () => {
  it('shows the results of a reported file', async () => {
    expect(await docxMarkdown(reported('fields.docx'))).toBe(
      'Total due: 412,50 EUR\n\nShip to Bergen by Friday\n\nPriority: Express\n\nThe term is sixty days.\n\nPhone 55\u201101\n\nClause nine is now last.\n\n[our terms](https://example.org/terms)\n',
    );
  });

  it.each<Case>([
    [
      'a caption',
      p(run('Table '), simple('SEQ Table \\* ARABIC', run('3')), run('. Tides')),
      'Table 3. Tides',
    ],
    [
      'merge fields and references',
      p(
        run('Dear '),
        simple('MERGEFIELD Name', run('Ms Example')),
        run(', see '),
        simple('REF t1 \\h', run('Table 3')),
        run('.'),
      ),
      'Dear Ms Example, see Table 3.',
    ],
    [
      'a paragraph that is one link',
      p(simple('HYPERLINK &quot;https://a.example/x&quot;', run('the terms'))),
      '[the terms](https://a.example/x)',
    ],
    [
      'a link in a link field',
      p(simple('HYPERLINK &quot;https://a.example/&quot;', field('REF a', run('terms')))),
      '[terms](https://a.example/)',
    ],
    [
      'a link with a place and a tip',
      p(field('HYPERLINK "https://a.example/x" \\l "part" \\o "A tip"', run('part'))),
      '[part](https://a.example/x#part)',
    ],
    [
      'a field in the code of another',
      p(
        mark('begin'),
        code('IF '),
        field('MERGEFIELD Sex', run('m')),
        code('= "m" "Sir" "Madam"'),
        mark('separate'),
        run('Sir'),
        mark('end'),
      ),
      'Sir',
    ],
    [
      'a field in the result of another, over paragraphs',
      p(
        mark('begin'),
        code('TOC \\o'),
        mark('separate'),
        run('One '),
        field('PAGEREF _1', run('4')),
      ) +
        p(run('Two '), field('PAGEREF _2', run('7'))) +
        p(mark('end')) +
        p(run('After')),
      'One 4\n\nTwo 7\n\nAfter',
    ],
    [
      'a field that never ends',
      p(mark('begin'), code('X'), run('Words')) + p(run('stay')),
      'Words\n\nstay',
    ],
    [
      'an end without a field',
      p(run('Words'), mark('end'), run(' stay'), mark('separate')),
      'Words stay',
    ],
    [
      'a field whose end was deleted',
      p(mark('begin'), code('X'), `<w:del>${mark('end')}</w:del>`, run('Words')),
      'Words',
    ],
    [
      'buttons, symbols and old equations, which have no result',
      p(
        mark('begin'),
        code('MACROBUTTON NoMacro [Your name]'),
        mark('end'),
        run(' '),
        mark('begin'),
        code('SYMBOL 97 \\f "Symbol"'),
        mark('end'),
        run(' '),
        mark('begin'),
        code('EQ \\f(1,2)'),
        mark('end'),
      ),
      '[Your name] α 1/2',
    ],
    [
      'text over which its reading stands, as an old equation',
      p(
        mark('begin'),
        code('EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(とう),東)'),
        mark('end'),
        run('京'),
      ),
      'とう 東京',
    ],
    [
      'boxes to tick',
      p(
        field(
          'FORMCHECKBOX',
          '',
          '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>',
        ),
        run(' yes '),
      ) +
        p(
          field(
            'FORMCHECKBOX',
            '',
            '<w:ffData><w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox></w:ffData>',
          ),
          run(' no'),
        ) +
        p(
          mark('begin', '<w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData>'),
          code('FORMCHECKBOX'),
          mark('end'),
          run(' by default'),
        ),
      '☒ yes\n\n☐ no\n\n☒ by default',
    ],
    [
      'choices and texts of forms',
      p(
        field(
          'FORMDROPDOWN',
          '',
          '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData>',
        ),
        run(' and '),
        field('FORMTEXT', run('some text'), '<w:ffData><w:textInput/></w:ffData>'),
      ),
      'blue and some text',
    ],
  ])('shows %s', (_, body, markdown) => check(body, markdown));
});

const control = (properties: string, inner: string): string =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
const tick = (state: string, inner: string): string =>
  control(`<w14:checkbox>${state}<w14:checkedState w14:val="2612"/></w14:checkbox>`, inner);
const CHECKED = '<w14:checked w14:val="1"/>';

describe('wrappers in a DOCX', () => {
  it.each([
    ['bdo.docx', 'First line of the file.\n\nA bdo words end\n'],
    ['ruby.docx', 'First line of the file.\n\nC basetext(reading) end\n'],
    ['image-dangling.docx', 'First line of the file.\n\nN a map words after\n'],
    ['vtextbox-only.docx', 'First line of the file.\n\nbox words without fallback\n'],
    ['vanish.docx', 'First line of the file.\n\nK seen\n'],
  ])('reads the reported %s', async (name, markdown) => {
    expect(await docxMarkdown(reported(name))).toBe(markdown);
  });

  it.each<Case>([
    [
      'directions',
      p(`<w:dir w:val="rtl">${run('a ')}<w:bdo w:val="ltr">${run('b')}</w:bdo></w:dir>`, run(' c')),
      'a b c',
    ],
    [
      'a direction around a link',
      p(`<w:bdo w:val="rtl"><w:hyperlink w:anchor="x">${run('in')}</w:hyperlink></w:bdo>`),
      'in',
    ],
    [
      'tags and controls around each other',
      p(
        `<w:smartTag>${control('', `<w:customXml><w:customXmlPr/>${run('deep')}</w:customXml>`)}</w:smartTag>`,
      ),
      'deep',
    ],
    [
      'what nobody has heard of',
      p(`<w:novelty>${run('new')}</w:novelty>`) + `<w:wrapping>${p(run('block'))}</w:wrapping>`,
      'new\n\nblock',
    ],
    [
      'line breaks of all kinds',
      p(inRun('<w:t>a</w:t><w:cr/><w:t>b</w:t><w:br w:type="page"/><w:t>c</w:t>')),
      'a\nb\nc',
    ],
    [
      'breaks at the edges of a paragraph',
      p(inRun('<w:br w:type="page"/><w:t>a</w:t><w:br/>')) + p(inRun('<w:br w:type="page"/>')),
      'a',
    ],
    [
      'tabs and hyphens',
      p(
        inRun(
          '<w:t>a</w:t><w:ptab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/><w:t>d</w:t>',
        ),
      ),
      'a b\u2011cd',
    ],
    [
      'symbols',
      p(
        inRun(
          '<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="61"/><w:sym w:font="Arial" w:char="00E9"/><w:sym w:font="Unknown" w:char="F041"/>',
        ),
        run('.'),
      ),
      '🗹αé.',
    ],
    [
      'a reading of several runs',
      p(
        inRun(
          `<w:ruby><w:rubyPr/><w:rt>${run('とう')}${run('きょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby>`,
        ),
        run('都'),
      ),
      '東京(とうきょう)都',
    ],
    [
      'a base without a reading',
      p(inRun(`<w:ruby><w:rubyBase>${run('京')}</w:rubyBase></w:ruby>`)),
      '京',
    ],
    [
      'insertions and where text was moved to',
      p(
        `<w:ins>${run('in ')}<w:moveTo>${run('here')}</w:moveTo></w:ins><w:del>${run('out')}</w:del><w:moveFrom>${run('there')}</w:moveFrom>`,
      ),
      'in here',
    ],
    [
      'a paragraph whose end was deleted',
      `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('One ')}</w:p>${p(run('line'))}<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('Last')}</w:p>`,
      'One line\n\nLast',
    ],
    [
      'formulas between paragraphs',
      p(run('a')) + '<m:oMathPara><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></m:oMathPara>',
      'a\n\nx=1',
    ],
    [
      'a box to tick',
      p(tick(CHECKED, run('☒')), run(' yes')) +
        p(tick('<w14:checked w14:val="0"/>', run('☐')), run(' no')) +
        p(tick('', run('☐')), run(' never')),
      '☒ yes\n\n☐ no\n\n☐ never',
    ],
    [
      'a box with its own sign, its label or nothing',
      p(tick(CHECKED, inRun('<w:sym w:font="Wingdings" w:char="F0FC"/>'))) +
        p(tick(CHECKED, run('Tea'))) +
        p(tick(CHECKED, '')),
      '☒\n\n☒Tea\n\n☒',
    ],
    ['a box around a paragraph', tick(CHECKED, p(run('☒'), run(' yes'))), '☒ yes'],
  ])('shows %s', (_, body, markdown) => check(body, markdown));
});

const box = (inner: string): string => `<w:txbxContent>${inner}</w:txbxContent>`;
const shape = (inner: string, properties = '<wp:docPr id="1" name="s"/>'): string =>
  `<w:drawing><wp:anchor>${properties}<a:graphic><a:graphicData><wps:wsp>${inner}</wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`;
const drawn = (inner: string): string => shape(`<wps:txbx>${box(inner)}</wps:txbx>`);
const old = (inner: string, look = ''): string =>
  `<w:pict><v:shape style="${look}"><v:textbox>${box(inner)}</v:textbox></v:shape></w:pict>`;
const either = (choice: string, fallback: string): string =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;

describe('text boxes and drawings in a DOCX', () => {
  it.each<Case>([
    [
      'in both forms, once',
      p(run('a'), inRun(either(drawn(p(run('box'))), old(p(run('box')))))),
      'a\n\nbox',
    ],
    [
      'in the newer form alone',
      p(
        run('a'),
        inRun(
          `<mc:AlternateContent><mc:Choice Requires="wps">${drawn(p(run('box')))}</mc:Choice></mc:AlternateContent>`,
        ),
      ),
      'a\n\nbox',
    ],
    [
      'in the older form where the newer one is empty',
      p(run('a'), inRun(either(shape(''), old(p(run('box')))))),
      'a\n\nbox',
    ],
    ['in the older form alone', p(run('a'), inRun(old(p(run('box'))))), 'a\n\nbox'],
    [
      'without a choice',
      p(run('a'), inRun(drawn(p(run('one')) + p(run('two'))))),
      'a\n\none\n\ntwo',
    ],
    [
      'with fields of their own',
      p(
        mark('begin'),
        code('X'),
        inRun(drawn(p(field('REF a', run('in'))))),
        mark('separate'),
        run('out'),
        mark('end'),
      ),
      'out\n\nin',
    ],
    [
      'with a table',
      p(
        run('a'),
        inRun(
          drawn(
            `<w:tbl><w:tr><w:tc>${p(run('x'))}</w:tc><w:tc>${p(run('y'))}</w:tc></w:tr></w:tbl>`,
          ),
        ),
      ),
      'a\n\n| x | y |\n| --- | --- |',
    ],
    [
      'that are hidden, not',
      p(
        run('a'),
        inRun(
          shape(
            `<wps:txbx>${box(p(run('no')))}</wps:txbx>`,
            '<wp:docPr id="1" name="s" hidden="1"/>',
          ),
        ),
        inRun(old(p(run('no')), 'visibility:hidden')),
      ),
      'a',
    ],
    [
      'as drawn letters',
      p(inRun('<w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict>')),
      'DRAFT',
    ],
    [
      'as a description where there are no words',
      p(run('a'), inRun(shape('', '<wp:docPr id="1" name="s" descr="A map"/>'))),
      'a A map',
    ],
  ])('shows them %s', (_, body, markdown) => check(body, markdown));

  it('reads the text of a diagram from its own part, once', async () => {
    const relation = (id: string, type: string, target: string): string =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
    const point = (text: string): string =>
      `<dgm:pt><dgm:t><a:p><a:r><a:rPr/><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const diagram = '<dgm:relIds r:dm="d1"/>';
    await check(
      {
        body: p(
          inRun(
            `<w:drawing><wp:inline><wp:docPr id="1" name="d"/>${diagram}</wp:inline></w:drawing>`,
          ),
        ),
        parts: {
          'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('d1', 'diagramData', 'diagrams/data1.xml')}</Relationships>`,
          'word/diagrams/data1.xml': `<dgm:dataModel>${point('top')}${point('bottom')}${diagram}</dgm:dataModel>`,
        },
      },
      'top\n\nbottom',
    );
  });
});

describe('hidden text of a DOCX', () => {
  const hidden = (inner: string, styles = ''): TinyDocx => ({ body: inner, styles });
  it.each<Case>([
    ['directly', p(run('no', '<w:vanish/>'), run('yes', '<w:vanish w:val="0"/>')), 'yes'],
    [
      'by a style of characters',
      hidden(p(run('no', '<w:rStyle w:val="H"/>'), run('yes')), style('character', 'H', HIDES)),
      'yes',
    ],
    [
      'by what a style is based on',
      hidden(
        p(run('no', '<w:rStyle w:val="I"/>'), run('yes')),
        style('character', 'H', HIDES) + style('character', 'I', '<w:basedOn w:val="H"/>'),
      ),
      'yes',
    ],
    [
      'by a style of paragraphs',
      hidden(p(styled('H'), run('no')) + p(run('yes')), style('paragraph', 'H', HIDES)),
      'yes',
    ],
    [
      'except where the run says otherwise',
      hidden(
        p(styled('H'), run('no'), run('yes', '<w:vanish w:val="false"/>')),
        style('paragraph', 'H', HIDES),
      ),
      'yes',
    ],
    [
      'except where two styles hide',
      hidden(
        p(styled('H'), run('no '), run('yes', '<w:rStyle w:val="I"/>')),
        style('paragraph', 'H', HIDES) + style('character', 'I', HIDES),
      ),
      'yes',
    ],
    [
      'except where a style turns it off again',
      hidden(
        p(styled('I'), run('yes')),
        style('paragraph', 'H', HIDES) +
          style('paragraph', 'I', '<w:basedOn w:val="H"/><w:rPr><w:vanish w:val="0"/></w:rPr>'),
      ),
      'yes',
    ],
    [
      'by the usual style',
      {
        body: p(run('no')) + p(styled('S'), run('yes')),
        styles: `<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/>${HIDES}</w:style>${style('paragraph', 'S', '')}`,
      },
      'yes',
    ],
    [
      'by the defaults',
      {
        body: p(run('no'), run('yes', '<w:vanish w:val="0"/>')),
        styles: `<w:docDefaults><w:rPrDefault>${HIDES}</w:rPrDefault></w:docDefaults>`,
      },
      'yes',
    ],
    [
      'not by what it was before a change',
      p(run('yes', '<w:b/><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>')),
      '**yes**',
    ],
    [
      'not by the end of its paragraph',
      `<w:p><w:pPr><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr>${run('Run-in heading.')}</w:p>${p(run('Text'))}`,
      'Run-in heading.\n\nText',
    ],
    [
      'with its fields, notes, pictures and boxes',
      p(
        run('yes'),
        `<w:r><w:rPr><w:vanish/></w:rPr>${drawn(p(run('no')))}<w:footnoteReference w:id="1"/><w:tab/></w:r>`,
        simple('REF a', run('no', '<w:vanish/>')),
      ),
      'yes',
    ],
    [
      'with styles based on each other in a circle',
      hidden(
        p(styled('A'), run('yes')),
        style('paragraph', 'A', '<w:basedOn w:val="B"/>') +
          style('paragraph', 'B', '<w:basedOn w:val="A"/>'),
      ),
      'yes',
    ],
  ])('is left out %s', (_, docx, markdown) => check(docx, markdown));
});

describe('what a DOCX refers to and lacks', () => {
  it.each<Case>([
    [
      'links',
      p(
        `<w:hyperlink r:id="gone">${run('words')}</w:hyperlink>`,
        `<w:hyperlink r:id="gone" w:anchor="x">${run(' and more')}</w:hyperlink>`,
      ),
      'words and more',
    ],
    [
      'pictures in the older form',
      p(
        run('a'),
        inRun('<w:pict><v:shape><v:imagedata r:id="gone" o:title="A map"/></v:shape></w:pict>'),
        run('b'),
      ),
      'a A map b',
    ],
    [
      'linked pictures and their links',
      p(
        run('a '),
        inRun(
          '<w:drawing><wp:inline><wp:docPr id="1" descr="A map"><a:hlinkClick r:id="gone"/></wp:docPr><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="gone"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>',
        ),
      ),
      'a A map',
    ],
    [
      'comments',
      p(run('words'), inRun('<w:commentReference w:id="7"/>'), '<w:commentRangeEnd w:id="7"/>'),
      'words',
    ],
    [
      'headers and parts of sections',
      p(run('words')) +
        '<w:sectPr><w:headerReference r:id="gone" w:type="default"/><w:footerReference r:id="gone"/></w:sectPr>',
      'words',
    ],
    [
      'styles and lists',
      p(
        '<w:pPr><w:pStyle w:val="gone"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="77"/></w:numPr></w:pPr>',
        run('words', '<w:rStyle w:val="gone"/>'),
      ),
      'words',
    ],
  ])('is read without %s', async (_, body, markdown) => {
    await check(body, markdown);
    expect(await readFile(tinyDocx({ body: body as string }))).not.toHaveProperty(
      'file.truncatedBy',
    );
  });

  it.each([
    ['a footnote', p(run('words'), inRun('<w:footnoteReference w:id="9"/>'))],
    ['an endnote', p(run('words'), inRun('<w:endnoteReference w:id="9"/>'))],
    ['an embedded file of another kind', `${p(run('words'))}<w:altChunk r:id="gone"/>`],
    [
      'a diagram',
      p(
        run('words'),
        inRun('<w:drawing><wp:inline><dgm:relIds r:dm="gone"/></wp:inline></w:drawing>'),
      ),
    ],
    [
      'a text of another file',
      p(run('words'), mark('begin'), code('INCLUDETEXT "c:\\x.docx"'), mark('end')),
    ],
  ])('says that %s is missing', async (_, body) => {
    expect(await readFile(tinyDocx({ body }))).toMatchObject({
      ok: true,
      file: { text: 'words', truncatedBy: 'unreadable_parts' },
    });
  });

  it('numbers notes in the order of the text, each once', async () => {
    const note = (id: number, text: string): string =>
      `<w:footnote w:id="${id}">${p(inRun('<w:footnoteRef/>'), run(` ${text}`))}</w:footnote>`;
    const refer = (id: number): string => inRun(`<w:footnoteReference w:id="${id}"/>`);
    const markdown = await docxMarkdown({
      body: p(run('One'), refer(5), run(' two'), refer(3), run(' again'), refer(5)),
      footnotes: note(3, 'Second.') + note(5, 'First.') + note(8, 'Never.'),
    });
    expect(markdown).toMatch(
      /^One\[\^1\] two\[\^2\] again.*\n\n\[\^1\]: First\.\n\n\[\^2\]: Second\.\n$/s,
    );
  });
});

const cell = (inner: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${inner}</w:tc>`;
const row = (...cells: readonly string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
const textRow = (...texts: readonly string[]): string =>
  row(...texts.map((text) => cell(p(run(text)))));
const table = (...rows: readonly string[]): string =>
  `<w:tbl><w:tblPr/><w:tblGrid/>${rows.join('')}</w:tbl>`;
const inner = table(textRow('Mon', '9'), textRow('Tue', '10'));

describe('tables of a DOCX', () => {
  it.each<Case>([
    [
      'that hold tables',
      table(textRow('Port', 'Hours'), row(cell(p(run('Bergen'))), cell(inner + p()))),
      '| Port | Hours |\n| --- | --- |\n| Bergen | Mon 9<br>Tue 10 |',
    ],
    [
      'that hold tables twice over',
      table(
        textRow('a', 'b'),
        row(cell(p(run('c'))), cell(table(textRow('d', 'e'), row(cell(p(run('f'))), cell(inner))))),
      ),
      '| a | b |\n| --- | --- |\n| c | d e<br>f<br>Mon 9<br>Tue 10 |',
    ],
    [
      'that only frame another one',
      table(row(cell(p(run('Frame')) + inner))),
      'Frame\n\n| Mon | 9 |\n| --- | --- |\n| Tue | 10 |',
    ],
    [
      'that arrange a page around another one',
      table(
        textRow('Left', 'Right'),
        row(cell(p(styled('Heading1'), run('Hours')) + inner), cell(p(run('More')))),
      ),
      'Left\n\nRight\n\n# Hours\n\n| Mon | 9 |\n| --- | --- |\n| Tue | 10 |\n\nMore',
    ],
    [
      'with merged cells',
      table(
        row(cell(p(run('wide')), '<w:gridSpan w:val="2"/>'), cell(p(run('z')))),
        row(
          cell(p(run('high')), '<w:vMerge w:val="restart"/>'),
          cell(p(run('a'))),
          cell(p(run('b'))),
        ),
        row(cell(p(), '<w:vMerge/>'), cell(p(run('c'))), cell(p(run('d')))),
      ),
      '| wide | wide | z |\n| --- | --- | --- |\n| high | a | b |\n| high | c | d |',
    ],
    [
      'with a cell that goes on with none',
      table(row(cell(p(run('a')), '<w:vMerge/>'), cell(p(run('b'))))),
      '| a | b |\n| --- | --- |',
    ],
    [
      'with rows that begin later',
      table(
        textRow('a', 'b'),
        `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell(p(run('c')))}</w:tr>`,
      ),
      '| a | b |\n| --- | --- |\n| | c |',
    ],
    [
      'with rows and cells in wrappers, and deleted ones',
      table(
        control('', textRow('a', 'b')),
        `<w:tr>${control('', cell(p(run('c'))))}<w:customXml>${cell(p(run('d')))}</w:customXml></w:tr>`,
        `<w:tr><w:trPr><w:del/></w:trPr>${cell(p(run('no')))}</w:tr>`,
        row(cell(p(run('e'))), cell(p(run('no')), '<w:cellDel/>'), cell(p(run('f')))),
      ),
      '| a | b |\n| --- | --- |\n| c | d |\n| e | f |',
    ],
  ])('are read %s', (_, body, markdown) => check(body, markdown));
});
