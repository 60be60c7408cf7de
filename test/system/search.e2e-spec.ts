import { API_ERRORS } from '@app/contracts';
import { startFixtureSite, until } from '@app/testing';
import { untilPaused } from './backend-pauses.js';
import { MODES } from './deployment.js';
import { SearchRun } from './search-run.js';
import { isFullRun } from '../setup/full-run.js';

type FakeEngine = keyof SearchRun['engines']['modes'];
type SearchMode = SearchRun['engines']['modes'][FakeEngine];
/** What takes as long as a search or an answer may. */
const slow = <T>(one: T): T[] => (isFullRun ? [one] : []);

describe.each(MODES)('POST /v1/search, %s', (mode) => {
  let run: SearchRun;
  beforeAll(async () => {
    run = await SearchRun.start(mode);
    run.servePages(12);
  });
  afterAll(() => run?.stop());
  beforeEach(() => run.reset());

  const setAll = (one: SearchMode): void => {
    Object.assign(run.engines.modes, { serp: one, searxng: one, html: one });
  };

  it('returns results of the first backend, cleaned and in order', async () => {
    const body = await run.search({ query: 'page', limit: 5 });
    expect(body).toEqual({
      query: 'page',
      results: Array.from({ length: 5 }, (_, at) => ({
        url: run.site.url(`/found/${at + 1}`),
        title: `Page ${at + 1}`,
        snippet: `About page ${at + 1}.`,
        position: at + 1,
        markdown: null,
      })),
      source: 'serp_provider',
      total: 5,
      search: { effectiveQuery: 'page' },
    });
  });

  it('searches for clients of the compatibility set, at the same price', async () => {
    const { id, client } = await run.service.tenant('pro');
    const answer = await client.call('POST', '/v2/search', {
      ...{ query: 'page', limit: 2, sources: ['web', 'news'], lang: 'de' },
      scrapeOptions: { formats: ['markdown'] },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        data: {
          web: [1, 2].map((position) => ({
            url: run.site.url(`/found/${position}`),
            title: `Page ${position}`,
            description: `About page ${position}.`,
            position,
            markdown: expect.stringContaining(`is word${position}.`) as unknown,
          })),
        },
        unsupported: ['news'],
        creditsUsed: 2,
        warning: 'Options that were ignored: lang.',
      },
    ]);
    expect(await run.chargesOf(id)).toHaveLength(1);
    const free = await run.service.tenant('free');
    const refused = await free.client.call('POST', '/v2/search', { query: 'page' });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { success: false, code: 'search_not_in_plan', details: null },
    ]);
  });

  it('turns fields into operators, and echoes what was applied', async () => {
    const body = await run.search({
      query: ' some   words filetype:md ',
      country: 'DE',
      includeDomains: [`http://127.0.0.1:${new URL(run.site.url('/')).port}/x`],
      excludeDomains: ['https://www.Other.example/path', 'other.example'],
      categories: 'pdf',
      sources: ['web', 'news', 'images'],
      tbs: 'qdr:w',
    });
    const effectiveQuery = 'some words filetype:md site:127.0.0.1 filetype:pdf -site:other.example';
    expect(body).toMatchObject({
      query: ' some   words filetype:md ',
      total: 10,
      search: {
        effectiveQuery,
        categories: ['pdf'],
        sources: ['web', 'news', 'images'],
        tbs: 'qdr:w',
        includeDomains: ['127.0.0.1'],
        excludeDomains: ['other.example'],
      },
    });
    const [sent] = run.engines.requestsOf('serp').slice(-1);
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      q: effectiveQuery,
      gl: 'de',
      tbs: 'qdr:w',
    });
  });

  it.each<[FakeEngine[], SearchMode, string]>([
    [['serp'], '500', 'html_provider_1'],
    [['serp'], 'nothing', 'html_provider_1'],
    [['serp', 'searxng'], '429', 'html_provider_2'],
    [['serp', 'searxng'], 'drift', 'html_provider_2'],
    [['serp', 'searxng'], 'captcha', 'html_provider_2'],
    ...slow<[FakeEngine[], SearchMode, string]>([['serp', 'searxng'], 'hang', 'html_provider_2']),
    [['serp', 'searxng'], 'garbage_json', 'html_provider_2'],
  ])('goes on when %j fail with %s', async (engines, failure, source) => {
    for (const engine of engines) run.engines.modes[engine] = failure;
    expect(await run.search({ query: 'page', limit: 3 })).toMatchObject({ source, total: 3 });
  });

  it('reads the result page of a SearXNG that refuses JSON', async () => {
    run.engines.modes.serp = '503';
    run.engines.modes.searxng = 'no_json';
    expect(await run.search({ query: 'page', limit: 3 })).toMatchObject({
      source: 'html_provider_1',
      results: [{ title: 'Page 1', snippet: 'About page 1.' }, {}, {}],
    });
  });

  it('answers 200 with no_results when a backend completed, for no credits', async () => {
    const { id, client } = await run.service.tenant('pro');
    Object.assign(run.engines.modes, { serp: '500', searxng: 'nothing', html: 'drift' });
    const answer = await run.request({ query: 'nothing' }, client);
    expect(answer.body).toEqual({
      query: 'nothing',
      results: [],
      source: 'html_provider_1',
      total: 0,
      error: 'no_results',
      search: { effectiveQuery: 'nothing' },
    });
    expect(answer.headers.get('x-credits-consumed')).toBe('0');
    expect(await run.chargesOf(id)).toEqual([]);
  });

  it.each<[SearchMode]>([['500'], ['reset'], ['drift'], ...slow<[SearchMode]>(['hang'])])(
    'answers 503 search_unavailable when all fail (%s), for no credits',
    async (failure) => {
      const { id, client } = await run.service.tenant('pro');
      setAll(failure);
      const answer = await run.request({ query: 'page' }, client);
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        error: 'search_unavailable',
        source: null,
        attempts: [
          { provider: 'serp_provider', ok: false },
          { provider: 'html_provider_1', ok: false },
          { provider: 'html_provider_2', ok: false },
        ],
      });
      expect(answer.headers.get('retry-after')).not.toBeNull();
      expect(answer.text).not.toContain(run.engines.key);
      expect(await run.chargesOf(id)).toEqual([]);
    },
  );

  it('leaves a backend out after failures in a row, and tries it again later', async () => {
    run.engines.modes.serp = '500';
    for (let n = 0; n < 5; n++) await run.search({ query: `q${n}`, limit: 1 });
    await untilPaused(run.service.database);
    const before = run.engines.requestsOf('serp').length;
    expect(await run.search({ query: 'page', limit: 1 })).toMatchObject({
      source: 'html_provider_1',
    });
    expect(run.engines.requestsOf('serp')).toHaveLength(before);
    await run.service.database.query({
      name: 'test_end_pause',
      text: 'UPDATE search_backends SET paused_until = now()',
    });
    run.engines.modes.serp = 'ok';
    expect(await run.search({ query: 'page', limit: 1 })).toMatchObject({
      source: 'serp_provider',
    });
  });

  it('never shows private addresses, and keeps to the domains of the request', async () => {
    await run.reset([
      { url: 'http://10.0.0.1/admin', title: 'Private', snippet: '' },
      { url: 'http://169.254.169.254/latest/meta-data/', title: 'Metadata', snippet: '' },
      { url: 'http://[::1]:8080/', title: 'Own', snippet: '' },
      { url: 'file:///etc/passwd', title: 'File', snippet: '' },
      { url: 'https://public.example/', title: 'Public', snippet: '' },
      { url: 'https://other.example/', title: 'Other', snippet: '' },
    ]);
    const { results } = await run.search({ query: 'q', excludeDomains: ['other.example'] });
    expect(results.map(({ url, position }) => [url, position])).toEqual([
      ['https://public.example/', 1],
    ]);
  });

  describe('with scrapeResults', () => {
    it('has the Markdown of each page in order, null where it failed, for one search unit', async () => {
      const { id, client } = await run.service.tenant('pro');
      await run.reset([
        ...run.pages(2),
        { url: run.site.url('/status/500'), title: 'Broken', snippet: '' },
        { url: 'http://nowhere.example/', title: 'No host', snippet: '' },
        ...run.pages(3).slice(2),
      ]);
      const answer = await run.request({ query: 'page', scrapeResults: true }, client);
      const { results } = answer.body as Awaited<ReturnType<SearchRun['search']>>;
      expect(results.map(({ markdown }) => /word\d+/.exec(markdown ?? '')?.[0] ?? null)).toEqual([
        'word1',
        'word2',
        null,
        null,
        'word3',
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBe('2');
      expect(await run.chargesOf(id)).toEqual([{ operation: 'search', credits: 2, cost: 0 }]);
    });

    it('respects robots.txt', async () => {
      const site = await startFixtureSite();
      site.serve({ '/robots.txt': 'User-agent: *\nDisallow: /about' });
      await run.reset(
        ['/', '/about'].map((path) => ({ url: site.url(path), title: path, snippet: '' })),
      );
      const { results } = await run.search({ query: 'page', scrapeResults: true });
      expect(results.map(({ markdown }) => markdown !== null)).toEqual([true, false]);
      await site.close();
    });
  });

  describe('with include_answer', () => {
    it('adds an answer whose citations hold, and counts its cost', async () => {
      const { id, client } = await run.service.tenant('pro');
      run.llm.script = () => ({
        answer:
          'Page 2 is about page 2 [2]. Page 3 is about page 9 [3]. Page 1 was written by Jane [1]. It is good [9].',
      });
      const body = await run.search({ query: 'which page', include_answer: true }, client);
      expect(body.answer).toBe('Page 2 is about page 2 [2].');
      const [charge] = await run.chargesOf(id);
      expect(charge).toMatchObject({ operation: 'search', credits: 2 });
      expect(charge?.['cost']).toBeGreaterThan(0);
    });

    it.each<['500' | 'hang']>([['500'], ...slow<['hang']>(['hang'])])(
      'leaves the answer out when the model fails (%s)',
      async (failure) => {
        run.llm.mode = failure;
        const body = await run.search({ query: 'which page', include_answer: true });
        expect(body.total).toBe(10);
        expect(body).not.toHaveProperty('answer');
      },
    );
  });

  describe('costs', () => {
    it.each([
      [1, 2],
      [10, 2],
      [11, 4],
      [12, 4],
      [100, 4],
    ])('for a limit of %i are %i credits of 12 results', async (limit, credits) => {
      const { id, client } = await run.service.tenant('pro');
      const answer = await run.request({ query: 'page', limit }, client);
      expect(answer.headers.get('x-credits-consumed')).toBe(String(credits));
      expect(await run.chargesOf(id)).toEqual([{ operation: 'search', credits, cost: 0 }]);
    });

    it('are charged once for a repeated request', async () => {
      const { id, key } = await run.service.tenant('pro');
      const send = () =>
        fetch(`${run.service.url}/v1/search`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-api-key': key,
            'idempotency-key': 'once',
          },
          body: JSON.stringify({ query: 'page' }),
        });
      const first = await (await send()).text();
      const again = await send();
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await again.text()).toBe(first);
      expect(await run.chargesOf(id)).toHaveLength(1);
    });
  });

  it.each([['free'], ['hobby']] as const)('is refused on the plan %s', async (plan) => {
    const { id, client } = await run.service.tenant(plan);
    const before = run.engines.requests.length;
    const answer = await run.request({ query: 'page' }, client);
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: expect.stringContaining('it needs Pro, Scale or a custom plan') },
    ]);
    expect([run.engines.requests.length, await run.chargesOf(id)]).toEqual([before, []]);
  });

  it.each<[object, string]>([
    [{}, API_ERRORS.query_required.text],
    [{ query: null }, API_ERRORS.query_required.text],
    [{ query: '  ' }, API_ERRORS.query_required.text],
    [{ query: 7 }, '`query` must be a string'],
    [{ query: 'x'.repeat(2_001) }, '`query` is longer than 2000 characters'],
    [{ query: 'q', limit: 0 }, '`limit` must be at least 1'],
    [{ query: 'q', country: 'usa' }, '`country` is longer than 2 characters'],
    [{ query: 'q', country: 'u1' }, '`country` must be a two-letter country code'],
    [{ query: 'q', tbs: 'qdr:h' }, '`tbs` must be one of qdr:d, qdr:w, qdr:m, qdr:y'],
    [{ query: 'q', categories: ['news'] }, '`categories` must be one or more of github'],
    [{ query: 'q', categories: [] }, '`categories` must be one or more of github'],
    [{ query: 'q', sources: 'maps' }, '`sources` must be one or more of web'],
    [{ query: 'q', includeDomains: ['a b'] }, 'an entry of `includeDomains` is no domain'],
    [
      { query: 'q', excludeDomains: Array.from({ length: 21 }, (_, n) => `${n}.example`) },
      '`excludeDomains` may hold at most 20 entries',
    ],
    [
      {
        query: 'q',
        includeDomains: Array.from(
          { length: 20 },
          (_, n) => `${`${n}${'a'.repeat(50)}.`.repeat(4)}example`,
        ),
      },
      'send fewer domains',
    ],
    [{ query: 'q', more: 1 }, 'Unknown field `more`'],
  ])('refuses %j', async (body, text) => {
    const before = run.engines.requests.length;
    const answer = await run.request(body);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining(text) }),
    ]);
    expect(run.engines.requests).toHaveLength(before);
  });

  it('shows its backends in the metrics', async () => {
    await run.search({ query: 'page' });
    const metrics = await until(
      async () => {
        const text = await run.service.metrics();
        return /trawl_search_requests_total\{backend="serp_provider",outcome="results"\} [1-9]/.test(
          text,
        )
          ? text
          : undefined;
      },
      { what: 'the metric of a search' },
    );
    expect(metrics).toMatch(
      /trawl_search_request_duration_seconds_count\{backend="serp_provider"\}/,
    );
  });

  it('is in the pricing, with its plans', async () => {
    const { body } = await run.service.client.call('GET', '/v1/pricing');
    expect(JSON.stringify(body)).toContain('"path":"/v1/search","credits":2');
    expect(JSON.stringify(body)).toContain('"search":true');
  });
});
