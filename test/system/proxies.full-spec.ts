import { ForwardProxy, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deployEmbedded, type Deployment } from './deployment.js';
import type { ScrapeBody } from './trap-run.js';

/** The number is that of the list of regressions. */
describe('25: a proxy that is ignored', () => {
  let site: FixtureSite;
  let proxy: ForwardProxy;
  let service: Deployment;

  // Dead at first; a test that needs it alive revives it.
  beforeAll(async () => {
    proxy = await ForwardProxy.start();
    await proxy.close();
    const url = proxy.url.replace('http://', 'http://user:secret-of-proxy@');
    service = await deployEmbedded({ env: { BROWSER_MAX: '1', OUTBOUND_PROXIES: url } });
  });
  afterAll(async () => {
    await service?.stop();
    await proxy?.close();
  });
  // Of a new site nothing is remembered.
  beforeEach(async () => {
    site = await startFixtureSite();
  });
  afterEach(() => site.close());

  const WAYS = [{}, { forceHeadless: true }];

  /** Starts the proxy where it was, and waits until it is used: by another site than that of the test. */
  async function revive(): Promise<void> {
    await proxy.close();
    proxy = await ForwardProxy.start({ port: Number(new URL(proxy.url).port) });
    const other = await startFixtureSite();
    const isUsed = async () =>
      (await service.client.scrape({ url: other.url('/docs') })).status === 200;
    await until(isUsed, { what: 'the proxy to be used', timeoutMs: 60_000 });
    await other.close();
  }

  it('a dead one fails every rung as network, and no request bypasses it', async () => {
    for (const way of WAYS) {
      const { status, body } = await service.client.scrape({
        ...way,
        url: site.url('/shell/react'),
        ignoreRobotsTxt: true,
      });
      const { attempts } = (body as ScrapeBody).cascade;
      expect([status, attempts.length > 0]).toEqual([422, true]);
      expect(new Set(attempts.map((attempt) => attempt.error_class))).toEqual(new Set(['network']));
    }
    const robots = await service.client.scrape({ url: site.url('/about') });
    expect((robots.body as ScrapeBody).error).toContain('network');
    expect(site.totalRequests).toBe(0);
  });

  it('a live one carries every request: robots, pages, scripts, crawls', async () => {
    await revive();
    for (const way of WAYS) {
      const { body } = await service.client.scrape({ ...way, url: site.url('/shell/react') });
      expect((body as ScrapeBody).markdown).toContain('article-of-shell-react-end');
    }
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 3 });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({ pages_scraped: 3 });

    const ports = new Set(proxy.tunnels.map(({ localPort }) => localPort));
    const around = site.requests().filter(({ remotePort }) => !ports.has(remotePort));
    expect(around.map(({ path }) => path)).toEqual([]);
    const asked = new Set(site.requests().map(({ path }) => path));
    expect([...asked]).toEqual(
      expect.arrayContaining(['/robots.txt', '/shell/react', '/shell/api/react', '/docs']),
    );
    const credentials = `Basic ${Buffer.from('user:secret-of-proxy').toString('base64')}`;
    expect(proxy.tunnels.every(({ authorization }) => authorization === credentials)).toBe(true);
    const output = service.apps.flatMap((app) => app.process.output).join('\n');
    expect(output).not.toContain('secret-of-proxy');
  });

  it('one that dies fails its requests, and one that returns serves them again', async () => {
    await revive();
    const { client } = service;
    expect((await client.scrape({ url: site.url('/about') })).status).toBe(200);
    await proxy.close();
    site.reset();
    for (const way of WAYS) {
      const answer = await client.scrape({ ...way, url: site.url('/contact') });
      expect(answer.status).toBe(422);
    }
    expect(site.totalRequests).toBe(0);
    await revive();
    expect((await client.scrape({ url: site.url('/docs') })).status).toBe(200);
  });
});
