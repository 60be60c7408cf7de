import { parseOutboundProxies } from './parse-outbound-proxies.js';

it.each([
  ['', []],
  [' , ', []],
  ['http://p.example:8080', [[null, 'http', 'p.example', 8080, null]]],
  ['http://p.example', [[null, 'http', 'p.example', 80, null]]],
  ['https://p.example', [[null, 'https', 'p.example', 443, null]]],
  ['http://10.0.0.1:3128/', [[null, 'http', '10.0.0.1', 3128, null]]],
  ['http://[fd00::1]:3128', [[null, 'http', 'fd00::1', 3128, null]]],
  [
    'de=http://u:p@a:1, http://b:2',
    [
      ['DE', 'http', 'a', 1, { user: 'u', password: 'p' }],
      [null, 'http', 'b', 2, null],
    ],
  ],
  ['http://u%40x:p%2C%3A%2F%3D@a:1', [[null, 'http', 'a', 1, { user: 'u@x', password: 'p,:/=' }]]],
  ['http://u=1:p=2@a:1', [[null, 'http', 'a', 1, { user: 'u=1', password: 'p=2' }]]],
])('reads %j', (text, expected) => {
  const read = parseOutboundProxies(text).map((one) => [
    one.country,
    one.scheme,
    one.host,
    one.port,
    one.credentials,
  ]);
  expect(read).toEqual(expected);
});

it.each([
  ['p.example:8080', /proxy 1: the scheme is http or https/],
  ['http://ok:1, nonsense', /proxy 2: expected/],
  ['GER=http://u:secret@a:1', /proxy 1: the country is a code of two letters/],
  ['=http://u:secret@a:1', /country/],
  ['socks5://u:secret@a:1', /SOCKS proxies are not spoken to/],
  ['ftp://u:secret@a:1', /the scheme is http or https/],
  ['http://u:secret@a:1/path', /ends after its port/],
  ['http://u:secret@a:1?x=1', /ends after its port/],
  ['http://u:secret%zz@a:1', /percent-encoded/],
  ['http://u:secret%0d%0a@a:1', /control characters/],
  ['http://u%3Ax:secret@a:1', /the user no colon/],
  ['http://u:secret@a:99999', /expected/],
])('refuses %j and names the rule, not the credentials', (text, message) => {
  expect(() => parseOutboundProxies(text)).toThrow(message);
  expect(() => parseOutboundProxies(text)).not.toThrow(/secret/);
});
