import { MAX_FULL_TEXT_CHARS, MAX_FULL_TEXT_WORDS } from '../limits.js';
import { fullText } from './full-text.js';

const textOf = (markdown: string): string => fullText(markdown, {}).text;

describe('the text of a page for full text search', () => {
  it.each([
    ['emphasis', 'a **bold** and *light* ~~old~~ word', 'a bold and light old word'],
    ['escapes', 'snake\\_case 2 \\* 3 C:\\dir', 'snake_case 2 * 3 C:\\dir'],
    ['a link', 'see [the manual](https://a.example/x_(y) "title") now', 'see the manual now'],
    ['a picture', '![a chart](data:image/png;base64,AAAA) below', 'a chart below'],
    ['an address', 'at <https://a.example/> today', 'at https://a.example/> today'],
    ['code in a line', 'set `work_mem|*` and ``a`b`` to', 'set work_mem|* and a`b to'],
    ['an open run of code', 'the ` sign [is](x) text', 'the sign [is](x) text'],
    ['a list', '- [x] done\n- `a_b`\n1. first', 'done\na_b\n1. first'],
    ['a quote', '> > quoted **text**', 'quoted text'],
    ['a table', '| a | b |\n| --- | :-: |\n| c\\|d | e |', 'a b\nc|d e'],
    ['a block of code', '```sql\nSELECT * FROM a_b;\n```\nend', 'SELECT * FROM a_b;\nend'],
    ['code within code', '````md\n```\nx\n```\n````\nend', '```\nx\n```\nend'],
    ['a rule', 'a\n\n---\n\nb', 'a\nb'],
  ])('has no markup of %s', (_, markdown, text) => {
    expect(textOf(markdown)).toBe(text);
  });

  it('is what follows a large picture, too', () => {
    const data = 'A'.repeat(5 * MAX_FULL_TEXT_CHARS);
    expect(textOf(`![a chart](data:image/png;base64,${data}) below`)).toBe('a chart below');
  });

  it('has title, language and headings apart', () => {
    const markdown = '# The *Vacuum*\n\ntext\n\n## Why `x_y`\n\nmore\n\n```\n# no heading\n```';
    expect(fullText(markdown, { title: ' VACUUM \n now', language: 'de-AT' })).toEqual({
      language: 'de-AT',
      title: 'VACUUM now',
      headings: 'The Vacuum\nWhy x_y',
      text: 'The Vacuum\ntext\nWhy x_y\nmore\n# no heading',
    });
    expect(fullText('', {})).toEqual({ language: null, title: '', headings: '', text: '' });
  });

  it('has no character that a database or a snippet could not hold', () => {
    expect(textOf('a\0b\u0002c\u0003 \ud800x \udc00 \u{1f600} d\u009fe')).toBe(
      'a b c x \u{1f600} d e',
    );
    expect(fullText('# \0', { title: '\0\ud800' })).toMatchObject({ title: '', headings: '' });
  });

  it('is no longer than its limit, of one line and of many', () => {
    const word = 'word ';
    const line = word.repeat(MAX_FULL_TEXT_CHARS);
    expect(textOf(line).length).toBeLessThanOrEqual(MAX_FULL_TEXT_CHARS);
    expect(textOf(line).length).toBeGreaterThan(MAX_FULL_TEXT_CHARS - word.length);
    const lines = `${word}\n`.repeat(MAX_FULL_TEXT_CHARS);
    expect(textOf(lines).length).toBeLessThanOrEqual(MAX_FULL_TEXT_CHARS);
    expect(textOf(lines).length).toBeGreaterThan(MAX_FULL_TEXT_CHARS - word.length);
  });

  it('has lines that a snippet can be made of', () => {
    const words = 'word '.repeat(1_000).trim();
    const lines = textOf(words).split('\n');
    expect(lines.join(' ')).toBe(words);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(lines).toHaveLength(5);
  });

  it('ends where it would have more different words than an index should hold', () => {
    const numbers = (count: number): string =>
      Array.from({ length: count }, (_, n) => n.toString(36)).join(' ');
    const wordsOf = (markdown: string): number => textOf(markdown).split(/\s/).length;
    const last = MAX_FULL_TEXT_WORDS - 1;
    expect(wordsOf(numbers(last))).toBe(last);
    expect(wordsOf(numbers(MAX_FULL_TEXT_WORDS))).toBe(last);
    expect(wordsOf(`${numbers(MAX_FULL_TEXT_WORDS)}\n\nfurther`)).toBe(last);
  });

  it('leaves out encoded data, and no sentence of a script without spaces', () => {
    expect(textOf(`key ${'A1+/'.repeat(200)} end`)).toBe('key … end');
    const sentence = '数据库'.repeat(300);
    expect(textOf(sentence)).toBe(sentence);
    expect(textOf('数据库'.repeat(400))).toBe(
      `${'数据库'.repeat(333)}数\n${'据库'}${'数据库'.repeat(66)}`,
    );
  });
});
