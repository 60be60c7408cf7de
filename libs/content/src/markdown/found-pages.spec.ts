import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { DomUtils } from 'htmlparser2';
import { parseHtml } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { writeMarkdown } from './write-markdown.js';

const markdownOf = (html: string): string =>
  writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/docs/')).markdown;

const readBack = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });

type Case = readonly [name: string, html: string, ...lines: string[]];

const check = (cases: readonly Case[]): void => {
  it.each(cases.map(([name, html, ...lines]) => [name, html, lines.join('\n')]))(
    '%s',
    (_, html, expected) => {
      expect(markdownOf(html)).toBe(expected === '' ? '' : `${expected}\n`);
    },
  );
};

describe('addresses in text', () => {
  it.each([
    'https://x.y/_next/_a_/b',
    'http://x.y/~user/index.html',
    'https://x.y/a*b*c',
    'https://x.y/?q=_a_&b=*c',
    'https://x.y:8080/__init__.py',
    'see-https://x.y/_a_/b',
  ])('reads back as it was: %s', (text) => {
    const address = text.slice(text.indexOf('http'));
    const html = readBack(markdownOf(`<p>${text.replace('&', '&amp;')} end</p>`));
    const [link] = DomUtils.getElementsByTagName('a', parseHtml(html));
    expect(link?.attribs.href).toBe(address);
    expect(DomUtils.textContent(parseHtml(html).children).trim()).toBe(`${text} end`);
  });

  check([
    ['not before a path', '<p>https:// _a_</p>', 'https:// \\_a\\_'],
    ['not after its end', '<p>https://x.y/_a_ _b_</p>', 'https://x.y/_a_ \\_b\\_'],
    ['not where its end could close', '<p><i>https://x.y/*</i></p>', '*https://x.y/\\**'],
    [
      'not in a link',
      '<a href="/a">https://x.y/_a_/</a>',
      '[https://x.y/\\_a\\_/](https://example.com/a)',
    ],
    ['not in brackets', '<p>[https://x.y/_a_/</p>', '[https://x.y/\\_a\\_/'],
    [
      'not in brackets of text before',
      '<p><b>[x</b> https://x.y/_a_/</p>',
      '**[x** https://x.y/\\_a\\_/',
    ],
    ['after closed brackets', '<p>[1] https://x.y/_a_/</p>', '[1] https://x.y/_a_/'],
    ['without a scheme', '<p>www.x.y/_a_/ -www.x.y/_a_/</p>', 'www.x.y/_a_/ -www.x.y/\\_a\\_/'],
    ['not after a bracket', '<p>https://x.y/][/_b_/</p>', 'https://x.y/\\][/\\_b\\_/'],
    ['not two at its end', '<p>https://x.y/_)_)</p>', 'https://x.y/\\_)\\_)'],
    ['not in a word', '<p>xhttps://x.y/_a_/</p>', 'xhttps://x.y/\\_a\\_/'],
    [
      'several',
      '<p>_a_ http://x.y/_b_/ _c_ http://x.y/_d_/</p>',
      '\\_a\\_ http://x.y/_b_/ \\_c\\_ http://x.y/_d_/',
    ],
  ]);
});

describe('panels', () => {
  check([
    [
      'tabs and answers that are folded',
      '<div role=tabpanel>npm i</div><div role=tabpanel hidden>yarn add</div>' +
        '<h3><button aria-controls=f1>Refunds?</button></h3><div id=f1 role=region hidden>Soon.</div>',
      'npm i',
      '',
      'yarn add',
      '',
      '### Refunds?',
      '',
      'Soon.',
    ],
    [
      'the page behind a dialog',
      '<body><div id=page aria-hidden=true>whole page</div>',
      'whole page',
    ],
  ]);
});

describe('wikis', () => {
  check([
    [
      'no link to edit a section',
      '<h2>A</h2><span class="mw-editsection">[<a href="/e">edit</a>]</span><p>b</p>',
      '## A',
      '',
      'b',
    ],
    [
      'a picture over columns is written once',
      '<table><tr><th>a<th>b<tr><td colspan=2><img src=/i.png alt=i><tr><td colspan=2>x<br>y</table>',
      '| a | b |',
      '| --- | --- |',
      '| ![i](https://example.com/i.png) | |',
      '| x<br>y | |',
    ],
    [
      'a box of facts repeats nothing',
      '<table class="infobox vcard"><tr><th colspan=2>T<tr><td colspan=2>d<tr><th>k<td>v</table>',
      '| T | |',
      '| --- | --- |',
      '| d | |',
      '| k | v |',
    ],
  ]);
});

describe('lists with blocks between their items', () => {
  it.each([
    ['<ol><li>x</li><p>stray</p><li>y</li></ol>', '1. x\n\nstray\n\n2. y\n'],
    ['<ul><li>x</li><div>stray</div><li>y</li><li>z</li></ul>', '- x\n\nstray\n\n- y\n- z\n'],
    ['<ul><li>x</li><ul><li>a</li></ul><li>y</li></ul>', '- x\n  - a\n- y\n'],
  ])('%s', (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
    const items = DomUtils.getElementsByTagName('li', parseHtml(readBack(markdown)));
    expect(items).toHaveLength(DomUtils.getElementsByTagName('li', parseHtml(html)).length);
  });
});

describe('texts of neighbouring elements', () => {
  check([
    ['custom elements', '<app-price>$10</app-price><app-name>Drill</app-name>', '$10 Drill'],
    ['not before a full stop', 'on <local-time>May 1</local-time>.', 'on May 1.'],
    ['blocks by style', '<span style="display:block">a</span><span>b</span>', 'a b'],
    [
      'links that are blocks by style',
      '<a href=/a style="display: flex">a</a><a href=/b style="display:flex">b</a>',
      '[a](https://example.com/a) [b](https://example.com/b)',
    ],
    ['one code', '<code><span style="display:block">a</span><span>b</span></code>', '`a b`'],
  ]);
});

describe('pages without text of their own', () => {
  check([
    [
      'frames',
      '<html><head><title>t</title></head><frameset cols="1,2"><frame src=a.html name=menu><frame src=b.html></frameset>',
      '[menu](https://example.com/docs/a.html)',
      '',
      '[Embedded page](https://example.com/docs/b.html)',
    ],
    ['what is said without scripts', '<noscript><p>Use <b>them</b></p></noscript>', 'Use **them**'],
    ['nothing without scripts where text is', '<noscript>no</noscript>a', 'a'],
    [
      'icons alone in a cell',
      '<table><tr><th>a<th>b<tr><td><svg role=img aria-label=Yes></svg><td>' +
        '<i role=img aria-label="No"></i><tr><td>x<svg role=img aria-label=Yes></svg><td>' +
        '<svg role=img aria-label=Yes aria-hidden=true></svg></table>',
      '| a | b |',
      '| --- | --- |',
      '| Yes | No |',
      '| x | |',
    ],
  ]);
});

describe('code in tables', () => {
  check([
    [
      'GitHub',
      '<table class="highlight js-file-line-container"><tbody>' +
        '<tr><td id=L1 class="blob-num" data-line-number=1></td><td class="blob-code"><b>a</b>  (</td></tr>' +
        '<tr><td class="blob-num"></td><td class="blob-code">\n</td></tr>' +
        '<tr><td class="blob-num"></td><td class="blob-code"></td></tr>' +
        '<tr><td class="blob-num"></td><td class="blob-code">  b)</td></tr></table>',
      '```',
      'a  (',
      '',
      '',
      '  b)',
      '```',
    ],
    [
      'one without code, in a layout',
      '<table><tr><td><table><tr><td class=blob-code><td class=blob-code></table><td><p>a</p>' +
        '<table><tr><th>b<th>c</table></table>',
      'a',
      '',
      '| b | c |',
      '| --- | --- |',
    ],
    [
      'one in a cell',
      '<table><tr><th>a<th>b<tr><td><table><tr><td class=blob-code>x<tr><td class=blob-code>y</table><td>z</table>',
      '| a | b |',
      '| --- | --- |',
      '| `x`<br>`y` | z |',
    ],
    [
      'SyntaxHighlighter',
      '<div><div class="syntaxhighlighter  js"><table><tr><td class=gutter><div class="line">1</div>' +
        '<div class="line">2</div></td><td class=code><div class=container><div class="line">' +
        '<code>var</code> <code>a</code></div><div class=line><code>&nbsp;&nbsp;b</code></div></div></table></div></div>',
      '```js',
      'var a',
      '  b',
      '```',
    ],
    [
      'Hugo',
      '<div class=highlight><table class=lntable><tr><td class=lntd><pre class=chroma><code>' +
        '<span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td><td class=lntd>' +
        '<pre class=chroma><code class=language-go data-lang=go>a\nb</code></pre></table></div>',
      '```go',
      'a',
      'b',
      '```',
    ],
    [
      'numbers that cannot be selected',
      '<pre><span style="user-select:none">1</span><span>a</span>\n<span style="-webkit-user-select:none">2</span>b</pre>',
      '```',
      'a',
      'b',
      '```',
    ],
  ]);
});

describe('marks of documentation tools', () => {
  check([
    [
      'permalinks of terms',
      '<dl><dt>f()<a class=headerlink href="#f">¶</a></dt><dd>g</dd><dt>h<a href="#h">#</a></dt><dd>i</dd></dl>',
      '**f()**',
      '',
      ': g',
      '',
      '**h**',
      '',
      ': i',
    ],
    [
      'a second reference to a note',
      '<p>a<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup> b<sup class="footnote-ref">' +
        '<a href="#fn1" id="fnref1:1">[1:1]</a></sup></p><section class="footnotes"><ol><li id="fn1" class="footnote-item">' +
        '<p>n <a href="#fnref1" class="footnote-backref">↩︎</a> <a href="#fnref1:1" class="footnote-backref">↩︎</a></p></li></ol></section>',
      'a[^1] b[^1]',
      '',
      '[^1]: n',
    ],
    [
      'a fragment that is data',
      `<iframe src="https://x.y/e#${'d'.repeat(3_000)}"></iframe><iframe src="https://x.y/f#g"></iframe>`,
      '[Embedded page](https://x.y/e)',
      '',
      '[Embedded page](https://x.y/f#g)',
    ],
  ]);
});
