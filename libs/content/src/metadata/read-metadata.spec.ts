import { type PageMetadata } from '@app/contracts';
import { parsePage } from '../dom/parse-html.js';
import { readJsonLd } from '../json-ld/read-json-ld.js';
import {
  MAX_ALTERNATES,
  MAX_FEEDS,
  MAX_JSON_LD_TYPES,
  MAX_METADATA_CHARS,
  MAX_OPEN_GRAPH,
} from '../limits.js';
import { UrlResolver } from '../links/url-resolver.js';
import { readMetadata } from './read-metadata.js';

const at = (path: string): string => `https://example.com${path}`;

function metadataOf(html: string): PageMetadata {
  const page = parsePage(html);
  const resolver = new UrlResolver(at('/docs/page'));
  return readMetadata(page.described, resolver, readJsonLd(page.jsonLd).items).metadata;
}

const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe('texts', () => {
  it.each<[string, string, PageMetadata]>([
    ['a title in one line', '<title>\n a  b\t</title>', { title: 'a b' }],
    [
      'the title of a card',
      '<meta name=twitter:title content=T>',
      { title: 'T', twitter: { title: 'T' } },
    ],
    [
      'a description before that of Open Graph',
      '<meta property=og:description content=O><meta name=DESCRIPTION content=" d ">',
      { description: 'd', openGraph: { 'og:description': 'O' } },
    ],
    [
      'a description of Open Graph, where the other is empty',
      '<meta name=description content=" "><meta property=og:description content=O>',
      { description: 'O', openGraph: { 'og:description': 'O' } },
    ],
    [
      'a description that was escaped twice',
      '<meta name=description content="a &amp;quot;b&amp;quot; &amp;rsquo;c &amp;lt;i&amp;gt; &amp;#8211;">',
      { description: 'a "b" \u2019c <i> \u2013' },
    ],
    [
      'a description of markup, as it is',
      '<meta name=description content="<b>&amp;amp;</b> &amp; c">',
      { description: '<b>&amp;</b> & c' },
    ],
    [
      'a title about entities, as it is',
      '<title>What &amp;nbsp; is</title>',
      { title: 'What &nbsp; is' },
    ],
    ['keywords', '<meta name=keywords content="a, b">', { keywords: 'a, b' }],
    ['nothing of an empty page', '', {}],
  ])('reads %s', (_, html, metadata) => {
    expect(metadataOf(html)).toEqual(metadata);
  });

  it('cuts long values, never inside a character', () => {
    const long = '\u{1f600}'.repeat(MAX_METADATA_CHARS);
    const { title = '', description = '' } = metadataOf(
      `<title>x${long}</title><meta name=description content="${long}">`,
    );
    expect(title.length).toBeLessThanOrEqual(MAX_METADATA_CHARS);
    expect(description.length).toBe(MAX_METADATA_CHARS);
    expect(title.isWellFormed() && description.isWellFormed()).toBe(true);
  });
});

describe('language', () => {
  it.each<[string, string, string | undefined]>([
    ['of the page', '<html lang=" de-AT ">', 'de-AT'],
    ['with an underscore', '<html lang=pt_BR>', 'pt-BR'],
    ['of XHTML', '<html xml:lang=fr>', 'fr'],
    ['of a pragma, its first', '<meta http-equiv=Content-Language content="it, en">', 'it'],
    ['of Open Graph', '<meta property=og:locale content=nl_NL>', 'nl-NL'],
    [
      'not a template that was never filled in',
      '<html lang="{{ lang }}"><meta property=og:locale content=es>',
      'es',
    ],
    ['not an empty one', '<html lang="">', undefined],
  ])('%s', (_, html, language) => {
    expect(metadataOf(html).language).toBe(language);
  });
});

describe('vocabularies', () => {
  it('keeps the first value of each property of Open Graph and of cards', () => {
    const html =
      '<meta property="og:type" content="article"><meta name="og:type" content="x"><meta property=" OG:Image " content="/a.png">' +
      '<meta name="twitter:card" content="summary"><meta property="twitter:site" content="@s"><meta name="twitter:" content="x">';
    expect(metadataOf(html)).toMatchObject({
      openGraph: { 'og:type': 'article', 'og:image': at('/a.png') },
      twitter: { card: 'summary', site: '@s' },
    });
  });

  it('resolves the addresses of Open Graph, and no other values', () => {
    const meta = (name: string, content: string): string =>
      `<meta property="og:${name}" content="${content}">`;
    const html = [
      meta('url', 'x'),
      meta('image:secure_url', '//cdn.example.com/a b.png'),
      meta('video', '?v=1'),
      meta('image:alt', '/a.png'),
      meta('audio', 'javascript:void 0'),
    ].join('');
    expect(metadataOf(html).openGraph).toEqual({
      'og:url': at('/docs/x'),
      'og:image:secure_url': 'https://cdn.example.com/a%20b.png',
      'og:video': at('/docs/page?v=1'),
      'og:image:alt': '/a.png',
      'og:audio': 'javascript:void 0',
    });
  });

  it('keeps so many', () => {
    const html = Array.from({ length: 99 }, (_, n) => `<meta property=og:x${n} content=y>`).join(
      '',
    );
    expect(Object.keys(metadataOf(html).openGraph ?? {})).toHaveLength(MAX_OPEN_GRAPH);
  });

  it('is safe from names of prototypes', () => {
    const metadata = metadataOf(
      '<meta name="twitter:__proto__" content=x><meta name=__proto__ content=y>',
    );
    expect(Object.getPrototypeOf(metadata.twitter ?? {})).toBe(Object.prototype);
  });
});

describe('author and times', () => {
  it.each<[string, string, PageMetadata]>([
    ['a meta author', '<meta name=author content="A B">', { author: 'A B' }],
    [
      'several authors, each once',
      '<meta name=author content=A><meta name=author content=B><meta name=author content=A>',
      { author: 'A, B' },
    ],
    ['no address of e-mail', '<meta name=author content="A B <a@b.example>">', { author: 'A B' }],
    ['a name beside one', '<meta name=author content="a@b.example (A B)">', { author: 'A B' }],
    [
      'no role and no address alone',
      '<meta name=author content=Admin><meta name=author content=a@b.example><meta name=dc.creator content=C>',
      { author: 'C' },
    ],
    [
      'no address for an author',
      '<meta property=article:author content="https://facebook.com/a"><meta name=dc.creator content=C>',
      { author: 'C' },
    ],
    [
      'times of an article',
      '<meta property=article:published_time content=2024-01-02T03:04:05Z><meta property=article:modified_time content=2024-02-03>',
      { publishedTime: '2024-01-02T03:04:05Z', modifiedTime: '2024-02-03' },
    ],
    [
      'times of microdata and Dublin Core',
      '<meta itemprop=datePublished content=2020><meta name=DCTERMS.modified content=2021>',
      { publishedTime: '2020', modifiedTime: '2021' },
    ],
    [
      'those of JSON-LD',
      jsonLd({
        '@type': 'NewsArticle',
        author: [{ '@type': 'Person', name: 'A' }, 'B', { url: 'x' }],
        datePublished: '2022-01-01',
        dateModified: { '@value': '2022-02-02' },
      }),
      {
        author: 'A, B',
        publishedTime: '2022-01-01',
        modifiedTime: '2022-02-02',
        jsonLdTypes: ['NewsArticle'],
      },
    ],
    [
      'meta elements before JSON-LD',
      `<meta name=author content=M>${jsonLd({ '@type': 'Article', author: 'J' })}`,
      { author: 'M', jsonLdTypes: ['Article'] },
    ],
  ])('reads %s', (_, html, metadata) => {
    expect(metadataOf(html)).toEqual(metadata);
  });
});

describe('canonical', () => {
  it.each<[string, string, string | undefined]>([
    ['the first', '<link rel=canonical href=/a><link rel=canonical href=/b>', at('/a')],
    ['among other relations', '<link rel="x CANONICAL" href=a>', at('/docs/a')],
    ['not an empty one', '<link rel=canonical href=" "><link rel=canonical href=/b>', at('/b')],
    ['not a script', '<link rel=canonical href=javascript:x>', undefined],
    ['not one in a template', '<template><link rel=canonical href=/a></template>', undefined],
  ])('%s', (_, html, canonical) => {
    expect(metadataOf(html).canonical).toBe(canonical);
  });
});

describe('favicon', () => {
  it.each<[string, string, string | undefined]>([
    ['of the old name', '<link rel="SHORTCUT ICON" href=/f.ico>', '/f.ico'],
    ['the first of two', '<link rel=icon href=/a.png><link rel=icon href=/b.png>', '/a.png'],
    [
      'the larger of two',
      '<link rel=icon sizes=16x16 href=/16.png><link rel=icon sizes="32X32" href=/32.png>',
      '/32.png',
    ],
    [
      'one that scales',
      '<link rel=icon sizes=32x32 href=/32.png><link rel=icon type=image/svg+xml href=/i.svg>',
      '/i.svg',
    ],
    [
      'not one that is far too large',
      '<link rel=icon sizes=512x512 href=/512.png><link rel=icon sizes=96x96 href=/96.png>',
      '/96.png',
    ],
    [
      'one for light windows',
      '<link rel=icon media="(prefers-color-scheme: dark)" sizes=any href=/d.svg><link rel=icon href=/l.ico>',
      '/l.ico',
    ],
    [
      'an icon before one for home screens',
      '<link rel=apple-touch-icon sizes=180x180 href=/touch.png><link rel=icon href=/f.ico>',
      '/f.ico',
    ],
    ['one for home screens', '<link rel=apple-touch-icon-precomposed href=/t.png>', '/t.png'],
    ['the last resort', '<link rel=mask-icon href=/m.svg>', '/m.svg'],
    ['none that is inlined', '<link rel=icon href="data:,">', undefined],
    ['none that is not stated', '<link rel=stylesheet href=/a.css>', undefined],
  ])('%s', (_, html, path) => {
    expect(metadataOf(html).favicon).toBe(path === undefined ? undefined : at(path));
  });
});

describe('feeds and other languages', () => {
  it('lists feeds by type, each once, with their titles', () => {
    const html =
      '<link rel=alternate type="application/rss+xml" title=" All  posts " href=/feed><link rel=ALTERNATE type="Application/Atom+XML; charset=utf-8" href=atom.xml>' +
      '<link rel=alternate type=application/rss+xml href=/feed><link rel=feed type=application/feed+json href=/feed.json>' +
      '<link rel=alternate type=application/json href=/wp-json/1><link rel=alternate type=application/json+oembed href=/oembed><link rel=stylesheet type=application/rss+xml href=/x>';
    expect(metadataOf(html).feeds).toEqual([
      { url: at('/feed'), type: 'application/rss+xml', title: 'All posts' },
      { url: at('/docs/atom.xml'), type: 'application/atom+xml' },
      { url: at('/feed.json'), type: 'application/feed+json' },
    ]);
  });

  it('lists the page in other languages, each once', () => {
    const html =
      '<link rel=alternate hreflang=x-default href=/><link rel=alternate hreflang=en_GB href=/gb><link rel=alternate hreflang=EN-gb href=/gb><link rel=alternate hreflang=zh-Hant-TW href="//other.example/tw">' +
      '<link rel=alternate hreflang="" href=/no><link rel=alternate hreflang="not a tag" href=/no><link rel=next hreflang=fr href=/no><link rel=alternate hreflang=fr href="">';
    expect(metadataOf(html).alternates).toEqual([
      { language: 'x-default', url: at('/') },
      { language: 'en-GB', url: at('/gb') },
      { language: 'zh-Hant-TW', url: 'https://other.example/tw' },
    ]);
  });

  it('lists so many', () => {
    const many = (make: (n: number) => string): string =>
      Array.from({ length: 500 }, (_, n) => make(n)).join('');
    const html =
      many((n) => `<link rel=alternate type=application/rss+xml href=/${n}>`) +
      many((n) => `<link rel=alternate hreflang=de href=/${n}>`);
    expect(metadataOf(html).feeds).toHaveLength(MAX_FEEDS);
    expect(metadataOf(html).alternates).toHaveLength(MAX_ALTERNATES);
  });
});

describe('JSON-LD', () => {
  it.each<[string, string, readonly string[] | undefined]>([
    ['one item', jsonLd({ '@type': 'Recipe' }), ['Recipe']],
    ['several types of one', jsonLd({ '@type': ['Restaurant', 'Bar'] }), ['Restaurant', 'Bar']],
    ['a list', jsonLd([{ '@type': 'A' }, { '@type': 'B' }, { '@type': 'A' }]), ['A', 'B']],
    [
      'a graph, without what is nested',
      jsonLd({ '@graph': [{ '@type': 'A', b: { '@type': 'B' } }, { '@type': 'C' }] }),
      ['A', 'C'],
    ],
    [
      'types with addresses',
      jsonLd([{ '@type': 'https://schema.org/A' }, { '@type': 'schema:B' }, { '@type': 'x#C' }]),
      ['A', 'B', 'C'],
    ],
    ['several blocks', jsonLd({ '@type': 'A' }) + jsonLd({ '@type': 'B' }), ['A', 'B']],
    [
      'a type in capitals with a parameter',
      '<script type="Application/LD+JSON; charset=utf-8">{"@type":"A"}</script>',
      ['A'],
    ],
    [
      'a script in CDATA',
      '<script type=application/ld+json>//<![CDATA[\n{"@type":"A"}\n//]]></script>',
      ['A'],
    ],
    [
      'a script in a comment',
      '<script type=application/ld+json><!-- {"@type":"A"} --></script>',
      ['A'],
    ],
    [
      'line breaks in texts and a semicolon at the end',
      '<script type=application/ld+json>{"@type":"A","x":"a\nb"};</script>',
      ['A'],
    ],
    ['nothing of what is broken', '<script type=application/ld+json>{"@type":</script>', undefined],
    ['nothing of other scripts', '<script type=application/json>{"@type":"A"}</script>', undefined],
    ['nothing of what has no type', jsonLd({ name: 'x' }), undefined],
    ['nothing of what is no object', jsonLd(['a', 1, null, true]), undefined],
    [
      'nothing of types that are none',
      jsonLd([{ '@type': 1 }, { '@type': {} }, { '@type': '' }]),
      undefined,
    ],
  ])('lists the types of %s', (_, html, types) => {
    expect(metadataOf(html).jsonLdTypes).toEqual(types);
  });

  it('continues after a broken block', () => {
    const html = '<script type=application/ld+json>{</script>' + jsonLd({ '@type': 'A' });
    expect(metadataOf(html).jsonLdTypes).toEqual(['A']);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({ '@type': `T${n}` }));
    expect(metadataOf(jsonLd(many)).jsonLdTypes).toHaveLength(MAX_JSON_LD_TYPES);
    expect(
      metadataOf(jsonLd({ '@type': 'A', x: 'x'.repeat(3_000_000) })).jsonLdTypes,
    ).toBeUndefined();
    const deep = `<script type=application/ld+json>${'['.repeat(500_000)}</script>`;
    expect(metadataOf(deep + jsonLd({ '@type': 'A' })).jsonLdTypes).toEqual(['A']);
    const nested = `<script type=application/ld+json>${'['.repeat(500_000)}${']'.repeat(500_000)}</script>`;
    expect(metadataOf(nested + jsonLd({ '@type': 'A' })).jsonLdTypes).toEqual(['A']);
  });
});

describe('robots directives', () => {
  const wordsOf = (html: string, agent?: string) => {
    const page = parsePage(html);
    const { noindex, nofollow, metadata } = readMetadata(
      page.described,
      new UrlResolver(at('/docs/page')),
      [],
      agent,
    );
    return { noindex, nofollow, robots: metadata.robots };
  };

  it.each<[string, string | undefined, boolean, boolean]>([
    ['<meta name=robots content=noindex>', 'TrawlBot', true, false],
    ['<meta name=TRAWLBOT content=nofollow>', 'TrawlBot', false, true],
    [
      '<meta name=robots content=noindex><meta name=trawlbot content=nofollow>',
      'TrawlBot',
      true,
      true,
    ],
    ['<meta name=trawlbot content=none>', undefined, false, false],
    ['<meta name=otherbot content=none>', 'TrawlBot', false, false],
  ])('%s as %s: noindex %s, nofollow %s', (html, agent, noindex, nofollow) => {
    expect(wordsOf(html, agent)).toMatchObject({ noindex, nofollow });
  });

  it('for one robot are no metadata of the page', () => {
    expect(wordsOf('<meta name=trawlbot content=none>', 'TrawlBot').robots).toBeUndefined();
  });
});
