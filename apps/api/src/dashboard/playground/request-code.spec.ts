import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { codeOf, type RequestCode } from './request-code.js';

const run = promisify(execFile);

const HOSTILE = `it's "quoted" \\ $HOME \`id\` \n </code><script>`;
const codes = (operationId: string, path: string, body: object): readonly RequestCode[] =>
  codeOf(
    { operationId, path, method: 'POST', summary: '', needsKey: true } as never,
    body as Record<string, unknown>,
    'http://127.0.0.1:3000/',
  );
const textOf = (all: readonly RequestCode[], id: RequestCode['id']): string =>
  all.find((one) => one.id === id)?.text ?? '';

describe('a request as code', () => {
  const body = {
    url: 'https://example.com/',
    formats: ['markdown', 'links'],
    onlyMainContent: true,
    headers: { 'x-note': HOSTILE },
    location: { country: 'DE' },
    actions: [{ type: 'wait', ms: 5 }],
  };
  const all = codes('scrape', '/v1/scrape', body);

  it('is a command for a shell, which sees the body as it is', async () => {
    const script = textOf(all, 'curl').replace('curl', 'printf "%s\\0"');
    const { stdout } = await run('sh', ['-c', script], { env: { TRAWL_API_KEY: 'k' } });
    const words = stdout.split('\0');
    expect(words).toEqual(
      expect.arrayContaining(['http://127.0.0.1:3000/v1/scrape', 'x-api-key: k']),
    );
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
  });

  it('is a call of our client', () => {
    const text = textOf(all, 'typescript');
    expect(text).toContain(`import { Trawl } from '@trawl/client';`);
    const call = /await trawl\.scrape\(([^]*)\);\nconsole/.exec(text)?.[1] ?? '';
    const { url, ...options } = body;
    expect(new Function(`return [${call}]`)()).toEqual([url, options]);
  });

  it('is a request of Python', async () => {
    const call = textOf(all, 'python').replace('import requests', '');
    const json = /json=([^]*),\n\)/.exec(call)?.[1] ?? '';
    const { stdout } = await run('python3', ['-c', `import json\nprint(json.dumps(${json}))`]);
    expect(JSON.parse(stdout)).toEqual(body);
  });

  it('is a command of trawl, which says what it has no option for', async () => {
    const cli = all.find(({ id }) => id === 'cli');
    expect(cli?.leftOut).toEqual(['actions']);
    const { stdout } = await run('sh', [
      '-c',
      (cli?.text ?? '').replace('trawl', 'printf "%s\\0"'),
    ]);
    expect(stdout.split('\0').slice(0, -1)).toEqual([
      ...['scrape', 'https://example.com/', '--format', 'markdown', '--format', 'links'],
      ...['--main', '--header', `x-note: ${HOSTILE}`, '--country', 'DE', '--json'],
    ]);
  });

  it('has the question of passages where a command or a tool takes one', () => {
    const passages = { type: 'passages', query: 'How much?', max: 3 };
    const url = 'https://a.example/';
    const scrape = codes('scrape', '/v1/scrape', { url, formats: [passages], maxTokens: 500 });
    expect(scrape.filter(({ id }) => id === 'cli' || id === 'mcp')).toMatchObject([
      {
        text: `trawl scrape ${url} --query 'How much?' --max-tokens 500`,
        leftOut: ['formats.passages.max'],
      },
      {
        text: JSON.stringify(
          { name: 'scrape', arguments: { url, question: 'How much?' } },
          null,
          2,
        ),
        leftOut: ['formats.passages.max', 'maxTokens'],
      },
    ]);
    const scrapeOptions = { formats: ['markdown', passages] };
    const crawl = codes('startCrawl', '/v1/crawl', { url, since: 'j1', scrapeOptions });
    expect(crawl.find(({ id }) => id === 'cli')).toMatchObject({
      text: `trawl crawl ${url} --since j1 --format markdown --json`,
      leftOut: ['scrapeOptions.formats.passages.query', 'scrapeOptions.formats.passages.max'],
    });
  });

  it('is a call of a tool', () => {
    const mcp = all.find(({ id }) => id === 'mcp');
    expect(mcp?.leftOut).toEqual(['formats', 'headers.x-note', 'location.country', 'actions']);
    expect(JSON.parse(mcp?.text ?? '')).toEqual({
      name: 'scrape',
      arguments: { url: 'https://example.com/', onlyMainContent: true },
    });
  });

  it('has no way that an endpoint has not', () => {
    expect(codes('brand', '/v1/brand', { domain: 'a.example' }).map(({ id }) => id)).toEqual([
      'curl',
      'typescript',
      'python',
    ]);
  });

  it('follows the pages of a crawl', () => {
    const text = textOf(
      codes('startCrawl', '/v1/crawl', { url: 'https://a.example/' }),
      'typescript',
    );
    expect(text).toContain('trawl.crawl(');
    expect(text).toContain('for await');
  });
});
