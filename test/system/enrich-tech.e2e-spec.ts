import type { ServerResponse } from 'node:http';
import { hardLimitMs } from '@app/tech';
import { spawnApp, until, type OwnPage, type SiteServer } from '@app/testing';
import { EnrichFixture, acmePage, TRAP, type EnrichBody } from './enrich-run.js';
import { MODES } from './deployment.js';

/** Nothing here is a matter of the scanner's time: a busy machine needs some. */
const SCAN_BUDGET_MS = 2_000;

/** A page that sets a global, sends a beacon and loads so many scripts in all, itself included. */
const scripted = (requests: number): string =>
  acmePage(`<script>
    window.fixtureLib = { version: '3.1' };
    fetch('/fixture-beacon?1');
    for (let n = 0; n < ${requests - 2}; n++) {
      const script = document.createElement('script');
      script.src = '/part.js?' + n;
      document.head.append(script);
    }
  </script>`);

const quietScript: OwnPage = ({ response }) =>
  void response.writeHead(200, { 'content-type': 'text/javascript' }).end('');

/** A page for all but browsers, which say what a navigation is; what they get is another matter. */
const notForBrowsers =
  (html: string, refuse: (response: ServerResponse) => void): OwnPage =>
  ({ request, response }) => {
    if (request.headers['sec-fetch-mode'] !== undefined) return refuse(response);
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  };

const PLAIN = acmePage('', '<meta name="generator" content="FixtureCMS 4.2">');

const namesOf = ({ tech_stack: stack }: EnrichBody): readonly string[] =>
  stack.map(({ name }) => name).filter((name) => name.startsWith('Fixture'));

describe.each(MODES)('technologies of a website, %s', (mode) => {
  let run: EnrichFixture;

  beforeAll(async () => {
    run = await EnrichFixture.start(mode, {
      env: {
        BROWSER_MAX: '1',
        SCRAPE_TIMEOUT_MS: '30000',
        TECH_SCAN_BUDGET_MS: String(SCAN_BUDGET_MS),
      },
    });
  }, 120_000);
  afterAll(() => run?.stop(), 60_000);
  afterEach(() => run?.closeSites());

  const openWith = (home: OwnPage): Promise<SiteServer> =>
    run.open({ '/': home, '/part.js': quietScript, '/fixture-beacon': quietScript });

  it('are found by headers, cookies and tags, over all pages', async () => {
    const site = await run.open({
      '/': PLAIN,
      '/about': ({ response }) =>
        void response
          .writeHead(200, {
            'content-type': 'text/html',
            'set-cookie': ['other=1; Path=/', 'fixture_session=x; HttpOnly'],
            'x-fixture-front': 'yes',
          })
          .end(acmePage('about')),
    });
    const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    expect(namesOf(body)).toEqual(['Fixture CMS', 'Fixture Front', 'Fixture Session']);
    expect(body.tech_meta).toMatchObject({ partial: false, reasons: [] });
    expect(body.tech_meta).not.toHaveProperty('sources');
    expect(body.tech_meta?.scanned_bytes).toBe(
      Buffer.byteLength(acmePage('about')) + Buffer.byteLength(PLAIN),
    );
  });

  describe('by a deep scan', () => {
    it.each([
      [300, []],
      [301, ['request_cap']],
    ])('of a page that makes %d requests', async (requests, reasons) => {
      const site = await openWith(scripted(requests));
      const body = await run.enrich({ domain: site.url(), deepTech: true });
      expect(body.tech_meta).toMatchObject({
        partial: reasons.length > 0,
        reasons,
        sources: ['html', 'runtime', 'network'],
      });
      expect(body.tech_stack).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'FixtureJS', version: '3.1' }),
          expect.objectContaining({ name: 'Fixture Beacon' }),
        ]),
      );
      expect(site.count('/part.js')).toBeLessThanOrEqual(298);
      expect(body.pages_crawled).toBe(1);
    });

    it('are more than those without', async () => {
      const site = await openWith(scripted(3));
      expect(namesOf(await run.enrich({ domain: site.url() }))).toEqual([]);
    });

    it('are those of the page as it was fetched when it does not render', async () => {
      const site = await openWith(
        notForBrowsers(PLAIN, (response) => void response.writeHead(500).end()),
      );
      const body = await run.enrich({ domain: site.url(), deepTech: true });
      expect(namesOf(body)).toEqual(['Fixture CMS']);
      expect(body.tech_meta).toMatchObject({
        partial: true,
        reasons: ['render_failed'],
        sources: ['html'],
      });
    });
  });

  // The scanner of a standalone is the standalone.
  if (mode !== 'cluster') return;

  it('are none, and a reason, without a scanner; all else is there', async () => {
    const scanner = run.service.apps.at(-1);
    await scanner?.process.kill9();
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
    await run.startScanner();
    await run.scannerIsWarm();
  }, 90_000);
});

/** Of the deep scan of one enrichment. */
const DEEP_BUDGET_MS = 15_000;

describe.each(MODES)('technologies of a website in little time, %s', (mode) => {
  let run: EnrichFixture;

  beforeAll(async () => {
    run = await EnrichFixture.start(mode, {
      env: {
        BROWSER_MAX: '1',
        SCRAPE_TIMEOUT_MS: '30000',
        TECH_SCAN_BUDGET_MS: '500',
      },
    });
  }, 120_000);
  afterAll(() => run?.stop(), 60_000);
  // A thread that was ended is replaced by one that first compiles its fingerprints.
  beforeEach(() => run.scannerIsWarm(), 90_000);
  afterEach(() => run?.closeSites());

  it('are those of the other pages when one holds its thread', async () => {
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

  it('by a deep scan are those of the page as it was fetched', async () => {
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
  let run: EnrichFixture;

  beforeAll(async () => {
    run = await EnrichFixture.start('cluster', {
      hasScanner: false,
      env: { SCRAPE_TIMEOUT_MS: '15000' },
    });
  }, 120_000);
  afterAll(() => run?.stop(), 60_000);

  it('is answered by another, and charged once', async () => {
    const { apps, env } = run.service;
    let arrived = 0;
    const site = await run.open({
      '/': async ({ response }) => {
        // Whoever asks first is killed before it is answered.
        if (++arrived === 1) return new Promise<void>(() => undefined);
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
    await run.deleteCharges();
    const site = await run.open({ '/': () => new Promise<void>(() => undefined) });
    const asked = run.ask({ domain: site.url(), includeTech: false });
    await until(() => site.count('/') === 1);
    await run.service.apps.at(-1)?.process.kill9();
    const answer = await asked;
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: expect.stringContaining('No fetcher available') },
    ]);
    expect(await run.booked()).toEqual([]);
  }, 60_000);
});
