import { gzipSync } from 'node:zlib';
import { encodeText } from '../../../testing/src/site/charset-samples.js';
import { readSitemap } from './read-sitemap.js';
import {
  bytesOf,
  LARGE_SITEMAP_PAGES,
  large,
  locs,
  readSample,
  url,
  urlset,
} from './fixtures/sample-sitemaps.js';

describe('gzip', () => {
  const text = urlset(url('/p'));
  const packed = gzipSync(text);

  it.each([
    ['by its first bytes, whatever the type says', packed, 'text/xml'],
    ['with a type of its own', packed, 'application/x-gzip'],
    ['plain though named otherwise', bytesOf(text), 'application/gzip'],
    ['twice', gzipSync(packed), null],
    ['in members', Buffer.concat([gzipSync(text.slice(0, 50)), gzipSync(text.slice(50))]), null],
    ['with bytes behind it', Buffer.concat([packed, Buffer.from('<!-- cached -->')]), null],
    ['with zeros behind it', Buffer.concat([packed, Buffer.alloc(64)]), null],
    ['without its checksum', packed.subarray(0, -8), null],
    ['of plain text', gzipSync('https://a.example/p\n'), null],
    ['of UTF-16', gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')), null],
  ])('is read %s', async (_name, bytes, contentType) => {
    const file = await readSample(bytes, contentType === null ? {} : { contentType });
    expect(locs(file)).toEqual(['https://a.example/p']);
    expect(file.cuts).toEqual([]);
  });

  it('that breaks off returns the part before', async () => {
    const cut = gzipSync(large).subarray(0, -2_000);
    const file = await readSample(cut);
    expect(file.cuts).toEqual(['incomplete']);
    expect(file.links.length).toBeGreaterThan(100);
    expect(file.links.length).toBeLessThan(LARGE_SITEMAP_PAGES);
  });

  it('that breaks off loses the half line of a text', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `https://a.example/page/${n * 7}`);
    const file = await readSample(gzipSync(lines.join('\n')).subarray(0, -500));
    expect(file.cuts).toEqual(['incomplete']);
    const whole = new Set(lines);
    expect(file.links.length).toBeGreaterThan(100);
    expect(locs(file).filter((loc) => !whole.has(loc))).toEqual([]);
  });

  it('that is damaged returns the part before', async () => {
    const bytes = Buffer.from(gzipSync(large));
    bytes.fill(0xff, 4_500, 4_600);
    const file = await readSample(bytes);
    expect(file.cuts).toEqual(['incomplete']);
  });

  it.each([
    ['nothing but its first bytes', packed.subarray(0, 2)],
    ['half a header', packed.subarray(0, 6)],
    ['a header that is none', Buffer.from([0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9])],
  ])('of %s is no sitemap', async (_name, bytes) => {
    expect(await readSample(bytes)).toMatchObject({
      kind: 'unknown',
      links: [],
      cuts: ['incomplete'],
    });
  });

  it('of too many layers is left', async () => {
    const file = await readSample(gzipSync(gzipSync(packed)));
    expect(file).toMatchObject({ kind: 'unknown', links: [], cuts: ['nested_gzip'] });
  });
});

describe('encodings', () => {
  const loc = 'https://a.example/%C3%A9';
  const utf16 = (text: string, swap: boolean): Uint8Array => {
    const bytes = Buffer.from(text, 'utf16le');
    return swap ? bytes.swap16() : bytes;
  };
  const declaring = (encoding: string): string =>
    `<?xml version='1.0' encoding='${encoding}' ?>\n<urlset>${url('/é')}</urlset>`;
  const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

  it.each([
    ['UTF-8', bytesOf(declaring('utf-8')), null],
    ['UTF-8 with a mark, declared as another', bytesOf(`\ufeff${declaring('latin1')}`), null],
    ['UTF-16 with a mark', utf16(`\ufeff${declaring('UTF-16')}`, false), 'text/xml; charset=utf-8'],
    ['big-endian UTF-16 with a mark', utf16(`\ufeff${declaring('UTF-16')}`, true), null],
    ['UTF-16 without a mark', utf16(declaring('UTF-16'), false), null],
    ['big-endian UTF-16 without a mark', utf16(declaring('UTF-16'), true), null],
    ['UTF-16 that is UTF-8', bytesOf(declaring('UTF-16')), null],
    ['UTF-16 of the header that is UTF-8', bytesOf(declaring('utf-8')), 'text/xml;charset=utf-16'],
    ['ISO-8859-1, declared', latin(declaring('ISO-8859-1')), null],
    [
      'windows-1252 of the header',
      latin(declaring('x')),
      'application/xml; charset="windows-1252"',
    ],
    ['the header before the declaration', latin(declaring('utf-8')), 'text/xml; charset=latin1'],
    ['a name of no encoding', bytesOf(declaring('klingon')), 'text/xml; charset=elvish'],
    ['none said', bytesOf(`<urlset>${url('/é')}</urlset>`), null],
  ])('reads %s', async (_name, bytes, contentType) => {
    const file = await readSample(bytes, contentType === null ? {} : { contentType });
    expect(locs(file)).toEqual([loc]);
  });

  const cyrillic = `https://a.example/${encodeURIComponent('новости-и-события')}`;
  const xml = `<urlset>${url('/новости-и-события')}</urlset>`;
  const pad = `<!--${' '.repeat(2_000)}-->`;

  it.each([
    ['KOI8-R, XML', encodeText(xml, 'koi8-r'), null],
    ['windows-1251, XML', encodeText(xml, 'windows-1251'), 'text/xml'],
    ['windows-1251, text', encodeText(decodeURIComponent(cyrillic), 'windows-1251'), 'text/plain'],
    ['UTF-8 long after the start', bytesOf(pad + xml), 'text/html'],
  ])('detects %s', async (_name, bytes, contentType) => {
    const file = await readSample(bytes, contentType === null ? {} : { contentType });
    expect(locs(file)).toEqual([cyrillic]);
  });

  it('reads two bytes of a character that are apart', async () => {
    const text = `<?xml version="1.0" encoding="euc-kr"?>${pad}<urlset>${url('/도서관')}</urlset>`;
    const bytes = encodeText(text, 'euc-kr');
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const file = await readSitemap(pieces, { url: 'https://a.example/', contentType: null });
    expect(locs(file)).toEqual([`https://a.example/${encodeURIComponent('도서관')}`]);
  });

  it('reads plain text in UTF-16', async () => {
    const file = await readSample(utf16('\ufeffhttps://a.example/é\r\n', false));
    expect([file.kind, ...locs(file)]).toEqual(['text', loc]);
  });
});
