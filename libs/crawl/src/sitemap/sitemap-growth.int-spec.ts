import { gzipSync } from 'node:zlib';
import { cpuCost, growthOf, LINEAR_GROWTH, type Cost } from '@app/testing';
import { readSitemap } from './read-sitemap.js';

const SOURCE = { url: 'https://a.example/sitemap.xml', contentType: null };

/** CPU of reading, that of zlib's threads included. */
function costOf(bytesOf: (n: number) => Uint8Array): Cost {
  return cpuCost(bytesOf, (bytes) => readSitemap([bytes], SOURCE));
}

/** What could be squared: each of these is long in its own way. */
const LONG: readonly (readonly [string, (n: number) => string])[] = [
  ['entries', (n) => `<urlset>${'<url><loc>/a</loc></url>'.repeat(n)}`],
  ['one address', (n) => `<urlset><url><loc>${'/a'.repeat(n)}`],
  ['one address of blanks', (n) => `<urlset><url><loc>a${' '.repeat(2 * n)}b`],
  ['line feeds in addresses', (n) => `<urlset>${`<url><loc>/${' '.repeat(500)}\n</loc></url>`.repeat(n / 250)}`],
  ['elements within one another', (n) => `<urlset>${'<url>'.repeat(n)}`],
  ['ends of nothing', (n) => `<urlset>${'<a>'.repeat(30)}${'</b>'.repeat(n)}`],
  ['one name', (n) => `<urlset><${'a'.repeat(n)}`],
  ['attributes', (n) => `<feed><entry><link ${'a=b '.repeat(n)}`],
  ['one attribute', (n) => `<feed><entry><link href="${'a'.repeat(n)}`],
  ['one comment', (n) => `<urlset><!--${'- '.repeat(n)}`],
  ['dashes', (n) => `<urlset><!--${'-'.repeat(n)}`],
  ['one CDATA section', (n) => `<urlset><url><loc><![CDATA[${'] '.repeat(n)}`],
  ['CDATA sections', (n) => `<urlset><url><loc>${'<![CDATA[a]]>'.repeat(n)}`],
  ['references', (n) => `<urlset>${'<url><loc>/&amp;&amp;&a;</loc></url>'.repeat(n / 10)}`],
  ['half references', (n) => `<urlset><url><loc>${'&'.repeat(n)}</loc>`],
  ['entities', (n) => `<!DOCTYPE a [${'<!ENTITY a "&a;">'.repeat(n)}]>`],
  ['an instruction', (n) => `<?xml ${'encoding '.repeat(n)}`],
  ['blanks before anything', (n) => ' '.repeat(2 * n)],
  ['lines', (n) => 'https://a.example/\n'.repeat(n)],
  ['one line', (n) => `https://a.example/${'a'.repeat(n)}`],
]; // prettier-ignore

describe('time to read a sitemap', () => {
  it.each(LONG)('is linear in %s', async (_name, textOf) => {
    const cost = costOf((n) => Buffer.from(textOf(n)));
    expect(await growthOf(cost, { upTo: 200_000 })).toBeLessThan(LINEAR_GROWTH);
  });

  it.each([
    ['gzip', (n: number) => gzipSync(Buffer.alloc(100 * n, ' ')), 200_000],
    ['gzip of noise', (n: number) => gzipSync(noise(10 * n), { level: 0 }), 200_000],
    // Of more than a thousand the rest is not read.
    ['empty members of gzip', (n: number) => repeated(gzipSync(''), n), 4_000],
  ])('is linear in %s', async (_name, bytesOf, upTo) => {
    const cost = costOf(bytesOf);
    expect(await growthOf(cost, { upTo })).toBeLessThan(LINEAR_GROWTH);
  });
});

function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
}

/** Bytes that do not compress, the same each time. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let at = 0; at < length; at++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[at] = state & 0xff;
  }
  return bytes;
}
