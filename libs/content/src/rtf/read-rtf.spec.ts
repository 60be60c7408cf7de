import { fileMarkdown } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { MAX_FILE_CHARS, MAX_RTF_DEPTH } from '../limits.js';

const rtf = (body: string, head = ''): Buffer =>
  Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0${head} ${body}}`, 'latin1');

const row = (...cells: readonly string[]): string =>
  `\\trowd${cells.map(() => '\\cellx1000').join('')}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row `;

const STYLES =
  '{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0 heading 1;}{\\s2 heading 2;}{\\*\\cs3 heading 3;}{\\s9 Title;}}';

describe('readRtf', () => {
  it.each<[string, string, string]>([
    ['paragraphs', 'One.\\par Two\\par\\par Three', 'One.\n\nTwo\n\nThree\n'],
    ['line ends that are none', 'a\r\nb\\\nc', 'ab\n\nc\n'],
    ['escaped characters', '\\{a\\}\\\\ b\\~c\\_d\\-e', '{a}\\ b c‑de\n'],
    [
      'words that are characters',
      '\\ldblquote a\\rdblquote\\emdash b\\tab c\\line d',
      '“a”—b c\\\nd\n',
    ],
    [
      'looks',
      'Never {\\b ever} on \\i Fri\\i0 day\\b1 s\\b0 .',
      'Never **ever** on *Fri*day**s**.\n',
    ],
    ['raised text', 'H{\\sub 2}O x{\\super 2}', 'H2O x^2\n'],
    ['hidden text', 'a{\\v hidden}b', 'ab\n'],
    ['bytes of the code page', "Gr\\'f6\\'dfe \\'80", 'Größe €\n'],
    ['bytes as they are', 'Gr\xf6\xdfe', 'Größe\n'],
    ['Unicode, with what stands in for it', 'Gr\\u246 oe\\u223?e', 'Gröeße\n'],
    ['Unicode with bytes in its place', "\\uc2\\u26481\\'93\\'8c\\uc0\\u20140", '東京\n'],
    ['pairs of Unicode', '\\u-10179?\\u-8704?', '😀\n'],
    ['more groups closed than open', 'a}}}b', 'ab\n'],
    ['binary data', 'a{\\pict\\bin5 }}}}}}b', 'ab\n'],
    ['a destination that is not known', 'a{\\*\\nobody b{\\b c}}d', 'ad\n'],
    ['pictures, headers and remarks', 'a{\\pict ffd8}{\\header b}{\\*\\annotation c}d', 'ad\n'],
    ['the result of an object', 'a{\\object{\\*\\objdata 0102}{\\result b}}', 'ab\n'],
    ['text boxes', 'a{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv y}}{\\shptxt b}}{\\shprslt b}}', 'ab\n'],
    [
      'links',
      '{\\field{\\*\\fldinst{HYPERLINK "https://tides.example/" }}{\\fldrslt{\\ul Tables}}} and {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}',
      '[Tables](https://tides.example/) and 7\n',
    ],
    [
      'the link of a field in its own text alone',
      '{\\field{\\*\\fldinst{HYPERLINK "https://tides.example/"}}{\\fldrslt a}{\\fldrslt b}} c {\\fldrslt d}',
      '[a](https://tides.example/)b c d\n',
    ],
    [
      'items and headings of levels that are none',
      '{\\listtext 1.}\\ilvl-2 a\\par\\pard\\outlinelevel-5 b\\par',
      '1. a\n\nb\n',
    ],
    [
      'footnotes',
      'Tides{\\super\\chftn{\\footnote\\pard {\\super\\chftn} By the moon.}}.',
      'Tides[^1].\n\n[^1]: By the moon.\n',
    ],
    [
      'items',
      '\\pard{\\listtext\\u8226?\\tab}\\ls1\\ilvl0 One\\par{\\listtext\\u8226?\\tab}\\ilvl1 Half\\par{\\listtext 1.\\tab}\\ilvl0 Two\\par\\pard End\\par',
      '- One\n  - Half\n\n1. Two\n\nEnd\n',
    ],
    [
      'items whose marks are before their paragraphs, as Word writes them',
      '\\pard {\\listtext\\pard\\plain 1)\\tab}}\\pard \\ls8 {First\\par {\\listtext\\pard\\plain iii)\\tab}}\\pard \\ls8\\ilvl1 {Half\\par }\\pard End',
      '1. First\n   1. Half\n\nEnd\n',
    ],
    [
      'tables',
      `${row('Ship', 'Length')}${row('Albatros', '12 | 13')}\\pard End\\par`,
      '| Ship | Length |\n| --- | --- |\n| Albatros | 12 \\| 13 |\n\nEnd\n',
    ],
    [
      'cells merged over columns',
      `\\trowd\\clmgf\\cellx1\\clmrg\\cellx2\\intbl a\\cell\\cell\\row ${row('b', 'c')}`,
      '| a | a |\n| --- | --- |\n| b | c |\n',
    ],
    ['a row that does not end', '\\trowd\\cellx1\\intbl a\\cell b', 'a\n\nb\n'],
    ['markup as text', '# <b> *a*', '\\# \\<b> \\*a\\*\n'],
  ])('reads %s', async (_, body, markdown) => {
    expect(await fileMarkdown(rtf(body))).toBe(markdown);
  });

  it('knows headings by the names of their styles, or by their level of outline', async () => {
    const body =
      '\\pard\\s9 Tides\\par\\pard\\s1 High\\par\\pard\\s0 At six.\\par\\pard\\outlinelevel1 Low\\par\\pard\\outlinelevel9 body\\par';
    expect(await fileMarkdown(rtf(body, STYLES))).toBe(
      '# Tides\n\n# High\n\nAt six.\n\n## Low\n\nbody\n',
    );
  });

  it('decodes by the fonts, also characters of two bytes', async () => {
    const fonts = '{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 Mincho;}}';
    const body = "{\\f1 \\'cf\\'f0\\'e8}{\\f2 \\'93\\'8c\\'8bA} \\f0\\'e4\\f1\\'e4\\plain\\'e4";
    expect(await fileMarkdown(rtf(body, fonts))).toBe('При東帰 äдä\n');
  });

  it('returns the title and the format', async () => {
    const result = await readFile(rtf('Text.', '{\\info{\\author A}{\\title All about tides}}'));
    expect(result).toMatchObject({
      ok: true,
      file: { format: 'rtf', title: 'All about tides', text: 'Text.' },
    });
  });

  it('does not multiply the address of a link by the paragraphs of its text', async () => {
    const paragraphs = MAX_FILE_CHARS / 1_000;
    const address = `https://tides.example/${'a'.repeat(1_900)}`;
    const field = `{\\field{\\*\\fldinst HYPERLINK "${address}"}{\\fldrslt ${'a\\par '.repeat(paragraphs)}}}`;
    const result = await readFile(rtf(field));
    expect(result.ok && result.file.markdown.length).toBeLessThan(MAX_FILE_CHARS * 1.1);
    expect(result).toMatchObject({ ok: true });
  });

  it.each([
    [MAX_RTF_DEPTH - 1, true],
    [MAX_RTF_DEPTH, false],
  ])('with %d groups in its own: %s', async (groups, ok) => {
    expect(await readFile(rtf(`${'{'.repeat(groups)}a${'}'.repeat(groups)}`))).toMatchObject({
      ok,
    });
  });

  it.each([
    ['no text', rtf('')],
    ['only pictures', rtf('{\\pict ffd8}')],
  ])('has %s', async (_, bytes) => {
    expect(await readFile(bytes)).toMatchObject({ ok: false, problem: 'no_text' });
  });
});
