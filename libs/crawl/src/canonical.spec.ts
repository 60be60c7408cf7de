import { canonicalClaim } from './canonical.js';

const claim = (page: string, canonical: string | undefined) => {
  const found = canonicalClaim(new URL(page, 'http://a.example'), canonical);
  return found && { path: found.url.href, isVariant: found.isVariant };
};
const at = (path: string) => `http://a.example${path}`;

describe('the canonical address of a page', () => {
  it.each([
    ['/shoes?color=red', '/shoes', true],
    ['/shoes/', '/shoes', true],
    ['/shoes/index.html', '/shoes/', true],
    ['/shoes.html', '/shoes', true],
    ['/Shoes', '/shoes', true],
    ['/shoes/amp', '/shoes', true],
    ['/index.php', '/', true],
    ['/?ref=x', '/', true],
    ['/shoes?page=1', '/shoes', true],
    ['/item?id=5&ref=x', '/item?id=5', true],
    ['/print/12', '/article/12', false],
    ['/shoes/red/boot-1', '/boot-1', false],
    ['/item?id=5', '/item/5', false],
  ])('of %s may be %s', (page, canonical, isVariant) => {
    expect(claim(page, at(canonical))).toEqual({ path: at(canonical), isVariant });
  });

  it.each([
    ['the front page, for another page', '/shoes', at('/')],
    ['the front page under another name', '/shoes', at('/index.html')],
    ['the first page of a list, for another', '/shoes?page=2', at('/shoes')],
    ['the page without what it shows', '/item?id=5', at('/item')],
    ['the page with another number', '/item?id=5', at('/item?id=6')],
    ['another site', '/shoes', 'http://b.example/shoes'],
    ['another port', '/shoes', 'http://a.example:8080/shoes'],
    ['no web address', '/shoes', 'mailto:a@a.example'],
    ['no address', '/shoes', 'http://'],
    ['nothing', '/shoes', undefined],
  ])('is not believed when it is %s', (_, page, canonical) => {
    expect(claim(page, canonical)).toBeNull();
  });

  it('may be on the other spelling of the site', () => {
    expect(claim('http://www.a.example/x', 'https://a.example/x#top')).toEqual({
      path: 'https://a.example/x',
      isVariant: true,
    });
  });
});
