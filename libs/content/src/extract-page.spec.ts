import fc from 'fast-check';
import { encodeText } from '../../testing/src/site/charset-samples.js';
import { extractPage, type PageContent } from './extract-page.js';
import { type ReadablePage } from './readable-page.js';
import { MAX_LINKS, MAX_MARKDOWN_CHARS, MAX_NODES } from './limits.js';
import { HOSTILE_HTML } from './fixtures/hostile-html.js';

const ALL = { markdown: true, links: true, rawHtml: true } as const;
const URL = 'https://example.com/docs/page';

const extract = (
  html: string | Uint8Array,
  contentType: string | null = 'text/html',
): PageContent => extractPage({ body: Buffer.from(html), contentType, url: URL }, ALL);

describe('extractPage', () => {
  it('reads everything from one page', () => {
    const page = extract(
      '<html lang=en><head><meta charset=utf-8><title>T</title><link rel=canonical href=/c>' +
        '<body><h1>Hé</h1><p>a <a href="b#x">b</a>',
    );
    expect(page).toEqual({
      charset: 'utf-8',
      kind: 'html',
      rawHtml: expect.stringContaining('<h1>Hé</h1>'),
      markdown: '# Hé\n\na [b](https://example.com/docs/b#x)\n',
      links: ['https://example.com/docs/b'],
      metadata: { title: 'T', language: 'en', canonical: 'https://example.com/c' },
      canonical: 'https://example.com/c',
      noindex: false,
      nofollow: false,
      visibleChars: 4,
      facts: expect.objectContaining({ title: 'T', visibleChars: 4, text: 'Hé a b' }),
    });
  });

  it('makes only the requested formats', () => {
    const options = { markdown: false, links: false, rawHtml: false };
    const page = extractPage(
      { body: Buffer.from('<p>ab c'), contentType: null, url: URL },
      options,
    );
    expect(page).toEqual({
      charset: 'windows-1252',
      kind: 'html',
      metadata: {},
      noindex: false,
      nofollow: false,
      visibleChars: 3,
      facts: expect.objectContaining({ visibleChars: 3, text: 'ab c' }),
    });
  });

  it('reads a page that declares no encoding by its bytes, its language and the country of its site', () => {
    const read = (html: string, encoding: string, url: string) =>
      extractPage({ body: encodeText(html, encoding), contentType: 'text/html', url }, ALL);
    expect(read('<h1>Żółć</h1>', 'iso-8859-2', 'https://a.example.pl/')).toMatchObject({
      ...{ charset: 'iso-8859-2', markdown: '# Żółć\n' },
    });
    expect(read('<html lang=ru><h1>Новости</h1>', 'koi8-u', URL)).toMatchObject({
      ...{ charset: 'koi8-u', markdown: '# Новости\n' },
    });
  });

  it('names a text that is lost because it is not in the encoding it declares', () => {
    const utf8 = (text: string, encoding: string, type = 'text/html') =>
      extractPage(
        { body: encodeText(text, encoding), contentType: `${type}; charset=utf-8`, url: URL },
        ALL,
      ).partReason;
    const chinese = '<title>Shop</title><p>网站地图与目录，营业时间：9:00';
    expect(utf8(chinese, 'gbk')).toBe('parse_error');
    expect(utf8('<p>図書館のご案内です。', 'shift_jis')).toBe('parse_error');
    expect(utf8('Новости и события дня', 'windows-1251', 'text/plain')).toBe('parse_error');
    expect(utf8(chinese, 'utf-8')).toBeUndefined();
    expect(utf8('<p>Été à la plage, déjà', 'windows-1252')).toBeUndefined();
    expect(utf8('', 'utf-8')).toBeUndefined();
  });

  it('lends its parse to a reader of another library, for pages of HTML only', () => {
    const seen: ReadablePage[] = [];
    const options = {
      markdown: false,
      links: false,
      rawHtml: false,
      read: (page: ReadablePage) => ({ pages: seen.push(page) }),
    };
    const body = Buffer.from(
      '<base href=/en/><title>T</title><script type=application/ld+json>{"@type":"Thing"}</script><a href=b>b</a>',
    );
    const { read } = extractPage({ body, contentType: 'text/html', url: URL }, options);
    expect(read).toEqual({ pages: 1 });
    const [page] = seen;
    expect(page).toMatchObject({
      url: URL,
      jsonLd: { items: [{ '@type': 'Thing' }], isCut: false },
      metadata: { title: 'T' },
    });
    expect(page?.parsed.anchors.length).toBe(1);
    expect(page?.resolver.resolve('b')).toBe('https://example.com/en/b');
    const text = extractPage(
      { body: Buffer.from('text'), contentType: 'text/plain', url: URL },
      options,
    );
    expect([text.read, seen.length]).toEqual([undefined, 1]);
  });

  it.each<[string, string, string, string]>([
    ['text as it is', 'a *b*\r\n<c>', 'text/plain', 'a *b*\n<c>\n'],
    ['JSON in a fence', '{"a":"```"}', 'application/json', '````json\n{"a":"```"}\n````\n'],
    [
      'feeds in a fence',
      '<?xml version="1.0"?><rss/>',
      'application/rss+xml',
      '```xml\n<?xml version="1.0"?><rss/>\n```\n',
    ],
    ['nothing', '', 'text/plain', ''],
  ])('shows %s', (_, body, contentType, markdown) => {
    expect(extract(body, contentType)).toMatchObject({ markdown, links: [] });
  });

  it('returns no Markdown for binary content', () => {
    const page = extract(Buffer.from('%PDF-1.7'), 'application/pdf');
    expect(page).toMatchObject({ kind: 'binary', visibleChars: 0 });
    expect(page.markdown).toBeUndefined();
  });

  it('reports that the body was cut', () => {
    const input = { body: Buffer.from('<p>a'), contentType: null, url: URL, bodyTruncated: true };
    expect(extractPage(input, ALL).truncatedBy).toBe('body');
  });
});

describe('links', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'unique, in order',
      '<a href=b>1</a><area href=/a><a href=b#x>2</a>',
      ['https://example.com/docs/b', 'https://example.com/a'],
    ],
    [
      'against the first base',
      '<base target=x><base href=/x/><base href=/y/><a href=b>',
      ['https://example.com/x/b'],
    ],
    ['a base of another site', '<base href="//other.org/p/"><a href=b>', ['https://other.org/p/b']],
    [
      'a base that is no web address',
      '<base href="data:x"><a href=b>',
      ['https://example.com/docs/b'],
    ],
    [
      'web addresses only',
      '<a href="mailto:a@b"><a href="javascript:x"><a href="data:x"><a href="tel:1"><a href="ftp://x/">',
      [],
    ],
    ['the page itself, by a fragment', '<a href="#x">', [URL]],
    ['white space around', '<a href=" \n b ">', ['https://example.com/docs/b']],
    ['hidden ones too', '<div hidden><a href=b>x</a></div>', ['https://example.com/docs/b']],
    [
      'broken addresses are passed over',
      '<a href="http://[">x</a><a href="https://ok/">',
      ['https://ok/'],
    ],
  ])('%s', (_, html, links) => {
    expect(extract(html).links).toEqual(links);
  });

  it('are bounded, and the cut is named', () => {
    const html = Array.from({ length: MAX_LINKS + 1 }, (_, index) => `<a href=/${index}>`).join('');
    const page = extract(html);
    expect(page.links).toHaveLength(MAX_LINKS);
    expect(page.truncatedBy).toBe('max_links');
  });
});

describe('metadata', () => {
  it.each<[string, string, object]>([
    ['title', '<title> a\n b </title><svg><title>x</title></svg>', { title: 'a b' }],
    [
      'title of Open Graph',
      '<title> </title><meta property=og:title content=O>',
      { title: 'O', openGraph: { 'og:title': 'O' } },
    ],
    ['title of the first heading', '<h1>a <b>b</b></h1><h1>c</h1>', { title: 'a b' }],
    ['description', '<meta name=Description content=" a  b ">', { description: 'a b' }],
    ['language of the page', '<html lang=de>', { language: 'de' }],
    [
      'language of a pragma',
      '<meta http-equiv=content-language content="fr, en">',
      { language: 'fr' },
    ],
    ['favicon', '<link rel="shortcut icon" href=/f.ico>', { favicon: 'https://example.com/f.ico' }],
    [
      'canonical against the base',
      '<base href=/b/><link rel=canonical href=c>',
      { canonical: 'https://example.com/b/c' },
    ],
    [
      'first Open Graph value',
      '<meta property=og:image content=1><meta property=og:image content=2>',
      { openGraph: { 'og:image': 'https://example.com/docs/1' } },
    ],
    [
      'robots of several elements',
      '<meta name=robots content=noindex><meta name=ROBOTS content=follow>',
      { robots: 'noindex, follow' },
    ],
  ])('%s', (_, html, metadata) => {
    expect(extract(html).metadata).toEqual(metadata);
  });

  it.each([
    ['noindex, nofollow', true, true],
    ['none', true, true],
    ['NOINDEX', true, false],
    ['index,nofollow', false, true],
    ['all', false, false],
  ])('robots %s', (content, noindex, nofollow) => {
    expect(extract(`<meta name=robots content="${content}">`)).toMatchObject({ noindex, nofollow });
  });
});

describe('hostile pages', () => {
  it.each(Object.entries(HOSTILE_HTML))('%s: answered', (_, htmlOf) => {
    expect(extract(htmlOf(2_000)).markdown).toEqual(expect.any(String));
  });

  it('a million nested tags keep their text', () => {
    const page = extract('<div><i>'.repeat(500_000) + 'deep');
    expect(page.markdown).toContain('deep');
    expect(page.truncatedBy).toBe('max_depth');
  });

  it('a picture of 5 MB in the text is a marker', () => {
    const html = `<p>before <img alt="chart" src="data:image/png;base64,${'A'.repeat(5_000_000)}"> after`;
    expect(extract(html).markdown).toBe('before ![chart](data:image/png) after\n');
  });

  it('pictures of more than 4 MB together are markers', () => {
    const picture = `<p><img alt="chart" src="data:image/png;base64,${'A'.repeat(900_000)}">`;
    const markdown = extract(picture.repeat(10)).markdown ?? '';
    expect(markdown.match(/A{900000}/g)).toHaveLength(4);
    expect(markdown.match(/\(data:image\/png\)/g)).toHaveLength(6);
  });

  it('a text of 5 MB is kept whole', () => {
    expect(extract('lorem ipsum '.repeat(450_000)).markdown).toHaveLength(12 * 450_000);
  });

  it('a table of 100,000 rows is kept whole', () => {
    const page = extract('<table>' + '<tr><td>a<td>b'.repeat(100_000) + '</table>');
    expect(page.markdown?.split('\n')).toHaveLength(100_002);
    expect(page.truncatedBy).toBeUndefined();
  });

  it.each([
    ['a paragraph', ''],
    ['a table', '<table><tr><th>h<th>i'],
  ])('links under a long base cannot swell %s without end', (_, open) => {
    const base = `<base href="/${'b'.repeat(4_000)}/">`;
    const link = open === '' ? '<a href=x>x</a> ' : '<tr><td><a href=x>x</a><td>y';
    const page = extract(base + open + link.repeat(6_000));
    expect(page.truncatedBy).toBe('max_markdown_chars');
    expect(page.markdown?.length).toBeGreaterThan(MAX_MARKDOWN_CHARS / 2);
    expect(page.markdown?.length).toBeLessThan(MAX_MARKDOWN_CHARS * 1.1);
  });

  it('stops at the most nodes and reports it', () => {
    const page = extract('<i>x</i>'.repeat(MAX_NODES / 2 + 10));
    expect(page.truncatedBy).toBe('max_nodes');
    expect(page.visibleChars).toBe(MAX_NODES / 2);
  });
});

/** Random pages of well-nested elements around unique words. */
const page = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.nat(9_999_999).map((number) => ` w${number}w `),
    fc
      .tuple(
        fc.constantFrom(
          ...'p div b i em strong a ul ol li blockquote h2 table tr td th pre code span dl dt dd del section details summary figure label u'.split(
            ' ',
          ),
        ),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([name, children]) => `<${name} href=/x>${children.join('')}</${name}>`),
  ),
})).node;

describe('any page', () => {
  it('keeps all visible words, once or more, and ends tidily', () => {
    fc.assert(
      fc.property(page, (html) => {
        const { markdown = '' } = extract(`<!doctype html><body>${html}`);
        const words = html.match(/w\d+w/g) ?? [];
        expect(words.filter((word) => !markdown.includes(word))).toEqual([]);
        expect(markdown).not.toMatch(/[ \t]\n/);
        expect(markdown).not.toMatch(/^\n|\n\n$/);
        expect(markdown === '' || markdown.endsWith('\n')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, for any bytes', () => {
    const markup = fc.constantFrom(
      ...'< > </ <! <!-- --> & &# ; " \' = / <p <a <table <td> <svg> <math> </ \0 ]]> <![CDATA[ <?'.split(
        ' ',
      ),
      '<script>',
      '<title>',
      '<b>',
      '</b>',
      'x',
      ' ',
      '<li>',
      '</p>',
    );
    const soup = fc
      .array(fc.oneof(markup, fc.string()), { maxLength: 40 })
      .map((parts) => Buffer.from(parts.join('')));
    const anyType = fc.constantFrom(
      null,
      '',
      'text/html',
      'text/html; charset=utf-16',
      'text/plain',
      'application/json; charset=x',
      'x',
    );
    fc.assert(
      fc.property(
        fc.oneof(soup, fc.uint8Array({ maxLength: 2000 })),
        anyType,
        (body, contentType) => {
          expect(
            extractPage({ body, contentType, url: URL }, ALL).visibleChars,
          ).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
