import { LONG_SITEMAPS } from './fixtures/long-sitemaps.js';
import {
  BASE,
  bytesOf,
  childLocs,
  HEAD,
  LARGE_SITEMAP_PAGES,
  large,
  locs,
  NS,
  readSample,
  url,
  urlset,
} from './fixtures/sample-sitemaps.js';
import { readSitemap, streamSitemap } from './read-sitemap.js';

describe('kinds of sitemaps', () => {
  it('reads a urlset with its dates', async () => {
    const file = await readSample(
      urlset(`
        <url><loc>https://a.example/</loc><lastmod>2026-11-01</lastmod><priority>1.0</priority></url>
        <url><lastmod> 2026-11-02T10:00:00Z </lastmod><loc>https://a.example/b</loc></url>
        <url><loc>https://b.example/other-host</loc></url>`),
    );
    expect(file).toEqual({
      kind: 'urlset',
      links: [
        { loc: 'https://a.example/', lastmod: '2026-11-01' },
        { loc: 'https://a.example/b', lastmod: '2026-11-02T10:00:00Z' },
        { loc: 'https://b.example/other-host' },
      ],
      children: [],
      cuts: [],
    });
  });

  it('reads an index', async () => {
    const file = await readSample(
      `${HEAD}<sitemapindex ${NS}><sitemap><loc>https://a.example/1.xml.gz</loc><lastmod>2026</lastmod></sitemap>
       <sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`,
    );
    expect(file).toEqual({
      kind: 'index',
      links: [],
      children: [
        { loc: 'https://a.example/1.xml.gz', lastmod: '2026' },
        { loc: 'https://a.example/2.xml' },
      ],
      cuts: [],
    });
  });

  it('keeps pages and sitemaps apart when a generator mixes them', async () => {
    const file = await readSample(
      urlset(`${url('/page')}<sitemap><loc>/child.xml</loc></sitemap>${url('/page2')}`),
    );
    expect(locs(file)).toEqual(['https://a.example/page', 'https://a.example/page2']);
    expect(childLocs(file)).toEqual(['https://a.example/child.xml']);
  });

  it('reads RSS 2.0: links of items, not of the channel or its image', async () => {
    const file =
      await readSample(`${HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
      <channel><title>News</title><link>https://a.example/</link>
      <atom:link href="https://a.example/feed" rel="self"/>
      <image><url>https://a.example/logo.png</url><link>https://a.example/logo</link></image>
      <item><title>One</title><link>https://a.example/one</link><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item>
      <item><atom:link href="https://a.example/never"/><link><![CDATA[ https://a.example/two?a=1&b=2 ]]></link></item>
      </channel></rss>`);
    expect(file.kind).toBe('rss');
    expect(file.links).toEqual([
      { loc: 'https://a.example/one', lastmod: 'Mon, 02 Nov 2026 10:00:00 GMT' },
      { loc: 'https://a.example/two?a=1&b=2' },
    ]);
  });

  it('reads RSS 1.0, whose items lie beside the channel', async () => {
    const file = await readSample(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
       <channel><link>https://a.example/</link></channel>
       <item rdf:about="x"><title>One</title><link>https://a.example/one</link></item></rdf:RDF>`,
    );
    expect(file.kind).toBe('rss');
    expect(locs(file)).toEqual(['https://a.example/one']);
  });

  it('reads Atom: the alternate link of each entry', async () => {
    const file = await readSample(`${HEAD}<feed xmlns="http://www.w3.org/2005/Atom">
      <link href="https://a.example/"/><updated>2026-11-03T00:00:00Z</updated>
      <entry><link rel="self" href="https://a.example/self"/><link rel="alternate" href='https://a.example/one?a=1&amp;b=2'/>
        <link href="https://a.example/second"/><updated>2026-11-01T00:00:00Z</updated></entry>
      <entry><link href="two"></link><content type="html">&lt;link href="no"/&gt;</content></entry>
      <entry><link rel="enclosure" href="https://a.example/file.mp3"/></entry></feed>`);
    expect(file.kind).toBe('atom');
    expect(file.links).toEqual([
      { loc: 'https://a.example/one?a=1&b=2', lastmod: '2026-11-01T00:00:00Z' },
      { loc: 'https://a.example/maps/two' },
    ]);
  });

  it.each([
    ['line feeds', 'https://a.example/1\nhttps://a.example/2\n'],
    ['no line feed at the end', 'https://a.example/1\nhttps://a.example/2'],
    ['Windows lines', 'https://a.example/1\r\nhttps://a.example/2\r\n'],
    ['carriage returns', 'https://a.example/1\rhttps://a.example/2\r'],
    ['a byte order mark', '\ufeffhttps://a.example/1\nhttps://a.example/2\n'],
    ['blanks and empty lines', '\n\n  https://a.example/1 \t\n\n\thttps://a.example/2\n\n'],
    ['comments between', '# pages\nhttps://a.example/1\n# more\nhttps://a.example/2\n'],
  ])('reads plain text with %s', async (_name, text) => {
    const file = await readSample(text, { contentType: 'application/octet-stream' });
    expect(file.kind).toBe('text');
    expect(locs(file)).toEqual(['https://a.example/1', 'https://a.example/2']);
    expect(file.cuts).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\ufeff\n '],
    [
      'an HTML page',
      '<!DOCTYPE html><html><body><url><loc>https://a.example/no</loc></url></body></html>',
    ],
    [
      'a page in XML',
      `${HEAD}<html xmlns="http://www.w3.org/1999/xhtml"><urlset>${url('/no')}</urlset></html>`,
    ],
    ['JSON', '{"error":"not found","url":"https://a.example/no"}'],
    ['prose', 'Not found: https://a.example/no is not here.'],
    ['a robots.txt', 'User-agent: *\nSitemap: https://a.example/sitemap.xml\n'],
    ['another XML', `${HEAD}<svg><loc>https://a.example/no</loc></svg>`],
    ['zeros', '\0\0\0\0\0\0'],
  ])('takes %s for no sitemap', async (_name, text) => {
    expect(await readSample(text)).toEqual({ kind: 'unknown', links: [], children: [], cuts: [] });
  });
});

describe('sitemaps as sites write them', () => {
  it.each([
    ['no namespace', `<urlset>${url('/p')}</urlset>`],
    ['a wrong namespace', urlset(url('/p'), 'xmlns="http://www.google.com/schemas/sitemap/0.84"')],
    ['a namespace of nonsense', urlset(url('/p'), 'xmlns="nonsense" xsi:schemaLocation="a b"')],
    ['a prefix', `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>/p</sm:loc></sm:url></sm:urlset>`],
    ['prefixes on the entries alone', `<urlset><a:url><a:loc>/p</a:loc></a:url></urlset>`],
    ['capital letters', `<URLSET><Url><LOC>/p</LOC></Url></URLSET>`],
    ['CDATA', urlset(url('<![CDATA[https://a.example/p]]>'))],
    ['CDATA among blanks', urlset(url('\n  <![CDATA[\n /p \n]]>\n'))],
    ['blanks and line feeds in the address', urlset(url('\n\t  https://a.example/\n  p \r\n'))],
    ['comments in the address', urlset(url('https://a.example/<!-- <loc>/no</loc> -->p'))],
    ['no protocol', urlset(url('//a.example/p'))],
    ['a relative address', urlset(url('../p'))],
    ['no end of an entry', `<urlset><url><loc>/p</loc></urlset>`],
    ['an end that was never opened', urlset(`</url></loc>${url('/p')}</sitemap>`)],
    ['blanks before the declaration', `\n\n  ${urlset(url('/p'))}`],
    ['two byte order marks', `\ufeff\ufeff${urlset(url('/p'))}`],
    ['a doctype', `<!DOCTYPE urlset SYSTEM "x.dtd"><urlset>${url('/p')}</urlset>`],
    ['a style sheet', `<?xml-stylesheet href="s.xsl"?><urlset>${url('/p')}</urlset>`],
    ['a PHP warning in front', `<br />\n<b>Warning</b>: in x.php\n${urlset(url('/p'))}`],
    ['a comment with a minus too many', `<!-- made by x --->${urlset(url('/p'))}`],
    ['spaces in tags', `<urlset ><url\n><loc >/p</loc ></url\t></urlset >`],
    [
      'an empty entry before',
      urlset(`<url/><url></url><url><loc/></url><url><loc></loc></url>${url('/p')}`),
    ],
    [
      'addresses of other protocols',
      urlset(
        `${url('mailto:x@a.example')}${url('javascript:alert(1)')}${url('ftp://a.example/')}${url('/p')}`,
      ),
    ],
    [
      'an address that is none',
      urlset(`${url('http://[')}${url('https://a.example:99999/')}${url('/p')}`),
    ],
    ['a fragment and credentials', urlset(url('https://user:secret@a.example/p#part'))],
  ])('reads %s', async (_name, text) => {
    const file = await readSample(text);
    expect(locs(file)).toEqual([`https://a.example/p`]);
    expect(file.cuts).toEqual([]);
  });

  it('takes both addresses of an entry whose middle is missing', async () => {
    const file = await readSample(urlset('<url><loc>/a</loc><loc>/b</loc></url>'));
    expect(locs(file)).toEqual(['https://a.example/a', 'https://a.example/b']);
  });

  it('takes an entry inside an entry that was not ended', async () => {
    const file = await readSample(urlset('<url><loc>/a</loc><url><loc>/b</loc></url>'));
    expect(locs(file)).toEqual(['https://a.example/a', 'https://a.example/b']);
  });

  it('leaves the addresses of extensions alone', async () => {
    const file = await readSample(
      urlset(
        `<url><loc>/p</loc>
         <image:image><image:loc>https://cdn.example/1.jpg</image:loc><image:title>x</image:title></image:image>
         <image:loc>https://cdn.example/2.jpg</image:loc>
         <video:video><video:player_loc>https://cdn.example/v</video:player_loc><video:url><video:loc>/v</video:loc></video:url></video:video>
         <news:news><news:publication><news:name>N</news:name></news:publication><news:title>T</news:title></news:news>
         <xhtml:link rel="alternate" hreflang="de" href="https://a.example/de/p"/>
         <lastmod>2026-01-01</lastmod></url>`,
        `${NS} xmlns:image="i" xmlns:video="v" xmlns:news="n" xmlns:xhtml="h"`,
      ),
    );
    expect(file.links).toEqual([{ loc: 'https://a.example/p', lastmod: '2026-01-01' }]);
  });

  it.each([
    ['the five names', '/?a=1&amp;b=&lt;&gt;&quot;&apos;', '/?a=1&b=%3C%3E%22%27'],
    ['numbers', '/&#97;&#x62;&#X63;', '/abc'],
    ['numbers beyond the first plane', '/&#x1F600;', '/%F0%9F%98%80'],
    ['numbers that are no character', '/&#0;&#x110000;&#99999999;', '/&'],
    ['a bare ampersand', '/?a=1&b=2', '/?a=1&b=2'],
    ['what looks like a name of HTML', '/?a=1&copy=2&nbsp;', '/?a=1&copy=2&nbsp;'],
    ['one reference within another', '/?a=&amp;amp;', '/?a=&amp;'],
    ['references in CDATA, which are none', '<![CDATA[/?a=&amp;]]>', '/?a=&amp;'],
    ['letters beyond ASCII', '/größe', '/gr%C3%B6%C3%9Fe'],
  ])('resolves %s', async (_name, loc, path) => {
    expect(locs(await readSample(urlset(url(loc))))).toEqual([`https://a.example${path}`]);
  });
});

describe('entities of a document', () => {
  const reading = (dtd: string, loc: string) =>
    readSample(`<!DOCTYPE urlset [${dtd}]><urlset>${url(loc)}${url('/p')}</urlset>`);

  it.each([
    ['a file', '<!ENTITY x SYSTEM "file:///etc/passwd">'],
    ['an address', '<!ENTITY x SYSTEM "http://169.254.169.254/latest/meta-data/">'],
    ['a text', '<!ENTITY x "https://a.example/hidden">'],
    ['a parameter', '<!ENTITY % y SYSTEM "http://evil.example/x.dtd"> %y; <!ENTITY x "z">'],
  ])('are not looked up: %s', async (_name, dtd) => {
    const file = await reading(dtd, 'https://a.example/&x;');
    expect(locs(file)).toEqual(['https://a.example/p']);
  });

  it('do not multiply', async () => {
    const laughs = Array.from(
      { length: 30 },
      (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
    ).join('');
    const file = await reading(`<!ENTITY l0 "ha">${laughs}`, '&l30;');
    expect(locs(file)).toEqual(['https://a.example/p']);
  });
});

describe('a stream of a sitemap', () => {
  it('returns batches of a hundred as the bytes arrive', async () => {
    const sizes: number[] = [];
    const stream = streamSitemap([bytesOf(large)], { url: BASE, contentType: null });
    for await (const { links } of stream) sizes.push(links.length);
    expect(sizes.every((size) => size <= 100)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(LARGE_SITEMAP_PAGES);
  });

  it('fails as its bytes do', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytesOf('<urlset>');
      throw new Error('reset');
    }
    const reading = readSitemap(broken(), { url: BASE, contentType: null });
    await expect(reading).rejects.toThrow('reset');
  });
});

describe('sitemaps that are long in one way', () => {
  const source = { url: 'https://a.example/sitemap.xml', contentType: null };
  it.each(LONG_SITEMAPS)('%s: answered', async (_name, textOf) => {
    const file = await readSitemap([Buffer.from(textOf(2_000))], source);
    expect(file).toMatchObject({ links: expect.any(Array), cuts: expect.any(Array) });
  });
});
