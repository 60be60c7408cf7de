import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endMarker } from './fixture-pages.js';
import { type Converter, CONVERTERS } from './markdown-converters.js';
import { parseMarkdownOptions } from './markdown-options.js';
import { folderPages, sitePages } from './markdown-pages.js';
import { markdownRoundLine, markdownTable } from './markdown-report.js';
import { runMarkdownRounds } from './markdown-rounds.js';

describe('the converters', () => {
  // Turndown's plugin calls itself an ES module and has no default: Node gives it one, jest does not.
  const testable = CONVERTERS.filter(({ name }) => name !== 'turndown');

  it.each(testable.map((converter) => [converter.name, converter] as const))(
    '%s converts a page of the site to its end',
    (_, { prepare }) => {
      const [page] = sitePages(1);
      const markdown = page === undefined ? '' : prepare()(page);
      expect(markdown).toContain(endMarker(0));
      expect(markdown).toMatch(/^#{1,2} |\n=/m);
      expect(markdown).toMatch(/\| *-{3,}/);
    },
  );
});

describe('runMarkdownRounds', () => {
  const order: string[] = [];
  const fake = (name: Converter['name'], work: () => string): Converter => ({
    name,
    prepare: () => () => {
      order.push(name);
      return work();
    },
  });
  const converters = [
    fake('trawl', () => 'abc'),
    fake('turndown', () => {
      throw new RangeError('Maximum call stack size exceeded');
    }),
  ];
  let spentMs = 0;
  const rounds = runMarkdownRounds(converters, sitePages(2), {
    rounds: 2,
    clock: () => (spentMs += 10),
  });

  it('warms up, then takes turns', () => {
    // Two pages each.
    const turns = order.filter((_, at) => at % 2 === 0);
    expect(turns.slice(0, 4)).toEqual(['trawl', 'turndown', 'turndown', 'trawl']);
    expect(turns.slice(4)).toEqual(['trawl', 'turndown', 'turndown', 'trawl']);
    expect(rounds.map(({ converter, round }) => [converter, round])).toEqual([
      ['trawl', 1],
      ['turndown', 1],
      ['turndown', 2],
      ['trawl', 2],
    ]);
  });

  it('counts what was made and what failed', () => {
    expect(rounds[0]).toMatchObject({ markdownChars: 6, failedPages: 0 });
    expect(rounds[1]).toMatchObject({ markdownChars: 0, failedPages: 2 });
  });
});

describe('the report', () => {
  const round = (converter: Converter['name'], cpuMsPerPage: number) =>
    ({ converter, round: 1, cpuMsPerPage, markdownChars: 7, failedPages: 1 }) as const;

  it('has medians, ranges and how many times as fast as turndown', () => {
    const table = markdownTable([round('trawl', 2), round('turndown', 10), round('trawl', 3)]);
    expect(table.split('\n')).toContain('| trawl | 2.50 | 2.00–3.00 | 4.00 | 7 | 1 |');
    expect(markdownTable([round('native', 2)])).toContain(
      '| native | 2.00 | 2.00–2.00 | – | 7 | 1 |',
    );
  });

  it('has a line for each round', () => {
    expect(markdownRoundLine(round('native', 1.5))).toContain(
      'native               cpu 1.50 ms/page',
    );
  });
});

describe('parseMarkdownOptions', () => {
  it('has defaults for everything', () => {
    expect(parseMarkdownOptions(['--suite', 'markdown'])).toEqual({
      rounds: 5,
      pages: 60,
      dataDir: null,
      only: ['trawl', 'trawl-page', 'turndown', 'node-html-markdown', 'native'],
    });
  });

  it.each([
    [['--rounds', '0'], '--rounds must be a whole number from 1'],
    [['--only', 'pandoc'], "there is no 'pandoc'"],
    [['--speed'], '--speed'],
  ])('refuses %j', (args, text) => {
    expect(() => parseMarkdownOptions(args)).toThrow(text);
  });
});

describe('folderPages', () => {
  it('reads pages of all folders, not too small ones, in their encoding', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'markdown-pages-'));
    try {
      const text = '<p>caf\xe9'.padEnd(3_000, ' x');
      await writeFile(path.join(folder, 'b.html'), Buffer.from(text, 'latin1'));
      await writeFile(path.join(folder, 'a.HTM'), '<p>small');
      await writeFile(path.join(folder, 'c.txt'), text);
      const pages = await folderPages(folder, 10);
      expect(pages.map(({ name }) => name)).toEqual(['b.html']);
      expect(pages[0]?.html).toContain('café');
      await expect(
        folderPages(path.join(folder, '..', path.basename(folder)), 0),
      ).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
