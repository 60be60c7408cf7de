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
    [
      'with raw line breaks in a string',
      '{"a":"one\n\ttwo\r\nthree"}',
      { a: 'one\n\ttwo\r\nthree' },
    ],
    ['with other control characters', '{"a":"one\u0001two\u000b"}', { a: 'one two ' }],
    [
      'wrapped inside an address',
      '{"url":"https://a.example/long/\n      path?b=1","text":"https://a.example/ is\nours"}',
      { url: 'https://a.example/long/path?b=1', text: 'https://a.example/ is\nours' },
    ],
    ['with a backslash at the end of a line', '{"a":"one\\\ntwo"}', { a: 'one\ntwo' }],
    ['with half an escape', '{"a":"\\u12 \\N"}', { a: 'u12 N' }],
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
