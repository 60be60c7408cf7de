import {
  articleMarker,
  RemoteChromium,
  startFakeHostedCrawler,
  startFakeUnblockProvider,
  startFixtureSite,
  type FakeHostedCrawler,
  type FakeUnblockProvider,
} from '@app/testing';
import { chromiumPath } from '../setup/test-servers.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { TRAP_NETWORK, type ScrapeBody } from './trap-run.js';

const pathOf = ({ cascade }: ScrapeBody): string =>
  cascade.attempts.map(({ rung, error_class }) => `${rung}:${error_class ?? 'ok'}`).join(' ');

/** All five rungs, each with a provider of its own on loopback. */
describe.each(MODES)('the whole cascade, %s', (mode) => {
  let service: Deployment;
  let provider: FakeUnblockProvider;
  let crawler: FakeHostedCrawler;
  let remote: RemoteChromium;

  beforeAll(async () => {
    provider = await startFakeUnblockProvider({ html: page('from-the-provider') });
    crawler = await startFakeHostedCrawler({ html: page('from-the-crawler') });
    remote = await RemoteChromium.start(chromiumPath());
    service = await deploy(mode, {
      env: {
        FETCH_ALLOW_PRIVATE: TRAP_NETWORK,
        UNBLOCK_PROVIDERS: 'impersonate,http',
        UNBLOCK_HTTP: provider.settingText('get', { name: 'paid-one', priceMicroUsd: 1_500 }),
        HOSTED_CRAWLER_URL: crawler.baseUrl,
        HOSTED_CRAWLER_KEY: crawler.key,
        HOSTED_CRAWLER_COST_MICRO_USD: '1000',
        BROWSER_WS_URL: remote.wsUrl,
        BROWSER_MAX: '1',
        SCRAPE_TIMEOUT_MS: '30000',
      },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([provider, crawler].map((one) => one?.close()));
    await remote?.stop();
  });
  beforeEach(() => {
    provider.mode = 'ok';
    crawler.mode = 'ok';
  });

  /** Each scrape has a site of its own, so that nothing learnt of one host helps the next. */
  let hosts = 10;
  async function scrape(path: string, options: object = {}): Promise<ScrapeBody> {
    const site = await startFixtureSite({ host: `127.0.1.${hosts++}` });
    try {
      return (await service.client.scrape({ url: site.url(path), ...options })).body as ScrapeBody;
    } finally {
      await site.close();
    }
  }

  it('begins with the impersonating client, which is free', async () => {
    const body = await scrape('/docs');
    expect(pathOf(body)).toBe('unblock:ok');
    expect(body).toMatchObject({
      ok: true,
      metadata: { fetchMethod: 'fetch' },
      cascade: { level: 0 },
      unblock: {
        attempts: [
          {
            provider: 'impersonate',
            ok: true,
            error_class: null,
            outcome: 'ok',
            cost_class: 'free',
          },
        ],
      },
    });
    expect(body).not.toHaveProperty('fallback');
    expect(body).not.toHaveProperty('partial');
  });

  it('continues with the paid provider when a wall stops the free one, and reports the cost', async () => {
    const body = await scrape('/wall/captcha');
    expect(pathOf(body)).toBe('unblock:ok');
    expect(body.markdown).toContain('from-the-provider');
    expect(body.unblock.attempts).toMatchObject([
      { provider: 'impersonate', ok: false, error_class: 'blocked', outcome: 'blocked' },
      { provider: 'paid-one', ok: true, outcome: 'ok', cost_class: 'paid' },
    ]);
    expect(JSON.stringify(body)).not.toContain(provider.key);
  });

  it('escalates through all rungs, and reports the first and the last', async () => {
    provider.mode = '500';
    const body = await scrape('/wall/captcha');
    expect(pathOf(body)).toBe(
      'unblock:blocked plain:blocked headless:blocked headless:blocked hosted_crawler:ok',
    );
    expect(body).toMatchObject({
      fallback: { used: true, from: 'unblock', to: 'hosted_crawler' },
      metadata: { fetchMethod: 'hosted_crawler' },
      cascade: { level: 3 },
    });
    expect(body.markdown).toContain('from-the-crawler');
  });

  it('ends at the remote browser', async () => {
    crawler.mode = '500';
    const body = await scrape('/shell/react', { forceHeadless: true, costCeiling: 0 });
    expect(pathOf(body)).toBe('headless:ok');
    provider.mode = '500';
    const walled = await scrape('/wall/captcha');
    expect(pathOf(walled)).toMatch(/hosted_crawler:provider_error hosted_browser:blocked$/);
    expect(walled).toMatchObject({ ok: false, error: expect.stringContaining('bot wall') });
  });

  it('keeps to a cost ceiling: rungs above it are reported and never called', async () => {
    const before = [provider.requests.length, crawler.requests.length];
    const body = await scrape('/wall/captcha', { costCeiling: 0 });
    expect(pathOf(body)).toMatch(/hosted_crawler:cost_ceiling/);
    expect(body.unblock.attempts).toMatchObject([
      { provider: 'impersonate', outcome: 'blocked' },
      { provider: 'paid-one', outcome: 'failed', error_class: 'cost_ceiling', latency_ms: 0 },
    ]);
    expect([provider.requests.length, crawler.requests.length]).toEqual(before);
  });

  it.each([
    [0.0015, 'paid-one is called, the crawler is not', [1, 0]],
    [0.001499, 'only the crawler is called', [0, 1]],
  ])('a ceiling of %d dollars: %s', async (costCeiling, _text, calls) => {
    const before = [provider.requests.length, crawler.requests.length];
    provider.mode = '500';
    await scrape('/wall/captcha', { costCeiling });
    const made = [provider.requests.length, crawler.requests.length].map(
      (count, index) => count - (before[index] ?? 0),
    );
    expect(made).toEqual(calls);
  });

  it('a page that is not there is requested once and not paid for', async () => {
    const before = provider.requests.length;
    const body = await scrape('/status/404');
    expect(body).toMatchObject({ ok: false, error: 'Fetch failed: HTTP 404' });
    expect(provider.requests.length).toBe(before);
    expect(pathOf(body)).not.toContain('headless');
  });

  it('runs actions in a browser of its own', async () => {
    const body = await scrape('/actions', { actions: [{ type: 'wait', ms: 1 }] });
    expect(pathOf(body)).toBe('headless:ok');
    expect(body.markdown).toContain(articleMarker('actions'));
  });
});

const page = (mark: string) =>
  `<!doctype html><title>t</title><main><h1>${mark}</h1><p>${'A page with enough text to be one. '.repeat(10)}</p></main>`;
