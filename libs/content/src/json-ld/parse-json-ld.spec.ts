import { parseJsonLd } from './read-json-ld.js';

describe('parseJsonLd', () => {
  it.each([
    ['plain', '{"a":1}', { a: 1 }],
    ['in an HTML comment', '<!-- {"a":1} -->', { a: 1 }],
    ['in CDATA', '//<![CDATA[\n{"a":1}\n//]]>', { a: 1 }],
    ['with comments', '{"a":1, // one\n /* two */ "b":"http://x"}', { a: 1, b: 'http://x' }],
    ['with trailing commas', '{"a":[1,2,],"b":{"c":3,},}', { a: [1, 2], b: { c: 3 } }],
    ['with doubled commas', '{"a":1,,"b":2}', { a: 1, b: 2 }],
    ['with a semicolon', '{"a":1};', { a: 1 }],
    ['with raw line breaks in a string', '{"a":"one\n\ttwo"}', { a: 'one\n two' }],
    [
      'with quotes inside a string',
      '{"a":"the "best" shop","b":2}',
      { a: 'the "best" shop', b: 2 },
    ],
    ['with a bad escape', '{"a":"5 \\% off"}', { a: '5 % off' }],
    ['as entities', '{&quot;a&quot;:&quot;b &amp;amp; c&quot;}', { a: 'b &amp; c' }],
    ['several in a row', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['several with commas', '{"a":1},{"a":2},', [{ a: 1 }, { a: 2 }]],
    ['with a bracket too many', '{"a":1}}', { a: 1 }],
    ['as nothing', '', undefined],
    ['as something else', '<p>hello</p>', undefined],
    ['cut in the middle', '{"a":"b', undefined],
  ])('reads a block %s', (_, source, expected) => {
    expect(parseJsonLd(source)).toEqual(expected);
  });
});
