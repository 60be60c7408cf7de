import { parseOtlpHeaders } from './otlp-headers.js';

describe('headers for a collector', () => {
  it.each([
    ['', {}],
    ['api-key=secret', { 'api-key': 'secret' }],
    [' a = 1 , b=x%2Cy=z,', { a: '1', b: 'x,y=z' }],
  ])('are read from %j', (text, headers) => {
    expect(parseOtlpHeaders(text)).toEqual(headers);
  });

  it.each(['secret', '=secret', 'a b=secret', 'a=%secret'])(
    'are refused as %j, without the value in the error',
    (text) => {
      const parse = () => parseOtlpHeaders(text);
      expect(parse).toThrow(/must be/);
      expect(parse).not.toThrow('secret');
    },
  );
});
