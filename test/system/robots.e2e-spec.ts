import { articleHtml, startFixtureSite, until, type Answer, type FixtureSite } from '@app/testing';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';

const DENY_DOCS = 'User-agent: *\nDisallow: /docs\n';
const WAYS = [{}, { forceHeadless: true }];

describe('the robots directives of a site', () => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    service = await share();
  }, 120_000);
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
