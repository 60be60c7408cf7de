import { cpuCost, growthOf, isFarBelowSquared, LINEAR_GROWTH } from '@app/testing';
import { LineReader, requestIdAtEnds } from '../stdio/line-transport.js';
import { cleanWebText } from './clean-web-text.js';
import { cutText } from './cut-text.js';

const CHARS = 40_000;
const UNITS = [
  'a',
  '\n',
  '\r',
  '`',
  '```\n',
  ' ',
  '<',
  '<web-content',
  '\u202E',
  '\uD800',
  '😀',
  '"id":1',
  '}',
];
const CHUNK_BYTES = 1_024;

/** As a pipe delivers it. */
function readLines(text: string): void {
  const reader = new LineReader(text.length);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    for (const _ of reader.add(bytes.subarray(at, at + CHUNK_BYTES)));
}

describe('the tool server', () => {
  it.each<[string, (text: string) => unknown]>([
    ['cleans text', cleanWebText],
    ['cuts text', (text) => cutText(text, text.length / 4, text.length / 8)],
    ['reads lines', readLines],
    ['finds ids', (text) => requestIdAtEnds(text, text)],
  ])('%s in linear time', async (_, read) => {
    const squared: string[] = [];
    for (const unit of UNITS) {
      const cost = cpuCost((n) => unit.repeat(Math.ceil(n / unit.length)), read);
      if (await isFarBelowSquared(cost, CHARS)) continue;
      const growth = await growthOf(cost, { from: CHARS / 4, upTo: 4 * CHARS });
      if (growth >= LINEAR_GROWTH) squared.push(`${JSON.stringify(unit)}: ${growth.toFixed(1)}`);
    }
    expect(squared).toEqual([]);
  });
});
