import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTrawl, type TrawlRun } from '../../test/run-trawl.js';

const URL = 'https://example.com/';

const PAGE = { url: URL, ok: true, markdown: '# A', formats: { links: ['a', 'b'] } };

describe('an option that may come several times', () => {
  const scrape = (...args: readonly string[]): Promise<TrawlRun> =>
    runTrawl(['scrape', ...args], { routes: { 'POST /v1/scrape': () => Response.json(PAGE) } });
  const crawl = (...args: readonly string[]): Promise<TrawlRun> =>
    runTrawl(['crawl', '--detach', ...args], {
      routes: { 'POST /v1/crawl': () => Response.json({ jobId: 'j1' }, { status: 202 }) },
    });
  const sent = async (run: Promise<TrawlRun>): Promise<unknown> => {
    const { code, err, api } = await run;
    expect([code, err]).toEqual([0, '']);
    expect(api.calls).toHaveLength(1);
    return api.calls[0]?.body;
  };

  it('leaves the URL after it alone', async () => {
    expect(await scrape('--format', 'links', URL)).toMatchObject({ code: 0, out: 'a\nb\n' });
    expect(await sent(crawl('--include', '/x', URL))).toMatchObject({
      ...{ url: URL, includePaths: ['/x'] },
    });
  });

  it('asks for passages and so many tokens, and prints what answers', async () => {
    const passages = [
      { text: 'Four.', url: `${URL}#:~:text=Four` },
      { text: 'Five.', url: `${URL}#:~:text=Five` },
    ];
    const run = runTrawl(['scrape', '--query', 'How much?', '--max-tokens', '500', URL], {
      routes: { 'POST /v1/scrape': () => Response.json({ ...PAGE, formats: { passages } }) },
    });
    expect(await sent(run)).toMatchObject({
      formats: [{ type: 'passages', query: 'How much?' }],
      maxTokens: 500,
    });
    const shown = passages.map(({ text, url }) => `${url}\n\n${text}`).join('\n\n---\n\n');
    expect((await run).out).toBe(`${shown}\n`);
  });

  it('takes all of its values', async () => {
    const several = [
      '--json',
      '-f',
      'links,markdown',
      '-f',
      'rawHtml',
      '--include-tags',
      'main, p',
    ];
    const headers = ['--header', 'a: 1', '--header', 'b: x: y', '--include-tags', 'h1'];
    expect(await sent(scrape(...several, ...headers, URL))).toMatchObject({
      formats: ['links', 'markdown', 'rawHtml'],
      includeTags: ['main, p', 'h1'],
      headers: { a: '1', b: 'x: y' },
    });
    const paths = ['--include', '/a,b', '--include', '/c', '--exclude', '/d', '--index'];
    expect(await sent(crawl(URL, ...paths))).toMatchObject({
      ...{ includePaths: ['/a,b', '/c'], excludePaths: ['/d'], index: true },
    });
  });

  it.each<[readonly string[], RegExp]>([
    [['scrape', URL, '-f', 'links', 'markdown'], /'markdown' is invalid.*write the option again/],
    [['scrape', '--include-tags', 'main', 'p', URL], /'p' is invalid.*write the option again/],
    [['crawl', '--include', '/a', '/b', URL], /too many arguments[^]*takes one value: repeat it/],
    [['scrape', 'example.com'], /Did you mean https:\/\/example\.com\?/],
    [['scrape', URL, '-f', 'link'], /"link" is none of markdown, rawHtml, links/],
    [['scrape', URL, '-f', 'links,'], /"" is none of/],
    [['scrape', URL, '-f', 'links,markdown'], /^trawl: several formats .* Add --json/],
    [['crawl', URL, '--after', '3'], /^trawl: --after belongs to --resume/],
    [['map', URL, '--limit', 'x'], /whole number[^]*\(trawl map --help lists its options\)/],
    [['scrape', URL, '--header', 'a'], /^trawl: --header "a" has no colon/],
  ])('says what is wrong in %j, before a request', async (args, text) => {
    const { code, out, err, api } = await runTrawl(args);
    expect([code, out, api.calls]).toEqual([2, '', []]);
    expect(err).toMatch(text);
  });
});

describe('an option of a command', () => {
  it.each(['scrape', 'crawl', 'map', 'parse', 'extract', 'screenshot', 'search', 'find'])(
    'has no letter of another one: %s',
    async (command) => {
      const { out } = await runTrawl([command, '--help']);
      const letters = [...out.matchAll(/^ +(-\w),/gm)].map(([, letter]) => letter);
      expect(letters).toContain('-q');
      expect(letters).toEqual([...new Set(letters)]);
    },
  );
});

describe('JSON on the command line', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'trawl-schema-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const extract = (schema: string): Promise<TrawlRun> =>
    runTrawl(['extract', URL, '--schema', schema], {
      routes: { 'POST /v1/extract': () => Response.json({ url: URL, data: {} }) },
    });

  it('is that of a file, or itself', async () => {
    const file = path.join(folder, 'schema.json');
    writeFileSync(file, '{"price": "number"}');
    for (const given of [file, `@${file}`, ' {"price": "number"}']) {
      const { code, api } = await extract(given);
      expect([code, api.calls[0]?.body]).toEqual([0, { url: URL, schema: { price: 'number' } }]);
    }
  });

  it('is refused before a request', async () => {
    const file = path.join(folder, 'list.json');
    writeFileSync(file, '[1]');
    for (const [given, text] of [
      [path.join(folder, 'none.json'), /^trawl: cannot read --schema: ENOENT.*Name a file/],
      [file, /is not a JSON object\. Name a file/],
      ['{"price"', /is not a JSON object/],
    ] as const) {
      const { code, err, api } = await extract(given);
      expect([code, api.calls]).toEqual([2, []]);
      expect(err).toMatch(text);
    }
  });
});
