import type { ScrapeTask } from '@app/contracts';
import {
  FAKE_PAGE_URL as URL,
  failedScrape,
  FILE,
  OUTPUT,
  PRICE_SCHEMA,
  served,
} from '../../../test/fake-replies.js';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';

describe('POST /v2/scrape', () => {
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

  const scrape = async (body: unknown) => {
    const { status, headers, body: answer } = await api.client.call('POST', '/v2/scrape', body);
    return { status, headers, answer: answer as Answer };
  };
  interface Answer {
    readonly success: boolean;
    readonly code?: string;
    readonly error?: string;
    readonly details?: unknown;
    readonly warning?: string;
    readonly data: Record<string, unknown> & { readonly metadata: Record<string, unknown> };
  }

  it('returns Markdown and metadata, and charges one credit', async () => {
    const { status, headers, answer } = await scrape({ url: URL, origin: 'js-sdk@1' });
    expect([status, headers.get('x-credits-consumed')]).toEqual([200, '1']);
    expect(answer).toEqual({
      success: true,
      data: {
        markdown: '# A',
        metadata: {
          ...{ title: 'A', sourceURL: URL, url: URL, statusCode: 200, contentType: 'text/html' },
          ...{ proxyUsed: 'basic', cacheState: 'miss', creditsUsed: 1 },
          scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    });
    expect(tasks).toMatchObject([
      {
        ...{ formats: ['markdown'], listing: false, maxAgeMs: 0 },
        content: { onlyMainContent: true, removeBase64Images: true },
      },
    ]);
  });

  it('returns exactly the requested formats, named or as objects', async () => {
    reply = served({
      ...{ html: '<p>A</p>', rawHtml: '<html>', links: [URL] },
      ...{ llm: { ...OUTPUT, summary: 'Short.' }, branding: { colorScheme: 'dark' } },
    });
    const names = ['html', 'rawHtml', 'links', 'summary', 'branding'];
    const named = await scrape({ url: URL, formats: names });
    const objects = await scrape({
      url: URL,
      formats: [
        ...names.map((type) => ({ type })),
        { type: 'json', schema: PRICE_SCHEMA },
        { type: 'screenshot', quality: 50, viewport: { width: 800, height: 600 } },
      ],
    });
    expect(Object.keys(named.answer.data).sort()).toEqual([...names, 'metadata'].sort());
    expect(objects.answer.data).toMatchObject({
      ...{ html: '<p>A</p>', rawHtml: '<html>', links: [URL], summary: 'Short.' },
      ...{ branding: { colorScheme: 'dark' }, json: { price: 12.5 } },
    });
    expect(tasks[1]).toMatchObject({
      cleanHtml: true,
      formats: ['rawHtml', 'links', 'summary', 'branding', 'json', 'screenshot'],
      shot: { fullPage: false, format: 'jpeg', quality: 50 },
    });
  });

  it('maps actions', async () => {
    reply = served({
      actionResults: [{ index: 5, type: 'screenshot', contentType: 'image/jpeg', base64: 'AAAA' }],
    });
    const { answer } = await scrape({
      url: URL,
      actions: [
        { type: 'wait', milliseconds: 10 },
        { type: 'click', selector: '#a' },
        { type: 'write', text: 'x' },
        { type: 'press', key: 'Enter' },
        { type: 'scroll', direction: 'down' },
        { type: 'screenshot', fullPage: true, quality: 7 },
      ],
    });
    expect(tasks[0]?.fetch.actions).toEqual([
      { type: 'wait', ms: 10 },
      { type: 'click', selector: '#a' },
      { type: 'write', text: 'x' },
      { type: 'press', key: 'Enter' },
      { type: 'scroll', px: 1_000 },
      { type: 'screenshot', shot: { fullPage: true, format: 'jpeg', quality: 7 } },
    ]);
    expect(answer.data['actions']).toEqual({ screenshots: ['data:image/jpeg;base64,AAAA'] });
  });

  it.each([
    ['example.com', 'http://example.com'],
    ['example.com:8080/a?b=c:d', 'http://example.com:8080/a?b=c:d'],
    ['HTTPS://example.com/', 'HTTPS://example.com/'],
  ])('fetches %s as %s, and names it as sent', async (sent, fetched) => {
    const { answer } = await scrape({ url: sent });
    expect([tasks[0]?.url, answer.data.metadata['sourceURL']]).toEqual([fetched, sent]);
  });

  it('names ignored options that differ from their default, at the top and in the document', async () => {
    const silent = {
      ...{ fastMode: false, blockAds: true, storeInCache: true, mobile: false, proxy: 'auto' },
      ...{ parsers: null, zeroDataRetention: false, redactPII: false, lockdown: false },
      ...{ skipTlsVerification: false, timeout: null, actions: [], integration: 'cli' },
    };
    expect((await scrape({ url: URL, ...silent })).answer.warning).toBeUndefined();
    const loud = {
      mobile: true,
      proxy: 'stealth',
      location: { country: 'DE' },
      timeout: 1,
      parsers: ['pdf'],
      nix: 0,
    };
    const { answer } = await scrape({ url: URL, ...loud, zeroDataRetention: true });
    expect(answer.warning).toBe(
      'Options that were ignored: mobile, proxy, location, timeout, parsers, nix, zeroDataRetention.',
    );
    expect(answer.data['warning']).toBe(answer.warning);
  });

  it('names a bounded number of unknown options', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`${n}${'x'.repeat(100)}`, 1]),
    );
    const { answer } = await scrape({ url: URL, ...many, ...{ ['y'.repeat(9_000)]: 1 } });
    expect(answer.warning?.length).toBeLessThan(2_000);
    expect(answer.warning).toMatch(/ and 481 more\.$/);
  });

  it.each<[object, string]>([
    [{ formats: ['images'] }, 'unsupported_format'],
    [{ formats: ['json'] }, 'unsupported_format'],
    [{ formats: [{ type: 'json', prompt: 'x' }] }, 'unsupported_format'],
    [{ formats: ['screenshot@fullPage'] }, 'unsupported_format'],
    [{ formats: [{ type: 'changeTracking' }] }, 'unsupported_format'],
    [{ formats: ['screenshot', { type: 'screenshot' }] }, 'invalid_request'],
    [{ formats: 'markdown' }, 'invalid_request'],
    [{ formats: [1] }, 'invalid_request'],
    [{ formats: [{ type: 'screenshot', quality: 101 }] }, 'invalid_request'],
    [
      { formats: [{ type: 'screenshot', viewport: { width: 7_681, height: 1 } }] },
      'invalid_request',
    ],
    [{ actions: [{ type: 'wait', selector: 'a' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'wait' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'click', selector: 'a', all: true }] }, 'unsupported_action'],
    [{ actions: [{ type: 'scroll', direction: 'up' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'scroll', selector: 'a' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'executeJavascript', script: '1' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'scrape' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'pdf' }] }, 'unsupported_action'],
    [{ actions: [{ type: 'click' }] }, 'invalid_request'],
    [{ actions: [{ type: 'wait', milliseconds: 60_001 }] }, 'invalid_request'],
    [{ actions: Array.from({ length: 51 }, () => ({ type: 'scroll' })) }, 'invalid_request'],
    [{ redactPII: true }, 'unsupported_option'],
    [{ redactPII: { mode: 'x' } }, 'unsupported_option'],
    [{ lockdown: true }, 'unsupported_option'],
    [{ profile: { name: 'a' } }, 'unsupported_option'],
    [{ url: undefined }, 'invalid_request'],
    [{ url: 'ftp://a.example/' }, 'blocked_url'],
    [{ url: 'javascript:alert(1)' }, 'blocked_url'],
    [{ url: 'http://' }, 'invalid_url'],
    [{ url: 'http://10.0.0.1/' }, 'blocked_url'],
    [{ url: '10.0.0.1' }, 'blocked_url'],
    [{ url: '169.254.169.254/latest' }, 'blocked_url'],
    [{ onlyMainContent: 'yes' }, 'invalid_request'],
    [{ waitFor: 60_001 }, 'invalid_request'],
    [{ maxAge: -1 }, 'invalid_request'],
    [{ headers: { host: 'x' } }, 'invalid_request'],
  ])('refuses %j with 400 %s before anything is fetched or charged', async (fields, code) => {
    const charged = api.recorded.length;
    const { status, answer } = await scrape({ url: URL, ...fields });
    expect([status, answer.success, answer.code]).toEqual([400, false, code]);
    expect(Object.keys(answer)).toEqual(['success', 'error', 'code', 'details']);
    expect([tasks.length, api.recorded.length]).toEqual([0, charged]);
  });

  it('reports a page that could not be fetched as 422', async () => {
    reply = failedScrape();
    const { status, answer } = await scrape({ url: URL });
    expect([status, answer.code, answer.error]).toEqual([
      ...[422, 'fetch_failed', 'Fetch failed: HTTP 404'],
    ]);
    expect(answer.details).toMatchObject({ url: URL });
  });

  it('describes a cached copy, a stealth fetch, Open Graph and a document file', async () => {
    reply = served({
      ...{ cacheAgeMs: 60_000, fetchMethod: 'stealth' },
      metadata: {
        title: 'A',
        openGraph: { 'og:title': 'OG', 'og:site_name': 'Site', 'og:locale:alternate': 'fr_FR' },
      },
    });
    const cached = await scrape({ url: URL, maxAge: 14_400_000_000 });
    expect(tasks[0]?.maxAgeMs).toBe(30 * 86_400_000);
    expect(cached.answer.data.metadata).toMatchObject({
      ...{ cacheState: 'hit', proxyUsed: 'stealth', ogTitle: 'OG', ogSiteName: 'Site' },
      ...{ ogLocaleAlternate: ['fr_FR'], cachedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    reply = served({ file: FILE, markdown: undefined });
    const file = await scrape({ url: URL, formats: ['markdown', 'html'] });
    expect(file.answer.data).toMatchObject({
      markdown: '# Report',
      metadata: { numPages: 3, totalPages: 3 },
      warning: expect.stringContaining('html') as unknown,
    });
    expect(file.answer.data).not.toHaveProperty('html');
  });
});
