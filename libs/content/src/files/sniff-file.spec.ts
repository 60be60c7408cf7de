import { zipSync, strToU8 } from 'fflate';
import { tinyDocx } from '../docx/fixtures/tiny-docx.js';
import { readFile } from './read-file.js';
import { sniffFile } from './sniff-file.js';

const zip = (names: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(names).map(([name, data]) => [name, [strToU8(data), { level: 0 }]]),
    ),
  );
const ole = (stream: string): Uint8Array =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from(stream, 'utf16le'),
  ]);

describe('sniffFile', () => {
  it.each<[string, Uint8Array, 'pdf' | 'docx' | null]>([
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
    ['nothing', new Uint8Array(), null],
  ])('detects from its bytes what %s is', (_, bytes, format) => {
    expect(sniffFile(bytes)).toBe(format);
  });
});

describe('readFile', () => {
  it.each<[string, Uint8Array]>([
    ['a legacy Word document (.doc)', ole('WordDocument')],
    ['a legacy Excel workbook (.xls)', ole('Workbook')],
    ['a legacy PowerPoint presentation (.ppt)', ole('PowerPoint Document')],
    ['an OpenDocument text (.odt)', zip({ mimetype: 'application/vnd.oasis.opendocument.text' })],
    ['an EPUB book', zip({ mimetype: 'application/epub+zip' })],
    ['an Excel workbook (.xlsx)', zip({ '[Content_Types].xml': '', 'xl/workbook.xml': '' })],
    [
      'a PowerPoint presentation (.pptx)',
      zip({ '[Content_Types].xml': '', 'ppt/presentation.xml': '' }),
    ],
    ['a ZIP archive', zip({ 'a.txt': '' })],
    ['an RTF document', Buffer.from('{\\rtf1\\ansi Text}')],
    ['an HTML page', Buffer.from('<!doctype html><p>Text')],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a text file', Buffer.from('Just text.')],
    ['an empty file', new Uint8Array()],
    ['a file of another kind', Buffer.from([1, 2, 3, 0, 255])],
  ])('refuses %s by its name', async (name, bytes) => {
    expect(await readFile(bytes)).toEqual({
      ok: false,
      problem: 'unknown_kind',
      message: `Only PDF and DOCX can be read; this is ${name}`,
    });
  });

  it('recognizes an Office document behind a password', async () => {
    expect(await readFile(ole('EncryptedPackage'))).toMatchObject({
      ok: false,
      problem: 'encrypted',
    });
  });
});
