import { spawnApp, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deploy, MODES, startStandalone, type Deployment } from './deployment.js';

const SLOW_MS = 700;

describe('stopping', () => {
  let site: FixtureSite;
  let service: Deployment | undefined;

  beforeAll(async () => {
    site = await startFixtureSite({ slowPages: 40, slowMs: SLOW_MS });
  });
  afterAll(() => site.close());
  beforeEach(() => site.reset());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  it('of a fetcher finishes its pages and leaves the rest to others: no page is fetched twice', async () => {
    service = await deploy('cluster', {
      fetchers: 1,
      env: { BROWSER_MAX: '0', HOST_WINDOW_START: '8', CRAWL_CONCURRENCY: '4' },
    });
    const { client, apps, env } = service;
    const { jobId } = await client.crawl({
      url: site.url('/slow-site/0'),
      limit: 20,
      allowBackwardLinks: true,
    });
    await until(() => site.inFlight >= 4, { what: 'pages in flight', timeoutMs: 20_000 });
    const fetcher = apps[1];
    fetcher?.process.signal('SIGTERM');
    apps.push(await spawnApp({ app: 'fetcher', env }));
    expect(await fetcher?.process.exited).toEqual({ code: 0, signal: null });
    const job = await client.waitForEnd(jobId, { timeoutMs: 60_000 });
    expect(job).toMatchObject({ status: 'completed', pages_scraped: 20 });
    expect(pagesAsked(site)).toHaveLength(20);
  });

  it.each(MODES)('of the API lets a scrape in flight be answered, %s', async (mode) => {
    service = await deploy(mode, { env: { BROWSER_MAX: '0' } });
    const answer = service.client.scrape({ url: site.url('/slow/2000/a') });
    await until(() => site.inFlight > 0, {
      what: 'the scrape to reach the site',
      timeoutMs: 20_000,
    });
    const [api] = service.apps;
    api?.process.signal('SIGTERM');
    await until(async () => (await fetch(`${api?.metricsUrl}/health/ready`)).status === 503, {
      what: 'the process to leave the balancer',
      timeoutMs: 20_000,
    });
    expect((await answer).status).toBe(200);
    expect(await api?.process.exited).toEqual({ code: 0, signal: null });
  });

  it('refuses the request whose browser page is open for longer than the drain, and ends in time', async () => {
    service = await deploy('embedded', { env: { BROWSER_MAX: '1', DRAIN_SECONDS: '2' } });
    const url = site.url('/docs');
    const answer = service.client.scrape({ url, waitFor: 40_000 });
    await until(() => site.requests('/docs').length > 0, { timeoutMs: 20_000 });
    const startedAtMs = Date.now();
    const end = service.apps[0]?.process.stop();
    const { status, headers, body } = await answer;
    expect([status, body]).toEqual([
      503,
      { error: 'This server is shutting down. Retry the request.' },
    ]);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    await end;
    expect(Date.now() - startedAtMs).toBeLessThan(8_000);
  });

  it('leaves the rest of an embedded crawl to the next start', async () => {
    service = await deploy('embedded', {
      env: { BROWSER_MAX: '0', HOST_WINDOW_START: '8', LEASE_MS: '2000' },
    });
    const { client, apps, env, url } = service;
    const { jobId } = await client.crawl({
      url: site.url('/slow-site/0'),
      limit: 20,
      allowBackwardLinks: true,
    });
    await until(() => site.inFlight >= 4, { what: 'pages in flight', timeoutMs: 20_000 });
    expect(await apps[0]?.process.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    apps[0] = await startStandalone({ ...env, PORT: new URL(url).port });
    const job = await client.waitForEnd(jobId, { timeoutMs: 60_000 });
    expect(job).toMatchObject({ status: 'completed', pages_scraped: 20 });
    expect(pagesAsked(site)).toHaveLength(20);
  });
});

/** Requests for pages; the folder's sitemap is looked for as well. */
const pagesAsked = (site: FixtureSite) =>
  site.requests().filter(({ path }) => /^\/slow-site\/\d+$/.test(path));
