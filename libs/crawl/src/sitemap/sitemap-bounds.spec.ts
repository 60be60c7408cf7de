import { gzipSync } from 'node:zlib';
import {
  BASE,
  bytesOf,
  childLocs,
  locs,
  readSample,
  url,
  urlset,
} from './fixtures/sample-sitemaps.js';
import { MAX_MEMBERS, readSitemap } from './read-sitemap.js';
import { MAX_LOC_CHARS, MAX_SITEMAP_BYTES, MAX_SITEMAP_URLS } from './sitemap-file.js';

describe('bounds of a sitemap', () => {
  it.each([
    [MAX_SITEMAP_URLS, []],
    [MAX_SITEMAP_URLS + 1, ['urls']],
  ])('keeps 50,000 of %i addresses', async (count, cuts) => {
    const entries = Array.from({ length: count }, (_, n) => url(`/${n}`)).join('');
    const file = await readSample(urlset(entries));
    expect([file.links.length, file.cuts]).toEqual([MAX_SITEMAP_URLS, cuts]);
  });

  it('counts sitemaps and pages together', async () => {
    const pages = Array.from({ length: MAX_SITEMAP_URLS - 1 }, (_, n) => url(`/${n}`)).join('');
    const sitemaps = '<sitemap><loc>/a.xml</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap>';
    const file = await readSample(urlset(pages + sitemaps));
    expect([childLocs(file), file.cuts]).toEqual([['https://a.example/a.xml'], ['urls']]);
  });

  it.each([
    ['plain', (text: Uint8Array) => text],
    ['inflated', (text: Uint8Array) => gzipSync(text)],
    ['inflated twice', (text: Uint8Array) => gzipSync(gzipSync(text))],
  ])('reads 50 MB, %s, and not a byte more', async (_name, pack) => {
    const start = bytesOf('<urlset>');
    const end = bytesOf(`${url('/last')}</urlset>`);
    const blanks = Buffer.alloc(MAX_SITEMAP_BYTES - start.length - end.length, 0x20);
    const whole = Buffer.concat([start, blanks, end]);
    expect(await readSample(pack(whole))).toMatchObject({ links: [{}], cuts: [] });
    const more = Buffer.concat([start, Buffer.from(' '), blanks, end]);
    const file = await readSample(pack(more));
    expect(file.cuts).toEqual(['bytes']);
    expect(locs(file)).toEqual(['https://a.example/last']);
  });

  it.each([
    [MAX_MEMBERS, 1, []],
    [MAX_MEMBERS + 1, 0, ['incomplete']],
  ])('reads 1,000 of %i members of gzip', async (count, links, cuts) => {
    const start = gzipSync('<urlset>');
    const end = gzipSync(`${url('/last')}</urlset>`);
    const empty = Array.from({ length: count - 2 }, () => gzipSync(''));
    const file = await readSample(Buffer.concat([start, ...empty, end]));
    expect([file.links.length, file.cuts]).toEqual([links, cuts]);
  });

  const longest = 'https://a.example/'.padEnd(MAX_LOC_CHARS, 'x');
  const spaced = (chars: number): string => ' '.repeat(chars);

  it.each([
    ['the longest address', longest, true],
    ['one that is longer', `${longest}x`, false],
    ['the longest among many blanks', `${spaced(50_000)}${longest}${spaced(50_000)}`, true],
    ['a longer one among many blanks', `${spaced(50_000)}${longest}x${spaced(50_000)}`, false],
    ['two with blanks between', `${longest}${spaced(50_000)}x`, false],
    ['one that grows when it is encoded', `/${'é'.repeat(600)}`, false],
    ['the longest, written in references', longest.replaceAll('x', '&amp;'), true],
    ['a longer one, written in references', `${longest.replaceAll('x', '&amp;')}x`, false],
    ['the longest in CDATA', `<![CDATA[${longest}]]>`, true],
    ['a megabyte in CDATA', `<![CDATA[${'x'.repeat(1_000_000)}]]>`, false],
    ['a megabyte', 'x'.repeat(1_000_000), false],
  ])('measures %s', async (_name, loc, fits) => {
    const file = await readSample(urlset(`${url(loc)}${url('/p')}`));
    expect(file.links.length).toBe(fits ? 2 : 1);
    expect(file.cuts).toEqual(fits ? [] : ['loc_length']);
  });

  it('measures a line of text', async () => {
    const file = await readSample(`${longest}\n${longest}x\nhttps://a.example/p\n`);
    expect([file.links.length, file.cuts]).toEqual([2, ['loc_length']]);
  });

  it.each([
    ['the bytes are known to be cut', urlset(url('/p')), true],
    ['the root is never closed', `<urlset>${url('/p')}<url><loc>https://a.example/ha`, false],
    ['it ends within a tag', `<urlset>${url('/p')}<url`, false],
    ['it ends within CDATA', `<urlset>${url('/p')}<url><loc><![CDATA[/x]]`, false],
    ['it ends within a comment', `<urlset>${url('/p')}<!-- </urlset>`, false],
  ])('says when %s', async (_name, text, isCut) => {
    const file = await readSample(text, { isCut });
    expect([locs(file), file.cuts]).toEqual([['https://a.example/p'], ['incomplete']]);
  });

  it('loses the last line of a text that was cut', async () => {
    const file = await readSample('https://a.example/p\nhttps://a.example/hal', { isCut: true });
    expect([locs(file), file.cuts]).toEqual([['https://a.example/p'], ['incomplete']]);
  });

  it('reads a hundred thousand elements within one another', async () => {
    const deep = `${'<a>'.repeat(100_000)}${url('/no')}${'</a>'.repeat(100_000)}`;
    const file = await readSample(urlset(`${deep}${url('/p')}`));
    expect(locs(file)).toContain('https://a.example/p');
    expect(file.cuts).toEqual([]);
  });

  it('stops reading a file that is plainly no sitemap', async () => {
    let pieces = 0;
    function* endless(): Generator<Uint8Array> {
      for (;;) {
        pieces++;
        yield bytesOf('<html><p>text</p> and more of it');
      }
    }
    const file = await readSitemap(endless(), { url: BASE, contentType: null });
    expect(file.kind).toBe('unknown');
    // Gathered to pieces of 64 KB.
    expect(pieces).toBeLessThan(5_000);
  });
});
