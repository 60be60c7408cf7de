import type { ServerResponse } from 'node:http';
import { hardLimitMs } from '@app/tech';
import { spawnApp, until, type OwnPage } from '@app/testing';
import { EnrichFixture, acmePage, TRAP, type EnrichBody } from './enrich-run.js';
import { deploy, MODES, type Deployment } from './deployment.js';
import { FINGERPRINTS_FILE } from './fake-providers.js';

/** Far below the default, so that a site which hangs is soon over. */
const TIMEOUT_MS = 8_000;
/** Far more than a busy machine adds; such a site never answers. */
const FAR_TOO_LATE_MS = 2 * TIMEOUT_MS;
const SCAN_BUDGET_MS = 2_000;

const PLAIN = acmePage('', '<meta name="generator" content="FixtureCMS 4.2">');

const waitForEver = (): Promise<void> => new Promise(() => undefined);
const hanging: OwnPage = waitForEver;

/** A page for all but browsers, which say what a navigation is; what they get is another matter. */
const notForBrowsers =
  (html: string, refuse: (response: ServerResponse) => void): OwnPage =>
  ({ request, response }) => {
    if (request.headers['sec-fetch-mode'] !== undefined) return refuse(response);
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  };

const namesOf = ({ tech_stack: stack }: EnrichBody): readonly string[] =>
  stack.map(({ name }) => name).filter((name) => name.startsWith('Fixture'));

describe.each(MODES)('enrichment of a website in its time, %s', (mode) => {
  let run: EnrichFixture<Deployment>;

  beforeAll(async () => {
    const env = {
      BROWSER_MAX: '0',
      SCRAPE_TIMEOUT_MS: String(TIMEOUT_MS),
      TECH_SCAN_BUDGET_MS: String(SCAN_BUDGET_MS),
    };
    run = await EnrichFixture.on(await deploy(mode, { scanners: 1, env }));
  });
  afterAll(() => run?.stop());
  beforeEach(() => run.asAnother());
  afterEach(() => run?.closeSites());

  // First: nothing was scanned before.
  it('has technologies from the start: the scanner accepts pages only when its threads are ready', async () => {
    const site = await run.open({
      '/': '<html><head><meta name="generator" content="WordPress 6.4.2"></head><body>Acme</body></html>',
    });
    const { tech_stack, tech_meta } = await run.enrich({ domain: site.url(), maxPages: 1 });
    expect(tech_stack).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'WordPress' })]),
    );
    expect(tech_meta).toMatchObject({ partial: false });
  });

  it('with a long Crawl-delay has the pages that arrived by then', async () => {
    const site = await run.open({
      '/': acmePage('hello@acme-tools.com'),
      '/robots.txt': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/plain' })
          .end('User-agent: *\nCrawl-delay: 60\n'),
    });
    const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    expect(body).toMatchObject({ pages_crawled: 1, emails: ['hello@acme-tools.com'] });
  });

  describe('that is slow', () => {
    it('has the pages that arrived within the time', async () => {
      const site = await run.open({
        '/': acmePage('hello@acme-tools.com'),
        '/about': hanging,
        '/team': hanging,
      });
      const startedAt = performance.now();
      const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
      expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
      expect(body.emails).toContain('hello@acme-tools.com');
      expect(body.homepage).toMatchObject({ title: 'Acme Tools' });
      expect((await run.booked()).length).toBe(1);
    });

    it('with its homepage is refused without charge', async () => {
      const site = await run.open({ '/': hanging });
      const startedAt = performance.now();
      const answer = await run.ask({ domain: site.url() });
      expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
      expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ ok: false })]);
      expect(await run.booked()).toEqual([]);
    });
  });

  // The scanner of a standalone is the standalone.
  if (mode !== 'cluster') return;

  it('has no technologies, and a reason, without a scanner; all else is there', async () => {
    const { apps, env } = run.service;
    await apps.at(-1)?.process.kill9();
    const site = await run.open({
      '/': acmePage('<a href="mailto:hello@acme-tools.com">Write</a><a href="/about">About</a>'),
      '/about': acmePage('(212) 555-0147'),
    });
    const startedAt = performance.now();
    const body = await run.enrich({ domain: site.url() });
    expect(performance.now() - startedAt).toBeLessThan(hardLimitMs(SCAN_BUDGET_MS) + 4_000);
    expect(body).toMatchObject({
      emails: ['hello@acme-tools.com'],
      phones: ['(212) 555-0147'],
      pages_crawled: 2,
      tech_stack: [],
      tech_meta: { partial: true, reasons: ['queue_timeout'], scanned_bytes: 0 },
    });
    await until(async () => (await run.waitingPages()).length === 0);
    apps.push(await spawnApp({ app: 'tech-scan', env }));
    await run.scannerIsWarm();
  });
});

/** Of the deep scan of one enrichment. */
const DEEP_BUDGET_MS = 15_000;

describe.each(MODES)('enrichment of a hostile website, %s', (mode) => {
  let run: EnrichFixture;

  beforeAll(async () => {
    const env = {
      BROWSER_MAX: '1',
      SCRAPE_TIMEOUT_MS: '30000',
      TECH_SCAN_BUDGET_MS: '500',
      TECH_FINGERPRINTS_PATH: FINGERPRINTS_FILE,
    };
    run = await EnrichFixture.on(await deploy(mode, { scanners: 1, env }));
  });
  afterAll(() => run?.stop());
  // A thread that was ended is replaced by one that first compiles its fingerprints.
  beforeEach(async () => {
    await run.asAnother();
    await run.scannerIsWarm();
  });
  afterEach(() => run?.closeSites());

  it.each<[string, string]>([
    ['nested tags', '<div>'.repeat(300_000)],
    ['attributes', `<p ${'a=b '.repeat(500_000)}>`],
    ['addresses', 'user@example.org '.repeat(300_000)],
    ['links', '<a href="/about/x">About</a>'.repeat(100_000)],
    ['scripts', '<script src="/a.js"></script>'.repeat(100_000)],
    ['text', 'aaaa@'.repeat(1_000_000)],
  ])('has both pages, of many %s, before its time is over', async (_what, body) => {
    const site = await run.open({ '/': acmePage(body), '/about': acmePage(body) });
    const { pages_crawled } = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    expect(pages_crawled).toBe(2);
  });

  it('has the technologies of the other pages when one holds its thread', async () => {
    const site = await run.open({
      '/': acmePage(TRAP),
      '/about': PLAIN,
    });
    const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    // Whether the second page finds a thread in time is a matter of how fast another one starts.
    expect(body.tech_meta).toMatchObject({
      partial: true,
      reasons: expect.arrayContaining(['worker_terminated']),
    });
    expect(body.pages_crawled).toBe(2);
  });

  it('has the technologies of the page as it was fetched when browsers get no answer', async () => {
    const site = await run.open({ '/': notForBrowsers(PLAIN, () => undefined) });
    const startedAt = performance.now();
    const body = await run.enrich({ domain: site.url(), deepTech: true });
    expect(performance.now() - startedAt).toBeLessThan(DEEP_BUDGET_MS + 2_500);
    expect(body.tech_meta).toMatchObject({
      reasons: ['deep_budget', 'render_failed'],
      sources: ['html'],
    });
    expect(namesOf(body)).toEqual(['Fixture CMS']);
  });
});

describe('an enrichment whose fetcher is killed', () => {
  let run: EnrichFixture<Deployment>;

  beforeAll(async () => {
    const env = { BROWSER_MAX: '0', SCRAPE_TIMEOUT_MS: '15000' };
    run = await EnrichFixture.on(await deploy('cluster', { env }));
  });
  afterAll(() => run?.stop());
  beforeEach(() => run.asAnother());

  it('is answered by another, and charged once', async () => {
    const { apps, env } = run.service;
    let arrived = 0;
    const site = await run.open({
      '/': async ({ response }) => {
        // Whoever asks first is killed before it is answered.
        if (++arrived === 1) return waitForEver();
        response.writeHead(200, { 'content-type': 'text/html' }).end(acmePage('home'));
      },
    });
    const asked = run.ask({ domain: site.url(), includeTech: false });
    await until(() => site.count('/') === 1);
    await apps.at(-1)?.process.kill9();
    apps.push(await spawnApp({ app: 'fetcher', env }));
    const answer = await asked;
    expect([answer.status, site.count('/')]).toEqual([200, 2]);
    expect(await run.booked()).toEqual([{ operation: 'enrich', credits: 1, cost: 0 }]);
  });

  it('is a clear 503 when there is no other, and charged nothing', async () => {
    const site = await run.open({ '/': hanging });
    const asked = run.ask({ domain: site.url(), includeTech: false });
    await until(() => site.count('/') === 1);
    await run.service.apps.at(-1)?.process.kill9();
    const answer = await asked;
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: expect.stringContaining('No fetcher available') },
    ]);
    expect(await run.booked()).toEqual([]);
  });
});
