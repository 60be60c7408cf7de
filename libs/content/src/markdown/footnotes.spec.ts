import { parseHtml } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { writeMarkdown } from './write-markdown.js';

const markdownOf = (html: string): string =>
  writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/p')).markdown;

describe('footnotes', () => {
  it.each<[string, string, ...string[]]>([
    [
      'GitHub',
      '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup></p><section data-footnotes class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1"><p>note <a href="#user-content-fnref-1" class="data-footnote-backref">↩</a></p></li></ol></section>',
      'a[^1]',
      '',
      '[^1]: note',
    ],
    [
      'pandoc, with several blocks',
      '<p>a<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section class="footnotes" role="doc-endnotes"><ol><li id="fn1"><p>note</p><pre><code>x</code></pre><p>more<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
      'a[^1]',
      '',
      '[^1]: note',
      '',
      '    ```',
      '    x',
      '    ```',
      '',
      '    more',
    ],
    [
      'Sphinx',
      '<p>a <a class="footnote-reference brackets" href="#id2" id="id1"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote brackets" id="id2"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>note</p></aside>',
      'a [^1]',
      '',
      '[^1]: note',
    ],
    [
      'Sphinx of old',
      '<p>a <a class="footnote-reference brackets" href="#id2" id="id1">1</a></p><dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>note</p></dd></dl>',
      'a [^1]',
      '',
      '[^1]: note',
    ],
    [
      'MediaWiki, a note with two marks',
      'a<sup id="cite_ref-x_1-0" class="reference"><a href="#cite_note-x-1">[1]</a></sup> b<sup id="cite_ref-x_1-1" class="reference"><a href="#cite_note-x-1">[1]</a></sup> c<sup id="cite_ref-2" class="reference"><a href="#cite_note-2">[note 2]</a></sup><ol class="references"><li id="cite_note-x-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-x_1-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-x_1-1"><sup><i><b>b</b></i></sup></a></span> <span class="reference-text">Book <a href="/x">x</a></span></li><li id="cite_note-2"><span class="mw-cite-backlink"><b><a href="#cite_ref-2">^</a></b></span> <span class="reference-text">Other</span></li></ol>',
      'a[^1] b[^1] c[^note-2]',
      '',
      '[^1]: Book [x](https://example.com/x)',
      '',
      '[^note-2]: Other',
    ],
    [
      'by hand',
      '<p>a<sup><a name="r1" href="#n1">*</a></sup></p><p><a name="n1" href="#r1">*</a> note</p>',
      'a[^1]',
      '',
      '[^1]: note',
    ],
    [
      'two notes of one number',
      '<p>a<sup><a id="r1" href="#n1">1</a></sup> b<sup><a id="r2" href="#n2">1</a></sup></p><p id="n1">x <a href="#r1">↩</a></p><p id="n2">y <a href="#r2">↩</a></p>',
      'a[^1] b[^1-2]',
      '',
      '[^1]: x',
      '',
      '[^1-2]: y',
    ],
  ])('as %s writes them', (_, html, ...lines) => {
    expect(markdownOf(html)).toBe(`${lines.join('\n')}\n`);
  });

  it.each<[string, string, string]>([
    [
      'a mark without a note',
      'a<sup><a id="r1" href="#n1">1</a></sup>',
      'a[1](https://example.com/p#n1)',
    ],
    [
      'a note that does not lead back',
      '<p>a<sup><a id="r1" href="#n1">1</a></sup></p><p id="n1">x</p>',
      'a[1](https://example.com/p#n1)\n\nx',
    ],
    [
      'a table of contents',
      '<ul><li><a id="t1" href="#s1">1</a></ul><div id="s1">x <a href="#t1">up</a></div>',
      '- [1](https://example.com/p#s1)\n\nx [up](https://example.com/p#t1)',
    ],
    [
      'a hidden note',
      '<p>a<sup><a id="r1" href="#n1">1</a></sup></p><p id="n1" hidden>x <a href="#r1">↩</a></p>',
      'a[1](https://example.com/p#n1)',
    ],
    ['text that looks like one', '<p>a[^1]<p>[^1]: x', 'a\\[^1]\n\n\\[^1\\]: x'],
  ])('are not made of %s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(`${markdown}\n`);
  });
});
