import { type PageMetadata } from '@app/contracts';
import { extractPage } from '../extract-page.js';

function metadataOf(html: string, url = 'https://example.com/a'): PageMetadata {
  const input = { body: Buffer.from(html), contentType: 'text/html; charset=utf-8', url };
  return extractPage(input, { markdown: false, links: false, rawHtml: false }).metadata;
}

const H1 = '<h1>Title of the page</h1>';
const FAR = '<i>x</i>'.repeat(200);

describe('who wrote a page, by its text', () => {
  it.each<[string, string, string | undefined]>([
    ['a link to the author', `${H1}<a rel=author href=/x>A Writer</a>`, 'A Writer'],
    [
      'microdata',
      `${H1}<p itemprop=author itemscope><i itemprop=name>A Writer</i>, cook`,
      'A Writer',
    ],
    ['a class', `${H1}<p class=post__author>By A Writer | May 2, 2020`, 'A Writer'],
    ['a line', `${H1}<p>Von Anna Müller, aktualisiert am 2.5.2020`, 'Anna Müller'],
    ['an address of authors', `${H1}<a href=/authors/x>A Writer</a>`, 'A Writer'],
    ['a line of a block, apart', `${H1}<div class=author><p>A Writer<p>Editor</div>`, 'A Writer'],
    ['a line above the heading', `<p class=byline>A Writer</p>${H1}`, 'A Writer'],
    ['not a footer', `${H1}<footer><p class=author>A Writer</footer>`, undefined],
    [
      'not other articles',
      `${H1}<div class=related-posts><p class=author>A Writer</div>`,
      undefined,
    ],
    ['not far below', `${H1}${'<p>x</p>'.repeat(200)}<p class=author>A Writer`, undefined],
    ['not an account', `${H1}<p class=author>Admin`, undefined],
    ['not a role', `${H1}<p class=author>Editorial staff`, undefined],
    ['not an address', `${H1}<p class=author>jane@example.com`, undefined],
    ['not an address beside it', `${H1}<p class=author>Jane Doe jane@example.com`, 'Jane Doe'],
    ['not a sentence', `${H1}<p class=author>She writes! And how.`, undefined],
  ])('%s', (_, html, author) => {
    expect(metadataOf(html).author).toBe(author);
  });

  it('is what the metadata says before that, by a card or by another item of JSON-LD', () => {
    const card =
      '<meta name=twitter:label1 content="Written by"><meta name=twitter:data1 content=C>';
    expect(metadataOf(`${card}${H1}<a rel=author>A Writer</a>`).author).toBe('C');
    const graph = [
      { '@type': 'WebPage', datePublished: '2020-01-01' },
      { '@type': 'BlogPosting', author: { '@id': '#p' }, datePublished: '2021-01-01' },
      { '@type': 'Person', '@id': '#p', name: 'P Q' },
    ];
    const script = `<script type="application/ld+json">${JSON.stringify({ '@graph': graph })}</script>`;
    expect(metadataOf(script)).toMatchObject({ author: 'P Q', publishedTime: '2021-01-01' });
  });

  it.each<[string, string, string | undefined]>([
    ['the byline of a person', '<p class=byline>By Jane Doe', 'Jane Doe'],
    [
      'no byline of a person: the site may be one',
      '<p class=byline>By July 22',
      'The Harbour Post',
    ],
    ['its own byline', '<p class=byline>The Harbour Post Sponsored', 'The Harbour Post'],
  ])('is, where an article states its site and has %s', (_, byline, author) => {
    const site = '<meta property=og:site_name content="The Harbour Post">';
    const stated =
      '<meta name=author content="The Harbour Post"><meta property=og:type content=article>';
    expect(metadataOf(site + stated + H1 + byline).author).toBe(author);
  });

  it('is left out where a page that is not an article states its site', () => {
    const script =
      '<script type="application/ld+json">{"@type":"Organization","name":"Lamps"}</script>';
    expect(metadataOf(`<meta name=author content=lamps>${script}${H1}`).author).toBeUndefined();
  });
});

describe('when a page was published, by its text', () => {
  it.each<[string, string, PageMetadata]>([
    [
      'an element of time, with its zone',
      `${H1}<time datetime="2024-01-02T03:04:05+0100">yesterday</time>`,
      { publishedTime: '2024-01-02T03:04:05+01:00' },
    ],
    [
      'an abbreviation, in full',
      `${H1}<abbr itemprop=datePublished title=2025-12-19T15:18:00-05:00>December 19</abbr>`,
      { publishedTime: '2025-12-19T15:18:00-05:00' },
    ],
    [
      'one that says so before another',
      `${H1}<p class=date>May 2, 2020</p><meta itemprop=datePublished content=2020-05-01>`,
      { publishedTime: '2020-05-01' },
    ],
    [
      'a change beside it',
      `${H1}<p>Published 2 May 2020</p><p>Updated: <time datetime=2021-02-03>x</time></p>`,
      { publishedTime: '2020-05-02', modifiedTime: '2021-02-03' },
    ],
    [
      'a change alone',
      `${H1}<p>Updated May 2, 2020`,
      { publishedTime: '2020-05-02', modifiedTime: '2020-05-02' },
    ],
    [
      'nothing of other articles',
      `${H1}<aside class=latest><time datetime=2024-01-02>x</time></aside>`,
      {},
    ],
    [
      'what is in the part of the heading, whatever its class',
      `<div class="article--sidebar-right">${H1}<p>Jan 22, 2025</p></div>`,
      { publishedTime: '2025-01-22' },
    ],
    [
      'what is near a later heading than the name of the site',
      `<h1>Site</h1>${FAR}${H1}<p>Lübeck, 31. März 2003`,
      { publishedTime: '2003-03-31' },
    ],
    [
      'a day far below, when there is no other',
      `${H1}${FAR}<p class=pub-date>Published on: May 2, 2020</p><time datetime=2020-05-02T10:00>x</time>`,
      { publishedTime: '2020-05-02' },
    ],
    [
      'no day far below of several',
      `${H1}${FAR}<time datetime=2020-05-02>x</time><time datetime=2020-05-03>x</time>`,
      {},
    ],
    [
      'words around a part of a line',
      `${H1}<p>October 16, 2020<b> · </b>8 min read`,
      { publishedTime: '2020-10-16' },
    ],
    [
      'the day first where that is the custom, by language',
      `<html lang=en-GB>${H1}<p>03/10/2023`,
      { publishedTime: '2023-10-03' },
    ],
    [
      'seconds since 1970',
      `<meta property=article:published_time content=1651626439>${H1}`,
      { publishedTime: '2022-05-04T01:07:19Z' },
    ],
  ])('%s', (_, html, expected) => {
    const { publishedTime, modifiedTime } = metadataOf(html);
    expect({ publishedTime, modifiedTime }).toEqual({
      publishedTime: undefined,
      modifiedTime: undefined,
      ...expected,
    });
  });

  it('reads the address last', () => {
    const url = 'https://example.com/2024/01/31/a';
    expect(metadataOf(H1, url).publishedTime).toBe('2024-01-31');
    expect(metadataOf(H1, 'https://example.com/20240131-a').publishedTime).toBe('2024-01-31');
    expect(metadataOf(H1, 'https://example.com/p/20249931-a').publishedTime).toBeUndefined();
    expect(metadataOf(`${H1}<p>May 2, 2020`, url).publishedTime).toBe('2020-05-02');
  });
});

describe('the title', () => {
  it.each<[string, string, string | undefined]>([
    ['the heading that the title confirms', `<title>A b - S</title><h1>A b</h1>`, 'A b'],
    [
      'without the name of the site',
      `<title>A b | My Site</title><meta property=og:site_name content="My Site">`,
      'A b',
    ],
    [
      'without a name in front',
      `<title>Site: c | A b</title><meta property=og:site_name content="Site: c">`,
      'A b',
    ],
    ['with a long end', `<title>A - b c d e f g h</title>`, undefined],
    [
      'not the heading with the logo',
      `<title>Long title here | S</title><h1>S</h1><meta property=og:site_name content=S>`,
      'Long title here',
    ],
    ['only where it is another', '<title>A</title><h1>A</h1>', undefined],
  ])('%s', (_, html, headline) => {
    expect(metadataOf(html).headline).toBe(headline);
  });

  it('has its section, tags and site beside it', () => {
    const meta = ['article:section', 'article:tag', 'article:tag', 'og:site_name']
      .map((name, at) => `<meta property="${name}" content="v${at}">`)
      .join('');
    expect(metadataOf(meta)).toMatchObject({ section: 'v0', tags: ['v1', 'v2'], siteName: 'v3' });
  });
});
