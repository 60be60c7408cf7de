import { Deadline } from '@app/contracts';
import { EgressGuard, HttpClient } from '@app/egress';
import { parseHtmlSetting, parseSerpSetting, readSearchResults } from '@app/search';
import { startFakeSearch, startLeakCheck } from '@app/testing';
import type {
  BackendQuery,
  BackendResult,
  ReadResultPage,
  SearchBackend,
} from './search-backend.js';
import { SearxngBackend } from './searxng-backend.js';
import { TemplateBackend } from './template-backend.js';

type FakeSearch = Awaited<ReturnType<typeof startFakeSearch>>;
type FakeEngine = keyof FakeSearch['modes'];
type SearchMode = FakeSearch['modes'][FakeEngine];

const RESULTS: FakeSearch['results'] = Array.from({ length: 25 }, (_, at) => ({
  url: `https://a.example/${at + 1}?utm_source=fake`,
  title: `Title ${at + 1} & more`,
  snippet: `About ${at + 1}`,
}));

const QUERY: BackendQuery = {
  text: 'some words site:a.example',
  limit: 10,
  country: 'de',
  locale: 'de-DE',
  period: null,
  includeDomains: [],
  excludeDomains: [],
  isAllowed: () => true,
  tenantId: 't',
};

describe('search backends', () => {
  let fake: FakeSearch;
  let clients: HttpClient[];
  let leaks: ReturnType<typeof startLeakCheck>;
  let backends: Record<FakeEngine, SearchBackend>;

  const read: ReadResultPage = async (page) => readSearchResults(page);
  const clientFor = (url: string): HttpClient => {
    const guard = EgressGuard.forEndpoint(url);
    const client = new HttpClient({ guard, userAgent: 'Test/1', connectTimeoutMs: 60_000 });
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    leaks = startLeakCheck();
    clients = [];
    fake = await startFakeSearch(RESULTS);
    const { SEARCH_SERP, SEARCH_SEARXNG_URL, SEARCH_HTML } = fake.settings;
    const http = clientFor(SEARCH_SEARXNG_URL);
    const serp = parseSerpSetting(SEARCH_SERP);
    const html = parseHtmlSetting(SEARCH_HTML);
    backends = {
      serp: new TemplateBackend({
        ...{ source: 'serp_provider', template: serp, http, read },
        shape: { kind: 'json', shape: serp.shape },
      }),
      searxng: new SearxngBackend({ url: SEARCH_SEARXNG_URL, http, read }),
      html: new TemplateBackend({
        ...{ source: 'html_provider_2', template: html, http, read },
        shape: { kind: 'html', shape: html.shape },
      }),
    };
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await fake.close();
    await leaks.assertClean();
  });

  const search = (
    engine: FakeEngine,
    over: Partial<BackendQuery> = {},
    ms = 60_000,
  ): Promise<BackendResult> =>
    backends[engine].search(
      { ...QUERY, ...over },
      { deadline: Deadline.after(ms), signal: new AbortController().signal },
    );
  const parametersOf = (engine: FakeEngine): URLSearchParams =>
    new URL(fake.requestsOf(engine).at(-1)?.path ?? '', 'http://fake').searchParams;

  describe.each<[FakeEngine]>([['serp'], ['searxng'], ['html']])('of the kind %s', (engine) => {
    it('return clean results, page after page until the limit', async () => {
      const found = await search(engine, { limit: 15 });
      if (!found.ok) throw new Error(found.problem);
      expect(found.results).toHaveLength(15);
      expect(found.results[14]).toEqual({
        url: 'https://a.example/15',
        title: 'Title 15 & more',
        snippet: 'About 15',
      });
      expect(fake.requestsOf(engine)).toHaveLength(2);
    });

    it('return what there is when it is less than the limit', async () => {
      const found = await search(engine, { limit: 100 });
      expect(found.ok && found.results.length).toBe(25);
      expect(fake.requestsOf(engine)).toHaveLength(4);
    });

    it('keep the results of the first page when the second one fails', async () => {
      const served = search(engine, {
        limit: 20,
        isAllowed: () => {
          fake.modes[engine] = '500';
          return true;
        },
      });
      const found = await served;
      expect(found.ok && found.results.length).toBe(10);
    });

    it('say honestly that nothing was found', async () => {
      fake.modes[engine] = 'nothing';
      expect(await search(engine)).toEqual({ ok: true, results: [] });
    });

    it('read 5,000 results of one page as far as they are wanted', async () => {
      fake.modes[engine] = 'many';
      const found = await search(engine, { limit: 100 });
      expect(found.ok && found.results.length).toBe(100);
      expect(fake.requestsOf(engine)).toHaveLength(1);
    });

    it.each<[SearchMode, string, object?]>([
      ['429', 'refused', { retryAfterMs: 1_000, statusCode: 429 }],
      ['500', 'http_error', { statusCode: 500 }],
      ['503', 'http_error', { retryAfterMs: 1_000 }],
      ['504', 'timeout'],
      ['422', 'http_error', { isOfQuery: true }],
      ['redirect', 'provider_error', { statusCode: 302 }],
      ['reset', 'network'],
      ['truncated', 'network'],
      ['drift', 'provider_error', { isDrift: true }],
    ])('turn %s into a failure', async (mode, errorClass, more = {}) => {
      fake.modes[engine] = mode;
      const refused = engine === 'serp' ? 'provider_error' : 'blocked';
      const expected = errorClass === 'refused' ? refused : errorClass;
      expect(await search(engine)).toMatchObject({ ok: false, errorClass: expected, ...more });
    });

    it.each<[SearchMode]>([['hang'], ['hang_body'], ['drip']])(
      'end at the deadline when the answer is late (%s)',
      async (mode) => {
        fake.modes[engine] = mode;
        expect(await search(engine, {}, 300)).toMatchObject({ ok: false, errorClass: 'timeout' });
      },
    );

    it.each<[SearchMode]>([['garbage_json'], ['html_error'], ['empty'], ['captcha'], ['huge']])(
      'never show %s as results',
      async (mode) => {
        fake.modes[engine] = mode;
        const found = await search(engine);
        expect(found.ok && found.results.length > 0).toBe(false);
      },
    );

    it('never quote the key of the operator', async () => {
      fake.modes[engine] = 'echo_key';
      expect(JSON.stringify(await search(engine))).not.toContain(fake.key);
    });

    it('end when the caller has gone', async () => {
      fake.modes[engine] = 'hang';
      const hangUp = new AbortController();
      const gone = backends[engine].search(QUERY, {
        deadline: Deadline.after(60_000),
        signal: hangUp.signal,
      });
      hangUp.abort(new Error('gone'));
      await expect(gone).rejects.toThrow('gone');
    });
  });

  it('send the query, the country and the period in the form of the search API', async () => {
    await search('serp', { period: 'w' });
    const [request] = fake.requestsOf('serp');
    expect(request?.headers).toMatchObject({
      'x-api-key': fake.key,
      'content-type': 'application/json',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      ...{ q: QUERY.text, num: 10, page: 1, gl: 'de', tbs: 'qdr:w' },
    });
  });

  it('send the same to SearXNG, without words that choose its engines', async () => {
    await search('searxng', { period: 'm', text: '!!g :fr <9 !images wow! c++ site:a.example' });
    expect(Object.fromEntries(parametersOf('searxng'))).toEqual({
      q: 'g fr 9 images wow! c++ site:a.example',
      pageno: '1',
      language: 'de-DE',
      time_range: 'month',
      format: 'json',
    });
  });

  it('fill the address of a page, and leave out what was not requested', async () => {
    await search('html', { period: 'd', text: 'a&b #c' });
    expect(Object.fromEntries(parametersOf('html'))).toEqual({
      ...{ q: 'a&b #c', page: '1', since: 'day' },
    });
    await search('html');
    expect(parametersOf('html').has('since')).toBe(false);
  });

  it('name the captcha of a page', async () => {
    fake.modes.html = 'captcha';
    expect(await search('html')).toMatchObject({ errorClass: 'blocked' });
  });

  it('read the page of a SearXNG instance that refuses JSON, and remember it', async () => {
    fake.modes.searxng = 'no_json';
    expect(await search('searxng')).toMatchObject({ ok: true });
    expect(await search('searxng')).toMatchObject({ ok: true });
    const formats = fake
      .requestsOf('searxng')
      .map(({ path }) => new URL(path, 'http://fake').searchParams.get('format'));
    expect(formats).toEqual(['json', 'html', 'html']);
  });

  it('take an empty SearXNG with silent engines for incomplete, not for broken', async () => {
    fake.modes.searxng = 'silent';
    expect(await search('searxng')).toMatchObject({ ok: false, isOfQuery: true, isDrift: false });
  });

  it('reach the address of the operator and no other', async () => {
    const http = clientFor('http://127.0.0.1:9/');
    const other = new SearxngBackend({ url: fake.settings.SEARCH_SEARXNG_URL, http, read });
    const terms = { deadline: Deadline.after(60_000), signal: new AbortController().signal };
    expect(await other.search(QUERY, terms)).toMatchObject({
      ok: false,
      problem: 'the backend cannot be used at its configured address',
    });
    expect(fake.requests).toEqual([]);
  });
});
