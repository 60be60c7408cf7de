import { articleHtml, startFixtureSite, until, type Answer, type FixtureSite } from '@app/testing';
import { isFullRun } from '../setup/full-run.js';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';

const DENY_DOCS = 'User-agent: *\nDisallow: /docs\n';
const WAYS = [{}, { forceHeadless: true }];

describe('the robots directives of a site', () => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    service = await share();
  });
  afterAll(() => service?.stop());
  // Each case has an origin of its own, of which nothing is remembered.
  beforeEach(async () => {
    site = await startFixtureSite();
  });
  afterEach(() => site?.close());

  const scrape = (path: string, options: object = {}): Promise<Answer> =>
    service.client.scrape({ ...options, url: site.url(path) });

  /** robots.txt behind `hops` redirects. */
  function serveBehind(hops: number, text: string): void {
    const places = Array.from({ length: hops }, (_, hop) => `/robots-hop-${hop + 1}`);
    const redirects = ['/robots.txt', ...places.slice(0, -1)].map(
      (from, hop) => [from, places[hop] ?? ''] as const,
    );
    site.serve({
      ...Object.fromEntries(
        redirects.map(([from, location]) => [
          from,
          ({ response }) => void response.writeHead(302, { location }).end(),
        ]),
      ),
      [places.at(-1) ?? '/robots.txt']: ({ response }) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
    });
  }

  function serveRobots(status: number, text: string): void {
    site.serve({ '/robots.txt': ({ response }) => void response.writeHead(status).end(text) });
  }

  describe('X-Robots-Tag', () => {
    it.each(WAYS)('is in the response, all of its lines (%j)', async (way) => {
      site.serve({
        '/tagged': ({ response }) =>
          void response
            .setHeader('x-robots-tag', ['noindex, nofollow', 'otherbot: noarchive'])
            .writeHead(200, { 'content-type': 'text/html' })
            .end(articleHtml('tagged')),
      });
      const { status, body } = await scrape('/tagged', way);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { metadata: { xRobotsTag: 'noindex, nofollow, otherbot: noarchive' } },
      });
    });

    it.each(WAYS)('is not in the response where there is none (%j)', async (way) => {
      const { status, body } = await scrape('/docs', way);
      expect(status).toBe(200);
      expect(Object.keys((body as { metadata: object }).metadata)).not.toContain('xRobotsTag');
    });
  });

  describe('a use that the request respects', () => {
    const NO_TRAINING = 'User-agent: *\nContent-Signal: search=yes, ai-train=no\n';

    it('is refused by robots.txt without a request for the page', async () => {
      serveRobots(200, NO_TRAINING);
      const answer = await scrape('/docs', { respectUse: 'ai-train' });
      const contentUse = { search: true, aiTrain: false, sources: ['robots.txt'] };
      expect(answer).toMatchObject({
        status: 422,
        body: { ok: false, error: expect.stringContaining('does not allow ai-train'), contentUse },
      });
      expect(answer.headers.get('x-credits-consumed') ?? '0').toBe('0');
      expect(site.count('/docs')).toBe(0);
      const { body } = await scrape('/docs', { respectUse: 'search' });
      expect(body).toMatchObject({ ok: true, metadata: { contentUse } });
    });

    it.each(WAYS)('is refused by a header of the page (%j)', async (way) => {
      site.serve({
        '/reserved': ({ response }) =>
          void response
            .writeHead(200, { 'content-type': 'text/html', 'tdm-reservation': '1' })
            .end(articleHtml('reserved')),
      });
      const answer = await scrape('/reserved', { ...way, respectUse: 'ai-input' });
      expect(answer).toMatchObject({ status: 422, body: { contentUse: { aiInput: false } } });
      expect(answer.body).not.toHaveProperty('markdown');
    });

    it('skips pages of a crawl, and fails items of a batch', async () => {
      serveRobots(200, 'User-agent: *\nContent-Usage: /docs train-ai=n\n');
      const { jobId } = await service.client.crawl({
        ...{ url: site.url('/'), limit: 50, respectUse: 'ai-train', sitemap: 'skip' },
      });
      const job = await service.client.waitForEnd(jobId);
      expect(job).toMatchObject({
        status: 'completed',
        skipped: { content_use: expect.any(Number) },
      });
      expect(site.count('/docs')).toBe(0);
      const { body } = await service.client.call('POST', '/v1/batch', {
        urls: [site.url('/docs'), site.url('/about')],
        respectUse: 'ai-train',
      });
      expect(body).toMatchObject({
        results: [{ ok: false, code: 'content_use_refused' }, { ok: true }],
        creditsUsed: 1,
      });
    });

    it('does not go with a robots.txt that is ignored', async () => {
      const answer = await scrape('/docs', { respectUse: 'search', ignoreRobotsTxt: true });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('`respectUse` does not go with') },
      });
    });
  });

  it.each([
    [1, 422],
    [5, 422],
    [6, 200],
  ])('a file behind %i redirects makes the page %i', async (hops, status) => {
    serveBehind(hops, DENY_DOCS);
    expect((await scrape('/docs')).status).toBe(status);
  });

  it.each([404, 401, 403, 410])('HTTP %i is no file: everything is allowed', async (status) => {
    serveRobots(status, DENY_DOCS);
    expect((await scrape('/docs')).status).toBe(200);
  });

  it('HTTP 503 forbids all, free of charge, until it ends', async () => {
    serveRobots(503, 'User-agent: *\nAllow: /\n');
    const answer = await scrape('/docs');
    expect(answer).toMatchObject({
      status: 422,
      body: { ok: false, error: expect.stringContaining('HTTP 503') },
    });
    expect(answer.headers.get('x-credits-consumed') ?? '0').toBe('0');
    expect(site.count('/docs')).toBe(0);
    // What a site failed to say is remembered for seconds.
    if (!isFullRun) return;
    serveRobots(200, 'User-agent: *\nAllow: /\n');
    await until(async () => (await scrape('/docs')).status === 200, {
      what: 'a page that robots.txt allows again',
    });
  });

  it('rules count up to 500 KiB, whatever bytes are between them', async () => {
    const noise = `# ${'é'.repeat(49)}\n`;
    const filler = Buffer.from(noise.repeat(5_200), 'latin1');
    const text = Buffer.concat([Buffer.from(DENY_DOCS), filler, Buffer.from('Disallow: /about\n')]);
    expect(text.length).toBeGreaterThan(256_000);
    site.serve({
      '/robots.txt': ({ response }) =>
        void response.end(Buffer.concat([text, filler, Buffer.from('Disallow: /contact\n')])),
    });
    expect((await scrape('/docs')).status).toBe(422);
    expect((await scrape('/about')).status).toBe(422);
    expect((await scrape('/contact')).status).toBe(200);
  });
});
