import { fileMarkdown } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { MAX_FILLED_CHARS, MAX_LINK_URL_CHARS } from '../limits.js';
import { manifestXml, odfParagraph as p, tinyOdf, type TinyOdf } from './fixtures/tiny-odf.js';

const textStyle = (name: string, property: string): string =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${property}/></style:style>`;
const STYLES =
  textStyle('B', 'fo:font-weight="bold"') +
  textStyle('I', 'fo:font-style="italic"') +
  textStyle('H', 'text:display="none"') +
  '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>' +
  '<style:style style:name="T1" style:family="paragraph" style:parent-style-name="Title"/>' +
  '<style:style style:name="C1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>' +
  '<style:style style:name="Loop" style:family="paragraph" style:parent-style-name="Loop"/>' +
  '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>';
const COMMON = ['Quotations', 'Title', 'Preformatted_20_Text']
  .map((name) => `<style:style style:name="${name}" style:family="paragraph"/>`)
  .join('');

const odt = (body: string, more: Partial<TinyOdf> = {}): Uint8Array =>
  tinyOdf({ kind: 'text', body, styles: STYLES, commonStyles: COMMON, ...more });

const item = (inner: string): string => `<text:list-item>${inner}</text:list-item>`;
const cell = (inner: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${inner === '' ? '' : p(inner)}</table:table-cell>`;
const row = (...cells: readonly string[]): string =>
  `<table:table-row>${cells.join('')}</table:table-row>`;

describe('readOdt of a text', () => {
  it.each<[string, string, string]>([
    [
      'headings and paragraphs',
      `${p('Tides', 'T1')}<text:h text:outline-level="2">High</text:h>\n  ${p('At six.')}<text:h text:outline-level="9">Low</text:h>`,
      '# Tides\n\n## High\n\nAt six.\n\n###### Low\n',
    ],
    [
      'text and spans in their order',
      p(
        'Never <text:span text:style-name="B">ever</text:span> on <text:span text:style-name="I">Fri<text:span>days</text:span></text:span>.',
      ),
      'Never **ever** on *Fridays*.\n',
    ],
    [
      'spaces, tabs and line breaks',
      p('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'),
      'a b c\\\nd\n',
    ],
    [
      'links',
      p(
        '<text:a xlink:href="https://tides.example/">Tables</text:a> <text:a xlink:href="#x">here</text:a>',
      ),
      '[Tables](https://tides.example/) here\n',
    ],
    ['quotes', p('So they say.', 'P1'), '> So they say.\n'],
    ['listings', p('if a:<text:line-break/><text:s text:c="2"/>b', 'C1'), '```\nif a:\n  b\n```\n'],
    [
      'lists in lists',
      `<text:list text:style-name="L1">${item(p('One') + `<text:list>${item(p('Half'))}</text:list>`)}${item(p('Two'))}</text:list>`,
      '1. One\n   - Half\n2. Two\n',
    ],
    [
      'tables with a head, spans and repeated cells',
      `<table:table><table:table-column/><table:table-header-rows>${row(cell('a', 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>')}</table:table-header-rows>${row(cell('x', 'table:number-columns-repeated="2"'))}</table:table>`,
      '| a | a |\n| --- | --- |\n| x | x |\n',
    ],
    [
      'footnotes',
      p(
        'Tides<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>' +
          p('By the moon.') +
          '</text:note-body></text:note>.',
      ),
      'Tides[^1].\n\n[^1]: By the moon.\n',
    ],
    [
      'text boxes and descriptions of pictures',
      p(
        `before <draw:frame><draw:image/><svg:desc>A lighthouse</svg:desc></draw:frame><draw:frame><draw:text-box>${p('In the box.')}</draw:text-box></draw:frame>`,
      ),
      'before A lighthouse\n\nIn the box.\n',
    ],
    [
      'sections and indexes',
      `<text:section>${p('a')}</text:section><text:table-of-content><text:index-body>${p('b')}</text:index-body></text:table-of-content>`,
      'a\n\nb\n',
    ],
    [
      'what is shown alone',
      `<text:tracked-changes>${p('deleted')}</text:tracked-changes><text:section text:display="none">${p('hidden')}</text:section>` +
        p(
          'shown<office:annotation><text:p>remark</text:p></office:annotation><text:span text:style-name="H">hidden</text:span>',
        ),
      'shown\n',
    ],
    [
      'counts that are none',
      `${p('a<text:s text:c="-1"/>b<text:s text:c="x"/>c')}<text:h text:outline-level="-1">d</text:h>` +
        `<table:table>${row(cell('x', 'table:number-columns-repeated="-1" table:number-rows-spanned="-1"'), cell('y'))}</table:table>`,
      'a b c\n\n# d\n\n| x | y |\n| --- | --- |\n',
    ],
    [
      'indexes without what they are made by',
      ['table-of-content', 'bibliography', 'alphabetical-index', 'user-index']
        .map(
          (name) =>
            `<text:${name}><text:${name}-source><text:index-title-template>Template</text:index-title-template></text:${name}-source><text:index-body>${p(name)}</text:index-body></text:${name}>`,
        )
        .join(''),
      'table-of-content\n\nbibliography\n\nalphabetical-index\n\nuser-index\n',
    ],
    [
      'text with an address that is too long',
      p(`<text:a xlink:href="https://a.example/${'a'.repeat(MAX_LINK_URL_CHARS)}">a</text:a>`),
      'a\n',
    ],
    ['a style that is based on itself', p('a', 'Loop'), 'a\n'],
    ['markup as text', p('# &lt;b&gt; *a*'), '\\# \\<b> \\*a\\*\n'],
  ])('reads %s', async (_, body, markdown) => {
    expect(await fileMarkdown(odt(body))).toBe(markdown);
  });

  it('returns title, text and links', async () => {
    const body = p('<text:a xlink:href="https://tides.example/">Tables</text:a>');
    expect(await readFile(odt(body, { title: 'All about tides' }))).toMatchObject({
      ok: true,
      file: {
        format: 'odt',
        title: 'All about tides',
        text: 'Tables',
        links: ['https://tides.example/'],
      },
    });
  });

  it('shows formulas and the numbers of charts, each once', async () => {
    const frame = (name: string): string =>
      `<draw:frame><draw:object xlink:href="./${name}"/></draw:frame>`;
    const math =
      '<!DOCTYPE math:math PUBLIC "x" "math.dtd"><math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:semantics><math:mrow><math:mi>a</math:mi><math:mo>=</math:mo><math:mfrac><math:mi>b</math:mi><math:mn>2</math:mn></math:mfrac></math:mrow><math:annotation math:encoding="StarMath 5.0">a = b over 2</math:annotation></math:semantics></math:math>';
    const chart = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:chart><table:table>${row(cell(''), cell('Kiel'))}${row(cell('Mon'), cell('1'))}</table:table></office:chart></office:body></office:document-content>`;
    const body = p(`So ${frame('F 1')} holds.${frame('Chart')}${frame('F 1')}${frame('None')}`);
    const parts = { 'F 1/content.xml': math, 'Chart/content.xml': chart };
    expect(await fileMarkdown(odt(body, { parts }))).toBe(
      'So $a=\\frac{b}{2}$ holds.\n\n| | Kiel |\n| --- | --- |\n| Mon | 1 |\n',
    );
  });

  it('does not multiply a text by repeating its cell', async () => {
    const body = `<table:table>${row(cell('x'.repeat(20_000), 'table:number-columns-repeated="100"'))}</table:table>`;
    expect((await fileMarkdown(odt(body))).length).toBeLessThan(30_000);
  });

  it('does not multiply an address by the notes in its link', async () => {
    const note = `a<text:note><text:note-body>${p('b')}</text:note-body></text:note>`;
    const address = `https://tides.example/${'a'.repeat(8_000)}`;
    const body = p(`<text:a xlink:href="${address}">${note.repeat(1_000)}</text:a>`);
    expect((await fileMarkdown(odt(body))).length).toBeLessThan(MAX_FILLED_CHARS * 1.1);
  });

  it.each<[string, Partial<TinyOdf>, string]>([
    [
      'is encrypted',
      { parts: { 'META-INF/manifest.xml': manifestXml('<manifest:encryption-data/>') } },
      'encrypted',
    ],
    ['has no text', {}, 'no_text'],
    ['has XML that is none', { parts: { 'content.xml': '<office:' } }, 'malformed'],
    [
      'declares entities',
      { parts: { 'styles.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a/>' } },
      'malformed',
    ],
    ['nests too deep', { body: '<text:section>'.repeat(100_000), isStored: true }, 'malformed'],
  ])('is refused when it %s', async (_, more, problem) => {
    expect(await readFile(odt('', more))).toMatchObject({ ok: false, problem });
  });

  it('is read when it names a document type and declares nothing', async () => {
    const manifest = `<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">${manifestXml('')}`;
    const file = odt(p('Old.'), { parts: { 'META-INF/manifest.xml': manifest } });
    expect(await fileMarkdown(file)).toBe('Old.\n');
  });
});

describe('readOdt of a presentation', () => {
  const frame = (kind: string, inner: string, more = ''): string =>
    `<draw:frame presentation:class="${kind}" ${more}><draw:text-box>${inner}</draw:text-box></draw:frame>`;

  it('reads slides with titles, items and notes, and says which are hidden', async () => {
    const body =
      `<draw:page draw:style-name="dp1">${frame('outline', `<text:list>${item(p('One'))}${item(p('Two'))}</text:list>`)}${frame('title', p('Tides'))}${frame('footer', p('2024'))}<presentation:notes>${frame('notes', p('Say hello.'))}</presentation:notes></draw:page>` +
      `<draw:page draw:style-name="dp2">${frame('title', p('Secret'))}</draw:page>` +
      `<draw:page>${frame('title', '', 'presentation:placeholder="true"')}<draw:g><draw:custom-shape>${p('A shape.')}</draw:custom-shape></draw:g><draw:frame><table:table>${row(cell('a'), cell('b'))}${row(cell('c'), cell('d'))}</table:table></draw:frame></draw:page>`;
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const file = tinyOdf({ kind: 'presentation', body, styles });
    expect(await readFile(file)).toMatchObject({ ok: true, file: { format: 'odp' } });
    expect(await fileMarkdown(file)).toBe(
      '## Tides\n\n- One\n- Two\n\n### Notes\n\nSay hello.\n\n## Slide 3\n\nA shape.\n\n' +
        '| a | b |\n| --- | --- |\n| c | d |\n\n*Hidden slides, left out: 2.*\n',
    );
  });

  it('has no text when it has nothing but pictures', async () => {
    const picture = '<draw:page><draw:frame><draw:image/></draw:frame></draw:page>';
    const read = (body: string) => readFile(tinyOdf({ kind: 'presentation', body }));
    expect(await read(picture.repeat(2))).toMatchObject({ ok: false, problem: 'no_text' });
    const titled = `<draw:page>${frame('title', p('Tides'))}</draw:page>`;
    expect(await read(picture + titled + picture)).toMatchObject({
      ok: true,
      file: { markdown: '## Slide 1\n\n## Tides\n\n## Slide 3\n' },
    });
  });
});
