import { discoverSitemaps } from './discover-sitemaps.js';
import { MAX_DECLARED_SITEMAPS, MAX_LOC_CHARS } from './sitemap-file.js';

const ROOT = new URL('https://a.example');
const USUAL = ['https://a.example/sitemap.xml', 'https://a.example/sitemap_index.xml'];

describe('the addresses of sitemaps that a crawl tries', () => {
  it('are the two usual places where robots.txt names none', () => {
    expect(discoverSitemaps([], ROOT)).toEqual({
      ...{ own: [], declared: [], guessed: USUAL, isCut: false },
    });
  });

  it.each([
    ['a full address', 'https://b.example/maps.xml', 'https://b.example/maps.xml'],
    ['a path', '/maps.xml', 'https://a.example/maps.xml'],
    ['blanks around it', '  https://a.example/maps.xml\t', 'https://a.example/maps.xml'],
    ['a fragment', 'https://a.example/maps.xml#x', 'https://a.example/maps.xml'],
  ])('are those of robots.txt first: %s', (_name, line, declared) => {
    expect(discoverSitemaps([line], ROOT)).toMatchObject({
      declared: [declared],
      guessed: USUAL,
    });
  });

  it('name no place twice', () => {
    const lines = ['/b.xml', 'https://a.example/b.xml', '/sitemap.xml', '/b.xml'];
    expect(discoverSitemaps(lines, ROOT)).toEqual({
      own: [],
      declared: ['https://a.example/b.xml', 'https://a.example/sitemap.xml'],
      guessed: ['https://a.example/sitemap_index.xml'],
      isCut: false,
    });
  });

  it.each([
    ['/', []],
    ['/?page=2', []],
    ['/index.html', []],
    ['/sitemap.xml', []],
    ['/sitemap_index.xml#x', []],
    ['/docs/', ['/docs/sitemap.xml']],
    ['/docs', ['/docs/sitemap.xml']],
    ['/docs/v2/index.html?a=1#b', ['/docs/v2/sitemap.xml']],
    ['/docs/sitemap.xml', ['/docs/sitemap.xml']],
    ['/maps/posts.XML.gz?page=2', ['/maps/posts.XML.gz?page=2']],
    ['/maps/all.txt#x', ['/maps/all.txt']],
    // A path, although a link of this form would lead to another host.
    ['//b.example/', ['//b.example/sitemap.xml']],
    [`/${'x'.repeat(MAX_LOC_CHARS)}/`, []],
  ])('of the page %s begin with its own: %j', (path, own) => {
    const places = discoverSitemaps([], new URL(`https://a.example${path}`));
    expect(places.own).toEqual(own.map((one) => `https://a.example${one}`));
    expect(places.guessed).toEqual(USUAL);
  });

  it('name the own sitemap of a page once', () => {
    const page = new URL('https://a.example/docs/');
    expect(discoverSitemaps(['/docs/sitemap.xml'], page)).toMatchObject({
      own: [],
      declared: ['https://a.example/docs/sitemap.xml'],
    });
  });

  it.each([
    'file:///etc/passwd',
    'ftp://a.example/x',
    'javascript:1',
    'http://[',
    `/${'x'.repeat(MAX_LOC_CHARS)}`,
  ])('are not %s', (line) => {
    expect(discoverSitemaps([line], ROOT).declared).toEqual([]);
  });

  it.each([
    [MAX_DECLARED_SITEMAPS, false],
    [MAX_DECLARED_SITEMAPS + 1, true],
  ])('are at most 15 of %i that robots.txt names', (count, isCut) => {
    const lines = Array.from({ length: count }, (_, n) => `/${n}.xml`);
    const places = discoverSitemaps(lines, ROOT);
    expect([places.declared.length, places.isCut]).toEqual([MAX_DECLARED_SITEMAPS, isCut]);
  });
});
