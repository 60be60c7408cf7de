import { parseHtml } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { MAX_CONTAINER_DEPTH } from '../limits.js';
import { writeMarkdown } from './write-markdown.js';

const markdownOf = (html: string): string =>
  writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/docs/')).markdown;

/** Name of the case, HTML, lines of Markdown. */
type Case = readonly [name: string, html: string, ...lines: string[]];

const check = (cases: readonly Case[]): void => {
  it.each(cases.map(([name, html, ...lines]) => [name, html, lines.join('\n')]))(
    '%s',
    (_, html, expected) => {
      expect(markdownOf(html)).toBe(expected === '' ? '' : `${expected}\n`);
    },
  );
};

describe('blocks', () => {
  check([
    ['nothing gives nothing', ' <p> </p><div><b></b></div>'],
    ['headings of six levels', '<h1>a</h1><h6>b</h6>', '# a', '', '###### b'],
    ['a heading stays one line', '<h2> a<br>b <div>c</div></h2>', '## a b c'],
    ['closing hashes of a heading are text', '<h2>C #</h2><h2>C#</h2>', '## C \\#', '', '## C#'],
    ['bold says nothing in a heading', '<h2><b>a</b> <i>b</i></h2>', '## a *b*'],
    ['an unclosed heading ends at the next list', '<h2>a<ul><li>b</ul>', '## a', '', '- b'],
    ['a permalink of a heading goes', '<h2>a <a href="#a">¶</a></h2>', '## a'],
    ['paragraphs', '<p>a</p>\n<p>b</p>c<div>d</div>', 'a', '', 'b', '', 'c', '', 'd'],
    ['white space collapses across elements', '<p> a <b> b</b> \n c&nbsp; d </p>', 'a **b** c d'],
    ['line breaks', '<p>a<br>b</p>', 'a\\', 'b'],
    ['a break at the edge of a block is none', '<p><br>a<br></p>', 'a'],
    ['two line breaks end a paragraph', 'a<br><br>b<br> <br>c', 'a', '', 'b', '', 'c'],
    ['rules', 'a<hr>b', 'a', '', '---', '', 'b'],
    ['quotes', '<blockquote><p>a<p>b</blockquote>c', '> a', '>', '> b', '', 'c'],
    [
      'quotes in a row stay apart',
      '<blockquote>a</blockquote><blockquote>b</blockquote>',
      '> a',
      '',
      '> b',
    ],
    [
      'quotes hold lists and code',
      '<blockquote><ul><li>a</ul><pre>x\n\ny</pre></blockquote>',
      '> - a',
      '>',
      '> ```',
      '> x',
      '>',
      '> y',
      '> ```',
    ],
    [
      'quotes in quotes',
      '<blockquote>a<blockquote>b</blockquote></blockquote>',
      '> a',
      '>',
      '> > b',
    ],
    [
      'terms and definitions',
      '<dl><dt>A<dt>B<dd>x<dd>y<dt>C<dd><p>p<p>q</dl>',
      '**A**',
      '',
      '**B**',
      '',
      ': x',
      '',
      ': y',
      '',
      '**C**',
      '',
      ': p',
      '',
      'q',
    ],
    [
      'a definition that is code is not marked',
      '<dl><dt>A<dd><pre>x</pre></dl>',
      '**A**',
      '',
      '```',
      'x',
      '```',
    ],
    ['details', '<details><summary>S</summary><p>a</details>', '**S**', '', 'a'],
    [
      'a heading in a summary',
      '<details><summary><h3>S</h3></summary>a</details>',
      '### S',
      '',
      'a',
    ],
    [
      'figures',
      '<figure><img src=a.png alt=A><figcaption>C</figcaption></figure>',
      '![A](https://example.com/docs/a.png)',
      '',
      'C',
    ],
  ]);
});

describe('lists', () => {
  check([
    ['unordered', '<ul> <li>a</li> <li>b</li> </ul>', '- a', '- b'],
    [
      'ordered with start and value',
      '<ol start=3><li>a<li value=9>b<li>c</ol>',
      '3. a',
      '9. b',
      '10. c',
    ],
    [
      'nested lists are tight',
      '<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>',
      '- a',
      '  - b',
      '    1. c',
      '- d',
    ],
    [
      'a list that does not start at 1 needs a blank line',
      '<ul><li>a<ol start=2><li>b</ol></ul>',
      '- a',
      '',
      '  2. b',
    ],
    [
      'items of several blocks are loose',
      '<ul><li><p>a<p>b<li>c</ul>',
      '- a',
      '',
      '  b',
      '',
      '- c',
    ],
    [
      'an item that starts with code',
      '<ol><li><pre>x\ny</pre></ol>',
      '1. ```',
      '   x',
      '   y',
      '   ```',
    ],
    ['reversed', '<ol reversed><li>a<li>b<li>c</ol>', '3. a', '2. b', '1. c'],
    ['reversed from a start', '<ol reversed start=9><li>a<li>b</ol>', '9. a', '8. b'],
    [
      'switches of menus and fields of forms, which are no tasks',
      '<ul><li><input type=checkbox id=m><label for=m>Products</label><ul><li>P</ul><li><input type=checkbox name=brand> Nike<li><input type=checkbox hidden> Menu</ul>',
      '- Products',
      '  - P',
      '- Nike',
      '- Menu',
    ],
    [
      'tasks',
      '<ul><li><input type=checkbox checked disabled> a<li><label><input type=checkbox>b</label><li>c <input type=checkbox></ul>',
      '- [x] a',
      '- [ ] b',
      '- c',
    ],
    ['paragraphs are separated by blank lines', '<ul><li><p>a<li><p>b</ul>', '- a', '', '- b'],
    ['but not those of Sphinx', '<ul class=simple><li><p>a<li><p>b</ul>', '- a', '- b'],
    [
      'blocks under text need no blank line, code does',
      '<ul><li>a<blockquote>q</blockquote><h3>h</h3><hr></ul><ol><li>a<pre>x</pre></ol>',
      '- a',
      '  > q',
      '  ### h',
      '  ___',
      '',
      '1. a',
      '',
      '   ```',
      '   x',
      '   ```',
    ],
    ['an item that is a rule', '<ul><li><hr></ul>', '- ___'],
    ['empty items count', '<ol><li>a<li><li>c<li></ol>', '1. a', '2.', '3. c'],
    ['empty bullets do not show', '<ul><li>a<li><li>c</ul>', '- a', '- c'],
    [
      'a list in a list without an item',
      '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>',
      '- a',
      '  - b',
      '- c',
    ],
    ['two lists stay two lists', '<ul><li>a</ul><ul><li>b</ul>', '- a', '', '* b'],
    ['two ordered lists too', '<ol><li>a</ol><ol><li>b</ol>', '1. a', '', '1) b'],
    ['an item without a list', '<li>a<li>b', '- a', '', '- b'],
    ['an empty list leaves its surroundings alone', 'a<ul><li></li></ul>b', 'a', '', 'b'],
    ['numbers are clamped to what CommonMark reads', '<ol start=-5><li>a</ol>', '0. a'],
  ]);
});

describe('code', () => {
  check([
    [
      'a block keeps its text',
      '<pre>\n  a  <b>b</b>\n\n\tc &lt;\n</pre>',
      '```',
      '  a  b',
      '',
      '\tc <',
      '```',
    ],
    [
      'a fence is longer than what is inside',
      '<pre>```\nx\n````</pre>',
      '`````',
      '```',
      'x',
      '````',
      '`````',
    ],
    ['br is a line', '<pre>a<br>b</pre>', '```', 'a', 'b', '```'],
    ['lines as blocks', '<pre><div>a</div><div>b</div></pre>', '```', 'a', 'b', '```'],
    [
      'language of the code element',
      '<pre><code class="hljs language-ts">x</code></pre>',
      '```ts',
      'x',
      '```',
    ],
    ['language lang-x', '<pre class="prettyprint lang-py">x</pre>', '```py', 'x', '```'],
    [
      'language as GitHub has it',
      '<div class="highlight highlight-source-js"><pre>x</pre></div>',
      '```js',
      'x',
      '```',
    ],
    [
      'language as Sphinx has it',
      '<div class="highlight-python3 notranslate"><div class="highlight"><pre>x</pre></div></div>',
      '```python3',
      'x',
      '```',
    ],
    [
      'language with what only the highlighter reads',
      '<pre><code class="language-js{1,3}">x</code></pre>',
      '```js',
      'x',
      '```',
    ],
    [
      'language as GitHub renders it',
      '<pre lang="ruby"><code>x</code></pre>',
      '```ruby',
      'x',
      '```',
    ],
    ['a bare language', '<pre><code class="hljs python">x</code></pre>', '```python', 'x', '```'],
    [
      'language and gutter as Hexo has them',
      '<figure class="highlight java"><table><tr><td class="gutter"><pre>1</pre></td><td class="code"><pre><span class="line">a</span><br><span class="line">b</span></pre></td></tr></table></figure>',
      '```java',
      'a',
      'b',
      '```',
    ],
    [
      'lines by a style of their own',
      '<pre><span style="display:flex">a</span><span style="display:flex">b</span></pre>',
      '```',
      'a',
      'b',
      '```',
    ],
    [
      "Doxygen's lines",
      '<div class="fragment"><div class="line"><span class="lineno">1</span>&#160;a</div><div class="line">b</div></div>',
      '```',
      ' a',
      'b',
      '```',
    ],
    [
      'what is hidden in code',
      '<pre>a<span hidden>x</span><button>Copy</button></pre>',
      '```',
      'a',
      '```',
    ],
    ['language brush', '<pre class="brush: sql">x</pre>', '```sql', 'x', '```'],
    ['no language', '<pre class="language-none">x</pre>', '```', 'x', '```'],
    [
      'line numbers go',
      '<table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
      '```',
      'a',
      'b',
      '```',
    ],
    ['inline', 'Use <code>f( x )</code>.', 'Use `f( x )`.'],
    ['backticks inside', '<code>a`b</code> <code>`</code>', '``a`b`` `` ` ``'],
    ['spaces at the edges go outside', 'a<code> b </code>c', 'a `b` c'],
    ['neighbours join', '<code>a</code><code>b</code>', '`ab`'],
    [
      'a link inside code',
      '<code>a <a href=/x>b</a> c</code>',
      '`a` [`b`](https://example.com/x) `c`',
    ],
    ['emphasis inside code has no Markdown', '<code>a<i>b</i></code>', '`ab`'],
    ['empty code vanishes', 'a<code> </code>b<pre> </pre>', 'a b'],
  ]);
});

describe('emphasis', () => {
  check([
    [
      'kinds',
      '<b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <del>e</del> <s>f</s>',
      '**a** **b** *c* *d* ~~e~~ ~~f~~',
    ],
    ['spaces go outside', 'a<b> b </b>c', 'a **b** c'],
    ['empty emphasis vanishes', 'a<b></b><i> </i>b', 'a b'],
    ['the same nested is one', '<b>a <strong>b</strong></b>', '**a b**'],
    ['neighbours join', '<b>a</b><b>b</b>', '**ab**'],
    ['both', '<b><i>a</i></b>', '***a***'],
    ['inside a word', 'un<b>believ</b>able', 'un**believ**able'],
    ['punctuation before a word goes outside', '<b>Note:</b>text', '**Note**:text'],
    ['punctuation after a word goes outside', 'a<b>(b)</b> c', 'a(**b)** c'],
    ['as in Japanese', '日本<b>「太字」</b>は', '日本「**太字**」は'],
    ['punctuation beside space stays inside', '<b>Note:</b> text', '**Note:** text'],
    ['nothing but punctuation', 'a<b>!</b>b', 'a!b'],
    [
      'around a link in a word it goes inside',
      'a<b><a href=/x>y</a></b>b',
      'a[**y**](https://example.com/x)b',
    ],
    [
      'before a word that follows a link in it',
      '<b><a href=/x>y</a></b>b',
      '[**y**](https://example.com/x)b',
    ],
    [
      'on both sides of a link in it',
      '<b>a <a href=/x>y</a></b>b',
      '**a** [**y**](https://example.com/x)b',
    ],
    ['around symbols that some readers take for letters', 'a<b>→</b>b <b>→ c</b>', 'a→b **→ c**'],
    ['over several blocks', '<b><p>a<p>b</b>', '**a**', '', '**b**'],
    ['over a line break', '<b>a<br>b</b>', '**a\\', 'b**'],
    [
      'raised figures are exponents, other raised and lowered text is plain',
      '10<sup>-6</sup> 1<sup>st</sup> H<sub>2</sub>O <sup>2</sup>x',
      '10^-6 1st H2O 2x',
    ],
    ['quotations', '<q>a</q>', '“a”'],
    ['ruby', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>', '漢(かん)'],
    [
      'ruby of several characters, as one word',
      '<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>都',
      '東京(とうきょう)都',
    ],
    ['soft hyphens and accents of their own', 'Mu\u0308n&shy;chen', 'München'],
  ]);
});

describe('links and images', () => {
  const URL_X = 'https://example.com/x';
  check([
    ['absolute', '<a href=/x>a</a>', `[a](${URL_X})`],
    ['with a title', '<a href=/x title=\'a "b"\'>a</a>', `[a](${URL_X} "a \\"b\\"")`],
    ['a title that repeats the text goes', '<a href=/x title="a">a</a>', `[a](${URL_X})`],
    ['spaces go outside', 'a<a href=/x> b </a>c', `a [b](${URL_X}) c`],
    ['brackets in pairs stay', '<a href=/x>[1]</a>', `[[1]](${URL_X})`],
    ['others are escaped', '<a href=/x>a] [b</a>', `[a\\] \\[b](${URL_X})`],
    ['parentheses in pairs stay', '<a href=/a_(b)>a</a>', '[a](https://example.com/a_(b))'],
    ['others are escaped in the address', '<a href="/a(">a</a>', '[a](https://example.com/a\\()'],
    [
      'an entity in the address is not one',
      '<a href="/?a=1&amp;lt;">a</a>',
      '[a](https://example.com/?a=1&amp;lt;)',
    ],
    ['script addresses leave the text', '<a href="javascript:x">a</a> <a>b</a>', 'a b'],
    ['mail stays', '<a href="mailto:a@b.c">a</a>', '[a](mailto:a@b.c)'],
    ['empty links vanish', 'a<a href=/x></a>b', 'ab'],
    [
      'an image in a link',
      '<a href=/x><img src=i.png alt=I></a>',
      `[![I](https://example.com/docs/i.png)](${URL_X})`,
    ],
    [
      'a card: its first block and its heading are the link',
      '<a href=/x><img src=i.png alt=I><h3>T</h3><p>d</p></a>',
      `[![I](https://example.com/docs/i.png)](${URL_X})`,
      '',
      `### [T](${URL_X})`,
      '',
      'd',
    ],
    [
      'bold inside and outside',
      '<b><a href=/x>a</a></b> <a href=/x><b>b</b></a>',
      `**[a](${URL_X})** [**b**](${URL_X})`,
    ],
    [
      'an exclamation mark before a link makes no image',
      'Hi!<a href=/x>a</a>',
      `Hi\\![a](${URL_X})`,
    ],
    [
      'text that would become a link with its neighbour',
      '<i>a</i><span>[b]</span>(c)',
      '*a*[b\\](c)',
    ],
    [
      'alt and title are escaped',
      '<img src=i.png alt="a ]*b*">',
      '![a \\]\\*b\\*](https://example.com/docs/i.png)',
    ],
    ['no alt', '<img src=i.png>', '![](https://example.com/docs/i.png)'],
    [
      'lazy source',
      '<img src="data:image/gif;base64,R0" data-src=i.png alt=a>',
      '![a](https://example.com/docs/i.png)',
    ],
    [
      'best of a source set',
      '<img srcset="s.png 1x, b.png 3x, m.png 2x" alt=a>',
      '![a](https://example.com/docs/b.png)',
    ],
    [
      'the best of a source set rather than the source',
      '<img src=s.png srcset="s.png 480w, l.png 1200w" alt=a>',
      '![a](https://example.com/docs/l.png)',
    ],
    [
      'a title that says more',
      '<img src=i.png alt=a title="b &quot;c&quot;"><img src=i.png alt=a title=a>',
      '![a](https://example.com/docs/i.png "b \\"c\\"")![a](https://example.com/docs/i.png)',
    ],
    [
      'links in a description',
      '<img src=i.png alt="[a](b)">',
      '![\\[a\\](b)](https://example.com/docs/i.png)',
    ],
    [
      'a source set with commas in addresses',
      '<img srcset="/c_1,w_2/s.png 100w, /c_1,w_9/b.png 900w" alt=a>',
      '![a](https://example.com/c_1,w_9/b.png)',
    ],
    [
      'source of a picture',
      '<picture><source srcset="p.webp 2x"><img alt=a></picture>',
      '![a](https://example.com/docs/p.webp)',
    ],
    [
      'inlined images are kept',
      `<img alt=a src="data:image/png;base64,${'A'.repeat(9_000)}">`,
      `![a](data:image/png;base64,${'A'.repeat(9_000)})`,
    ],
    [
      'inlined images without a description are kept, placeholders are not',
      `<img src="data:image/png;base64,${'A'.repeat(1_000)}"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
      `![](data:image/png;base64,${'A'.repeat(1_000)})`,
    ],
    [
      'inlined images of source end no target',
      `<img alt=a src='data:image/svg+xml,<svg x="|">(a)\n</svg>'>`,
      '![a](data:image/svg+xml,%3Csvg%20x=%22%7C%22%3E%28a%29%0A%3C/svg%3E)',
    ],
    [
      'inlined data that is no picture',
      '<img alt=a src="data:text/html;base64,AAAA">',
      '![a](data:text/html)',
    ],
    ['tracking pixels go', 'a<img src=p.gif width=1 height=1>b', 'ab'],
    ['an image without a source is its alt', '<img alt="words">', 'words'],
    ['emoji images are emoji', 'a <img class=emoji src=e.png alt="😀">', 'a 😀'],
    [
      'embedded pages',
      'a<iframe src=/x title="T"></iframe><iframe src=about:blank></iframe>',
      'a',
      '',
      `[T](${URL_X})`,
    ],
    [
      'video and audio',
      '<video><source src=/x>No video</video><audio src=/x></audio>',
      `[Video](${URL_X})`,
      '',
      `[Audio](${URL_X})`,
    ],
    [
      'formulas',
      '<math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math>',
      '$x^2$',
    ],
    ['formulas without a source', '<math><mi>x</mi><mo>=</mo><mn>1</mn></math>', '$x=1$'],
  ]);
});

describe('tables', () => {
  check([
    [
      'header from th',
      '<table><tr><th>a<th>b<tr><td>1<td>2</table>',
      '| a | b |',
      '| --- | --- |',
      '| 1 | 2 |',
    ],
    [
      'header from the first row',
      '<table><tr><td><b>a</b><td>b<tr><td>1<td><b>2</b></table>',
      '| a | b |',
      '| --- | --- |',
      '| 1 | **2** |',
    ],
    [
      'sections and caption',
      '<table><caption>C</caption><thead><tr><th>a<th>b</thead><tfoot><tr><td>3<td>4</tfoot></table>',
      'C',
      '',
      '| a | b |',
      '| --- | --- |',
      '| 3 | 4 |',
    ],
    [
      'empty cells stay',
      '<table><tr><th>a<th>b<th>c<tr><td><td>x<td></table>',
      '| a | b | c |',
      '| --- | --- | --- |',
      '| | x | |',
    ],
    [
      'short rows are padded',
      '<table><tr><th>a<th>b<tr><td>1</table>',
      '| a | b |',
      '| --- | --- |',
      '| 1 | |',
    ],
    [
      'long rows widen the header',
      '<table><tr><th>a<tr><td>1<td>2</table>',
      '| a | |',
      '| --- | --- |',
      '| 1 | 2 |',
    ],
    [
      'pipes',
      '<table><tr><th>a|b<th><code>c|d</code></table><p>x',
      '| a\\|b | `c\\|d` |',
      '| --- | --- |',
      '',
      'x',
    ],
    ['lines', '<table><tr><th>a<br>b<th><p>c<p>d</table>', '| a<br>b | c<br>d |', '| --- | --- |'],
    [
      'lists and code in cells',
      '<table><tr><th>a<th>b<tr><td><ul><li>i<li>j</ul><td><pre>x\ny</pre></table>',
      '| a | b |',
      '| --- | --- |',
      '| - i<br>- j | `x`<br>`y` |',
    ],
    [
      'colspan repeats',
      '<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>',
      '| a | a | b |',
      '| --- | --- | --- |',
      '| 1 | 2 | 3 |',
    ],
    [
      'a title across all columns too',
      '<table><tr><th>a<th>b<tr><td colspan=2>t<tr><td>1<td>2</table>',
      '| a | b |',
      '| --- | --- |',
      '| t | t |',
      '| 1 | 2 |',
    ],
    [
      'rowspan fills',
      '<table><tr><th>a<th>b<tr><td rowspan=2>x<td>1<tr><td>2</table>',
      '| a | b |',
      '| --- | --- |',
      '| x | 1 |',
      '| x | 2 |',
    ],
    [
      'alignment',
      '<table><tr><th align=left>a<th style="text-align: center">b<th align=right>c<tr><td>1<td>2<td>3</table>',
      '| a | b | c |',
      '| :--- | :---: | ---: |',
      '| 1 | 2 | 3 |',
    ],
    [
      'a table inside is flattened',
      '<table><tr><th>a<th>b<tr><td><table><tr><td>1<td>2<tr><td>3</table><td>x</table>',
      '| a | b |',
      '| --- | --- |',
      '| 1 2<br>3 | x |',
    ],
    ['a single column is layout', '<table><tr><td><p>a<tr><td><p>b</table>', 'a', '', 'b'],
    [
      'tables around tables are layout',
      '<table><tr><td>nav<td><table><tr><th>a<th>b</table></table>',
      'nav',
      '',
      '| a | b |',
      '| --- | --- |',
    ],
    [
      'role presentation is layout',
      '<table role=presentation><tr><td>a<td>b<tr><td>c</table>',
      'a b',
      '',
      'c',
    ],
    [
      'role table is data',
      '<table role=table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f</table></table>',
      '| a | b |',
      '| --- | --- |',
      '| c | d e<br>f |',
    ],
    [
      'texts in cells of a layout are apart, words are one line',
      `<table><tr><td><h2>a</h2>x<td>y<tr><td>${'One sentence of many words. '.repeat(3)}<td>${'Another one, as long as that. '.repeat(3)}</table>`,
      '## a',
      '',
      'x y',
      '',
      'One sentence of many words. One sentence of many words. One sentence of many words.',
      '',
      'Another one, as long as that. Another one, as long as that. Another one, as long as that.',
    ],
    ['headings in cells mean layout', '<table><tr><td><h2>a</h2><td>b</table>', '## a', '', 'b'],
    [
      'text between cells is kept',
      '<table><tr>stray<th>a<th>b</table>',
      'stray',
      '',
      '| a | b |',
      '| --- | --- |',
    ],
    ['an empty table vanishes', 'a<table><tr><td></table>b', 'a', '', 'b'],
    [
      'links and emphasis end with their cell',
      '<table><tr><th>h<th>i<tr><td><a href=/x>a</a><td><b>b</b></table>',
      '| h | i |',
      '| --- | --- |',
      '| [a](https://example.com/x) | **b** |',
    ],
    [
      'in a list item',
      '<ul><li>x<table><tr><th>a<th>b</table></ul>',
      '- x',
      '',
      '  | a | b |',
      '  | --- | --- |',
    ],
  ]);
});

describe('omitted content', () => {
  check([
    [
      'scripts and the like',
      'a<script>x</script><style>x</style><noscript>x</noscript><template>x</template><svg><text>x</text></svg>b',
      'ab',
    ],
    ['the head', '<head><title>x</title></head>a', 'a'],
    [
      'hidden elements',
      'a<p hidden>x</p><i aria-hidden=true>x</i><p style="color:red;DISPLAY : none">x</p><p style="visibility:hidden">x</p>b',
      'ab',
    ],
    ['closed dialogs', '<dialog>x</dialog><dialog open>a</dialog>', 'a'],
    [
      'controls',
      'a <input value=x><select><option>x</select><textarea>x</textarea><button>x</button> <label>b</label>',
      'a b',
    ],
    [
      'but not buttons that are titles',
      '<h3><button>a</button></h3><button aria-expanded=false>b</button>',
      '### a',
      '',
      'b',
    ],
  ]);
});

describe('escapes', () => {
  check([
    ['emphasis', '*a* **b** _c_ ~~d~~', '\\*a\\* \\*\\*b\\*\\* \\_c\\_ ~\\~d\\~\\~'],
    [
      'not where it could not be',
      '2 * 3, snake_case, a [b] c, AT&amp;T, 1 &lt; 2',
      '2 * 3, snake_case, a [b] c, AT&T, 1 < 2',
    ],
    ['code', 'a `b`', 'a \\`b\\`'],
    ['HTML and entities', '&lt;b> &amp;amp; &amp;#65;', '\\<b> \\&amp; \\&#65;'],
    ['links', '[a](b) [a]: b', '[a\\](b) [a\\]: b'],
    ['backslashes', 'a\\*b c\\d', 'a\\\\\\*b c\\d'],
    [
      'starts of lines',
      '<p># a<p>- b<p>+ c<p>1. d<p>12) e<p>> f<p>===<p>* g<p>[x] h',
      '\\# a',
      '',
      '\\- b',
      '',
      '\\+ c',
      '',
      '1\\. d',
      '',
      '12\\) e',
      '',
      '\\> f',
      '',
      '\\===',
      '',
      '\\* g',
      '',
      '\\[x] h',
    ],
    ['not where a line does not start', '<p>#a -b 1.5 a# - b', '#a -b 1.5 a# - b'],
    ['after a line break too', '<p>a<br># b<br>---', 'a\\', '\\# b\\', '\\---'],
  ]);
});

describe('limits', () => {
  it('indents no further than the limit and reports it', () => {
    const html = '<ul><li>x'.repeat(MAX_CONTAINER_DEPTH + 5);
    const written = writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/'));
    expect(written.truncatedBy).toBe('max_depth');
    expect(written.markdown.match(/x/g)).toHaveLength(MAX_CONTAINER_DEPTH + 5);
  });
});
