import { Cuts, firstBytes, lastBytes } from './cut-text.js';
import { sampleHtml } from './sample-html.js';

const KB = 1_024;

function sampled(html: string): {
  reasons: string[];
  texts: string[];
  tagged: number;
  scannedBytes: number;
} {
  const cuts = new Cuts();
  const { texts, tagged, scannedBytes } = sampleHtml(html, cuts);
  return {
    reasons: [...cuts.reasons],
    texts: texts.map(({ text }) => text),
    tagged: tagged.length,
    scannedBytes,
  };
}

describe('sampleHtml', () => {
  it('reads a page of 512 KB whole', () => {
    const html = 'x'.repeat(512 * KB);
    expect(sampled(html)).toEqual({
      reasons: [],
      texts: [html],
      tagged: 512 * KB,
      scannedBytes: 512 * KB,
    });
  });

  it('reads the first 384 KB and the last 128 KB of one that has a byte more', () => {
    const html = 'a'.repeat(384 * KB) + '-' + 'z'.repeat(128 * KB);
    expect(sampled(html)).toEqual({
      reasons: ['html_cap'],
      texts: ['a'.repeat(384 * KB), 'z'.repeat(128 * KB)],
      tagged: 512 * KB + 1,
      scannedBytes: 512 * KB + 1,
    });
  });

  it('counts bytes, not characters', () => {
    const reasonsOf = (chars: number): string[] => sampled('ä'.repeat(chars)).reasons;
    expect(reasonsOf(256 * KB)).toEqual([]);
    expect(reasonsOf(256 * KB + 1)).toEqual(['html_cap']);
    const { texts } = sampled('€'.repeat(200 * KB));
    expect(texts.map((text) => Buffer.byteLength(text))).toEqual([384 * KB, 128 * KB - 2]);
  });

  it('reads tags of the first 4 MB', () => {
    expect(sampled('x'.repeat(4_096 * KB))).toMatchObject({
      reasons: ['html_cap'],
      tagged: 4_096 * KB,
      scannedBytes: 4_096 * KB,
    });
    expect(sampled('x'.repeat(4_096 * KB + 1))).toMatchObject({
      reasons: ['html_cap', 'tag_scan_cap'],
      tagged: 4_096 * KB,
      scannedBytes: 4_096 * KB + 1,
    });
    expect(sampled('x'.repeat(6_000 * KB)).scannedBytes).toBe(4_224 * KB);
  });
});

describe('cuts in bytes', () => {
  it.each([
    ['abc', 3, 'abc', 'abc'],
    ['abc', 2, 'ab', 'bc'],
    ['äöü', 4, 'äö', 'öü'],
    ['äöü', 5, 'äö', 'öü'],
    ['€uro€', 4, '€u', 'o€'],
    ['😀a😀', 5, '😀a', 'a😀'],
    ['', 3, '', ''],
  ])('of %j to %i bytes leave %j and %j', (text, bytes, first, last) => {
    expect(firstBytes(text, bytes)).toBe(first);
    expect(lastBytes(text, bytes)).toBe(last);
  });
});
