import fc from 'fast-check';
import { MAX_LINK_URL_CHARS } from '../limits.js';
import { UrlResolver, withoutFragment } from './url-resolver.js';

const BASES = [
  'https://example.com/',
  'https://example.com/a/b/c.html?q=1#f',
  'http://example.com:8080/x/',
  'https://user:pw@example.com/a',
];

const REFERENCES = [
  '',
  '#x',
  '?q',
  'a',
  './a',
  '../a',
  '../../../a',
  '/',
  '//',
  '//other.org/x',
  '///a',
  '/a/b',
  '/a/b/',
  '/a//b',
  '/a/./b',
  '/a/../b',
  '/.a',
  '/..',
  '/a/.b',
  '/a b',
  '/a%20b',
  '/ä',
  '/a?q=1#f',
  '/-_.~',
  '/a\\b',
  ' /a ',
  '/a\n/b',
  'https://example.com/x',
  'https://example.com',
  'https://EXAMPLE.com/x',
  'https://example.com/x/../y',
  'https://example.com:443/x',
  'http://example.com:8080/x',
  'HTTP://a/b',
  'https://example.com.evil/x',
  'https://example.comx',
  'mailto:a@b',
  'tel:1',
  'http://[',
  'http://a b',
  'a:b',
  '\0',
  '/\u{1f600}',
  '/a;b',
  '/a,b',
  '/%',
  '/a|b',
  'http:/a',
  'https:a',
];

const reference = (href: string, base: string): string | undefined => URL.parse(href, base)?.href;

describe('UrlResolver', () => {
  it.each(BASES)('resolves against %s as the URL parser does', (base) => {
    const resolver = new UrlResolver(base);
    for (const href of REFERENCES) {
      expect([href, resolver.resolve(href)]).toEqual([href, reference(href, base)]);
      expect([href, resolver.resolve(href)]).toEqual([href, reference(href, base)]);
    }
  });

  it('equals the URL parser on any reference', () => {
    const piece = fc.constantFrom(
      ...'/.?#:@%\\ -_~ab1|é'.split(''),
      '..',
      '//',
      'https://example.com',
      '%2e',
    );
    const href = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(href, fc.constantFrom(...BASES), (text, base) => {
        expect(new UrlResolver(base).resolve(text)).toBe(reference(text, base));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'javascript:void(0)',
    ' JavaScript:x',
    'data:text/html,x',
    'blob:x',
    'vbscript:x',
    'file:///x',
  ])('refuses %j', (href) => {
    expect(new UrlResolver('https://example.com/').resolve(href)).toBeUndefined();
  });

  it('accepts only http and https where the caller requires it', () => {
    const resolver = new UrlResolver('https://example.com/');
    expect(resolver.resolveWeb('mailto:a@b.c')).toBeUndefined();
    expect(resolver.resolveWeb('//b.c')).toBe('https://b.c/');
  });

  it('refuses a text that is too long for an address', () => {
    const resolver = new UrlResolver('https://example.com/');
    expect(resolver.resolve('/'.padEnd(MAX_LINK_URL_CHARS + 1, 'a'))).toBeUndefined();
  });

  it('removes the fragment', () => {
    expect(withoutFragment('https://a/b?c#d#e')).toBe('https://a/b?c');
    expect(withoutFragment('https://a/b')).toBe('https://a/b');
  });
});
