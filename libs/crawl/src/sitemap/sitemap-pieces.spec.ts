import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { EntryList } from './entry-list.js';
import { readSitemap, TextStage } from './read-sitemap.js';
import { MAX_LOC_CHARS, type SitemapFile } from './sitemap-file.js';

const SOURCE = { url: 'https://a.example/sitemap.xml', contentType: null };

const readPieces = (pieces: Iterable<Uint8Array>): Promise<SitemapFile> =>
  readSitemap(pieces, SOURCE);

/** Without what gathers small pieces to large ones: each cut is one for the parsers. */
function readTextPieces(pieces: Iterable<Uint8Array>): string {
  const entries = new EntryList(SOURCE.url);
  const text = new TextStage(entries, SOURCE);
  for (const piece of pieces) text.write(piece);
  text.end(true);
  return JSON.stringify([text.kind, entries.take(Infinity), entries.cuts]);
}

function* halves(bytes: Uint8Array, at: number): Generator<Uint8Array> {
  yield bytes.subarray(0, at);
  yield bytes.subarray(at);
}

function* cutAt(bytes: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  let from = 0;
  for (const to of sorted) {
    yield bytes.subarray(from, to);
    from = to;
  }
  yield bytes.subarray(from);
}

function* single(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}

/** Everything that is read in a way of its own, in one small file. */
const FULL = `<?xml version="1.0" encoding="UTF-8"?><?x y?><!DOCTYPE urlset [<!ENTITY e "x">]><!-- <url> -- -->
<sm:urlset xmlns:sm='a>b' xmlns:image="i"><sm:url><sm:loc> https://a.example/é?a=1&amp;b=&#x1F600; </sm:loc>
<sm:lastmod><![CDATA[2026-]]>01</sm:lastmod><image:image><image:loc>/i</image:loc></image:image></sm:url>
<sm:url><sm:loc>/&e;</sm:loc></sm:url><sm:url><sm:loc><![CDATA[/]]]]><![CDATA[>]]></sm:loc><sm:url/>
<sm:sitemap><sm:loc>/child</sm:loc></sm:sitemap><sm:url><sm:loc>${'x'.repeat(MAX_LOC_CHARS)}</sm:loc></sm:url></sm:urlset>`;
const ATOM = `<feed><entry><link rel='self' href="/no"/><link href="/a?b=1&amp;c"/><updated>2026</updated></entry></feed>`;
const TEXT = '\ufeffhttps://a.example/1\r\n\r\n# é\nhttps://a.example/2\rhttps://a.example/3';

const FILES: readonly (readonly [string, Uint8Array])[] = [
  ['XML', Buffer.from(FULL)],
  ['XML of UTF-16', Buffer.from(FULL, 'utf16le')],
  ['Atom', Buffer.from(ATOM)],
  ['text', Buffer.from(TEXT)],
  ['gzip', gzipSync(FULL)],
  ['gzip of gzip', gzipSync(gzipSync(ATOM))],
  ['gzip in members', Buffer.concat([gzipSync(TEXT), gzipSync('\nhttps://a.example/4')])],
  ['gzip that breaks off', gzipSync(FULL).subarray(0, -30)],
  ['gzip with bytes behind', Buffer.concat([gzipSync(ATOM), Buffer.from('junk behind it')])],
];

/** The parsers see no cut before the end of the bytes that decide the encoding. */
const FILLED = FULL.replace('<!-- <url> -->', `<!-- ${'<url> '.repeat(200)} -->`);

describe('a sitemap in pieces', () => {
  it.each(FILES)('is the same wherever it is cut in two: %s', async (_name, bytes) => {
    const whole = JSON.stringify(await readPieces([bytes]));
    const others: number[] = [];
    for (let at = 0; at <= bytes.length; at++) {
      if (JSON.stringify(await readPieces(halves(bytes, at))) !== whole) others.push(at);
    }
    expect(others).toEqual([]);
    expect(JSON.stringify(await readPieces(single(bytes)))).toBe(whole);
  });

  it.each([
    ['XML', Buffer.from(FILLED)],
    ['XML of UTF-16', Buffer.from(FILLED, 'utf16le')],
    ['Atom', Buffer.from(' '.repeat(1_100) + ATOM)],
    ['text', Buffer.from(`${'\n'.repeat(1_100)}${TEXT}`)],
  ])('is parsed the same wherever it is cut in two: %s', (_name, bytes) => {
    const whole = readTextPieces([bytes]);
    const places = Array.from({ length: bytes.length + 1 }, (_, at) => at);
    expect(places.filter((at) => readTextPieces(halves(bytes, at)) !== whole)).toEqual([]);
    expect(readTextPieces(single(bytes))).toBe(whole);
  });

  it('finds in the largest of these what it should', async () => {
    const { kind, links, children, cuts } = await readPieces([Buffer.from(FULL)]);
    expect([kind, children, cuts]).toEqual([
      'urlset',
      [{ loc: 'https://a.example/child' }],
      ['loc_length'],
    ]);
    expect(links).toEqual([
      { loc: 'https://a.example/%C3%A9?a=1&b=%F0%9F%98%80', lastmod: '2026-01' },
      { loc: 'https://a.example/]]%3E' },
    ]);
  });
});

/** Words that sitemaps are made of, in any order, among any text. */
const WORDS = [
  '<urlset>', '</urlset>', '<sitemapindex>', '<rss>', '<feed>', '<entry>', '<item>', '<link>', '</link>',
  '<link href="', '"/>', '<url>', '</url>', '<sitemap>', '<loc>', '</loc>', '<a:loc>', '</a:loc>', '<lastmod>',
  '</lastmod>', '<!--', '-->', '<![CDATA[', ']]>', '<?', '?>', '<!DOCTYPE ', '[', ']', '&amp;', '&#', '&x;', ';',
  '<', '>', '/', '"', "'", '=', '\n', '\r', ' ', '\0', '\ufeff', 'https://a.example/', 'é', '\ud800', '<html>',
]; // prettier-ignore
const soup = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 8 })), { maxLength: 80 })
  .map((words) => Buffer.from(words.join('')));
const wrapped = fc
  .tuple(fc.constantFrom('<urlset><url><loc>/a', '<rss><item>', '<feed>', 'http'), soup)
  .map(([start, rest]) => Buffer.concat([Buffer.from(start), rest]));
const damaged = fc
  .tuple(wrapped, fc.nat(), fc.integer({ min: 0, max: 255 }))
  .map(([text, at, byte]) => {
    const packed = Buffer.from(gzipSync(text));
    packed[at % packed.length] = byte;
    return packed;
  });
const anyFile = fc.oneof(fc.uint8Array({ maxLength: 400 }), soup, wrapped, damaged);

describe('any bytes', () => {
  it('are read without a throw, into addresses that may be fetched', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, async (bytes) => {
        const { links, children } = await readPieces([bytes]);
        for (const { loc } of [...links, ...children]) {
          expect(loc.length).toBeLessThanOrEqual(MAX_LOC_CHARS);
          expect(['http:', 'https:']).toContain(new URL(loc).protocol);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('are the same in pieces of any size', async () => {
    const places = fc.array(fc.nat({ max: 4_000 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(anyFile, places, async (bytes, at) => {
        expect(await readPieces(cutAt(bytes, at))).toEqual(await readPieces([bytes]));
      }),
      { numRuns: 1_500 },
    );
  });

  it('are parsed the same in pieces of any size', () => {
    const places = fc.array(fc.nat({ max: 4_000 }), { maxLength: 12 });
    const behindBlanks = wrapped.map((text) => Buffer.concat([Buffer.alloc(1_024, ' '), text]));
    fc.assert(
      fc.property(behindBlanks, places, (bytes, at) => {
        expect(readTextPieces(cutAt(bytes, at))).toBe(readTextPieces([bytes]));
      }),
      { numRuns: 2_000 },
    );
  });
});
