import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CrawledPage } from '@app/client';
import { describeError } from '../cli-error.js';
import { PageFolder, type FolderOptions } from './page-folder.js';

const page = (name: string, title = `Page ${name}`): CrawledPage => ({
  ...{ url: `https://example.com/${name}`, ok: true, statusCode: 200 },
  ...{ markdown: `# ${name}\n\ntext\n\n`, metadata: { title } },
});

describe('a folder of pages', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-pages-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = (options: Partial<FolderOptions> = {}): Promise<PageFolder> =>
    PageFolder.open(folder, { jobId: 'j1', resume: false, asJson: false, ...options });
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');

  it('has a file per page with front matter, an index and a list', async () => {
    const pages = await open();
    expect(await pages.write(page('a', 'A "b": \u2028\u0085[c]'))).toBe('a.md');
    await pages.finish();
    expect(await read('a.md')).toBe(
      '---\nurl: "https://example.com/a"\ntitle: "A \\"b\\": \\u2028\\u0085[c]"\nstatus: 200\n---\n\n# a\n\ntext\n',
    );
    expect(await read('index.md')).toContain('\\[c\\]](<a.md>)\n');
    expect(
      (await read('index.jsonl'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { jobId: 'j1' },
      { position: 1, url: 'https://example.com/a', title: expect.any(String), file: 'a.md' },
    ]);
    expect((await readdir(folder)).sort()).toEqual(['a.md', 'index.jsonl', 'index.md']);
  });

  it('keeps whole page results as JSON', async () => {
    const pages = await open({ asJson: true });
    expect(await pages.write(page('a'))).toBe('a.json');
    expect(JSON.parse(await read('a.json'))).toEqual(page('a'));
  });

  it('is continued after the last page that is complete', async () => {
    const first = await open({ limit: 9 });
    await first.write(page('a'), 1);
    await first.write(page('A'), 2);
    // As if the program was killed: the next page has a file, and half a line in the index.
    await writeFile(path.join(folder, 'b.md'), 'half');
    await appendFile(path.join(folder, 'index.jsonl'), '{"position":3,"url":"https://exam');
    const again = await open({ resume: true });
    expect([again.position, again.size, again.limit]).toEqual([2, 2, 9]);
    expect(await again.write(page('b'), 3)).toBe('b.md');
    expect(await read('b.md')).toContain('# b');
    expect((await open({ resume: true })).position).toBe(3);
    expect((await readdir(folder)).length).toBe(4);
  });

  it.each<[string, Partial<FolderOptions>, string]>([
    ['another job', { jobId: 'j2', resume: true }, 'holds the pages of job j1'],
    ['the same job without --resume', {}, 'trawl crawl --resume j1'],
    ['a single scrape', { jobId: null }, 'holds the pages of job j1'],
  ])('is refused to %s', async (_, options, text) => {
    await (await open()).write(page('a'));
    const error: unknown = await open(options).catch((reason: unknown) => reason);
    expect(describeError(error).line).toContain(text);
    await expect(PageFolder.requireEmpty(folder)).rejects.toThrow('job j1');
  });

  it.each(['notes.txt', 'index.jsonl'])(
    'is refused when it holds other files: %s',
    async (name) => {
      await writeFile(path.join(folder, name), 'mine');
      await expect(open()).rejects.toThrow('holds other files');
      await expect(PageFolder.requireEmpty(folder)).rejects.toThrow('holds other files');
      expect(await read(name)).toBe('mine');
    },
  );
});
