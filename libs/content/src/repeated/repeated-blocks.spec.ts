import { pageBlocks } from './page-blocks.js';
import { RepeatedBlocks, withoutBlocks } from './repeated-blocks.js';

const NAVIGATION =
  '[Home](https://a.example/) | [Manual](https://a.example/m) | [Download](https://a.example/d)';
const FOOTER = 'Copyright 1996 to 2026 The Example Group. All rights reserved.';
const page = (no: number, ...more: readonly string[]): string =>
  [
    NAVIGATION,
    `# Chapter ${no}`,
    `What chapter ${no} says of its own subject.`,
    ...more,
    FOOTER,
  ].join('\n\n');

/** What the last of some pages of a host keeps. */
function lastOf(pages: readonly string[]): string {
  const host = new RepeatedBlocks();
  const kept = pages.map((markdown) => {
    const blocks = pageBlocks(markdown);
    const { markdown: text } = withoutBlocks(markdown, blocks, host.repeatedIn(blocks));
    host.learn(blocks);
    return text;
  });
  return kept.at(-1) ?? '';
}

const pagesWith = (...more: readonly string[]): readonly string[] =>
  Array.from({ length: 6 }, (_, no) => page(no, ...more));

describe('the blocks that pages of a host repeat', () => {
  it('are dropped once three pages had them, and the first copies stay', () => {
    expect(lastOf(pagesWith().slice(0, 3))).toBe(page(2));
    expect(lastOf(pagesWith().slice(0, 4))).toBe(
      '# Chapter 3\n\nWhat chapter 3 says of its own subject.',
    );
  });

  it('are none of those that few of many pages have', () => {
    const note = 'Note: this function is deprecated, use the new one.';
    const pages = Array.from({ length: 40 }, (_, no) => page(no, ...(no % 3 === 0 ? [note] : [])));
    expect(lastOf(pages)).toContain(note);
  });

  it('are no code, and no heading of what is kept', () => {
    const code = '```\nmake install\n```';
    const last = lastOf(
      pagesWith('## Install', 'Run this as the administrator of the machine:', code),
    );
    expect(last).toContain(`## Install\n\n${code}`);
    expect(last).not.toContain('administrator');
  });

  it('are headings of sections that lost all they had, with their subsections', () => {
    const last = lastOf(pagesWith('## More', '### Links', NAVIGATION, '### Contact', FOOTER));
    expect(last).toBe('# Chapter 5\n\nWhat chapter 5 says of its own subject.');
    const own = Array.from({ length: 6 }, (_, no) =>
      page(no, '## More', '### Links', NAVIGATION, '### Own', `Only ${no}.`),
    );
    expect(lastOf(own)).toContain('## More\n\n### Own\n\nOnly 5.');
  });

  it('are lines of a list of which others differ', () => {
    const pages = Array.from({ length: 6 }, (_, no) =>
      page(
        no,
        '- [Start](https://a.example/)\n- [Manual](https://a.example/m)\n  - [Here](https://a.example/m#here)'.replaceAll(
          'ere',
          `ere${no}`,
        ),
      ),
    );
    const last = lastOf(pages);
    expect(last).toContain('  - [Here5](https://a.example/m#here5)');
    expect(last).not.toContain('[Start]');
    expect(last).not.toContain('[Manual]');
  });

  it('are short texts only beside longer ones', () => {
    const last = lastOf(pagesWith('Example:', 'This one differs.', 'See also', NAVIGATION));
    expect(last).toContain('Example:');
    expect(last).not.toContain('See also');
  });

  it('leave no page without text', () => {
    const same = [NAVIGATION, FOOTER].join('\n\n');
    expect(lastOf([same, same, same, same, same])).toBe(same);
  });

  it('differ by their words, not by their white space', () => {
    const [one, other] = ['a b\nc\n\nd', 'a  b c\n\n\nd'].map((text) =>
      pageBlocks(text).map(({ hash }) => hash),
    );
    expect(one).toEqual(other);
    expect(new Set(pageBlocks('a b\n\na c\n\na B').map(({ hash }) => hash)).size).toBe(3);
  });

  it('need bounded memory, however many blocks a host has', () => {
    const host = new RepeatedBlocks();
    for (let no = 0; no < 30; no++) {
      const lines = Array.from({ length: 1_000 }, (_, at) => `Block ${at} of page ${no}`);
      host.learn(pageBlocks([NAVIGATION, ...lines].join('\n\n')));
      expect(host.size).toBeLessThanOrEqual(20_000);
    }
    expect(host.repeatedIn(pageBlocks(page(1))).size).toBe(1);
  });
});

describe('a text without some of its blocks', () => {
  it('is the text itself, but for them', () => {
    const markdown = 'one\n\n\ntwo\n\nthree\n';
    const blocks = pageBlocks(markdown);
    expect(withoutBlocks(markdown, blocks, new Set())).toEqual({ markdown, characters: 0 });
    const [, two] = blocks;
    expect(withoutBlocks(markdown, blocks, new Set(two ? [two] : []))).toEqual({
      markdown: 'one\n\n\nthree\n',
      characters: 5,
    });
  });
});
