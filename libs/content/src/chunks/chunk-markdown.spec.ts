import fc from 'fast-check';
import { chunkMarkdown } from './chunk-markdown.js';
import { countTokens } from './count-tokens.js';
import { LONG_MARKDOWN } from './fixtures/long-markdown.js';

const sentence = (n: number): string =>
  `Sentence number ${n} says that the harbour opens at ${n} and closes when the last boat is in.`;
const paragraph = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => sentence(from + index)).join(' ');

/** Text without white space: what must not be lost. */
const ink = (text: string): string => text.replace(/\s+/g, '');

describe('chunkMarkdown', () => {
  it('returns a short page as one chunk, with ids that repeat', () => {
    const [chunk, ...others] = chunkMarkdown('# Title\n\nText.\n');
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({
      index: 0,
      text: '# Title\n\nText.',
      headings: ['Title'],
      tokens: countTokens('# Title\n\nText.'),
    });
    expect(chunk?.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(chunkMarkdown('# Title\n\nText.\n')).toEqual([chunk]);
  });

  it.each(['', '\n\n', '   '])('has no chunk for %j', (markdown) => {
    expect(chunkMarkdown(markdown)).toEqual([]);
  });

  it('does not go on past a heading of its own or a higher level', () => {
    const markdown = `# A\n\n${paragraph(1, 8)}\n\n## B\n\n${paragraph(20, 8)}\n\n## C\n\n${paragraph(40, 8)}\n`;
    const chunks = chunkMarkdown(markdown, { maxTokens: 300 });
    expect(chunks.map(({ headings }) => headings)).toEqual([['A'], ['A', 'B'], ['A', 'C']]);
    for (const { text } of chunks) expect(text.match(/^#/gm)).toHaveLength(1);
  });

  it('lets tiny sections go together', () => {
    const markdown = '# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree.\n';
    expect(chunkMarkdown(markdown)).toHaveLength(1);
  });

  it('starts a chunk inside a section with the last sentences of the one before', () => {
    const chunks = chunkMarkdown(`# A\n\n${paragraph(1, 30)}\n`, {
      maxTokens: 200,
      overlapTokens: 50,
    });
    expect(chunks.length).toBeGreaterThan(2);
    for (let index = 1; index < chunks.length; index++) {
      const first = /^Sentence number \d+ .*?\.(?= |$)/.exec(chunks[index]?.text ?? '')?.[0];
      expect(first).toBeDefined();
      expect(chunks[index - 1]?.text).toContain(first);
      expect(chunks[index]?.headings).toEqual(['A']);
    }
  });

  it('shares nothing without overlap', () => {
    const chunks = chunkMarkdown(paragraph(1, 40), { maxTokens: 100, overlapTokens: 0 });
    expect(ink(chunks.map(({ text }) => text).join(''))).toBe(ink(paragraph(1, 40)));
  });

  it('leaves no title at the end of a chunk', () => {
    const markdown = `# A\n\n${paragraph(1, 7)}\n\n### B\n\n${paragraph(20, 12)}\n`;
    for (const { text } of chunkMarkdown(markdown, { maxTokens: 200 })) {
      expect(text.split('\n').at(-1)).not.toMatch(/^#/);
    }
  });

  it('repeats the head of a table that goes on', () => {
    const rows = Array.from({ length: 60 }, (_, index) => `| item ${index} | ${index * 7} EUR |`);
    const table = `| Name | Price |\n| --- | --- |\n${rows.join('\n')}\n`;
    const chunks = chunkMarkdown(table, { maxTokens: 128 });
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks) {
      expect(text.startsWith('| Name | Price |\n| --- | --- |\n| item')).toBe(true);
      for (const line of text.split('\n')) expect(line).toMatch(/^\|.*\|$/);
    }
  });

  it('keeps a listing whole when it fits, else cuts between lines and closes its fence', () => {
    const code = (lines: number): string =>
      `\`\`\`js\n${Array.from({ length: lines }, (_, n) => `const value${n} = read(${n});`).join('\n')}\n\`\`\``;
    const whole = chunkMarkdown(`${paragraph(1, 5)}\n\n${code(8)}\n`, { maxTokens: 160 });
    expect(whole.filter(({ text }) => text.includes('```'))).toHaveLength(1);
    const cut = chunkMarkdown(code(60), { maxTokens: 128 });
    expect(cut.length).toBeGreaterThan(3);
    for (const { text } of cut)
      expect(text).toMatch(/^```js\n(?:const value\d+ = read\(\d+\);\n)+```$/);
  });

  it('does not read a hash inside a code block as a heading', () => {
    expect(chunkMarkdown('```sh\n# no title\n```\n')[0]?.headings).toEqual([]);
  });

  it('names sections without their markup', () => {
    const [chunk] = chunkMarkdown('# The *new* `read` [guide](https://a.example/)\n\nText.');
    expect(chunk?.headings).toEqual(['The new read guide']);
  });

  it('has the first and the last page of its text, the shared part of it too', () => {
    const first = paragraph(1, 20);
    const markdown = `${first}\n\n${paragraph(21, 20)}\n\n# C\n\n${paragraph(41, 12)}\n`;
    const pageStarts = [
      { page: 2, at: 0 },
      { page: 3, at: first.length + 2 },
      { page: 7, at: markdown.indexOf('# C') },
    ];
    const chunks = chunkMarkdown(markdown, { maxTokens: 200, overlapTokens: 50, pageStarts });
    const numbers = chunks.map(({ text }) =>
      (text.match(/\b\d{1,3} says/g) ?? []).map((number) => Number.parseInt(number, 10)),
    );
    const pageOf = (sentenceNumber: number): number =>
      sentenceNumber > 40 ? 7 : sentenceNumber > 20 ? 3 : 2;
    expect(chunks.map(({ pages }) => pages)).toEqual(
      numbers.map((all) => [pageOf(Math.min(...all)), pageOf(Math.max(...all))]),
    );
    expect(new Set(chunks.map(({ pages }) => String(pages)))).toContain('2,3');
  });

  it('has no pages where there are none', () => {
    expect(chunkMarkdown('Text.')[0]).not.toHaveProperty('pages');
  });

  it('has an id of the document and a hash of the text alone', () => {
    const [a] = chunkMarkdown('Same text.');
    const [b] = chunkMarkdown('Same text.\n\n\n');
    expect(a?.id).not.toBe(b?.id);
    expect(a?.contentHash).toBe(b?.contentHash);
  });

  const block = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.lorem({ maxCount: 6 }))
      .map(([level, title]) => `${'#'.repeat(level)} ${title}`),
    fc.lorem({ mode: 'sentences', maxCount: 12 }),
    fc.lorem({ maxCount: 40 }).map((text) => `\`\`\`\n${text.replaceAll(' ', '\n')}\n\`\`\``),
    fc
      .array(fc.lorem({ maxCount: 5 }), { minLength: 1, maxLength: 20 })
      .map((cells) => `| a |\n| --- |\n${cells.map((cell) => `| ${cell} |`).join('\n')}`),
    fc
      .array(fc.lorem({ maxCount: 8 }), { minLength: 1, maxLength: 8 })
      .map((items) => items.map((item) => `- ${item}`).join('\n')),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.integer({ min: 1, max: 800 }).map((count) => 'a'.repeat(count)),
  );

  it('keeps every chunk in its size and all text in some chunk', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 14 }),
        fc.integer({ min: 32, max: 200 }),
        fc.integer({ min: 0, max: 100 }),
        (blocks, maxTokens, overlapTokens) => {
          const markdown = blocks.join('\n\n');
          const chunks = chunkMarkdown(markdown, { maxTokens, overlapTokens });
          for (const chunk of chunks) {
            expect(chunk.tokens).toBe(countTokens(chunk.text));
            expect(chunk.tokens).toBeLessThanOrEqual(maxTokens);
          }
          // Every word is in some chunk, in the source's order.
          let at = 0;
          const all = chunks.map(({ text }) => text).join('\n');
          for (const word of markdown.match(/[a-z]{2,31}\b/g) ?? []) {
            const found = all.indexOf(word.slice(0, 5), at);
            expect(found).toBeGreaterThanOrEqual(0);
            at = found;
          }
        },
      ),
      { numRuns: 150, seed: 7 },
    );
  });

  it.each(LONG_MARKDOWN)('cuts %s into chunks of bounded size', (_, markdownOf) => {
    const chunks = chunkMarkdown(markdownOf(20_000));
    for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(512);
    expect(chunks.length).toBeGreaterThan(0);
  });
});

describe('countTokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['Straße 12, 10115 Berlin', 9],
  ])('counts %j as %d', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });
});
