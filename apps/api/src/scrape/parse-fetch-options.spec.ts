import { ApiError } from '@app/contracts';
import { parseFetchOptions, respectedUse } from './parse-fetch-options.js';
import type { ScrapeRequest } from './scrape.dto.js';

const parse = (body: Partial<ScrapeRequest>) =>
  parseFetchOptions({ url: 'http://a.example/', ...body });

describe('fetch options of a scrape', () => {
  it('is empty by default', () => {
    expect(parse({})).toEqual({
      headers: {},
      cookies: null,
      country: null,
      forceHeadless: false,
      waitForMs: 0,
      scroll: false,
      actions: [],
      costCeilingMicroUsd: null,
    });
  });

  it.each<[string, Partial<ScrapeRequest>, object]>([
    ['headers, named in lower case', { headers: { 'X-A': '1' } }, { headers: { 'x-a': '1' } }],
    ['cookies', { cookies: ' a=1; b=x=y ' }, { cookies: 'a=1; b=x=y' }],
    ['cookies with stray semicolons', { cookies: '; a=1;; b=;' }, { cookies: 'a=1; b=' }],
    ['no cookies', { cookies: '  ' }, { cookies: null }],
    ['a country', { location: { country: 'de' } }, { country: 'DE' }],
    ['a location without a country', { location: {} }, { country: null }],
    ['a ceiling, never rounded up', { costCeiling: 0.0000019 }, { costCeilingMicroUsd: 1 }],
    [
      'a ceiling that has no exact binary form',
      { costCeiling: 0.000249 },
      { costCeilingMicroUsd: 249 },
    ],
    [
      'a ceiling that is null',
      { costCeiling: null as unknown as number },
      { costCeilingMicroUsd: null },
    ],
    ['a ceiling of nothing', { costCeiling: 0 }, { costCeilingMicroUsd: 0 }],
  ])('reads %s', (_name, body, expected) => {
    expect(parse(body)).toMatchObject(expected);
  });

  it.each<[string, Partial<ScrapeRequest>, RegExp]>([
    ['headers as text', { headers: 'a: b' }, /`headers` must be an object/],
    ['headers as a list', { headers: ['a'] }, /`headers` must be an object/],
    ['a header that is not a text', { headers: { a: 1 } }, /`headers` must be an object/],
    ['Host', { headers: { Host: '127.0.0.1' } }, /`headers`.*host/i],
    ['a proxy header', { headers: { 'Proxy-Authorization': 'x' } }, /`headers`/],
    ['a header with a line break', { headers: { a: 'b\r\nc: d' } }, /`headers`/],
    ['cookies that are not pairs', { cookies: 'hello' }, /look like a Cookie header/],
    ['cookies with a line break', { cookies: 'a=b\r\nc: d' }, /look like a Cookie header/],
    ['cookies as JSON', { cookies: '[{"name":"a"}]' }, /look like a Cookie header/],
    ['a location as text', { location: 'DE' }, /`location` must be an object/],
    [
      'a location with further fields',
      { location: { country: 'DE', city: 'x' } },
      /`location` must be/,
    ],
    ['a country by name', { location: { country: 'Germany' } }, /two-letter/],
    ['a country as a number', { location: { country: 49 } }, /two-letter/],
  ])('refuses %s', (_name, body, message) => {
    expect(() => parse(body)).toThrow(ApiError);
    expect(() => parse(body)).toThrow(message);
  });
});

describe('a use to be respected', () => {
  it('is none by default', () => {
    expect([respectedUse({}), respectedUse({ ignoreRobotsTxt: true })]).toEqual([{}, {}]);
    expect(respectedUse({ respectUse: 'search', ignoreRobotsTxt: false })).toEqual({
      respectUse: 'search',
    });
  });

  it('needs robots.txt', () => {
    const parse = () => respectedUse({ respectUse: 'ai-train', ignoreRobotsTxt: true });
    expect(parse).toThrow(
      /^`respectUse` does not go with `ignoreRobotsTxt`: .* Leave out one of them$/,
    );
  });
});
