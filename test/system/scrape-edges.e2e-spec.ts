import { startFixtureSite, until, type Answer, type FixtureSite } from '@app/testing';
import { deployEmbedded, MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

/** A deadline short enough to be met in a test. */
const ENV = { BROWSER_MAX: '1', SCRAPE_TIMEOUT_MS: '20000' };

async function post(service: Service, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

describe.each(MODES)('requests at the limits, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await share(mode);
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  }, 60_000);

  it('sends a picture of several megabytes', async () => {
    const body = { url: site.url('/big/100000'), width: 2_000, waitFor: 0 };
    const { status, body: shot } = await post(service, '/v1/screenshot', body);
    expect([status, shot]).toEqual([200, expect.objectContaining({ width: 2_000 })]);
    const { base64, imageUrl } = shot as { base64?: string; imageUrl?: string };
    const image = base64
      ? Buffer.from(base64, 'base64')
      : Buffer.from(await (await fetch(imageUrl ?? '')).arrayBuffer());
    expect(image.length).toBeGreaterThan(512 * 1024);
  }, 60_000);

  it('refuses more options than a task may carry, as too large and not as a fault', async () => {
    const text = 'x'.repeat(9_000);
    const actions = Array.from({ length: 10 }, () => ({ type: 'write', selector: '#note', text }));
    const { status, body } = await post(service, '/v1/scrape', { url: site.url('/'), actions });
    expect([status, body]).toEqual([
      413,
      { error: 'Request body too large: the limit is 65536 bytes', hint: expect.any(String) },
    ]);
  });
});

describe('time the caller has a page wait', () => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await deployEmbedded({ env: ENV });
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  }, 60_000);

  it('is waited, however little of the deadline it leaves', async () => {
    const url = site.url('/');
    // Once before, so that the start of a browser is not in the measure.
    await post(service, '/v1/scrape', { url, forceHeadless: true });
    const actions = [{ type: 'wait', ms: 12_500 }];
    const { status, body } = await post(service, '/v1/scrape', { url, actions });
    expect([status, body]).toEqual([200, expect.objectContaining({ ok: true })]);
  }, 60_000);
});

describe('SIGTERM while a browser page is open for longer than the drain', () => {
  it('refuses the request that waits for it, and leaves in time and without Chromium', async () => {
    const site = await startFixtureSite();
    const service = await deployEmbedded({ env: { BROWSER_MAX: '1', DRAIN_SECONDS: '2' } });
    try {
      const url = site.url('/docs');
      const answer = post(service, '/v1/scrape', { url, waitFor: 40_000 });
      await until(() => site.requests('/docs').length > 0, { timeoutMs: 20_000 });
      const [standalone] = service.apps;
      const startedAtMs = Date.now();
      const end = standalone?.process.stop();
      const { status, headers, body } = await answer;
      expect([status, body]).toEqual([
        503,
        { error: 'This server is shutting down. Retry the request.' },
      ]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      await end;
      expect(Date.now() - startedAtMs).toBeLessThan(8_000);
    } finally {
      await service.stop();
      await site.close();
    }
  }, 90_000);
});
