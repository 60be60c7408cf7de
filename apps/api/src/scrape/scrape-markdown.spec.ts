import type { ScrapeTask } from '@app/contracts';
import {
  failedScrape,
  FAKE_PAGE_URL as URL_,
  FILE,
  LISTING,
  served,
} from '../../test/fake-replies.js';
import { startTestApi, type StartedApi } from '../../test/started-api.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

describe('a page as Markdown', () => {
  let api: StartedApi;
  let tasks: ScrapeTask[];
  let reply: object;
  beforeAll(async () => {
    api = await startTestApi();
    tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => reply);
  });
  beforeEach(() => {
    reply = served();
    tasks.length = 0;
  });
  afterAll(() => api.stop());

  type Headers = Readonly<Record<string, string>>;
  async function send(
    path: string,
    init: RequestInit,
  ): Promise<{
    readonly status: number;
    readonly text: string;
    readonly headers: globalThis.Headers;
  }> {
    const response = await fetch(`${api.url}${path}`, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
  const post = (body: object, headers: Headers = { accept: 'text/markdown' }) =>
    send('/v1/scrape', {
      method: 'POST',
      body: JSON.stringify({ url: URL_, ...body }),
      headers: { 'x-api-key': api.key, 'content-type': 'application/json', ...headers },
    });
  const get = (query: string | Record<string, string>, headers: Headers = {}) =>
    send(`/v1/scrape?${new URLSearchParams(query)}`, {
      headers: { 'x-api-key': api.key, ...headers },
    });

  it.each([
    ['POST', () => post({})],
    ['GET', () => get({ url: URL_ })],
  ])('is the body of %s, with what matters of the rest in headers', async (_, call) => {
    const { status, text, headers } = await call();
    expect([status, text]).toEqual([200, '# A']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': MARKDOWN,
      vary: 'Accept',
      'cache-control': 'private, no-store',
      'x-credits-consumed': '1',
      'x-ratelimit-limit': expect.any(String),
      'x-page-url': URL_,
      'x-page-title': 'A',
      'x-fetch-method': 'plain',
    });
    expect(headers.has('x-partial-reason')).toBe(false);
    // What the response does not have is not made.
    expect(tasks).toMatchObject([{ url: URL_, formats: ['markdown'], listing: false }]);
  });

  it.each([
    ['POST', () => post({}, {})],
    ['POST', () => post({}, { accept: 'text/markdown;q=0.5, application/json' })],
    ['GET', () => get({ url: URL_ }, { accept: 'application/json' })],
  ])('is part of the JSON of %s for a client that prefers it', async (_, call) => {
    reply = served({ listing: LISTING });
    const { status, text, headers } = await call();
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      JSON_TYPE,
      'Accept',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      markdown: '# A',
      listing: expect.anything(),
    });
    expect(headers.has('x-page-url')).toBe(false);
  });

  it('says that it is not whole', async () => {
    reply = served({ partialReason: 'max_markdown_chars' });
    expect((await post({})).headers.get('x-partial-reason')).toBe('max_markdown_chars');
  });

  it('of a document file is its text', async () => {
    reply = served({ file: { ...FILE, title: 'Report', truncatedBy: 'pages' } });
    const { text, headers } = await get({ url: URL_ });
    expect([text, headers.get('x-page-title'), headers.get('x-partial-reason')]).toEqual([
      '# Report',
      'Report',
      'pages',
    ]);
  });

  it('of a page whose title breaks headers has a safe one', async () => {
    const title = `A\r\nset-cookie: a=b\0 é\ud800 ${'x'.repeat(1_000)}`;
    reply = served({ metadata: { title }, url: 'http://a.example/é\r\nx: y' });
    const { status, headers } = await post({});
    expect(status).toBe(200);
    expect(headers.has('set-cookie')).toBe(false);
    const sent = headers.get('x-page-title') ?? '';
    expect(decodeURIComponent(sent)).toBe(title.slice(0, 200).toWellFormed());
    expect(headers.get('x-page-url')).toBe('http://a.example/%C3%A9x:%20y');
  });

  it.each<[object, RegExp]>([
    [{ formats: ['markdown', 'links'] }, /^`formats` holds links, and the response was requested/],
    [{ includeHtml: true }, /^`includeHtml` is true, and the response was requested/],
  ])('has no other output: %j', async (body, problem) => {
    const { status, text, headers } = await post(body);
    expect([status, headers.get('content-type')]).toEqual([400, JSON_TYPE]);
    expect((JSON.parse(text) as { error: string }).error).toMatch(problem);
    expect(tasks).toEqual([]);
  });

  it.each([
    ['POST', () => post({})],
    ['GET', () => get({ url: URL_ })],
  ])('has errors of %s in JSON, and costs nothing then', async (_, call) => {
    reply = failedScrape();
    const { status, text, headers } = await call();
    expect([status, headers.get('content-type')]).toEqual([422, JSON_TYPE]);
    expect(JSON.parse(text)).toMatchObject({ ok: false, error: expect.any(String) });
    expect(headers.get('x-credits-consumed')).not.toBe('1');
  });

  it('of GET has the options of POST', async () => {
    const query = new URLSearchParams(
      'onlyMainContent=true&removeBase64Images=true&linkStyle=omitted&forceHeadless=true&scroll=true&preferMarkdown=true' +
        '&blockAds=false&ignoreRobotsTxt=true&country=de&waitFor=250&maxAge=60000&costCeiling=0.5' +
        '&includeTags=main,+h1&includeTags=p&excludeTags=.ad',
    );
    query.set('url', `${URL_}?a=1&b=2`);
    expect((await get(query.toString())).status).toBe(200);
    expect(tasks).toMatchObject([
      {
        url: `${URL_}?a=1&b=2`,
        ignoreRobotsTxt: true,
        maxAgeMs: 60_000,
        minAgeMs: null,
        fetch: {
          ...{ forceHeadless: true, scroll: true, preferMarkdown: true, waitForMs: 250 },
          ...{ blockAds: false, country: 'DE', costCeilingMicroUsd: 500_000 },
        },
        content: {
          ...{ onlyMainContent: true, removeBase64Images: true, linkStyle: 'omitted' },
          ...{ includeTags: ['main', 'h1', 'p'], excludeTags: ['.ad'] },
        },
      },
    ]);
  });

  it('of GET may say false', async () => {
    const query = { url: URL_, onlyMainContent: 'false', extractListing: 'false' };
    expect((await get(query, { accept: 'application/json' })).status).toBe(200);
    expect(tasks).toMatchObject([{ listing: false, content: { onlyMainContent: false } }]);
  });

  it.each<[string, RegExp]>([
    ['', /^`url` is required$/],
    ['url=nowhere', /^Invalid URL/],
    ['url=http%3A%2F%2F127.0.0.1%2F', /^Blocked URL/],
    ['url=http://a.example/&respectUse=any', /^`respectUse` must be one of search, ai-input/],
    ['url=http://a.example/&linkStyle=none', /^`linkStyle` must be one of/],
    ['url=http://a.example/&onlyMainContent=yes', /^`onlyMainContent` must be true or false$/],
    ['url=http://a.example/&waitFor=60001', /^`waitFor` must be at most 60000$/],
    ['url=http://a.example/&waitFor=-1', /^`waitFor` must be/],
    ['url=http://a.example/&waitFor=1.5', /^`waitFor` must be a whole number$/],
    ['url=http://a.example/&waitFor=soon', /^`waitFor` must be/],
    ['url=http://a.example/&maxAge=1&maxAge=2', /^`maxAge` is given twice. Send it once$/],
    ['url=http://a.example/&country=deu', /two-letter country code/],
    ['url=http://a.example/&country=d1', /country/],
    ['url=http://a.example/&includeTags=p[', /^an entry of `includeTags` /],
    ['url=http://a.example/&formats=links', /^Unknown parameter `formats`/],
    ['url=http://a.example/?a=1&b=2', /^Unknown parameter `b`\. Percent-encode the value of `url`/],
    ['url=http://a.example/&constructor=1', /^Unknown parameter `constructor`/],
  ])('of GET explains a mistake: %s', async (query, problem) => {
    const response = await fetch(`${api.url}/v1/scrape?${query}`, {
      headers: { 'x-api-key': api.key },
    });
    const { error } = (await response.json()) as { error: string };
    expect([response.status, error]).toEqual([400, expect.stringMatching(problem)]);
    expect(tasks).toEqual([]);
  });

  it('of GET needs a key, and has no HEAD', async () => {
    const address = `${api.url}/v1/scrape?url=${encodeURIComponent(URL_)}`;
    expect((await fetch(address)).status).toBe(401);
    const head = await fetch(address, { method: 'HEAD', headers: { 'x-api-key': api.key } });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS, POST']);
    expect(tasks).toEqual([]);
  });
});
