import { discoverSitemaps } from './discover-sitemaps.js';
import { MAX_DECLARED_SITEMAPS, MAX_LOC_CHARS } from './sitemap-file.js';

const ORIGIN = 'https://a.example';
const USUAL = ['https://a.example/sitemap.xml', 'https://a.example/sitemap_index.xml'];

describe('the addresses of sitemaps that a crawl tries', () => {
  it('are the two usual places where robots.txt names none', () => {
    expect(discoverSitemaps([], ORIGIN)).toEqual({ declared: [], guessed: USUAL, isCut: false });
  });

  it.each([
    ['a full address', 'https://b.example/maps.xml', 'https://b.example/maps.xml'],
    ['a path', '/maps.xml', 'https://a.example/maps.xml'],
    ['blanks around it', '  https://a.example/maps.xml\t', 'https://a.example/maps.xml'],
    ['a fragment', 'https://a.example/maps.xml#x', 'https://a.example/maps.xml'],
  ])('are those of robots.txt first: %s', (_name, line, declared) => {
    expect(discoverSitemaps([line], ORIGIN)).toMatchObject({
      declared: [declared],
      guessed: USUAL,
    });
  });

  it('name no place twice', () => {
    const lines = ['/b.xml', 'https://a.example/b.xml', '/sitemap.xml', '/b.xml'];
    expect(discoverSitemaps(lines, ORIGIN)).toEqual({
      declared: ['https://a.example/b.xml', 'https://a.example/sitemap.xml'],
      guessed: ['https://a.example/sitemap_index.xml'],
      isCut: false,
    });
  });

  it.each([
    'file:///etc/passwd',
    'ftp://a.example/x',
    'javascript:1',
    'http://[',
    `/${'x'.repeat(MAX_LOC_CHARS)}`,
  ])('are not %s', (line) => {
    expect(discoverSitemaps([line], ORIGIN).declared).toEqual([]);
  });

  it.each([
    [MAX_DECLARED_SITEMAPS, false],
    [MAX_DECLARED_SITEMAPS + 1, true],
  ])('are at most 15 of %i that robots.txt names', (count, isCut) => {
    const lines = Array.from({ length: count }, (_, n) => `/${n}.xml`);
    const places = discoverSitemaps(lines, ORIGIN);
    expect([places.declared.length, places.isCut]).toEqual([MAX_DECLARED_SITEMAPS, isCut]);
  });
});
