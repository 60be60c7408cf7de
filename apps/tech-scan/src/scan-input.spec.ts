import { gzipSync } from 'node:zlib';
import { MAX_INPUT_BYTES, readScanInput } from './scan-input.js';

const packed = (html: string): Buffer =>
  gzipSync(JSON.stringify({ url: 'https://a.example/', html, headers: {}, cookies: {} }));

describe('the stored input of a scan', () => {
  it('is read up to its bound, and not unpacked beyond it', () => {
    const envelope = JSON.stringify({
      url: 'https://a.example/',
      html: '',
      headers: {},
      cookies: {},
    });
    const room = MAX_INPUT_BYTES - envelope.length;
    expect(readScanInput(packed('x'.repeat(room))).html).toHaveLength(room);
    expect(() => readScanInput(packed('x'.repeat(room + 1)))).toThrow('larger than');
  });

  it.each([['null'], ['{"url":"x","html":1,"headers":{},"cookies":{}}'], ['[]']])(
    'is refused when it is %s',
    (json) => {
      expect(() => readScanInput(gzipSync(json))).toThrow('not the input of a scan');
    },
  );
});
