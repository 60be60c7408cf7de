import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  pdfOf,
  projectRoot,
  SMALL_SITE_PATHS,
  startFixtureSite,
  type FixtureSite,
} from '@app/testing';
import { Interrupted } from '../../apps/cli/src/cli.js';
import { runTrawl, type TrawlRun, type TrawlRunOptions } from '../../apps/cli/test/run-trawl.js';
import { UserShell, machineNode, type CommandEnd } from './cli-run.js';
import type { Service } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { share } from './shared-cluster.js';

/** Shell blocks of docs/cli.md that run the command. */
const EXAMPLES = [
  ...readFileSync(path.join(projectRoot(), 'docs/cli.md'), 'utf8').matchAll(
    /```sh\n([\s\S]*?)```/g,
  ),
]
  .map(([, block = '']) => block.trim())
  .filter((block) => /^(?:trawl|printf|echo) |^SITE=/.test(block));

/** A line without anything that only a shell knows. */
const PLAIN_COMMAND = /^trawl [\w:/.= -]+$/;
const NODES = [...new Set([process.execPath, machineNode()])];
const SITE_FILES = ['127.0.0.1.md', 'about.md', 'docs.md', 'docs_install.md', 'docs_usage.md'];

describe('the command line', () => {
  let site: FixtureSite;
  let service: Service;
  let cli: UserShell;
  /** A crawl that has ended. */
  let crawlId: string;

  beforeAll(async () => {
    // Its sitemap is empty: pages are found by links.
    site = await startFixtureSite({ treePages: 0 });
    service = await share();
    const { jobId } = await service.client.crawl({ url: site.url('/'), index: false });
    crawlId = (await service.client.waitForEnd(jobId)).id;
    const { url: TRAWL_URL, key: TRAWL_API_KEY } = service;
    const forExamples = { ID: crawlId, KEY: TRAWL_API_KEY, TRAWL: TRAWL_URL };
    cli = await UserShell.prepare({ TRAWL_URL, TRAWL_API_KEY, ...forExamples });
    writeFileSync(path.join(cli.folder, 'report.pdf'), pdfOf(['Annual report of the harbour']));
  });
  afterAll(async () => {
    await cli?.remove();
    await service?.stop();
    await site?.close();
  });

  const files = (folder: string): string[] => readdirSync(path.join(cli.folder, folder)).sort();
  const indexOf = async (folder: string): Promise<{ position: number; url: string }[]> => {
    const text = await readFile(path.join(cli.folder, folder, 'index.jsonl'), 'utf8');
    const [, ...lines] = text.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as { position: number; url: string });
  };
  /** Runs a command line in this process, in the user's folder: others prove that programs do the same. */
  const trawl = (
    args: readonly string[],
    { env, ...more }: Pick<TrawlRunOptions, 'env' | 'interrupt' | 'retries'> = {},
  ): Promise<TrawlRun> => {
    const { url: TRAWL_URL, key: TRAWL_API_KEY } = service;
    const XDG_CONFIG_HOME = path.join(cli.folder, '.config');
    const access = { TRAWL_URL, TRAWL_API_KEY, XDG_CONFIG_HOME, ...env };
    return runTrawl(args, { send: fetch, env: access, folder: cli.folder, ...more });
  };
  /** A crawl that is under way until its pages are released. */
  const heldCrawl = (out: string): { held: HeldPages; args: readonly string[] } => {
    const held = new HeldPages(site, 30, 5);
    return { held, args: ['crawl', held.url, '--limit', '30', '--out', out] };
  };
  /** A plain command in this process, anything else in a shell. */
  const enter = (line: string): Promise<CommandEnd> =>
    PLAIN_COMMAND.test(line) ? trawl(line.split(' ').slice(1)) : cli.shell(line);
  const enterExample = (block = ''): Promise<CommandEnd> =>
    enter(block.replaceAll('https://example.com/', site.url('/')));
  const resumeCommandOf = ({ err }: CommandEnd): string =>
    /Continue: (trawl crawl --resume .*)/.exec(err)?.[1] ?? '';

  describe('in the examples of docs/cli.md', () => {
    const example = async (begin: string): Promise<CommandEnd> => {
      const found = EXAMPLES.filter((block) => block.startsWith(begin));
      expect(found).toHaveLength(1);
      return enterExample(found[0]);
    };

    it('is used as below', () => {
      expect(EXAMPLES).toHaveLength(14);
    });

    it('prints a page, its links, and two pages into a folder', async () => {
      const [first, links, folder] = EXAMPLES.filter((block) => block.startsWith('trawl scrape'));
      expect(await enterExample(first)).toMatchObject({
        ...{ code: 0, err: '' },
        out: expect.stringContaining('Small site'),
      });
      expect((await enterExample(links)).out.split('\n')).toContain(site.url('/about'));
      expect(await enterExample(folder)).toMatchObject({ code: 0, out: '' });
      expect(files('pages')).toEqual(['127.0.0.1.md', 'about.md', 'index.jsonl', 'index.md']);
    });

    it('maps, extracts and parses', async () => {
      expect((await example('trawl map')).out.trim().split('\n')).toHaveLength(3);
      expect(await example('trawl extract')).toMatchObject({
        ...{ code: 0, err: '' },
        out: expect.stringContaining(`"url": "${site.url('/')}"`),
      });
      expect(await example('trawl parse')).toMatchObject({
        ...{ code: 0, err: '' },
        out: expect.stringContaining('Annual report'),
      });
    });

    it('extracts by a schema in a file', async () => {
      const { code, out } = await example('echo');
      expect([code, out]).toEqual([0, expect.stringContaining('"title":')]);
    });

    it('takes a picture', async () => {
      const { code, out, err } = await example('trawl screenshot');
      expect([code, out, err]).toEqual([
        0,
        '',
        expect.stringMatching(/→ page\.png \(1280 × \d+\)\n$/),
      ]);
      const picture = await readFile(path.join(cli.folder, 'page.png'));
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
    });

    it('searches the pages of a crawl', async () => {
      const { code, out, err } = await example('SITE=');
      expect(code).toBe(0);
      expect(out).toMatch(/^1\. .*\n {3}http:\/\/127\.0\.0\.1:\d+\//);
      expect(err).toMatch(/\n\d of \d pages\n$/);
    });

    it('crawls a site into a folder', async () => {
      const { code, out, err } = await example('trawl crawl https://example.com/ --limit 50');
      expect([code, out]).toEqual([0, '']);
      expect(err).toMatch(/^Crawl [0-9a-f-]{36} has started\n/);
      expect(err).toMatch(/\ncompleted: 6 pages.* → site\n$/);
      expect(files('site')).toEqual(expect.arrayContaining([...SITE_FILES, 'index.md']));
      const page = await readFile(path.join(cli.folder, 'site/docs_install.md'), 'utf8');
      expect(page).toMatch(new RegExp(`^---\nurl: "${site.url('/docs/install')}"\ntitle: "`));
    });

    it('counts pages, and reads a crawl again', async () => {
      expect((await example('trawl crawl https://example.com/ --include')).out.trim()).toBe('4');
      const again = await example('trawl crawl --resume $ID');
      expect(again).toMatchObject({
        code: 0,
        out: expect.stringContaining(`id         ${crawlId}`),
      });
      expect(await indexOf('again')).toHaveLength(6);
    });

    it('keeps a login, and checks it', async () => {
      const file = path.join(cli.folder, '.config/trawl/config.json');
      expect(await example('printf')).toMatchObject({
        code: 0,
        err: expect.stringContaining(file),
      });
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
        url: service.url,
        apiKey: service.key,
      });
      const fromFile = { TRAWL_URL: '', TRAWL_API_KEY: '' };
      const { code, out } = await trawl(['doctor'], { env: fromFile });
      expect(code).toBe(0);
      expect(out.match(/^ok {4}\w+/gm)).toHaveLength(4);
      expect(out).toContain(`address from ${file}`);
    });
  });

  it.each(NODES)('runs under %s', async (node) => {
    const { code, out, err } = await cli.shell(`trawl crawl ${site.url('/')} --json`, {
      NODE: node,
    });
    expect(code).toBe(0);
    expect(err).not.toContain('Warning');
    const urls = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { url: string }).url);
    expect(urls.sort()).toEqual(SMALL_SITE_PATHS.map((page) => site.url(page)).sort());
    const parsed = await cli.shell('trawl parse - < report.pdf && trawl parse report.pdf', { NODE: node }); // prettier-ignore
    expect([parsed.code, parsed.err]).toEqual([0, '']);
    expect(parsed.out.match(/Annual report/g)).toHaveLength(2);
  });

  it('leaves a crawl running on Ctrl-C, and continues it without a page twice', async () => {
    const { held, args } = heldCrawl('slow');
    const command = cli.start(['trawl', ...args]);
    await cli.pageIn('slow');
    command.child.kill('SIGINT');
    const interrupted = await command.ended;
    held.release();
    expect(interrupted).toMatchObject({ code: 130, out: '' });
    const before = (await indexOf('slow')).length;
    expect(before).toBeLessThan(30);
    expect(await enter(resumeCommandOf(interrupted))).toMatchObject({
      ...{ code: 0, out: '' },
      err: expect.stringContaining(`slow already has ${before} pages`),
    });
    const entries = await indexOf('slow');
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, at) => at + 1));
    expect(new Set(entries.map(({ url }) => url)).size).toBe(30);
    expect(files('slow')).toHaveLength(32);
  });

  it('cancels a crawl on Ctrl-C with --cancel-on-exit', async () => {
    const interrupt = new AbortController();
    const { held, args } = heldCrawl('cancelled');
    const ending = trawl([...args, '--cancel-on-exit'], { interrupt: interrupt.signal });
    await cli.pageIn('cancelled');
    interrupt.abort(new Interrupted('SIGINT'));
    const { code, err } = await ending;
    held.release();
    expect(code).toBe(130);
    const [, id = '', status] = /Crawl (\S+) is (\w+);/.exec(err) ?? [];
    expect(status).toBe('cancelled');
    expect(await trawl(['jobs', id])).toMatchObject({
      ...{ code: 0, out: expect.stringMatching(/^status +cancelled$/m) },
    });
  });

  it('ends quietly when the reader of its output has enough', async () => {
    const { code, out, err } = await cli.shell(`trawl crawl ${site.url('/')} | head -n 1`);
    expect([code, out]).toEqual([0, '---\n']);
    expect(err).not.toMatch(/EPIPE|Error/);
    expect(await cli.shell('trawl --help | head -n 1')).toMatchObject({ code: 0, err: '' });
  });

  it('starts a crawl and leaves it to the service', async () => {
    const { out, err } = await trawl(['crawl', site.url('/'), '--detach', '--limit', '1001']);
    expect(err).toBe(
      'Crawl queued for up to 1000 pages instead of 1001: this service allows no more in one crawl\n',
    );
    expect((await service.client.waitForEnd(out.trim())).status).toBe('completed');
    expect((await trawl(['jobs'])).out).toContain(out.trim());
    const { out: ended } = await trawl(['jobs', 'cancel', out.trim()]);
    expect(ended).toBe(`${out.trim()} is completed\n`);
  });

  const folderWithFile = (): string => {
    const folder = path.join(cli.folder, 'used');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'a'), '');
    return folder;
  };

  const unset = { TRAWL_URL: '', TRAWL_API_KEY: '', XDG_CONFIG_HOME: '/nowhere' };
  it.each<[string, () => readonly string[], number, RegExp, Record<string, string>?]>([
    [
      'no address',
      () => ['jobs'],
      2,
      /^trawl: no address of Trawl is set\. Run trawl login/,
      unset,
    ],
    [
      'no key',
      () => ['jobs', '--url', 'http://127.0.0.1:1'],
      2,
      /^trawl: no API key is set\./,
      unset,
    ],
    ['a bad address', () => ['jobs', '--url', 'example.com'], 2, /^trawl: --url must be an http/],
    ['a bad field', () => ['crawl', 'http://a.example/', '--limit', '0'], 1, /^trawl: --limit must be at least 1\. Correct it: trawl crawl --help /], // prettier-ignore
    ['a job without an index', () => ['find', crawlId, 'words'], 1, /^trawl: .* with --index, then search that job/], // prettier-ignore
    ['a bad option', () => ['jobs', '--nope'], 2, /unknown option '--nope'/],
    ['a bad number', () => ['crawl', 'http://a/', '--limit', 'x'], 2, /whole number/],
    ['no command', () => ['nope'], 2, /unknown command 'nope'/],
    ['a missing file', () => ['parse', 'none.pdf'], 1, /^trawl: cannot read none\.pdf: .*\n$/],
    ['a wrong key', () => ['jobs', '--key', 'k'], 1, /\ntrawl: Invalid or revoked API key\. .*\[api_key_invalid, HTTP 401, request \S+\]\n$/], // prettier-ignore
    ['a blocked page', () => ['scrape', 'http://10.0.0.1/'], 1, /^trawl: Blocked URL: .*\[blocked_url, HTTP 400, request \S+\]\n$/], // prettier-ignore
    ['a lost job', () => ['crawl', '--resume', 'nope'], 1, /^trawl: .*\[job_not_found, HTTP 404/],
    ['a used folder', () => ['crawl', 'http://a.example/', '--out', folderWithFile()], 2, /^trawl: \S+used holds other files\. Name a new or an empty folder/], // prettier-ignore
  ])('names the problem and the fix in a line: %s', async (_, args, code, line, env = {}) => {
    const ended = await trawl(args(), { env });
    expect(ended.err).toMatch(line);
    expect([ended.out, ended.code]).toEqual(['', code]);
  });

  it('names a service that is not there', async () => {
    const doctor = await trawl(['doctor', '--url', 'http://127.0.0.1:1']);
    expect(doctor).toMatchObject({ code: 1, out: expect.stringMatching(/^FAIL {2}address/m) });
    expect(await trawl(['jobs', '--url', 'http://127.0.0.1:1'], { retries: 1 })).toMatchObject({
      ...{
        code: 4,
        err: expect.stringMatching(/^trawl: Cannot reach the service: .*\[network\]\n$/),
      },
    });
  });

  it('distinguishes pages of which some failed', async () => {
    const some = await trawl(['scrape', site.url('/'), site.url('/status/404')]);
    expect(some).toMatchObject({ code: 3, out: expect.stringContaining('Small site') });
    expect(some.err).toContain('Fetch failed: HTTP 404');
  });
});
