import { DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import { extractPage, type PageContent } from '../extract-page.js';
import { MAX_MARKDOWN_CHARS } from '../limits.js';

const URL = 'https://a.example/docs/page';

function read(text: string | Uint8Array, over: object = {}, type = 'text/markdown'): PageContent {
  return extractPage(
    { body: Buffer.from(text), contentType: type, url: URL },
    { markdown: true, links: true, rawHtml: true, allLinks: true, ...over },
  );
}

describe('a page that a site has as Markdown', () => {
  it('is itself, its front matter included', () => {
    const text = '---\ntitle: "The page"\n---\n\n# Heading\n\nText [b](b.md#c).\n';
    expect(read(text)).toMatchObject({
      kind: 'text',
      markdown: text,
      rawHtml: text,
      links: ['https://a.example/docs/b.md'],
      allLinks: ['https://a.example/docs/b.md'],
      metadata: { title: 'The page' },
    });
  });

  it.each([
    ['text/markdown', '# Größe\n', 'Größe'],
    ['text/markdown; charset=utf-8', '# Größe ##\n', 'Größe'],
    ['text/markdown; charset=iso-8859-1', Buffer.from('# Größe', 'latin1'), 'Größe'],
    ['text/x-markdown', 'text\r\n# One # \r\n# Two', 'One'],
    ['text/markdown', '---\ntitle: A: b\n---\n# C', 'A: b'],
    ['text/markdown', '##No title', undefined],
    ['text/plain', '# Not Markdown', undefined],
  ])('of %s has its title: %j', (type, text, title) => {
    expect(read(text, {}, type).metadata.title).toBe(title);
  });

  it.each<[string, readonly string[]]>([
    ['[a](/x) [b](<y z> "t") [c](x_(y) "t")', ['/x', '/docs/y%20z', '/docs/x_(y)']],
    ['[![alt](/i.png)](/x) ![alt](/j.png)', ['/x']],
    [
      '<https://a.example/x> https://a.example/y. (https://a.example/z), [https://a.example/w]',
      ['/x', '/y', '/z', '/w'],
    ],
    ['[a][1]\n\n[1]: /x "title"\n  [2]: </y>', ['/x', '/y']],
    ['`[a](/x)` ``[a](/x) ` b`` [c](/y) `[d](/z)', ['/y', '/z']],
    ['```md\n[a](/x)\n~~~\n````\n[b](/y)\n~~~\n[c](/z)', ['/y']],
    [String.raw`\[a](/x) [b\](/x) [c](/y\)z)`, ['/y)z']],
    ['[a](mailto:a@b.example) [b](javascript:x) [c](data:text/html,x)', []],
    ['[a](#part) [b](/x) [c](/x#y)', ['/docs/page', '/x']],
    ['xhttps://b.example', []],
  ])('has the links of %j', (text, paths) => {
    expect(read(text).links).toEqual(paths.map((path) => `https://a.example${path}`));
  });

  it('loses inlined images on request', () => {
    const text = '![a](data:image/png;base64,AAAA "t") [b](data:text/plain,x)';
    const content = { ...DEFAULT_CONTENT_OPTIONS, removeBase64Images: true };
    expect(read(text, { content }).markdown).toBe(
      '![a](<Base64-Image-Removed> "t") [b](data:text/plain,x)\n',
    );
    expect(read(text).markdown).toBe(`${text}\n`);
  });

  it('is cut as others are, and the cut has a name', () => {
    const { markdown = '', truncatedBy } = read('word '.repeat(MAX_MARKDOWN_CHARS / 5 + 1));
    expect([truncatedBy, markdown.length <= MAX_MARKDOWN_CHARS + 1]).toEqual([
      'max_markdown_chars',
      true,
    ]);
  });
});
