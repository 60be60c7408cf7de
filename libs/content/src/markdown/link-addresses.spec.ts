import { wholeOf } from '../selection/page-part.js';
import { parsePage } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { MAX_MARKDOWN_CHARS } from '../limits.js';
import { type PartOptions, writePart } from './write-markdown.js';

const resolver = new UrlResolver('http://site.example/');
const write = (html: string, linkStyle?: PartOptions['linkStyle']) =>
  writePart(wholeOf(parsePage(html).document), resolver, linkStyle ? { linkStyle } : {});

const PAGE = `<p>See <a href="/a" title="first">one</a>, <b><a href="/b(1)">two</a></b> and <a href="/a" title="first">one again</a>.</p>
<p><img src="/p.png" alt="a pond"> <img src="/q.png"> <a href="/c"><img src="/p.png" alt="a pond"></a></p>
<table><tr><th>n<th>m<tr><td><a href="/d">d|e</a><td>2</table><iframe src="/film" title="Film"></iframe>`;

describe('the addresses of links and images in Markdown', () => {
  it('are behind each, unless another style is wanted', () => {
    expect(write(PAGE).markdown).toContain('See [one](http://site.example/a "first"), **[two]');
    expect(write(PAGE, 'inlined')).toEqual(write(PAGE));
  });

  it('are in a list at the end, each once, in the order of their use', () => {
    expect(write(PAGE, 'referenced').markdown).toBe(`See [one][1], **[two][2]** and [one again][1].

![a pond][3] ![][4] [![a pond][3]][5]

| n | m |
| --- | --- |
| [d\\|e][6] | 2 |

[Film][7]

[1]: http://site.example/a "first"
[2]: http://site.example/b(1)
[3]: http://site.example/p.png
[4]: http://site.example/q.png
[5]: http://site.example/c
[6]: http://site.example/d
[7]: http://site.example/film
`);
  });

  it('are left out: links and images are their text', () => {
    expect(write(PAGE, 'omitted').markdown).toBe(`See one, **two** and one again.

a pond a pond

| n | m |
| --- | --- |
| d\\|e | 2 |
`);
  });

  it('count against the length of the Markdown', () => {
    const far = new UrlResolver(`http://site.example/${'x'.repeat(2_000)}/`);
    const links = Array.from({ length: 10_000 }, (_, n) => `<p><a href="${n}">n</a>`).join('');
    const part = wholeOf(parsePage(links).document);
    const { markdown, truncatedBy } = writePart(part, far, { linkStyle: 'referenced' });
    expect(truncatedBy).toBe('max_markdown_chars');
    expect(markdown.length).toBeLessThan(MAX_MARKDOWN_CHARS * 1.01);
    expect(write('<p>no link', 'referenced').markdown).toBe('no link\n');
  });
});
