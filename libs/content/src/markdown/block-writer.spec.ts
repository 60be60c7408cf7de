import { parseHtml } from '../dom/parse-html.js';
import { MAX_MARKDOWN_CHARS } from '../limits.js';
import { UrlResolver } from '../links/url-resolver.js';
import { BlockWriter } from './block-writer.js';
import { writeMarkdown, type WrittenMarkdown } from './write-markdown.js';

const written = (html: string): WrittenMarkdown =>
  writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/'));

/** Text around a cut: markers, prefixes, the end of the last line. */
const SLACK_CHARS = 500;

describe('a block that is longer than all that may be written', () => {
  it.each([
    ['a text', 'word '.repeat(MAX_MARKDOWN_CHARS / 5) + 'and more', 'word'],
    ['a text that escapes double', '<p>' + '*'.repeat(MAX_MARKDOWN_CHARS / 2 + 1), '\\*'],
    ['code', '<pre>' + 'ab\n'.repeat(MAX_MARKDOWN_CHARS / 3 + 1), 'ab'],
    ['a cell', '<table><tr><th>a<th>b<tr><td>x<td>' + 'w|'.repeat(MAX_MARKDOWN_CHARS / 2), 'w'],
    ['code in quotes', '<blockquote>'.repeat(32) + '<pre>' + 'a\n'.repeat(300_000), '> a'],
    ['lines in quotes', '<blockquote>'.repeat(32) + 'x<br>'.repeat(300_000), '> x\\'],
  ])('%s: is cut there, and the cut is named', (_, html, content) => {
    const { markdown, truncatedBy } = written(html + '<p>never reached');
    expect(truncatedBy).toBe('max_markdown_chars');
    expect(markdown.length).toBeLessThan(MAX_MARKDOWN_CHARS + SLACK_CHARS);
    expect(markdown.length).toBeGreaterThan(MAX_MARKDOWN_CHARS * 0.9);
    expect(markdown.slice(-200)).toContain(content);
    expect(markdown.includes('never reached')).toBe(false);
  });

  it('is whole where it just fits', () => {
    const text = 'x'.repeat(MAX_MARKDOWN_CHARS - 1);
    expect(written(`<p>${text}`)).toEqual({ markdown: `${text}\n` });
  });

  it('is escaped alike from its first to its last character', () => {
    const { markdown } = written(`<p>${'x*y'.repeat(1_000_000)}&amp;amp;`);
    expect(markdown === `${'x\\*y'.repeat(1_000_000)}\\&amp;\n`).toBe(true);
  });
});

describe('BlockWriter', () => {
  it('counts the prefixes of lines before it writes them', () => {
    const writer = new BlockWriter();
    writer.enter({ prefix: '> ' });
    writer.write('a\n'.repeat(MAX_MARKDOWN_CHARS / 3), 'paragraph');
    expect(writer.isClipped).toBe(true);
    expect(writer.chars).toBeLessThanOrEqual(MAX_MARKDOWN_CHARS);
    expect(writer.finish().slice(0, 9)).toBe('> a\n> a\n>');
  });

  it('writes no more once there is no room', () => {
    const writer = new BlockWriter();
    writer.write('a'.repeat(MAX_MARKDOWN_CHARS), 'paragraph');
    expect(writer.isClipped).toBe(false);
    writer.write('b', 'paragraph');
    expect(writer.isClipped).toBe(true);
    expect(writer.chars).toBe(MAX_MARKDOWN_CHARS);
  });
});
