import fc from 'fast-check';
import { canonicalUrl, urlKey } from './url-key.js';

const same = (a: string, b: string): boolean => urlKey(new URL(a)) === urlKey(new URL(b));

describe('urlKey', () => {
  it.each([
    ['fragment', 'http://a.example/x#top', 'http://a.example/x'],
    ['default port', 'http://a.example:80/', 'http://a.example/'],
    ['host case', 'http://A.Example/x', 'http://a.example/x'],
    ['dot segments', 'http://a.example/x/../y', 'http://a.example/y'],
    ['query order', 'http://a.example/?b=2&a=1', 'http://a.example/?a=1&b=2'],
    ['campaign names', 'http://a.example/?utm_source=n&a=1&fbclid=z', 'http://a.example/?a=1'],
    ['an empty query', 'http://a.example/?', 'http://a.example/'],
    ['a query of tracking only', 'http://a.example/?utm_campaign=x', 'http://a.example/'],
    ['credentials', 'http://u:p@a.example/', 'http://a.example/'],
    ['a session of PHP', 'http://a.example/?PHPSESSID=abc&a=1', 'http://a.example/?a=1'],
    ['a session of ASP', 'http://a.example/?ASPSESSIONIDQACBT=x', 'http://a.example/'],
    ['a session by a short name', 'http://a.example/?sid=4f2a9c01be77d3a8', 'http://a.example/'],
    [
      'a session in the path',
      'http://a.example/x;jsessionid=0A1B.n1?a=1',
      'http://a.example/x?a=1',
    ],
    [
      'a session as a folder',
      'http://a.example/(S(lit3py55t21z5v55vlm25s55))/x',
      'http://a.example/x',
    ],
    [
      'a session that is all of the path',
      'http://a.example/(S(lit3py55t21z5v55vlm25s55))',
      'http://a.example/',
    ],
  ])('holds two addresses that differ by %s for one', (_, a, b) => {
    expect(same(a, b)).toBe(true);
  });

  it.each([
    ['path case', 'http://a.example/X', 'http://a.example/x'],
    ['a trailing slash', 'http://a.example/x/', 'http://a.example/x'],
    ['the scheme', 'http://a.example/', 'https://a.example/'],
    ['the port', 'http://a.example:8080/', 'http://a.example/'],
    ['the order of equal names', 'http://a.example/?a=1&a=2', 'http://a.example/?a=2&a=1'],
    ['a value', 'http://a.example/?a=1', 'http://a.example/?a=2'],
    ['a number called sid', 'http://a.example/?sid=1', 'http://a.example/?sid=2'],
    ['a word called sid', 'http://a.example/?sid=one-long-name-here', 'http://a.example/'],
    ['a part of the path', 'http://a.example/x;v=1', 'http://a.example/x'],
    ['brackets', 'http://a.example/x(1)', 'http://a.example/x'],
  ])('distinguishes addresses that differ by %s', (_, a, b) => {
    expect(same(a, b)).toBe(false);
  });

  it('is stable: the canonical form of a canonical form is itself', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const once = canonicalUrl(new URL(text));
        expect(canonicalUrl(new URL(once))).toBe(once);
      }),
    );
  });

  it('is 32 hexadecimal digits', () => {
    expect(urlKey(new URL('http://a.example/'))).toMatch(/^[0-9a-f]{32}$/);
  });
});
