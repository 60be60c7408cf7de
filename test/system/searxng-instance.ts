import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot, SpawnedProcess, until } from '@app/testing';
import { runProgram } from '../setup/run-program.js';
import { searxngSource } from '../setup/searxng-source.js';

/** A real SearXNG with one engine. */
export class SearxngInstance {
  private constructor(
    readonly url: string,
    private readonly process: SpawnedProcess,
    private readonly folder: string,
  ) {}

  /** @param formats of its answers; `html` alone is the default of an instance */
  static async start(options: {
    readonly port: number;
    readonly engineUrl: string;
    readonly formats: readonly ('html' | 'json')[];
  }): Promise<SearxngInstance> {
    const source = searxngSource();
    const requirements = path.join(source, 'requirements.txt');
    const script = path.join(projectRoot(), 'scripts/python.mjs');
    const python = (
      await runProgram(projectRoot(), process.execPath, [script, requirements])
    ).trim();
    const folder = await mkdtemp(path.join(tmpdir(), 'searxng-'));
    const settings = path.join(folder, 'settings.yml');
    await writeFile(settings, settingsText(options));
    const spawned = SpawnedProcess.spawn({
      name: 'SearXNG',
      command: python,
      args: ['searx/webapp.py'],
      cwd: source,
      env: { SEARXNG_SETTINGS_PATH: settings, PYTHONPATH: source },
    });
    const url = `http://127.0.0.1:${options.port}`;
    const isUp = async (): Promise<boolean> => {
      const { ok } = await fetch(`${url}/healthz`).catch(() => ({ ok: false }));
      return ok;
    };
    await until(isUp, { what: 'SearXNG', timeoutMs: 120_000 });
    return new SearxngInstance(url, spawned, folder);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function settingsText({
  port,
  engineUrl,
  formats,
}: Parameters<typeof SearxngInstance.start>[0]): string {
  const engine = {
    ...{ name: 'local docs', engine: 'json_engine', shortcut: 'ld', categories: ['general'] },
    ...{
      paging: true,
      enable_http: true,
      results_query: 'results',
      url_query: 'url',
      title_query: 'title',
    },
    ...{ content_query: 'text', search_url: `${engineUrl}/?q={query}&page={pageno}` },
  };
  // JSON is YAML.
  return JSON.stringify({
    use_default_settings: { engines: { keep_only: ['none'] } },
    general: { instance_name: 'local' },
    // An engine that failed is requested again at once.
    search: { formats, ban_time_on_fail: 0, max_ban_time_on_fail: 0 },
    server: { port, bind_address: '127.0.0.1', secret_key: 'of a test', limiter: false },
    outgoing: { request_timeout: 3 },
    engines: [engine],
  });
}

interface IndexedPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly words: ReadonlyMap<string, number>;
}

const PAGE_SIZE = 10;

/** A search engine over a folder of HTML pages: titles weigh more, and pages with all words come first. */
export class FolderIndex {
  /** The engine does not answer, as one that is down. */
  isSilent = false;

  private constructor(
    private readonly pages: readonly IndexedPage[],
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(folder: string, urlOf: (file: string) => string): Promise<FolderIndex> {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.html'));
    const pages = await Promise.all(
      files.map(async (file) =>
        indexed(await readFile(path.join(folder, file), 'utf8'), urlOf(file)),
      ),
    );
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const index = new FolderIndex(pages, server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const query = new URL(request.url ?? '', index.url).searchParams;
      if (index.isSilent) return void response.writeHead(500).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      const found = index.find(query.get('q') ?? '');
      const page = Number(query.get('page') ?? '1');
      const results = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      response.end(
        JSON.stringify({ results: results.map(({ url, title, text }) => ({ url, title, text })) }),
      );
    });
    return index;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private find(query: string): readonly IndexedPage[] {
    const wanted = wordsIn(query.replace(/-?\bsite:\S+/g, ' '));
    const scored = this.pages.map((page) => ({
      page,
      hits: wanted.filter((word) => page.words.has(word)).length,
      weight: wanted.reduce((sum, word) => sum + (page.words.get(word) ?? 0), 0),
    }));
    return scored
      .filter(({ hits }) => hits === wanted.length && hits > 0)
      .sort((one, other) => other.weight - one.weight || (one.page.url < other.page.url ? -1 : 1))
      .map(({ page }) => page);
  }
}

const TITLE_WEIGHT = 1_000;
const MAX_TEXT_CHARS = 300;

function indexed(html: string, url: string): IndexedPage {
  const title = plain(/<title>([\s\S]*?)<\/title>/.exec(html)?.[1] ?? '');
  const text = plain(html.replace(/<head>[\s\S]*?<\/head>/, ' '));
  const words = new Map<string, number>();
  for (const word of wordsIn(text)) words.set(word, (words.get(word) ?? 0) + 1);
  const titleWords = wordsIn(title);
  // A short title is about its words alone.
  for (const word of titleWords)
    words.set(word, (words.get(word) ?? 0) + TITLE_WEIGHT / titleWords.length);
  return { url, title, text: text.slice(0, MAX_TEXT_CHARS), words };
}

function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#160;|&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
