import { itInFull } from '../../../../test/setup/full-run.js';
import { DiffThreads } from './diff-threads.js';

const result = (markdown: string | undefined, title?: string, more: object = {}): Uint8Array =>
  Buffer.from(JSON.stringify({ url: 'http://a.example/', markdown, metadata: { title }, ...more }));

const linesOf = (n: number, word: string): string =>
  Array.from({ length: n }, (_, at) => `${word} ${at}`).join('\n');

const MB = 1_000_000;

describe('the thread that compares results of a page', () => {
  let threads: DiffThreads;
  beforeAll(() => {
    threads = new DiffThreads({
      threads: 1,
      module: new URL('../../test/diff-thread.mjs', import.meta.url),
    });
  });
  afterAll(() => threads.close());

  const diff = (before: Uint8Array, after: Uint8Array) => threads.diff(before, after, 'tenant');

  it('says which lines differ, by a unified diff', async () => {
    const found = await diff(result('# A\n\nOne\n\nTwo', 'A'), result('# A\n\nOne\n\nTwo!', 'A'));
    expect(found?.changedLines).toBe(2);
    expect(found?.diff?.split('\n').slice(3)).toEqual([
      ...['@@ -1,4 +1,4 @@', ' title: A', ' # A', ' One', '-Two', '+Two!', ''],
    ]);
  });

  it.each<[string, Uint8Array, Uint8Array, number, RegExp]>([
    ['the title alone', result('x', 'Old'), result('x', 'New'), 2, /-title: Old\n\+title: New\n x/],
    ['the order of lines', result('a\nb'), result('b\na'), 0, /-a\n b\n\+a\n/],
    ['an indentation', result('a\n b'), result('a\n  b'), 2, /- b\n\+ {2}b/],
    ['a page that was blank', result(''), result('a'), 1, /\+a/],
  ])('finds %s', async (_, before, after, changedLines, text) => {
    expect(await diff(before, after)).toEqual({ changedLines, diff: expect.stringMatching(text) });
  });

  it('does not see blank lines and spaces at the end of one', async () => {
    const found = await diff(result('a\nb'), result('a  \n\n\nb\n'));
    expect(found).toMatchObject({ changedLines: 0 });
    expect(found?.diff).not.toContain('@@');
  });

  it.each([
    ['no Markdown', undefined, 'a'],
    ['no Markdown of the crawl before', 'a', undefined],
    ['more than a million characters', 'x'.repeat(MB + 1), 'a'],
  ])('says nothing of a page with %s', async (_, after, before) => {
    expect(await diff(result(before), result(after))).toBeNull();
  });

  it('reads pages of a million characters, and results of at most 8 MB', async () => {
    const long = 'x'.repeat(MB);
    expect(await diff(result(long), result(`${long.slice(1)}y`))).toEqual({
      changedLines: 2,
      diff: null,
    });
    const size = 8 * 1024 * 1024;
    const empty = result('a', 'b', { rawHtml: '' }).byteLength;
    const sized = (bytes: number) => result('a', 'b', { rawHtml: 'x'.repeat(bytes - empty) });
    expect(await diff(sized(size), result('a'))).toMatchObject({ changedLines: 1 });
    expect(await diff(sized(size + 1), result('a'))).toBeNull();
  });

  it.each([
    ['two pages of a megabyte that differ in every line', (word: string) => linesOf(70_000, word)],
    ['lines of one character', (word: string) => `${word.slice(0, 1)}\n`.repeat(MB / 2)],
    ['blank lines', (word: string) => `${'\n'.repeat(MB - 20)}${word}`],
    ['one line', (word: string) => word.repeat(150_000)],
    ['lone surrogates', (word: string) => `\ud800${word}\n`.repeat(100_000)],
  ])('compares %s within the bounds of time, memory and size', async (_, textOf) => {
    const [before, after] = [result(textOf('before')), result(textOf('after'))];
    const found = await diff(before, after);
    expect(found?.changedLines).toBeGreaterThan(0);
    expect(found?.diff?.length ?? 0).toBeLessThanOrEqual(20_000);
  });

  itInFull('gives up what takes too long, and goes on with the next', async () => {
    await threads.close();
    const module = new URL('../../test/hanging-diff.mjs', import.meta.url);
    threads = new DiffThreads({ threads: 1, module });
    expect(await diff(result('hangs'), result('a'))).toBeNull();
    expect(await diff(result('grows'), result('a'))).toBeNull();
    expect(await diff(result('b'), result('a'))).toEqual({ changedLines: 1, diff: 'quick' });
  });
});
