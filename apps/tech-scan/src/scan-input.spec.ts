import { readScanInput } from './scan-input.js';

describe('the stored input of a scan', () => {
  it.each([['null'], ['{"url":"x","html":1,"headers":{},"cookies":{}}'], ['[]']])(
    'is refused when it is %s',
    (json) => {
      expect(() => readScanInput(Buffer.from(json))).toThrow('not the input of a scan');
    },
  );
});
