import { parseHttpProvider, parseHttpProviders } from './http-provider-setting.js';

const GET = {
  name: 'acme',
  url: 'https://api.example/v1?key={key}&url={url}&country={country}&render={render}',
  key: 'SECRET-1',
  priceMicroUsd: 1_500,
};
const POST = {
  name: 'solver',
  url: 'http://127.0.0.1:8191/v1',
  body: { cmd: 'request.get', url: '{url}', maxTimeout: '{timeoutMs}' },
  html: '/solution/response',
  status: '/solution/status',
  finalUrl: '/solution/url',
  priceMicroUsd: 0,
};

describe('the setting of an HTTP unblock provider', () => {
  it('is filled up with defaults', () => {
    expect(parseHttpProvider(JSON.stringify(GET))).toEqual({
      ...GET,
      body: undefined,
      headers: {},
      html: null,
      status: null,
      finalUrl: null,
      render: false,
      forwardHeaders: false,
      timeoutMs: 60_000,
    });
  });

  it('accepts a JSON template as JSON or as its text', () => {
    const asText = { ...POST, body: JSON.stringify(POST.body) };
    expect(parseHttpProvider(JSON.stringify(asText))).toEqual(
      parseHttpProvider(JSON.stringify(POST)),
    );
  });

  it.each<[string, object, RegExp]>([
    ['a name with spaces', { ...GET, name: 'a b' }, /"name" must be/],
    ['no name', { ...GET, name: undefined }, /"name" must be/],
    ['a template that is no URL', { ...GET, url: 'ftp://x/{url}' }, /"url" must be http/],
    ['a host from the page', { ...GET, url: 'https://{url}/' }, /"url" must be http/],
    ['credentials in the URL', { ...GET, url: 'https://a:b@h/?u={url}' }, /"url" must be http/],
    ['no place for the address', { ...GET, url: 'https://h/?k={key}' }, /placeholder \{url\}/],
    [
      'an unknown placeholder',
      { ...GET, url: 'https://h/?k={key}&u={url}&x={no}' },
      /unknown plac/,
    ],
    ['a country in the path', { ...GET, url: 'https://h/{country}?k={key}&u={url}' }, /query only/],
    ['a key that goes nowhere', { ...GET, url: 'https://h/?u={url}' }, /"key" and the placeholder/],
    ['a place for no key', { ...GET, key: '' }, /"key" and the placeholder/],
    ['a key with a line break', { ...GET, key: 'a\nb' }, /"key" must be visible/],
    ['a placeholder inside a text', { ...POST, body: { url: 'x{url}' } }, /not a whole string/],
    ['a body that is a list', { ...POST, body: ['{url}'] }, /"body" must be a JSON object/],
    ['headers unasked', { ...POST, body: { ...POST.body, h: '{headers}' } }, /"forwardHeaders" is/],
    ['a pointer without its slash', { ...POST, html: 'solution' }, /"html" must be a JSON pointer/],
    ['a status without a page', { ...GET, status: '/a' }, /"status" is a pointer/],
    ['headers that are no texts', { ...GET, headers: { a: 1 } }, /"headers" must map/],
    ['an address in a header', { ...GET, headers: { a: '{url}' } }, /\{key\} only/],
    ['no price', { ...GET, priceMicroUsd: undefined }, /"priceMicroUsd" is required/],
    ['a price in dollars', { ...GET, priceMicroUsd: 0.0015 }, /"priceMicroUsd" is required/],
    ['a time in seconds', { ...GET, timeoutMs: 60 }, /"timeoutMs" must be/],
    ['an unknown field', { ...GET, retries: 3 }, /unknown field/],
  ])('refuses %s, naming the rule and never the key', (_case, setting, rule) => {
    const parse = () => parseHttpProvider(JSON.stringify(setting));
    expect(parse).toThrow(rule);
    expect(parse).not.toThrow(/SECRET/);
  });

  it.each(['', 'SECRET-1', '[', '{"key":"SECRET-1"', '3', 'null', '[[]]'])(
    'refuses the text %j without quoting it',
    (text) => {
      expect(() => parseHttpProvider(text)).toThrow(/^unblock provider: (not valid|must be)/);
      expect(() => parseHttpProvider(text)).not.toThrow(/SECRET/);
    },
  );

  it('reads a list in its order and refuses a name that comes twice', () => {
    const names = parseHttpProviders(JSON.stringify([GET, POST])).map(({ name }) => name);
    expect(names).toEqual(['acme', 'solver']);
    expect(parseHttpProviders(JSON.stringify(GET))).toHaveLength(1);
    expect(() => parseHttpProviders(JSON.stringify([GET, GET]))).toThrow(/used once/);
  });
});
