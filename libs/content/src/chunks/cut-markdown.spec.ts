import { PART_LIMITS } from '@app/contracts';
import { countTokens } from './count-tokens.js';
import { cutMarkdown } from './cut-markdown.js';

const SENTENCE = 'The quick brown fox jumps over the lazy dog near the river bank. ';
const section = (title: string, sentences: number): string =>
  `## ${title}\n\n${SENTENCE.repeat(sentences).trim()}\n\n`;

const FENCE = '`'.repeat(400);

describe('Markdown that is cut to a number of tokens', () => {
  it('is left as it is when it fits, to the token', () => {
    const page = section('One', 20);
    const tokens = countTokens(page);
    expect(cutMarkdown(page, tokens)).toBeNull();
    expect(cutMarkdown(page, tokens - 1)?.markdownCut.tokens).toBeLessThan(tokens);
    expect(cutMarkdown('', PART_LIMITS.tokens.least)).toBeNull();
  });

  it('ends behind a sentence, and says what is left out', () => {
    const page = `# Page\n\n${section('One', 12)}${section('Two', 30)}${section('Three', 40)}`;
    const cut = cutMarkdown(page, 300);
    expect(cut?.markdownCut.leftOut).toEqual(['Three']);
    const [text, note] = cut?.markdown.split('\n\n[') ?? [];
    expect(text).toMatch(/^# Page\n\n## One[^#]+## Two[^#]+bank\.$/);
    expect(note).toMatch(
      /^Cut here: about \d+ tokens are left out, with the sections "Three"\.\]$/,
    );
    const all = countTokens(page);
    const about = (cut?.markdownCut.tokens ?? 0) + (cut?.markdownCut.leftOutTokens ?? 0);
    expect(Math.abs(about - all) / all).toBeLessThan(0.1);
  });

  it('keeps no title without its text', () => {
    const page = `${section('One', 10)}## Two\n\n### Deeper\n\n| a |\n| --- |\n| ${'x '.repeat(300)}|\n`;
    expect(cutMarkdown(page, 200)?.markdown).not.toMatch(/\n#/);
  });

  it.each([
    [
      'a listing',
      `\`\`\`js\n${'const a = 1;\n'.repeat(400)}\`\`\`\n`,
      /```js\n(const a = 1;\n)+```\n\n\[Cut/,
    ],
    [
      'a table',
      `| a | b |\n| --- | --- |\n${'| one | two |\n'.repeat(400)}`,
      /\| one \| two \|\n\n\[Cut/,
    ],
    [
      'a listing between long fences',
      `${FENCE}\n${'const a = 1;\n'.repeat(400)}${FENCE}\n`,
      /\[Cut/,
    ],
    ['a line without an end', 'word '.repeat(4_000), /^(word )+word\n\n\[Cut/],
    ['letters without an end', 'é'.repeat(20_000), /^é+\n\n\[Cut/],
  ])('cuts %s where it can be read on', (_, page, end) => {
    const cut = cutMarkdown(page, 200);
    expect(cut?.markdown).toMatch(end);
    expect(countTokens(cut?.markdown ?? '')).toBe(cut?.markdownCut.tokens);
    expect(cut?.markdownCut.tokens).toBeLessThanOrEqual(200);
  });

  it.each([100, 101, 150, 333, 1_000, 5_000])(
    'has at most %d tokens, whatever the page',
    (most) => {
      const pages = [
        Array.from({ length: 60 }, (_, n) => section(`${'Long title '.repeat(8)}${n}`, n % 7)).join(
          '',
        ),
        '漢字仮名交じり文。'.repeat(4_000),
        '- [x](http://a.example/?q=1)\n'.repeat(3_000),
        '\ud83d\ude00'.repeat(9_000),
        '#'.repeat(6) + ` ${'title '.repeat(9_000)}`,
      ];
      for (const page of pages) {
        const cut = cutMarkdown(page, most);
        const shown = cut?.markdown ?? page;
        expect(countTokens(shown)).toBeLessThanOrEqual(most);
        expect(shown.isWellFormed()).toBe(true);
      }
    },
  );
});
