import { parseSourcesSetting } from './source-setting.js';

const API = { kind: 'api', url: 'https://p.example/?q={query}', results: '/items' };
const HTML = { kind: 'html', url: 'https://d.example/{query}/{location}', none: '.none' };
const OVERPASS = { kind: 'overpass', url: 'http://overpass:8080/api/interpreter' };
const parse = (...sources: readonly object[]) => parseSourcesSetting(JSON.stringify(sources));

describe('the setting of sources', () => {
  it('has defaults', () => {
    expect(parse(API, HTML, { ...OVERPASS, costUsd: 0.25 })).toMatchObject([
      { kind: 'api', name: 'partner_api', pageSize: 20, key: '', costMicroUsd: 0, answered: null },
      { kind: 'html', name: 'directory', results: null },
      { kind: 'overpass', name: 'openstreetmap', nominatimUrl: null, costMicroUsd: 250_000 },
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '[', /not valid JSON/],
    ['no list', {}, /JSON array/],
    ['an empty list', [], /1 to 10/],
    ['a kind unknown', [{ kind: 'x' }], /source 1 "kind" must be one of api/],
    ['a field unknown', [{ ...API, x: 1 }], /unknown field/],
    ['a placeholder in the host', [{ ...API, url: 'https://{query}.x/' }], /fixed host/],
    [
      'a placeholder unknown',
      [{ ...API, url: 'https://p.example/?q={query}&x={y}' }],
      /unknown placeholder/,
    ],
    ['no query', [{ ...API, url: 'https://p.example/' }], /must have the placeholder \{query\}/],
    ['a key without its place', [{ ...API, key: 'k' }], /go together/],
    ['a pointer that is none', [{ ...API, results: 'items' }], /JSON pointer/],
    ['a field of no business', [{ ...API, fields: { fax: '/fax' } }], /may have name/],
    ['a field that is no pointer', [{ ...API, fields: { name: 'title' } }], /JSON pointers/],
    ['a selector that is none', [{ ...HTML, none: '::' }], /source 1 "none"/],
    ['a block without a name', [{ ...HTML, results: 'li' }], /must have "name"/],
    ['a part that is no selector', [{ ...HTML, fields: { name: '[' } }], /CSS selectors/],
    ['an address with a password', [{ ...OVERPASS, url: 'http://a:b@c/' }], /of your own server/],
    ['two of a name', [API, API], /same "name"/],
    ['a cost below nothing', [{ ...API, costUsd: -1 }], /"costUsd"/],
    ['a name of other characters', [{ ...API, name: 'A b' }], /"name" must be/],
  ])('is refused with %s, without quoting it', (_what, value, message) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(() => parseSourcesSetting(text)).toThrow(message);
  });
});
