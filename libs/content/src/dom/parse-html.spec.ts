import { type Document, type Element, Text } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES } from '../limits.js';
import { parseHtml, parsePage } from './parse-html.js';

/** Tags and text without attributes; small trees only. */
function outline(node: Document | Element): string {
  return node.children
    .map((child) => {
      if (child instanceof Text) return child.data;
      const element = child as Element;
      const content = outline(element);
      return content === ''
        ? `<${element.name}/>`
        : `<${element.name}>${content}</${element.name}>`;
    })
    .join('');
}

describe('parseHtml', () => {
  it.each<[string, string, string]>([
    ['paragraphs end paragraphs', '<p>a<p>b', '<p>a</p><p>b</p>'],
    ['blocks end paragraphs', '<p>a<div>b</div>', '<p>a</p><div>b</div>'],
    [
      'a table cell shields its paragraph',
      '<p>a<table><tr><td><p>b</table>',
      '<p>a</p><table><tr><td><p>b</p></td></tr></table>',
    ],
    ['items end items', '<ul><li>a<b>x</b><li>b</ul>', '<ul><li>a<b>x</b></li><li>b</li></ul>'],
    [
      'a sublist keeps its item open',
      '<ul><li>a<ul><li>b</ul>c<li>d</ul>',
      '<ul><li>a<ul><li>b</li></ul>c</li><li>d</li></ul>',
    ],
    [
      'terms end definitions',
      '<dl><dt>a<dd>b<dt>c</dl>',
      '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>',
    ],
    [
      'cells and rows end each other',
      '<table><tr><td>a<td>b<tr><th>c</table>',
      '<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>',
    ],
    [
      'sections end rows',
      '<table><thead><tr><th>a<tbody><tr><td>b</table>',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    [
      'an inner table leaves the outer row alone',
      '<table><tr><td><table><tr><td>a</table>b</table>',
      '<table><tr><td><table><tr><td>a</td></tr></table>b</td></tr></table>',
    ],
    ['any heading end tag ends a heading', '<h3>a</h2>b', '<h3>a</h3>b'],
    ['links end links', '<a>a<a>b</a>', '<a>a</a><a>b</a>'],
    ['misnested formatting goes on', '<a>x<i>y</a>z</i>w', '<a>x<i>y</i></a><i>z</i>w'],
    ['formatting goes on in the next block', '<p><b>a<p>b</b>c', '<p><b>a</b></p><p><b>b</b>c</p>'],
    [
      'formatting ended inside a block leaves the block',
      '<b>a<p>b</b>c</p>d',
      '<b>a</b><p><b>b</b>c</p>d',
    ],
    [
      'formatting does not leave its cell',
      '<table><tr><td><b>a<td>b</table>c',
      '<table><tr><td><b>a</b></td><td>b</td></tr></table>c',
    ],
    [
      'an inline end tag does not end a block',
      '<span><div>a</span>b</div>',
      '<span><div>ab</div></span>',
    ],
    ['a stray end tag is nothing', 'a</div></b></svg>b', 'ab'],
    ['a stray paragraph end tag parts what is around it', 'a</p>b', 'a<p/>b'],
    ['a stray br end tag is a break', 'a</br>b', 'a<br/>b'],
    ['void elements hold nothing', '<img>a<br>b<hr>c', '<img/>a<br/>b<hr/>c'],
    [
      'content ends the head',
      '<head><title>t</title><p>a',
      '<head><title>t</title></head><p>a</p>',
    ],
    ['text ends the head', '<head><meta>a', '<head><meta/></head>a'],
    ['a second body is the first', '<body>a<body>b</body>c', '<body>abc</body>'],
    [
      'raw text stays raw',
      '<script>a<b>&amp;</script><style><p></style>',
      '<script>a<b>&amp;</script><style><p></style>',
    ],
    ['titles decode', '<title>a<b>&amp;</title>', '<title>a<b>&</title>'],
    ['comments and doctypes vanish', '<!doctype html>a<!-- x -->b', 'ab'],
    [
      'a self-closed svg child is closed',
      '<svg><path/><g>a</g></svg>b',
      '<svg><path/><g>a</g></svg>b',
    ],
    ['HTML ends an unclosed svg', '<svg><path><p>a', '<svg><path/></svg><p>a</p>'],
    [
      'HTML inside foreignObject stays there',
      '<svg><foreignObject><p>a</p></foreignObject></svg>b',
      '<svg><foreignobject><p>a</p></foreignobject></svg>b',
    ],
    [
      'CDATA outside ends at the first >, as browsers have it',
      '<p>a<![CDATA[ b <i>c</i> ]]>d<p>e',
      '<p>ac ]]>d</p><p>e</p>',
    ],
    [
      'CDATA in a script is its text',
      '<script>a<![CDATA[>b]]></script>c',
      '<script>a<![CDATA[>b]]></script>c',
    ],
    [
      'a frame in noscript that closes itself',
      '<noscript><iframe/></noscript><p>a',
      '<noscript><iframe/></noscript><p>a</p>',
    ],
    ['a frame elsewhere does not', '<iframe/><p>a', '<iframe><p>a</iframe>'],
    [
      'CDATA is text in svg and nothing outside',
      '<svg><![CDATA[a]]></svg><![CDATA[b]]>',
      '<svg>a</svg>',
    ],
    ['buttons end buttons', '<button>a<button>b', '<button>a</button><button>b</button>'],
    [
      'options end options',
      '<select><option>a<option>b</select>',
      '<select><option>a</option><option>b</option></select>',
    ],
    ['tag names fold to lower case', '<DIV>a</Div>', '<div>a</div>'],
    ['image is img', '<image>', '<img/>'],
    ['an unfinished tag is dropped', 'a<div class="', 'a'],
    ['an unfinished end tag is dropped', 'a</div', 'a'],
    ['an end tag ends after its attributes', '<p>a</p title=x>b', '<p>a</p>b'],
    ['what is no tag is text', 'a < b <3 </', 'a < b <3 </'],
    ['an end tag without a name is nothing', 'a</>b', 'ab'],
    ['marks that no tag begins with are comments', 'a</ x>b<?xml?>c<!x>d<!>e', 'abcde'],
    ['comments end at --> and --!>', '<!--a>b--->c<!---->d<!--e--!>f', 'cdf'],
    ['the shortest comments are complete', '<!-->a<!--->b', 'ab'],
    ['a comment without an end is all that follows', 'a<!-- <p>b', 'a'],
    ['CDATA without an end is all that follows', '<svg><![CDATA[a<b>&amp;', '<svg>a<b>&amp;</svg>'],
    [
      'a script ends at its own end tag',
      '<script>a</scripts></SCRIPT >b',
      '<script>a</scripts></script>b',
    ],
    ['a script without an end is all that follows', '<script>a</div>', '<script>a</div></script>'],
    ['plain text has no end', '<plaintext>a</plaintext>', '<plaintext>a</plaintext></plaintext>'],
  ])('%s', (_, html, expected) => {
    expect(outline(parseHtml(html))).toBe(expected);
  });

  it('decodes entities in text and attributes', () => {
    const [link] = DomUtils.getElementsByTagName(
      'a',
      parseHtml('<a title="&quot;a&amp;b&quot;" href="?a=1&copy=2">&lt;&eacute;&#x41;</a>'),
    );
    expect((link as Element).attribs).toEqual({ title: '"a&b"', href: '?a=1&copy=2' });
    expect(outline(link as Element)).toBe('<éA');
  });

  it.each([
    ['<p a>', { a: '' }],
    ['<p a=b c = d/>', { a: 'b', c: 'd/' }],
    ['<p a="b>c"d=\'e"\'f>', { a: 'b>c', d: 'e"', f: '' }],
    ['<p/a=/b/c>', { a: '/b/c' }],
    ['<p =a "b" Data-X=1>', { '=a': '', '"b"': '', 'data-x': '1' }],
    ['<p a=>', { a: '' }],
  ])('reads the attributes of %s', (html, attributes) => {
    expect((parseHtml(html).children[0] as Element).attribs).toEqual(attributes);
  });

  it('keeps the first of two attributes and is safe from prototype names', () => {
    const [p] = DomUtils.getElementsByTagName(
      'p',
      parseHtml('<p a=1 A=2 __proto__=x constructor=y>'),
    );
    expect((p as Element).attribs.a).toBe('1');
    expect((p as Element).attribs.constructor).toBe('y');
  });

  it('returns a tree that the tools for domhandler work on', () => {
    const document = parseHtml('<ul><li class=a>1<li id=two>2<li class=a>3</ul><p>x</p>');
    const second = DomUtils.getElementById('two', document);
    expect(second?.prev).toBe(DomUtils.getElementsByClassName('a', document)[0]);
    expect(DomUtils.getOuterHTML(document)).toBe(
      '<ul><li class="a">1</li><li id="two">2</li><li class="a">3</li></ul><p>x</p>',
    );
  });

  it('links siblings and parents after formatting moved blocks', () => {
    const document = parseHtml('<b>a<p>b</b>c</p>d<i>e');
    const check = (parent: Document | Element): void =>
      parent.children.forEach((child, index) => {
        expect(child.parent).toBe(parent);
        expect(child.prev).toBe(parent.children[index - 1] ?? null);
        expect(child.next).toBe(parent.children[index + 1] ?? null);
        if ('children' in child) check(child as Element);
      });
    check(document);
  });

  it('flattens elements that are too deep and reports it', () => {
    const depth = MAX_DEPTH + 10;
    const page = parsePage('<div>'.repeat(depth) + 'x' + '</div>'.repeat(depth) + 'end');
    expect(page.truncatedBy).toBe('max_depth');
    expect(page.document.children.at(-1)).toMatchObject({ data: 'end' });
  });

  it('keeps the most nodes there may be and names what it leaves out', () => {
    const whole = parsePage('<hr>'.repeat(MAX_NODES));
    expect(whole.truncatedBy).toBeUndefined();
    const cut = parsePage('<hr>'.repeat(MAX_NODES + 1) + '<a href=1>x</a>');
    expect(cut.truncatedBy).toBe('max_nodes');
    expect(cut.document.children).toHaveLength(MAX_NODES);
    expect(cut.anchors).toEqual([]);
  });

  it('adds the attributes of further root tags to the root, up to the limit of one element', () => {
    const rootOf = (html: string): Record<string, string> =>
      (parsePage(html).document.children[0] as Element).attribs;
    expect(rootOf('<html a=1><body b=2><html a=2 c=3><p>x')).toEqual({ a: '1', c: '3' });
    const many = Array.from({ length: MAX_ATTRIBUTES + 10 }, (_, at) => `<html a${at}=1>`).join('');
    expect(Object.keys(rootOf(`<html>${many}`))).toHaveLength(MAX_ATTRIBUTES);
    expect(parsePage(many + '<p>x').truncatedBy).toBe('max_attributes');
  });

  it('notes anchors and descriptions on the way, not those in templates', () => {
    const page = parsePage(
      '<title>t</title><a href=1>x</a><a>y</a><template><a href=2>z</a></template><area href=3>',
    );
    expect(page.anchors.map((anchor) => anchor.attribs.href)).toEqual(['1', '3']);
    expect(page.described.map((element) => element.name)).toEqual(['title']);
  });
});
