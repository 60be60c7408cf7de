import { tinyDocx } from '../docx/fixtures/tiny-docx.js';
import type { ParsedFile } from '@app/contracts';
import { tinyZip as zip } from './fixtures/tiny-zip.js';
import type { FileHint } from './file-result.js';
import { readFile } from './read-file.js';
import { sniffFile, sniffText } from './sniff-file.js';

type FileFormat = ParsedFile['format'];

const ole = (stream: string): Uint8Array =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from(stream, 'utf16le'),
  ]);

const ODF = 'application/vnd.oasis.opendocument.';

describe('sniffFile', () => {
  it.each<[string, Uint8Array, FileFormat | null]>([
    ['a PDF', Buffer.from('%PDF-1.4'), 'pdf'],
    ['a PDF after a kilobyte of a mailer', Buffer.from(`${'x'.repeat(1_000)}%PDF-1.4`), 'pdf'],
    ['a page about PDF', Buffer.from(`${'x'.repeat(2_000)}%PDF-1.4`), null],
    ['a Word document', tinyDocx({ body: '' }), 'docx'],
    ['a ZIP archive', zip({ 'a.txt': 'a' }), null],
    [
      'an archive that only starts as one',
      Buffer.from('PK\x03\x04[Content_Types].xml word/document.xml'),
      null,
    ],
    ['an Excel workbook', zip({ '[Content_Types].xml': '', 'xl/workbook.xml': '' }), 'xlsx'],
    ['a presentation', zip({ '[Content_Types].xml': '', 'ppt/presentation.xml': '' }), 'pptx'],
    ['a binary workbook', zip({ '[Content_Types].xml': '', 'xl/workbook.bin': '' }), null],
    ['a book', zip({ mimetype: 'application/epub+zip' }), 'epub'],
    ['a book without its type', zip({ 'META-INF/container.xml': '' }), 'epub'],
    ['an OpenDocument text', zip({ mimetype: `${ODF}text` }), 'odt'],
    ['an OpenDocument template', zip({ mimetype: `${ODF}text-template` }), 'odt'],
    ['an OpenDocument spreadsheet', zip({ a: '', mimetype: `${ODF}spreadsheet` }), 'ods'],
    ['an OpenDocument presentation', zip({ mimetype: `${ODF}presentation` }), 'odp'],
    ['an OpenDocument drawing', zip({ mimetype: `${ODF}graphics` }), null],
    ['an RTF', Buffer.from('{\\rtf1\\ansi Text}'), 'rtf'],
    ['an RTF after a byte order mark', Buffer.from('\ufeff {\\rtf1 Text}'), 'rtf'],
    ['text', Buffer.from('a,b\n1,2\n3,4\n'), null],
    ['nothing', new Uint8Array(), null],
  ])('detects from its bytes what %s is', (_, bytes, format) => {
    expect(sniffFile(bytes)).toBe(format);
    // Nothing that it is called changes what it is.
    expect(sniffFile(bytes, { contentType: 'application/msword', name: 'a.csv' })).toBe(format);
  });

  it.each<[string, FileHint, FileFormat | null]>([
    ['a,b', { contentType: 'text/csv; charset=utf-8' }, 'csv'],
    ['a,b', { contentType: 'Text/CSV', name: 'a.tsv' }, 'csv'],
    ['a,b', { contentType: 'text/tab-separated-values' }, 'tsv'],
    ['From: a', { contentType: 'message/rfc822' }, 'eml'],
    ['A: a\n\n\0\x01', { contentType: 'message/rfc822' }, 'eml'],
    ['\0\x01', { contentType: 'message/rfc822' }, null],
    ['a,b', { contentType: 'text/plain', name: '/data/A.CSV' }, 'csv'],
    ['a,b', { contentType: 'application/octet-stream', name: 'a.tab' }, 'tsv'],
    ['From: a', { contentType: null, name: 'a.eml' }, 'eml'],
    ['a,b', { contentType: 'application/vnd.ms-excel', name: 'a.csv' }, 'csv'],
    // A page is a page.
    ['a,b', { contentType: 'text/html', name: 'a.csv' }, null],
    ['<!doctype html><p>not found', { contentType: 'text/csv' }, null],
    ['<?xml version="1.0"?><a/>', { name: 'a.csv' }, null],
    ['a\0\x01b', { contentType: 'text/csv' }, null],
    ['', { contentType: 'text/csv' }, null],
    // Text for readers is a page as well.
    ['# Title', { contentType: 'text/markdown' }, null],
    ['Title', { name: 'a.txt' }, null],
  ])('takes %j by the hint %j for %s', (text, hint, format) => {
    expect(sniffFile(Buffer.from(text, 'latin1'), hint)).toBe(format);
  });
});

describe('sniffText', () => {
  const fields = 'Received: from a\r\n by b\r\nFrom: Ann\r\nSubject: x\r\n\r\nText';

  it.each<[string, FileHint, FileFormat | null]>([
    ['# Title\n\nText', {}, 'md'],
    ['See [here](https://a.example/).', {}, 'md'],
    ['<h1>Title</h1>', { name: 'README.md' }, 'md'],
    ['# no title', { name: 'a.txt' }, 'txt'],
    ['Just text, of one line.', {}, 'txt'],
    ['{"a": 1}', {}, 'txt'],
    [fields, {}, 'eml'],
    [`From ann Fri Mar 1\n${fields}`, {}, 'eml'],
    // Two fields, and lines that are none.
    ['From: Ann\r\nSubject: x\r\n\r\nText', {}, 'txt'],
    ['From: Ann\nSubject: x\nDate: y\nand so on\n\n', {}, 'txt'],
    ['a,b\n1,2\n3,4', {}, 'csv'],
    ['a;"b;\nc"\n1;2\n3;4', {}, 'csv'],
    ['a\tb\n1\t2', {}, 'tsv'],
    // As many commas by chance.
    ['a,b\n1,2', {}, 'txt'],
    ['a,b\n1,2\n3,4,5', {}, 'txt'],
    ['<!doctype html><p>Text', {}, null],
    ['<?xml version="1.0"?><a/>', {}, null],
    ['a\0\x01b', {}, null],
    ['', {}, null],
  ])('takes %j with %j for %s', (text, hint, format) => {
    expect(sniffText(Buffer.from(text, 'latin1'), hint)).toBe(format);
  });
});

describe('readFile', () => {
  it.each<[string, Uint8Array]>([
    ['a legacy Word document (.doc). Send it as DOCX or PDF', ole('WordDocument')],
    ['a legacy Excel workbook (.xls). Send it as XLSX, ODS or CSV', ole('Workbook')],
    ['a legacy PowerPoint presentation (.ppt). Send it as PPTX or PDF', ole('PowerPoint Document')],
    ['an Outlook message (.msg). Send it as EML', ole('__properties_version1.0')],
    ['a legacy Office document. Send it as DOCX, XLSX, PPTX or PDF', ole('Other')],
    [
      'a binary Excel workbook (.xlsb). Send it as XLSX',
      zip({ '[Content_Types].xml': '', 'xl/workbook.bin': '' }),
    ],
    ['an OpenDocument file of another kind. Send it as PDF', zip({ mimetype: `${ODF}graphics` })],
    ['a ZIP archive. Send the files in it', zip({ 'a.txt': '' })],
    [
      'an HTML page. Scrape its URL, or send its source to /v1/extract',
      Buffer.from('<!doctype html><p>Text'),
    ],
    ['an XML file', Buffer.from('<?xml version="1.0"?><a/>')],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['an empty file', new Uint8Array()],
    ['a file of another kind', Buffer.from([1, 2, 3, 0, 255])],
  ])('refuses %s', async (name, bytes) => {
    expect(await readFile(bytes)).toEqual({
      ok: false,
      problem: 'unknown_kind',
      message: `A file of this kind cannot be read: it is ${name}`,
    });
  });

  it('recognizes an Office document behind a password', async () => {
    expect(await readFile(ole('EncryptedPackage'))).toMatchObject({
      ok: false,
      problem: 'encrypted',
    });
  });

  it.each<[string, string, FileFormat, string]>([
    ['Markdown', '---\ntitle: Tides\n---\n\n# High *water*\r\n\r\nText.\n', 'md', 'Tides'],
    ['text', 'Just\ntext.\n', 'txt', ''],
  ])('takes %s as it is', async (_, text, format, title) => {
    const lines = text.replaceAll('\r\n', '\n');
    expect(await readFile(Buffer.from(text))).toEqual({
      ok: true,
      file: { format, markdown: lines, text: lines.trimEnd(), ...(title ? { title } : {}) },
    });
  });

  it('lists the links of Markdown, and leaves pictures that are written out in it', async () => {
    const text = `[a](https://a.example/) ![b](data:image/png;base64,${'A'.repeat(99)})`;
    expect(await readFile(Buffer.from(text), { hint: { name: 'a.md' } })).toMatchObject({
      ok: true,
      file: {
        markdown: '[a](https://a.example/) ![b](<Base64-Image-Removed>)\n',
        links: ['https://a.example/'],
      },
    });
  });
});
