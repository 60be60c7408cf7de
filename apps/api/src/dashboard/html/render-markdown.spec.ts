import { MAX_RENDERED_CHARS, renderMarkdown } from './render-markdown.js';

const rendered = (text: string): string =>
  renderMarkdown(text).toString().replace(/\s+/g, ' ').replace(/> </g, '><').trim();

describe('Markdown as markup', () => {
  it.each([
    ['a paragraph', 'one\ntwo', '<p>one two</p>'],
    ['two paragraphs', 'one\n\ntwo', '<p>one</p><p>two</p>'],
    ['headings, below those of the page', '# A\n###### B ##', '<h3>A</h3><h6>B</h6>'],
    ['a hash that is no heading', '#tag', '<p>#tag</p>'],
    ['a rule', 'a\n\n---\n\n* * *', '<p>a</p><hr><hr>'],
    ['emphasis', '*a* **b** _c_ ~~d~~', '<p><em>a</em><strong>b</strong><em>c</em><s>d</s></p>'],
    ['emphasis in emphasis', '**a *b* c**', '<p><strong>a <em>b</em> c</strong></p>'],
    ['marks without a partner', '2 * 3 **a _b', '<p>2 * 3 **a _b</p>'],
    ['a name with underscores', 'a_b_c', '<p>a_b_c</p>'],
    ['what is escaped', '\\*a\\* \\[b\\](c)', '<p>*a* [b](c)</p>'],
    ['code', '`` a ` <b> ``', '<p><code>a ` &lt;b&gt;</code></p>'],
    ['backticks without a partner', '``a`', '<p>``a`</p>'],
    ['a break', 'a  \nb\\\nc', '<p>a<br> b<br> c</p>'],
    ['entities', '&lt;b&gt; &amp; &nope;', '<p>&lt;b&gt; &amp; &amp;nope;</p>'],
    ['a quote', '> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
    ['a list', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['a numbered list', '3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['a list in a list', '- a\n  - b\n- c', '<ul><li>a <ul><li>b</li></ul></li><li>c</li></ul>'],
    ['an item that continues', '- a\n\n  b\n\nc', '<ul><li><p>a</p><p>b</p></li></ul><p>c</p>'],
  ])('is %s', (_name, text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('keeps code unchanged', () => {
    const code = '```html\n<script>\n  x\n</script>\n```\nafter';
    expect(renderMarkdown(code).toString()).toBe(
      '<pre tabindex="0"><code>&lt;script&gt;\n  x\n&lt;/script&gt;</code></pre><p>after</p>\n',
    );
    expect(renderMarkdown('    a\n      b').toString()).toContain('<code>a\n  b</code>');
    expect(renderMarkdown('~~~\nno end').toString()).toContain('<code>no end</code>');
  });

  it('shows a table', () => {
    const table = rendered('| a | b |\n|---|:-:|\n| `x\\|y` | *z* | more |\n\nend');
    expect(table).toContain('<th scope="col">a</th><th scope="col">b</th>');
    expect(table).toContain('<td><code>x|y</code></td><td><em>z</em></td></tr>');
    expect(table).toContain('</div><p>end</p>');
  });

  it.each([
    ['[a](http://x.example/ "t")', 'href="http://x.example/"'],
    ['[a](<http://x.example/a b>)', 'href="http://x.example/a%20b"'],
    ['[a](http://x.example/a_(b))', 'href="http://x.example/a_(b)"'],
    ['<https://x.example/?a=1&b=2>', 'href="https://x.example/?a=1&amp;b=2"'],
    ['![logo](http://x.example/a.png)', '<span class="image">logo</span></a>'],
    ['[![logo](http://x.example/a.png) b](http://y.example/)', 'href="http://y.example/"'],
  ])('links %s', (text, expected) => {
    expect(rendered(text)).toContain(expected);
    expect(rendered(text).match(/<a |<\/a>/g)).toHaveLength(2);
    expect(rendered(text)).not.toContain('"></a>');
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JAVASCRIPT:alert(1))',
    '[a](<java\tscript:alert(1)>)',
    '[a](&#106;avascript:alert(1))',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a](/dashboard/sign-out)',
    '![a](javascript:alert(1))',
    '<javascript:alert(1)>',
    '[a](http://x.example/" onclick="alert(1))',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[<img src=x onerror=alert(1)>](x)',
    '# <svg onload=alert(1)>',
    '- <iframe srcdoc="<script>alert(1)</script>">',
    '| <b onclick=alert(1)> |\n|---|\n| </td><script> |',
    '`</code><script>`',
    '```\n</pre><script>\n```',
    '> <a href="javascript:alert(1)">',
    '![" onerror="alert(1)](http://x.example/)',
  ])('runs no code of %j', (text) => {
    const page = rendered(text);
    const tags = [...page.matchAll(/<\/?([a-z0-9]+)(?![a-z0-9])((?:[^<>"]|"[^"]*")*)>/g)];
    const names = new Set(tags.map((tag) => tag[1]));
    for (const name of ['script', 'img', 'iframe', 'svg', 'b']) expect(names).not.toContain(name);
    const attributes = tags.map((tag) => tag[2] ?? '').join(' ');
    expect(attributes.replace(/"[^"]*"/g, '""')).not.toMatch(/\bon\w+=|style=|src=/i);
    expect(attributes).not.toMatch(/(javascript|data|vbscript):|href="\//i);
  });

  it('is cut when it is too long', () => {
    const page = renderMarkdown('a'.repeat(MAX_RENDERED_CHARS + 1)).toString();
    expect(page).toContain('Shown up to here.');
    expect(renderMarkdown('a'.repeat(MAX_RENDERED_CHARS)).toString()).not.toContain('Shown up to');
  });
});
