import { findBusiness } from './find-business.js';
import { NOT_FOUND, until, type OwnPage } from '@app/testing';
import { untilCached } from './cached-copies.js';
import { EnrichFixture, acmePage, type EnrichBody } from './enrich-run.js';
import type { Pages } from './map-run.js';
import { MODES, type Caller } from './deployment.js';
import { share, type SharedService } from './shared-cluster.js';
import { watchArrivals } from './watch-arrivals.js';

const USUAL = ['/', '/about', '/about-us', '/contact', '/contact-us', '/our-team', '/team'];

const COMPANY: Pages = {
  '/': acmePage(
    `<a href="/about">About us</a> <a href="/team/">Our team</a> <a href="/contact">Contact</a>
     <a href="https://www.linkedin.com/company/acme-tools">LinkedIn</a>
     <a href="mailto:hello@acme-tools.com">Write to us</a>`,
    `<meta name="description" content="Tools for builders."><meta name="generator" content="FixtureCMS 4.2">
     <meta property="og:image" content="/hero.jpg">`,
  ),
  '/about': acmePage('<p>Call us: (212) 555-0147. Support: support [at] acme-tools [dot] com</p>'),
  '/team': acmePage(
    `<script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'Person',
      name: 'Ann Bee',
      jobTitle: 'Chief Executive Officer',
      email: 'ann@acme-tools.com',
      worksFor: { '@type': 'Organization', name: 'Acme Tools' },
    })}</script>`,
  ),
  '/contact': acmePage('<p>noreply@acme-tools.com, sales@acme-tools.com</p>'),
};

const redirectTo =
  (location: string): OwnPage =>
  ({ response }) =>
    void response.writeHead(301, { location }).end();

/** What two answers to the same question have in common. */
const withoutTimes = ({ tech_meta, ...rest }: EnrichBody): object => ({
  ...rest,
  tech_meta: { ...tech_meta, duration_ms: 0 },
  _latency_ms: 0,
});

const robots =
  (text: string): OwnPage =>
  ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/plain' }).end(text);

describe.each(MODES)('enrichment of a website, %s', (mode) => {
  let run: EnrichFixture<SharedService>;
  let caller: Caller;

  beforeAll(async () => {
    run = await EnrichFixture.on(await share(mode));
  });
  afterAll(() => run?.stop());
  beforeEach(async () => {
    run.service.providers.llm.reset();
    caller = await run.asAnother();
  });
  afterEach(() => run.closeSites());

  it('returns the data of the homepage and the usual pages, for one credit', async () => {
    const site = await run.open(COMPANY);
    const answer = await run.ask({ domain: site.url() }, { path: '/v1/enrich' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        domain: '127.0.0.1',
        emails: expect.arrayContaining([
          'hello@acme-tools.com',
          'support@acme-tools.com',
          'sales@acme-tools.com',
        ]),
        phones: ['(212) 555-0147'],
        social: { linkedin: 'https://www.linkedin.com/company/acme-tools' },
        tech_stack: expect.arrayContaining([
          { name: 'Fixture CMS', category: 'CMS', confidence: 1, version: '4.2' },
        ]),
        team: [{ name: 'Ann Bee', role: 'Chief Executive Officer', email: 'ann@acme-tools.com' }],
        pages_crawled: 4,
        homepage: {
          title: 'Acme Tools',
          description: 'Tools for builders.',
          hero_image: site.url('/hero.jpg'),
        },
        tech_meta: {
          partial: false,
          reasons: [],
          scanned_bytes: expect.any(Number),
          duration_ms: expect.any(Number),
        },
        _completeness: 1,
        _confidence: 1,
        _extraction_method: 'deterministic',
        _latency_ms: expect.any(Number),
      },
    ]);
    expect((answer.body as EnrichBody).emails).not.toContain('noreply@acme-tools.com');
    expect(answer.headers.get('x-credits-consumed')).toBe('1');
    expect(await run.booked()).toEqual([{ operation: 'enrich', credits: 1, cost: 0 }]);
    const asked = [...site.countsByPath().keys()].filter((path) => path !== '/robots.txt');
    expect(asked.toSorted()).toEqual(USUAL.toSorted());
    expect(site.peakInFlight).toBeLessThanOrEqual(2);
    // They are deleted after the response.
    await until(async () => (await run.waitingPages()).length === 0, { what: 'no waiting pages' });
  });

  it('reads the pages that the homepage leads to', async () => {
    const site = await run.open(COMPANY);
    site.serve({ '/team/': COMPANY['/team'] ?? NOT_FOUND });
    const body = await run.enrich({ domain: site.url('/some/page') });
    expect(body).toMatchObject({ pages_crawled: 4, _completeness: 1 });
    expect(['/about', '/team/', '/contact'].map((path) => site.count(path))).toEqual([1, 1, 1]);
    expect(['/about-us', '/our-team'].map((path) => site.count(path))).toEqual([0, 0]);
  });

  it('answers the same to the same question', async () => {
    const site = await run.open(COMPANY);
    const first = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    const second = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    expect(withoutTimes(second)).toEqual(withoutTimes(first));
  });

  it('accepts `url` for `domain`', async () => {
    const site = await run.open();
    expect((await run.enrich({ url: site.url() })).domain).toBe('127.0.0.1');
  });

  it('asks a bare domain by https, and by http where that fails', async () => {
    const site = await run.open();
    const body = await run.enrich({ domain: `127.0.0.1:${site.port}` });
    expect(body.homepage).toMatchObject({ title: 'Acme Tools' });
    expect((await run.booked()).length).toBe(1);
  });

  describe('of the requested number of pages', () => {
    const links = Array.from({ length: 30 }, (_, n) => `/about/part-${n}`);
    const large = (): Pages => ({
      '/': acmePage(links.map((path) => `<a href="${path}">About part</a>`).join(' ')),
      ...Object.fromEntries(links.map((path) => [path, acmePage(path)])),
    });

    it.each([
      [{ maxPages: 1 }, 1],
      [{ maxPages: 2 }, 2],
      [{}, 10],
      [{ maxPages: 20 }, 20],
      [{ maxPages: 21 }, 20],
    ])('%j', async (asked, count) => {
      const site = await run.open(large());
      const body = await run.enrich({ domain: site.url(), includeTech: false, ...asked });
      expect(body.pages_crawled).toBe(count);
      expect(site.totalRequests - site.count('/robots.txt')).toBe(count);
    });

    it('never more than seven of the usual ones', async () => {
      const site = await run.open(
        Object.fromEntries(USUAL.map((path) => [path, acmePage(`this is ${path}`)])),
      );
      const asking = { path: '/v1/enrich' } as const;
      const body = await run.enrich({ domain: site.url(), maxPages: 20 }, asking);
      expect(body.pages_crawled).toBe(7);
    });
  });

  it.each<[string, object, object]>([
    ['e-mail addresses', { includeEmails: false }, { emails: [], phones: ['(212) 555-0147'] }],
    ['the team', { includeTeam: false }, { team: [] }],
    ['technologies', { includeTech: false }, { tech_stack: [] }],
  ])('leaves out %s when they are not wanted', async (_what, asked, expected) => {
    const site = await run.open(COMPANY);
    const body = await run.enrich({ domain: site.url(), ...asked }, { path: '/v1/enrich' });
    expect(body).toMatchObject({ ...expected, _completeness: 7 / 8 });
    expect('tech_meta' in body).toBe(!('includeTech' in asked));
  });

  describe('that redirects', () => {
    it('counts a page once, however many addresses lead to it', async () => {
      const site = await run.open({
        ...COMPANY,
        '/about-us': redirectTo('/about'),
        '/our-team': redirectTo('/team'),
        '/contact-us': redirectTo('/'),
      });
      const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
      expect(body.pages_crawled).toBe(4);
    });

    it('is read where it has moved to', async () => {
      const now = await run.open(COMPANY);
      const before = await run.open({ '/': redirectTo(now.url('/')) });
      const body = await run.enrich({ domain: before.url() }, { path: '/v1/enrich' });
      expect(body).toMatchObject({ pages_crawled: 4, phones: ['(212) 555-0147'] });
      expect(before.count('/about')).toBe(0);
    });

    it('to a private address is refused', async () => {
      const site = await run.open({ '/': redirectTo('http://10.0.0.1/') });
      const answer = await run.ask({ domain: site.url() });
      expect([answer.status, answer.body]).toEqual([
        400,
        { ok: false, error: `Blocked URL: ${site.url('/')}`, hint: expect.any(String) },
      ]);
      expect(await run.booked()).toEqual([]);
    });
  });

  describe('with robots.txt', () => {
    it('leaves out pages that it forbids', async () => {
      const site = await run.open({
        ...COMPANY,
        '/robots.txt': robots('User-agent: *\nDisallow: /team\nDisallow: /contact\n'),
      });
      const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
      expect(body).toMatchObject({ pages_crawled: 2, team: [] });
      expect([site.count('/team'), site.count('/contact'), site.count('/about')]).toEqual([
        0, 0, 1,
      ]);
    });

    it('that forbids all pages is refused without charge', async () => {
      const site = await run.open({ '/robots.txt': robots('User-agent: *\nDisallow: /\n') });
      const answer = await run.ask({ domain: site.url() });
      expect([answer.status, answer.body]).toEqual([
        422,
        {
          ok: false,
          error: 'Fetch failed: robots.txt forbids this page',
          url: site.url('/'),
        },
      ]);
      expect([site.count('/'), await run.booked()]).toEqual([0, []]);
    });

    it('keeps its Crawl-delay, one page at a time', async () => {
      const site = await run.open({
        ...COMPANY,
        '/robots.txt': robots('User-agent: *\nCrawl-delay: 1\n'),
      });
      const arrivals = watchArrivals(site);
      const body = await run.enrich({ domain: site.url(), maxPages: 3 }, { path: '/v1/enrich' });
      expect(body.pages_crawled).toBeGreaterThanOrEqual(2);
      const { gapsMs, lateMs } = arrivals();
      expect(gapsMs).toHaveLength(2);
      expect(Math.min(...gapsMs)).toBeGreaterThan(950 - lateMs);
    });
  });

  it.each<[string, OwnPage, number]>([
    ['is missing', NOT_FOUND, 404],
    ['fails', ({ response }) => void response.writeHead(500).end(), 500],
  ])('is refused when its homepage %s', async (_what, home, status) => {
    const site = await run.open({ '/': home });
    const answer = await run.ask({ domain: site.url() });
    expect([answer.status, answer.body]).toEqual([
      422,
      { ok: false, error: `Fetch failed: HTTP ${status}`, url: site.url('/') },
    ]);
    expect(answer.headers.get('x-credits-consumed')).toBeNull();
    expect(await run.booked()).toEqual([]);
  });

  it.each([
    [{}, '`domain` is required'],
    [{ domain: 'http://10.0.0.1' }, 'Blocked URL: http://10.0.0.1'],
    [{ domain: '169.254.169.254' }, 'Blocked URL: https://169.254.169.254'],
    [{ domain: 'localhost' }, 'Blocked URL: https://localhost'],
    [{ domain: 'not a domain' }, 'Invalid URL'],
  ])('is refused of %j', async (body, error) => {
    for (const path of ['/v1/enrich', '/v1/enrich/website'] as const) {
      const answer = await run.ask(body, { path });
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ error })]);
    }
  });

  describe('that was kept', () => {
    it('is the answer while it is young enough, and reports its age', async () => {
      const site = await run.open(COMPANY);
      const fresh = await run.enrich({ domain: site.url() });
      await untilCached(run.service.database, `enrich:${new URL(site.url()).origin}`);
      site.reset();
      const kept = await run.enrich({ domain: site.url(), maxAge: 60_000 });
      expect(kept._cache_age_ms).toBeGreaterThanOrEqual(0);
      expect({ ...kept, _cache_age_ms: 0, _latency_ms: 0 }).toEqual({
        ...fresh,
        _cache_age_ms: 0,
        _latency_ms: 0,
      });
      expect(site.totalRequests).toBe(0);
    });

    it('is no answer to another question, nor to another tenant', async () => {
      const site = await run.open(COMPANY);
      await run.enrich({ domain: site.url() });
      const other = await run.service.otherTenant();
      for (const [body, asking] of [
        [{ maxPages: 2 }, {}],
        [{}, { path: '/v1/enrich' }],
        [{ includeTeam: false }, {}],
        [{}, { client: other }],
      ] as const) {
        const answer = await run.enrich({ domain: site.url(), maxAge: 60_000, ...body }, asking);
        expect(answer).not.toHaveProperty('_cache_age_ms');
      }
    });
  });

  describe('with a model', () => {
    const TEAM = acmePage(
      '<p>Carl Dee keeps the books. Eve Foe, Head of Sales, knows everyone.</p>',
    );

    it('names people without markup, and records and reports the cost', async () => {
      run.service.providers.llm.script = () => ({
        data: {
          team: [
            { name: 'Eve Foe', role: 'Head of Sales' },
            { name: 'Invented Person', role: 'CEO' },
          ],
        },
        quotes: [],
      });
      const site = await run.open({ '/team': TEAM });
      const asked = { domain: site.url(), useModel: true };
      const body = await run.enrich(asked, { path: '/v1/enrich' });
      expect(body).toMatchObject({
        team: [{ name: 'Eve Foe', role: 'Head of Sales' }],
        _extraction_method: 'deterministic+llm',
      });
      expect(await run.booked()).toEqual([
        { operation: 'enrich', credits: 1, cost: expect.any(Number) },
      ]);
      const usage = await caller.client.call('GET', '/v1/usage');
      expect(usage.body).toMatchObject({ llm_extractions: 0 });
    });

    it('is deterministic where the model fails', async () => {
      run.service.providers.llm.script = () => 'no JSON at all';
      const site = await run.open({ '/team': TEAM });
      const asked = { domain: site.url(), useModel: true };
      expect(await run.enrich(asked, { path: '/v1/enrich' })).toMatchObject({
        _extraction_method: 'deterministic',
      });
    });
  });

  it('reads the brand as well when it is wanted', async () => {
    const site = await run.open({
      '/': acmePage('<a class="btn" href="/buy">Buy</a>', '<link rel="stylesheet" href="/a.css">'),
      '/a.css': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/css' })
          .end('.btn { background: #c0392b; color: #fff } body { font-family: Georgia, serif }'),
    });
    const body = await run.enrich({ domain: site.url(), includeBrand: true });
    expect(body.brand).toMatchObject({ domain: '127.0.0.1', _freshness: expect.any(String) });
    expect(JSON.stringify(body.brand)).toContain('#c0392b');
    expect(body.brand_meta).toEqual({ partial: false, reasons: [] });
    expect(site.count('/')).toBe(1);
    expect(await run.enrich({ domain: site.url() })).not.toHaveProperty('brand');
  });

  it('writes the result to the graph', async () => {
    await run.forgetCompany();
    const site = await run.open(COMPANY);
    const { tech_stack } = await run.enrich({ domain: site.url() });
    const names = tech_stack.map(({ name }) => name);
    expect(names).toContain('Fixture CMS');
    const isWritten = async (): Promise<boolean> => {
      const found = await findBusiness(run.service.database, '127.0.0.1');
      expect(found?.business.techStack).toEqual(names.toSorted());
      return true;
    };
    await until(isWritten, { what: 'the business in the graph' });
  });

  it('is run and charged once under one Idempotency-Key', async () => {
    const site = await run.open(COMPANY);
    const send = () =>
      fetch(`${run.service.url}/v1/enrich`, {
        method: 'POST',
        headers: {
          'x-api-key': caller.key,
          'content-type': 'application/json',
          'idempotency-key': `enrich-${site.port}`,
        },
        body: JSON.stringify({ domain: site.url() }),
      });
    const first = await send();
    const again = await send();
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      200,
      200,
      'true',
    ]);
    expect(await again.json()).toEqual(await first.json());
    expect([(await run.booked()).length, site.count('/')]).toEqual([1, 1]);
  });
});
