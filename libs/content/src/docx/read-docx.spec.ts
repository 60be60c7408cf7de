import { zipSync, strToU8 } from 'fflate';
import { readFile } from '../files/read-file.js';
import { MAX_LINK_URL_CHARS } from '../limits.js';
import { item, docxMarkdown, paragraph, tinyDocx, type TinyDocx } from './fixtures/tiny-docx.js';

const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
const row = (...texts: readonly string[]): string => `<w:tr>${texts.map(cell).join('')}</w:tr>`;

describe('readDocx', () => {
  it.each<[string, TinyDocx, string]>([
    [
      'headings and paragraphs',
      {
        body:
          paragraph('Tides', 'Title') +
          paragraph('High water', 'Heading1') +
          paragraph('At six.') +
          paragraph('Springs', 'Heading2') +
          paragraph('At eight.'),
      },
      '# Tides\n\n# High water\n\nAt six.\n\n## Springs\n\nAt eight.\n',
    ],
    [
      'lists and what is inside them',
      {
        body: item('Ropes', 1) + item('Thin ones', 1, 1) + item('Anchors', 1) + item('Cast off', 2),
      },
      '- Ropes\n  - Thin ones\n- Anchors\n\n1. Cast off\n',
    ],
    [
      'tables',
      { body: `<w:tbl>${row('Ship', 'Length')}${row('Albatros', '12 | 13 m')}</w:tbl>` },
      '| Ship | Length |\n| --- | --- |\n| Albatros | 12 \\| 13 m |\n',
    ],
    [
      'emphasis',
      {
        body: '<w:p><w:r><w:t xml:space="preserve">Never </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ever</w:t></w:r><w:r><w:t xml:space="preserve"> on </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>Fridays</w:t></w:r></w:p>',
      },
      'Never **ever** on *Fridays*\n',
    ],
    [
      'links',
      {
        body: '<w:p><w:hyperlink r:id="l1"><w:r><w:t>Tables</w:t></w:r></w:hyperlink></w:p>',
        links: { l1: 'https://tides.example/' },
      },
      '[Tables](https://tides.example/)\n',
    ],
    [
      'what would be markup',
      { body: paragraph('# no *title* &lt;b&gt;') },
      '\\# no \\*title\\* \\<b>\n',
    ],
  ])('reads %s', async (_, docx, markdown) => {
    expect(await docxMarkdown(docx)).toBe(markdown);
  });

  it('keeps the text of footnotes', async () => {
    const markdown = await docxMarkdown({
      body: '<w:p><w:r><w:t>Tides</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p>',
      footnotes: `<w:footnote w:id="1">${paragraph('By the moon.')}</w:footnote>`,
    });
    expect(markdown).toMatch(/^Tides/);
    expect(markdown).toContain('By the moon.');
  });

  describe('formulas', () => {
    const run = (text: string): string =>
      `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
    const e = (inner: string): string => `<m:e>${inner}</m:e>`;
    const row = (...cells: string[]): string =>
      `<m:mr>${cells.map((x) => e(run(x))).join('')}</m:mr>`;
    const sum = `<m:sSup>${e(run('x'))}<m:sup>${run('2')}</m:sup></m:sSup>`;
    const named = '<m:dPr><m:begChr m:val="["/><m:sepChr m:val=","/><m:endChr m:val=""/></m:dPr>';
    const limits = `<m:sub>${run('0')}</m:sub><m:sup>${run('n')}</m:sup>`;

    it.each([
      [
        `<m:f><m:num>${run('a')}</m:num><m:den>${run('b')}</m:den></m:f>${run('=')}${sum}`,
        'a/b=x^2',
      ],
      [`<m:sSup>${e(`<m:d>${e(run('x+a'))}</m:d>`)}<m:sup>${run('2')}</m:sup></m:sSup>`, '(x+a)^2'],
      [`<m:d>${named}${e(run('a'))}${e(`<m:d>${e(run('b'))}</m:d>`)}</m:d>${run('c')}`, '[a,(b)c'],
      [`<m:nary>${limits}${e(run('f'))}</m:nary>`, '∫_0^nf'],
      [`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${limits}${e(run('f'))}</m:nary>`, '∑_0^nf'],
      [`<m:rad><m:radPr/><m:deg/>${e(run('x'))}</m:rad>`, '√x'],
      [`<m:constructor>${e(run('x'))}</m:constructor>`, 'x'],
      [`<m:acc>${e(run('A'))}</m:acc>${run('B')}`, 'A\u0302B'],
      [`<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr>${e(run('A'))}</m:acc>`, 'A\u20d7'],
      [`<m:m>${row('a', 'b')}${row('c', 'd')}</m:m>`, 'a b c d'],
      [`<m:eqArr>${e(run('x=1'))}${e(run('y=2'))}</m:eqArr>`, 'x=1 y=2'],
    ])('%s is %s', async (math, text) => {
      const body = `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${math}</m:oMath></w:p>`;
      const markdown = await docxMarkdown({ body });
      expect(markdown.replaceAll('\\', '').normalize('NFD')).toBe(`${text.normalize('NFD')}\n`);
    });
  });

  it('leaves pictures where they are and keeps their descriptions', async () => {
    const picture =
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A lighthouse"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="img"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const relation = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="img" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image1.png"/></Relationships>`;
    const markdown = await docxMarkdown({
      body: paragraph('Before.') + picture + paragraph('After.'),
      parts: { 'word/_rels/document.xml.rels': relation, 'word/media/image1.png': 'no picture' },
    });
    expect(markdown).toBe('Before.\n\nA lighthouse\n\nAfter.\n');
  });

  it('leaves out addresses that are too long, or too long together', async () => {
    const linked = (count: number, address: string): Uint8Array => {
      const one = '<w:p><w:hyperlink r:id="l"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>';
      return tinyDocx({ body: one.repeat(count), links: { l: address }, isStored: true });
    };
    const start = 'https://tides.example/';
    const tooLong = linked(1, start.padEnd(MAX_LINK_URL_CHARS + 1, 'a'));
    expect(await docxMarkdown(tooLong)).toBe('x\n');
    // Together they would be longer than any string.
    const result = await readFile(linked(70_000, start.padEnd(MAX_LINK_URL_CHARS, 'a')));
    expect(result.ok && result.file.truncatedBy).toMatch(/^max_(?:markdown_)?chars$/);
  });

  it('returns text, title and links', async () => {
    const result = await readFile(
      tinyDocx({
        title: 'All about tides',
        body:
          paragraph('Tides', 'Heading1') +
          `<w:p><w:hyperlink r:id="l1"><w:r><w:t>Tables</w:t></w:r></w:hyperlink></w:p>` +
          item('One', 1) +
          item('Two', 1) +
          `<w:tbl>${row('a', 'b')}${row('c', 'd')}</w:tbl>`,
        links: { l1: 'https://tides.example/t' },
      }),
    );
    expect(result).toMatchObject({
      ok: true,
      file: {
        format: 'docx',
        title: 'All about tides',
        links: ['https://tides.example/t'],
        text: 'Tides\n\nTables\n\nOne\nTwo\n\na\tb\nc\td',
      },
    });
  });

  it('reports its cuts', async () => {
    const body = Array.from({ length: 30 }, (_, n) => paragraph(`Sentence ${n}.`)).join('');
    const result = await readFile(tinyDocx({ body }), { maxChars: 100 });
    expect(result).toMatchObject({ ok: true, file: { truncatedBy: 'max_chars' } });
    expect(result.ok && result.file.markdown.length).toBeLessThanOrEqual(101);
  });

  it('has no text when there is none', async () => {
    expect(await readFile(tinyDocx({ body: '<w:p/>' }))).toMatchObject({
      ok: false,
      problem: 'no_text',
    });
  });
});

describe('a DOCX that means harm', () => {
  const body = paragraph('Text.');
  const bomb = `<w:t>${'a'.repeat(70_000_000)}</w:t>`;
  const laughs = `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:document/>`;
  const deep = '<w:p>'.repeat(100_000);

  it.each<[string, Uint8Array, string]>([
    ['has a part of 70 MB', tinyDocx({ body, parts: { 'word/bomb.xml': bomb } }), 'too_large'],
    [
      'has a part that inflates a thousandfold',
      tinyDocx({ body, parts: { 'word/bomb.xml': 'a'.repeat(5_000_000) } }),
      'too_large',
    ],
    ['declares entities', tinyDocx({ body, parts: { 'word/document.xml': laughs } }), 'malformed'],
    [
      'declares entities in UTF-16',
      tinyDocx({ body, parts: { 'word/styles.xml': Buffer.from(`\ufeff${laughs}`, 'utf16le') } }),
      'malformed',
    ],
    ['nests too deep', tinyDocx({ body: deep }), 'malformed'],
    [
      'leads out of the archive',
      tinyDocx({ body, parts: { '../../etc/cron.d/x': 'x' } }),
      'malformed',
    ],
    ['has an absolute name', tinyDocx({ body, parts: { '/etc/passwd': 'x' } }), 'malformed'],
    ['has a name with backslashes', tinyDocx({ body, parts: { '..\\x': 'x' } }), 'malformed'],
    [
      'has XML that is none',
      tinyDocx({ body, parts: { 'word/document.xml': '<w:' } }),
      'malformed',
    ],
    ['is cut off', tinyDocx({ body }).subarray(0, 700), 'unknown_kind'],
  ])('is refused when it %s', async (_, bytes, problem) => {
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem });
  });

  it('is refused when it claims more entries than any real document', async () => {
    const bytes = Buffer.from(tinyDocx({ body }));
    bytes.writeUInt16LE(65_000, bytes.length - 12);
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'unknown_kind' });
  });

  it('is read when it nests as deep as it may', async () => {
    const body = `${'<w:customXml>'.repeat(390)}${paragraph('Text.')}${'</w:customXml>'.repeat(390)}`;
    expect(await readFile(tinyDocx({ body }))).toMatchObject({ ok: true, file: { text: 'Text.' } });
  });

  it.each([
    ['ends before it is whole', '<w:document><w:body><w:p>'],
    ['closes what it did not open', '<w:document><w:body></w:p></w:body></w:document>'],
    ['has two roots', '<w:document><w:body/></w:document><w:document/>'],
  ])('is refused when its XML %s', async (_, xml) => {
    const bytes = tinyDocx({ body, parts: { 'word/document.xml': xml } });
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'malformed' });
  });

  it('is read without its embedded archives, whatever is in them', async () => {
    const inner = zipSync({ 'bomb.xml': strToU8('a'.repeat(1_000_000)) });
    const result = await readFile(tinyDocx({ body, parts: { 'word/embeddings/x.zip': inner } }));
    expect(result).toMatchObject({ ok: true, file: { text: 'Text.' } });
  });
});
