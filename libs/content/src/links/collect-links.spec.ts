import { parsePage } from '../dom/parse-html.js';
import { MAX_LINKS_CHARS, MAX_LINK_URL_CHARS } from '../limits.js';
import { type CollectedLinks, collectLinks } from './collect-links.js';
import { pageBase } from './page-base.js';
import { UrlResolver } from './url-resolver.js';

const PAGE = 'https://example.com/docs/page?q=1#top';

function collect(html: string, url = PAGE): CollectedLinks {
  const page = parsePage(html);
  return collectLinks(page.anchors, new UrlResolver(pageBase(page.described, url)));
}

const linksOf = (html: string, url?: string): readonly string[] => collect(html, url).links;

describe('collectLinks', () => {
  it.each<[string, string, readonly string[]]>([
    ['a path', '<a href=/a>', ['https://example.com/a']],
    ['a query alone', '<a href="?q=2">', ['https://example.com/docs/page?q=2']],
    ['nothing, which is the page', '<a href="">', ['https://example.com/docs/page?q=1']],
    ['the scheme of the page', '<a href="//other.example">', ['https://other.example/']],
    ['a host in capitals', '<a href="HTTPS://EXAMPLE.COM/A">', ['https://example.com/A']],
    ['a usual port', '<a href="https://example.com:443/">', ['https://example.com/']],
    [
      'white space around and line breaks inside',
      '<a href="\n /a\n/b \t">',
      ['https://example.com/a/b'],
    ],
    ['spaces inside', '<a href="/a b">', ['https://example.com/a%20b']],
    [
      'character references',
      '<a href="?a=1&amp;b=2&lt=3">',
      ['https://example.com/docs/page?a=1&b=2&lt=3'],
    ],
    [
      'other alphabets',
      '<a href="https://bücher.example/ä?ö">',
      ['https://xn--bcher-kva.example/%C3%A4?%C3%B6'],
    ],
    ['back slashes', '<a href="\\\\other.example\\a">', ['https://other.example/a']],
    [
      'frames',
      '<frameset><frame src=m.html><frame></frameset>',
      ['https://example.com/docs/m.html'],
    ],
    ['areas of image maps', '<map><area href=/a><area></map>', ['https://example.com/a']],
    ['links in SVG', '<svg><a href=/a><text>x</text></a></svg>', ['https://example.com/a']],
    ['downloads', '<a href=/a.zip download>', ['https://example.com/a.zip']],
    [
      'what its author would not vouch for: that is for ranking, not for finding',
      '<a href=/a rel="nofollow ugc sponsored">',
      ['https://example.com/a'],
    ],
    [
      'a link in a link',
      '<a href=/a><a href=/b>',
      ['https://example.com/a', 'https://example.com/b'],
    ],
  ])('lists %s', (_, html, links) => {
    expect(linksOf(html)).toEqual(links);
  });

  it.each([
    ['scripts', '<a href="javascript:void(0)"><a href=" java\nscript:x"><a href="JAVASCRIPT:x">'],
    ['data', '<a href="data:text/html,<a>"><a href="blob:https://example.com/x">'],
    ['mail and telephone', '<a href="mailto:a@b.example"><a href="tel:+15550100"><a href="sms:1">'],
    ['other protocols', '<a href="ftp://a/"><a href="file:///etc/passwd"><a href="about:blank">'],
    ['what is no address', '<a href="http://"><a href="https://a b/"><a href="http://[::1">'],
    ['addresses too long for any server', `<a href="/${'a'.repeat(MAX_LINK_URL_CHARS)}">`],
    ['anchors without an address', '<a name=x>y</a><a>'],
    [
      'style sheets, frames and forms',
      '<link rel=next href=/a><iframe src=/b></iframe><form action=/c>',
    ],
    ['templates and scripts', '<template><a href=/a></template><script>"<a href=/b>"</script>'],
    ['comments', '<!-- <a href=/a> -->'],
  ])('leaves out %s', (_, html) => {
    expect(linksOf(html)).toEqual([]);
  });

  it('lists each once, without its fragment', () => {
    expect(linksOf('<a href=/a#x><a href=/a#y><a href=/a><a href="/a#">')).toEqual([
      'https://example.com/a',
    ]);
  });

  it.each<[string, string, string]>([
    [
      'the first base that has an address',
      '<base target=_top><base href=/b/><base href=/c/>',
      '/b/x',
    ],
    ['a base that is relative', '<base href="../up/">', '/up/x'],
    ['a base after the link', '<a href=x></a><base href=/b/>', '/b/x'],
    ['no base in a template', '<template><base href=/b/></template>', '/docs/x'],
    ['no base of a script', '<base href="javascript:x">', '/docs/x'],
    ['no base of data', '<base href="data:text/html,x">', '/docs/x'],
    ['no base that is no address', '<base href="https://">', '/docs/x'],
  ])('resolves against %s', (_, html, path) => {
    expect(linksOf(`${html}<a href=x>`)).toEqual([`https://example.com${path}`]);
  });

  it('lists absolute ones alone where the page has no address', () => {
    expect(linksOf('<a href=/a><a href=https://example.com/b>', '')).toEqual([
      'https://example.com/b',
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ['one that is marked', '<a href=/a rel=nofollow><a href=/b>', ['/a']],
    ['one that is marked among other things', '<a href=/a rel="ugc NOFOLLOW">', ['/a']],
    ['one that is marked each time', '<a href=/a rel=nofollow><a href=/a#x rel=nofollow>', ['/a']],
    ['none that is followed later', '<a href=/a rel=nofollow><a href=/a#x>', []],
    ['none that is followed before', '<a href=/a><a href=/a rel=nofollow>', []],
    ['none by another word', '<a href=/a rel="nofollower sponsored">', []],
  ])('knows of links that are not vouched for: %s', (_, html, paths) => {
    expect(collect(html).nofollow).toEqual(paths.map((path) => `https://example.com${path}`));
  });

  it('stops where long addresses add up, and reports it', () => {
    const base = `<base href="/${'b'.repeat(8_000)}/">`;
    const anchors = Array.from({ length: 3_000 }, (_, n) => `<a href=${n}>`).join('');
    const { links, isCut } = collect(base + anchors);
    expect(isCut).toBe(true);
    expect(links.join('').length).toBeLessThanOrEqual(MAX_LINKS_CHARS);
    expect(links.length).toBeGreaterThan(1_900);
  });
});
