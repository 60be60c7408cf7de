import { parseHtmlSetting } from './html-setting.js';
import { parseSerpSetting } from './serp-setting.js';

const KEY = 'secret-key-7';
const SERP = {
  url: 'https://api.example/search?q={query}',
  key: KEY,
  headers: { authorization: 'Bearer {key}' },
  results: '/items',
};
const HTML = { url: 'https://search.example/?q={query}', results: '.hit', none: '.none' };
const serp =
  (over: object): (() => unknown) =>
  () =>
    parseSerpSetting(JSON.stringify({ ...SERP, ...over }));
const html =
  (over: object): (() => unknown) =>
  () =>
    parseHtmlSetting(JSON.stringify({ ...HTML, ...over }));

describe('the setting of a search API', () => {
  it('has defaults for a usual answer', () => {
    expect(serp({})()).toEqual({
      url: SERP.url,
      key: KEY,
      headers: SERP.headers,
      body: undefined,
      pageSize: 10,
      times: null,
      shape: {
        results: '/items',
        url: '/url',
        title: '/title',
        snippet: '/snippet',
        answered: null,
        hasMarkup: false,
      },
    });
  });

  it('takes a preset, an address and a key', () => {
    const of = (preset: string) =>
      parseSerpSetting(JSON.stringify({ preset, url: 'https://api.example/s', key: KEY }));
    expect(of('brave')).toMatchObject({
      url: 'https://api.example/s?q={query}&count={count}&offset={pageIndex}&country={countryUpper}&freshness={time}',
      pageSize: 20,
    });
    expect(of('serper')).toMatchObject({ url: 'https://api.example/s', body: { q: '{query}' } });
    expect(of('serpapi').url).toMatch(/^https:\/\/api\.example\/s\?engine=google&q=\{query\}/);
  });

  it('lets a field of the operator go before that of a preset', () => {
    const url = 'https://api.example/s?q={query}&fresh={time}';
    const setting = serp({ preset: 'brave', results: '/web/results', url, pageSize: 5 })();
    expect(setting).toMatchObject({ url, pageSize: 5, headers: SERP.headers });
  });

  it.each<[object, RegExp]>([
    [{ preset: 'other' }, /"preset" must be one of brave, serper, serpapi/],
    [{ more: 1 }, /unknown field/],
    [{ url: 'https://{query}.example/' }, /"url" must be http\(s\) with a fixed host/],
    [{ url: 'https://user:pw@a.example/?q={query}' }, /"url" must be http\(s\) with a fixed host/],
    [{ url: 'ftp://a.example/?q={query}' }, /"url"/],
    [{ url: 'https://a.example/' }, /must have the placeholder \{query\}/],
    [{ url: 'https://a.example/?q={query}&z={zone}' }, /unknown placeholder/],
    [{ url: 'https://a.example/{key}?q={query}' }, /"url" may have \{query\} alone in its path/],
    [{ key: 'a b' }, /"key" must be visible ASCII/],
    [{ key: '' }, /"key" and the placeholder \{key\} go together/],
    [{ headers: { 'x y': 'z' } }, /"headers" must map/],
    [{ headers: { a: '{query}' } }, /"headers" can have the placeholder \{key\} only/],
    [{ body: ['{query}'] }, /"body" must be a JSON object/],
    [{ body: { q: 'x {query}' } }, /not a whole string/],
    [{ pageSize: 0 }, /"pageSize" must be a whole number from 1 to 100/],
    [{ times: { d: 'x' } }, /"times" must have the texts d, w, m and y/],
    [{ results: 'items' }, /"results" must be a JSON pointer/],
    [{ answered: 'x' }, /"answered" must be a JSON pointer/],
    [{ hasMarkup: 'yes' }, /"hasMarkup" must be true or false/],
  ])('with %j is refused, without quoting the key', (over, rule) => {
    expect(serp(over)).toThrow(rule);
    expect(serp(over)).not.toThrow(KEY);
  });

  it('that is no JSON is refused, without quoting it', () => {
    const broken = () => parseSerpSetting(`{"key": "${KEY}"`);
    expect(broken).toThrow('is not valid JSON');
    expect(broken).not.toThrow(KEY);
  });
});

describe('the setting of a page of results', () => {
  it('has defaults', () => {
    expect(html({})()).toMatchObject({
      pageSize: 10,
      shape: { link: 'a[href]', title: null, snippet: null, ads: null, linkParameter: null },
    });
  });

  it.each<[object, RegExp]>([
    [{ none: undefined }, /"none" must be a CSS selector/],
    [{ results: 'div >' }, /"results" ends in a combinator/],
    [{ results: '' }, /"results" is empty/],
    [{ title: 'h2[' }, /"title" is not a CSS selector/],
    [{ linkParameter: 'a b' }, /"linkParameter" must be the name of a parameter/],
    [{ url: 'https://a.example/' }, /placeholder \{query\}/],
  ])('with %j is refused', (over, rule) => {
    expect(html(over)).toThrow(rule);
  });
});
