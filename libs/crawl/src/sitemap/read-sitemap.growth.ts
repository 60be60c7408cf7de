import { gzipSync } from 'node:zlib';
import { cpuCost, growthOf, LINEAR_GROWTH, type Cost } from '@app/testing';
import { LONG_SITEMAPS } from './fixtures/long-sitemaps.js';
import { readSitemap } from './read-sitemap.js';

const SOURCE = { url: 'https://a.example/sitemap.xml', contentType: null };

/** CPU of reading, that of zlib's threads included. */
function costOf(bytesOf: (n: number) => Uint8Array): Cost {
  return cpuCost(bytesOf, (bytes) => readSitemap([bytes], SOURCE));
}

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

describe('time to read a sitemap', () => {
  it.each(LONG_SITEMAPS)('is linear in %s', async (_name, textOf) => {
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
