import fc from 'fast-check';
import { DEFAULT_CONTENT_OPTIONS, type ContentOptions } from '@app/contracts';
import { anyPage, anyTagSoup } from '../../test/any-page.js';
import { parseHtml } from '../dom/parse-html.js';
import { walk } from '../dom/walk.js';
import { extractPage, type PageContent } from '../extract-page.js';
import { MAX_HTML_CHARS } from '../limits.js';
import { DANGEROUS_HTML } from './fixtures/dangerous-html.js';

const URL = 'https://example.com/docs/page';
const DANGEROUS_PIECES = Object.values(DANGEROUS_HTML);

function cleaned(
  source: string,
  content: Partial<ContentOptions> = {},
  contentType = 'text/html',
): PageContent {
  return extractPage(
    { body: Buffer.from(source), contentType: `${contentType}; charset=utf-8`, url: URL },
    {
      ...{ markdown: false, links: false, rawHtml: false, html: true },
      content: { ...DEFAULT_CONTENT_OPTIONS, ...content },
    },
  );
}
const htmlOf = (source: string, content: Partial<ContentOptions> = {}): string =>
  cleaned(source, content).html ?? 'absent';

describe('cleaned HTML', () => {
  it.each<[string, string, string]>([
    [
      'head, scripts and styles',
      '<head><title>T</title><style>a{}</style></head><body><p>x<script>y()</script></p>',
      '<p>x</p>',
    ],
    ['comments', '<p>a<!-- <b>c</b> -->d</p>', '<p>ad</p>'],
    [
      'event attributes and styles',
      '<p onclick="x()" style="color:red" class="k" id=i>a</p>',
      '<p class="k" id="i">a</p>',
    ],
    [
      'script addresses',
      '<a href=" javascript:x()">a</a><a href="java&#10;script:x()">b</a>',
      '<a>a</a><a>b</a>',
    ],
    [
      'relative addresses',
      '<a href="../b?c=1&amp;d#e">a</a>',
      '<a href="https://example.com/b?c=1&amp;d#e">a</a>',
    ],
    [
      'mail and phone',
      '<a href="mailto:a@b.example">a</a><a href="tel:+1">b</a>',
      '<a href="mailto:a@b.example">a</a><a href="tel:+1">b</a>',
    ],
    [
      'the base of a page',
      '<base href="/x/"><a href=y>a</a>',
      '<a href="https://example.com/x/y">a</a>',
    ],
    [
      'images',
      '<img src=/a.png alt="A &quot;B&quot;" width=10 onerror=x()>',
      '<img src="https://example.com/a.png" alt="A &quot;B&quot;" width="10">',
    ],
    [
      'lazy images',
      '<picture><source srcset="/b.webp 2x"><img src="data:image/gif;base64,R0" data-src=/a.png alt=""></picture>',
      '<img src="https://example.com/a.png" alt="">',
    ],
    ['tracking pixels', '<img src=/p.gif width=1 height=1>x', 'x'],
    [
      'inlined images',
      '<img src="data:image/png;base64,AAAA" alt=x>',
      '<img src="data:image/png;base64,AAAA" alt="x">',
    ],
    ['inlined pages', '<img src="data:text/html,<script>" alt=x>', '<img alt="x">'],
    ['noscript beside content', '<p>a</p><noscript><p>b</p></noscript>', '<p>a</p>'],
    ['noscript alone', '<noscript><p>b</p></noscript>', '<p>b</p>'],
    ['hidden elements', '<p hidden>a</p><p style="display:none">b</p><p>c</p>', '<p>c</p>'],
    ['templates', '<template><p>a</p></template><p>b</p>', '<p>b</p>'],
    [
      'frames',
      '<iframe src="/f" title="F"><p>x</p></iframe>',
      '<a href="https://example.com/f">F</a>',
    ],
    [
      'videos',
      '<video src=/v.mp4 autoplay onplay=x()>no video</video>',
      '<video src="https://example.com/v.mp4" controls=""></video>',
    ],
    [
      'pictures in SVG',
      '<a href=/><svg role=img aria-label="Home"><script>x()</script><title>t</title></svg></a>',
      '<a href="https://example.com/"><span role="img" aria-label="Home"></span></a>',
    ],
    [
      'formulas',
      '<math display=block><mi>x</mi><semantics><mo>=</mo><annotation>x=</annotation></semantics></math>',
      '<math display="block"><mi>x</mi><semantics><mo>=</mo></semantics></math>',
    ],
    [
      'formulas as scripts',
      '<script type="math/tex">a<b</script>',
      '<code class="language-math math-inline">a&lt;b</code>',
    ],
    [
      'controls',
      '<form action=/x><label>a</label><input name=b><button>Send</button></form>',
      '<form><label>a</label></form>',
    ],
    [
      'ticked boxes',
      '<ul><li><input type=checkbox checked> a</ul>',
      '<ul><li><input type="checkbox" checked=""> a</li></ul>',
    ],
    ['unknown elements', '<x-card onclick=x()><p>a</p></x-card>', '<p>a</p>'],
    [
      'special characters',
      '<p title="a<b>&quot;">1 &lt; 2 &amp;&nbsp;3</p>',
      '<p title="a&lt;b&gt;&quot;">1 &lt; 2 &amp;&nbsp;3</p>',
    ],
    ['void elements', '<p>a<br/>b<wbr>c<hr>d', '<p>a<br>b<wbr>c</p><hr>d'],
    ['raw text elements', '<xmp><b>a</b></xmp>', '<pre>&lt;b&gt;a&lt;/b&gt;</pre>'],
    [
      'tables',
      '<table><tr><th scope=col onclick=x()>a<td colspan=2>b</table>',
      '<table><tr><th scope="col">a</th><td colspan="2">b</td></tr></table>',
    ],
  ])('of %s', (_, source, html) => {
    expect(htmlOf(source)).toBe(html);
  });

  const PAGE = '<nav>menu</nav><main><h1>T</h1><p class=ad>ad</p><p>text</p></main>';

  it.each<[Partial<ContentOptions>, string]>([
    [{ includeTags: ['h1', 'nav'] }, '<nav>menu</nav>\n<h1>T</h1>'],
    [{ excludeTags: ['nav', '.ad'] }, '<main><h1>T</h1><p>text</p></main>'],
    [{ removeBase64Images: true }, PAGE.replace('class=ad', 'class="ad"')],
  ])('keeps the part of the page that Markdown shows: %j', (content, html) => {
    expect(htmlOf(PAGE, content)).toBe(html);
  });

  it('keeps the main content only', () => {
    const words = 'Words of the article that its readers came for, and more of them. '.repeat(8);
    const page = `<header><nav><a href=/a>Menu</a></nav></header><main><article><h1>T</h1><p>${words}</p></article></main><footer>Imprint</footer>`;
    const html = htmlOf(page, { onlyMainContent: true });
    expect(html).toContain(`<p>${words.trim()}`);
    expect(html).not.toMatch(/Menu|Imprint/);
  });

  it('removes the data of inlined images', () => {
    const page =
      '<img src="data:image/png;base64,AAAA" alt=x><img src="data:image/png;base64,BBBB">';
    expect(htmlOf(page, { removeBase64Images: true })).toBe('<img alt="x">');
  });

  it('of a cell or an item alone is no cell without a table', () => {
    const page = '<table><tr><td class=k>a</table><ul><li class=k>b</ul>';
    expect(htmlOf(page, { includeTags: ['.k'] })).toBe(
      '<div class="k">a</div>\n<li class="k">b</li>',
    );
  });

  it.each([
    ['text/plain', 'a <b>\r\nc', '<pre>\na &lt;b&gt;\nc</pre>'],
    ['application/json', '{"a":"<b>"}', '<pre>\n{"a":"&lt;b&gt;"}</pre>'],
  ])('of %s is the text', (contentType, source, html) => {
    expect(cleaned(source, {}, contentType).html).toBe(html);
  });

  it('is absent unless requested', () => {
    const page = extractPage(
      { body: Buffer.from('<p>a'), contentType: 'text/html', url: URL },
      { markdown: true, links: false, rawHtml: false },
    );
    expect(page).not.toHaveProperty('html');
  });

  it.each([
    ['of references', (chars: number) => `<p>${'&'.repeat(chars / 5)}`],
    [
      'of tags',
      (chars: number) => `<p>${`<b title="${'x'.repeat(983)}">x</b>`.repeat(chars / 1_000)}`,
    ],
  ])('is cut at its limit, and the cut has a name: %s', (_, pageOf) => {
    const whole = cleaned(pageOf(MAX_HTML_CHARS - 100));
    expect(whole.truncatedBy).toBeUndefined();
    const cut = cleaned(pageOf(MAX_HTML_CHARS + 1_000_000));
    expect(cut.truncatedBy).toBe('max_html_chars');
    expect(cut.html?.length).toBeLessThan(MAX_HTML_CHARS + 400_000);
    expect(cut.html).toMatch(/<\/p>$/);
  });

  it('ends with the CPU time of its page, and the cut has a name', () => {
    const body = Buffer.from('<p>x'.repeat(400_000));
    const { html = '', truncatedBy } = extractPage(
      { body, contentType: 'text/html', url: URL },
      { markdown: false, links: false, rawHtml: false, html: true, maxCpuMs: 1 },
    );
    expect(truncatedBy).toBe('max_cpu');
    expect(html.length).toBeLessThan(400_000 * 8);
  });

  const again = (html: string): string => htmlOf(html);

  it.each(Object.entries(DANGEROUS_HTML))('parsed again is the same: %s', (_, source) => {
    const html = htmlOf(source);
    expect(again(html)).toBe(html);
  });

  it('of any page parsed again is the same', () => {
    fc.assert(
      fc.property(anyPage, (source) => {
        const html = htmlOf(source);
        expect(again(html)).toBe(html);
      }),
    );
  });

  const pieces = fc
    .array(fc.oneof(fc.constantFrom(...DANGEROUS_PIECES), anyTagSoup), { maxLength: 12 })
    .map((parts) => parts.join(''));

  it('of any soup of tags holds no more than listed elements and attributes', () => {
    fc.assert(
      fc.property(pieces, (source) => {
        expect(unlisted(htmlOf(source))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of any soup of tags parsed again is the same', () => {
    fc.assert(
      fc.property(pieces, (source) => {
        const html = htmlOf(source);
        expect(again(html)).toBe(html);
      }),
      { numRuns: 1_000 },
    );
  });
});

const LISTED =
  /^(?:p|div|span|a|b|i|em|strong|ul|ol|li|code|pre|table|tr|td|th|h[1-6]|blockquote|br|hr|img|form|math|m\w+|input|video|details|label|none|semantics)$/;
const ATTRIBUTES =
  /^(?:href|src|alt|title|id|class|role|aria-label|width|height|colspan|rowspan|type|checked|controls|open|display)$/;

/** What of an output, parsed again, is neither a listed element nor a listed attribute of one. */
function unlisted(html: string): readonly string[] {
  const found: string[] = [];
  walk(parseHtml(html), {
    text: () => undefined,
    enter: ({ name, attribs }) => {
      if (!LISTED.test(name)) found.push(name);
      for (const [attribute, value] of Object.entries(attribs)) {
        if (!ATTRIBUTES.test(attribute)) found.push(`${name} ${attribute}`);
        if (/^(?:href|src)$/.test(attribute) && !/^(?:https?:|data:image\/)/.test(value))
          found.push(`${name} ${attribute}=${value}`);
      }
      return true;
    },
  });
  return found;
}
