import { elementText } from './element-text.js';

describe('elementText', () => {
  it.each([
    ['to its end', 'p', 'a <b>bold</b> one</p> more', 'a bold one'],
    ['with elements of its own kind', 'div', 'a<div>b</div>c</div>d', 'abc'],
    ['without comments', 'p', 'a<!-- > no -->b</p>', 'ab'],
    ['in either case', 'p', 'a</P>b', 'a'],
    ['of one that does not end', 'p', 'a<i>b', 'ab'],
    ['before a tag that does not end', 'p', 'a<i b', 'a'],
    ['before a comment that does not end', 'p', 'a<!-- b>c', 'a'],
    ['of a script as it is', 'script', 'if (a<b) "</p>"</SCRIPT>x', 'if (a<b) "</p>"'],
    ['of at most 2,000 characters', 'p', 'x'.repeat(3_000), 'x'.repeat(2_000)],
    ['of at most 4,000 of the source', 'p', '<i></i>'.repeat(571) + '123456', '123'],
  ])('reads the text %s', (_, name, source, text) => {
    expect(elementText(`<${name}>${source}`, name, name.length + 2)).toBe(text);
  });
});
