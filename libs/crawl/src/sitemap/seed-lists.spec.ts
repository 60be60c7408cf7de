import {
  BASE,
  childLocs,
  HEAD,
  locs,
  readSample,
  url,
  urlset,
} from './fixtures/sample-sitemaps.js';
import { listsPages, seedPlaces } from './discover-sitemaps.js';
import { readSitemap } from './read-sitemap.js';
import { MAX_JSON_FEED_CHARS, MAX_LOC_CHARS, MAX_SITEMAP_URLS } from './sitemap-file.js';

const at = (...paths: string[]): string[] => paths.map((path) => `https://a.example${path}`);

describe('an llms.txt', () => {
  // The mock example of llmstxt.org, and what real files add to it.
  const FILE = `# Title

> A description with a [link](/about) in it.

Details: see ![a picture](/logo.png) and [![another](/icon.png)](/around).

## Docs

- [Quick start](https://a.example/docs/start.html.md): A brief overview of [features](/features)
* [Relative](guide.md)
  - [Nested](<../nested page.md> "with a title"): more
- [Elsewhere](https://b.example/x.md)
- https://a.example/bare is no link

\`\`\`sh
curl [not](/a-page)
\`\`\`

## Optional

- [Anchor](#optional)
- [Parentheses](/wiki/A_(b))
- [Mail](mailto:x@a.example)
`;

  it('lists the links of its Markdown', async () => {
    const file = await readSample(FILE, { contentType: 'text/plain' });
    expect([file.kind, file.children, file.cuts]).toEqual(['text', [], []]);
    expect(locs(file)).toEqual([
      ...at(
        '/about',
        '/around',
        '/docs/start.html.md',
        '/features',
        '/maps/guide.md',
        '/nested%20page.md',
      ),
      'https://b.example/x.md',
      ...at('/wiki/A_(b)'),
    ]);
  });

  it.each([
    ['a byte order mark', `\ufeff${FILE}`],
    ['Windows lines', FILE.replaceAll('\n', '\r\n')],
    ['blank lines before it', `\n\n${FILE}`],
  ])('is read with %s', async (_, text) => {
    expect(locs(await readSample(text))).toEqual(locs(await readSample(FILE)));
  });

  it.each([
    ['no heading', '- [a](/a)\n- [b](/b)\n'],
    ['no links', '# Not found\n\nThis page does not exist.\n'],
  ])('is none with %s', async (_, text) => {
    expect(await readSample(text)).toMatchObject({ kind: 'unknown', links: [] });
  });

  it('is read whatever its lines describe', async () => {
    const line = (chars: number): string => `- [a](/a): ${'x'.repeat(chars - 11)}\n`;
    const fits = await readSample(`# A\n${line(16_384)}- [b](/b)\n`);
    expect([locs(fits), fits.cuts]).toEqual([at('/a', '/b'), []]);
    const longer = await readSample(`# A\n${line(16_385)}- [b](/b)\n`);
    expect([locs(longer), longer.cuts]).toEqual([at('/b'), ['loc_length']]);
  });

  it('has as many links as a sitemap', async () => {
    const links = Array.from({ length: MAX_SITEMAP_URLS + 1 }, (_, n) => `[${n}](/${n})`);
    const file = await readSample(`# A\n${links.join('\n')}`);
    expect([file.links.length, file.cuts]).toEqual([MAX_SITEMAP_URLS, ['urls']]);
  });
});

describe('a feed', () => {
  it('lists an item without a link by its permanent address', async () => {
    const file = await readSample(`<rss><channel>
      <item><guid>https://a.example/1</guid></item>
      <item><guid isPermaLink="false">https://a.example/?p=2</guid><link>https://a.example/2</link></item>
      <item><guid>tag:a.example,2026:3</guid></item>
      <item><guid>https://a.example/4</guid><item><link>/5</link></item>
      </channel></rss>`);
    expect(locs(file)).toEqual(at('/1', '/2', '/4', '/5'));
  });

  it('is read as a JSON Feed', async () => {
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      home_page_url: 'https://a.example/',
      feed_url: 'https://a.example/feed.json',
      items: [
        { id: '1', url: 'https://a.example/1', date_published: '2026-11-01T10:00:00Z' },
        { id: '2', url: 'two', date_published: 'x', date_modified: '2026-11-02' },
        { id: '3', external_url: 'https://b.example/', url: '/3' },
        { id: '4', external_url: 'https://b.example/' },
        { id: '5', url: `https://a.example/${'x'.repeat(MAX_LOC_CHARS)}` },
        { id: '6', url: ['/no'] },
        null,
        'no',
      ],
    };
    expect(await readSample(JSON.stringify(feed), { contentType: 'application/feed+json' })).toEqual({
      ...{ kind: 'json', children: [], cuts: ['loc_length'] },
      links: [
        { loc: 'https://a.example/1', lastmod: '2026-11-01T10:00:00Z' },
        { loc: 'https://a.example/maps/two', lastmod: '2026-11-02' },
        { loc: 'https://a.example/3' },
        { loc: 'https://b.example/' },
      ],
    }); // prettier-ignore
  });

  const FEED = '{"version": "https://jsonfeed.org/version/1", "items": [{"url": "/1"}]}';
  it.each([
    ['without its version', FEED.replace('version', 'v')],
    ['of another version', FEED.replace('jsonfeed.org', 'feed.example')],
    ['that is no JSON', FEED.slice(0, -1)],
    ['whose items are no list', FEED.replace('[{"url": "/1"}]', '{"url": "/1"}')],
    ['of brackets', `{"a": ${'['.repeat(1_000_000)}`],
    ['with a prototype', '{"__proto__": {"version": "https://jsonfeed.org/version/1"}}'],
  ])('in JSON is none %s', async (_, text) => {
    expect(await readSample(text)).toMatchObject({ links: [], cuts: [] });
  });

  it.each([
    [MAX_JSON_FEED_CHARS, 1, []],
    [MAX_JSON_FEED_CHARS + 1, 0, ['bytes']],
  ])('in JSON is read whole: of %i characters %i items', async (chars, items, cuts) => {
    const file = await readSample(FEED.padEnd(chars, ' '));
    expect([file.links.length, file.cuts]).toEqual([items, cuts]);
  });

  it('in JSON that was cut lists nothing', async () => {
    expect(await readSample(FEED, { isCut: true })).toMatchObject({
      ...{ kind: 'unknown', links: [], cuts: ['incomplete'] },
    });
  });
});

describe('an OPML file', () => {
  it('lists pages, and feeds as further lists', async () => {
    const file =
      await readSample(`${HEAD}<opml version="2.0"><head><title>Subscriptions</title></head><body>
      <outline text="Folder"><outline text="A &amp; B" type="rss" xmlUrl="https://a.example/feed?a=1&amp;b=2" htmlUrl="https://a.example/"/>
        <outline text="deeper"><outline type='link' url='/page'/></outline></outline>
      <outline text="included" type="include" url="https://a.example/more.opml"/>
      <outline text="a feed" type="atom" url="/atom"></outline>
      <outline text="nothing" xmlUrl="" htmlUrl=" "/>
      <note url="https://a.example/never"/>
      </body></opml>`);
    expect([file.kind, file.cuts]).toEqual(['opml', []]);
    expect(locs(file)).toEqual(at('/', '/page'));
    expect(childLocs(file)).toEqual(at('/feed?a=1&b=2', '/more.opml', '/atom'));
  });

  it('is read however deep its outlines lie', async () => {
    const depth = 100_000;
    const body = `${'<outline text="x">'.repeat(depth)}<outline htmlUrl="/deep"/>${'</outline>'.repeat(depth)}`;
    const file = await readSample(`<opml><body>${body}</body></opml>`);
    expect([locs(file), file.cuts]).toEqual([at('/deep'), []]);
  });
});

describe('hostile lists', () => {
  it.each([
    ['`<`', '<'.repeat(10_000_000)],
    ['`[`', `# a\n${'['.repeat(10_000_000)}`],
    ['`](`', `# a\n${']('.repeat(5_000_000)}`],
    ['open braces', '{'.repeat(10_000_000)],
    ['attributes', `<opml><body><outline ${Array.from({ length: 700_000 }, (_, n) => `a${n}=""`).join(' ')}>`],
  ])('of 10 MB of %s list nothing', async (_, text) => {
    const file = await readSitemap([Buffer.from(text)], { url: BASE, contentType: null });
    expect([file.links, file.children]).toEqual([[], []]);
  }); // prettier-ignore

  it('name elements as objects name their own', async () => {
    const odd = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    const inner = odd.map((name) => `<${name}><loc>/no</loc></${name}>`).join('');
    const fields = odd.map((name) => `<${name}>/no</${name}>`).join('');
    const file = await readSample(
      urlset(`${inner}<url>${fields}<loc>/yes</loc></url>${url('/p')}`),
    );
    expect(locs(file)).toEqual(at('/yes', '/p'));
  });

  it('define entities that nobody expands', async () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "https://a.example/bomb"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`;
    const file = await readSample(`${bomb}<rss><item><link>&b;</link></item><item><link>/p</link></item></rss>`);
    expect(locs(file)).toEqual(at('/p'));
  }); // prettier-ignore
});

describe('where lists of pages are', () => {
  it.each([
    ['/feed.xml', null, true],
    ['/docs/llms.txt', 'text/html', true],
    ['/blog.rss', null, true],
    ['/a.ATOM?x=1', null, true],
    ['/subscriptions.opml', null, true],
    ['/feed.json', null, true],
    ['/data.json', 'application/json', false],
    ['/feed/', 'application/rss+xml; charset=UTF-8', true],
    ['/feed/', 'text/xml', true],
    ['/feed/', 'application/feed+json', true],
    ['/feed/', 'text/html', false],
    ['/page', 'application/xhtml+xml', false],
    ['/page', null, false],
  ])('is told by the URL or the type: %s as %s is one: %s', (path, type, isList) => {
    expect(listsPages(new URL(path, BASE), type)).toBe(isList);
  });

  const page = new URL('https://a.example/docs/v2/index.html');
  const feeds = Array.from({ length: 12 }, (_, n) => ({ url: `https://f.example/${n}` }));
  it('is at the root of the site, or of the part of it that the page is in', () => {
    const llms = at('/docs/v2/llms.txt', '/llms.txt');
    expect(seedPlaces(page, feeds, ['llms.txt'])).toEqual({ llmsTxt: llms, feeds: [] });
    const root = new URL('https://a.example//b.example/');
    expect(seedPlaces(new URL('https://a.example/x?y'), [], ['llms.txt']).llmsTxt).toEqual(
      at('/x/llms.txt', '/llms.txt'),
    );
    expect(seedPlaces(root, [], ['llms.txt']).llmsTxt).toEqual(
      at('//b.example/llms.txt', '/llms.txt'),
    );
  });

  it('is where the page says, for ten feeds', () => {
    const places = seedPlaces(page, feeds, ['feeds']);
    expect(places.llmsTxt).toEqual([]);
    expect(places.feeds).toEqual(feeds.slice(0, 10).map((feed) => feed.url));
    expect(seedPlaces(page, feeds, [])).toEqual({ llmsTxt: [], feeds: [] });
  });
});
