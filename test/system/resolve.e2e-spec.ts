import { writeObservations, type Fact, type Observation } from '@app/graph';
import { adHocStatement, NOT_FOUND, until } from '@app/testing';
import { acmePage, EnrichFixture } from './enrich-run.js';
import { MODES } from './deployment.js';
import type { Pages } from './map-run.js';
import { share } from './shared-cluster.js';

const ORGANIZATION = {
  '@context': 'https://schema.org',
  '@type': 'Dentist',
  name: 'Acme Dental',
  telephone: '(512) 543-0100',
  numberOfEmployees: 12,
  address: {
    '@type': 'PostalAddress',
    streetAddress: '12 Oak St',
    addressLocality: 'Austin',
    addressRegion: 'TX',
    postalCode: '78701',
  },
};
const SITE: Pages = {
  '/': acmePage(
    '<a href="https://www.linkedin.com/company/acme-dental">LinkedIn</a> <p>jane.doe@127.0.0.1</p>',
    `<meta name="generator" content="FixtureCMS 2.1"><script type="application/ld+json">${JSON.stringify(ORGANIZATION)}</script>`,
  ),
  '/robots.txt': NOT_FOUND,
};

function observation(values: Readonly<Record<string, unknown>>): Observation {
  const facts = Object.entries(values).map(
    ([field, value]) => ({ field, value, confidence: 0.9, url: null }) as Fact,
  );
  return { source: 'import:list', seenAt: new Date(), site: null, facts };
}

const KNOWN = {
  name: 'Bee Plumbing LLC',
  domain: 'bee-plumbing.com',
  phone: '+12145430199',
  email: 'info@bee-plumbing.com',
  uei: 'ABC123DEF456',
  license: 'TX:M77',
  location: { street: '9 Elm St', city: 'Dallas', state: 'TX', zip: '75201', country: 'US' },
  industry: { naics: '238220', title: 'Plumbing, Heating, and Air-Conditioning Contractors' },
  employees: { least: 30, most: 30 },
  tech: 'WordPress',
  description: 'Call (214) 543-0199 or write to info@bee-plumbing.com for plumbing in Dallas',
};

const READINGS = adHocStatement(`
  SELECT 1 FROM business_evidence e JOIN businesses b ON b.id = e.business_id
  WHERE b.domain = '127.0.0.1' AND e.source = 'resolve'`);

describe.each(MODES)('resolve and the company graph, %s', (mode) => {
  let run: EnrichFixture;

  beforeAll(async () => {
    run = await EnrichFixture.on(await share(mode));
    await writeObservations(run.service.database, [observation(KNOWN)], { tenantId: null });
  });
  afterAll(() => run?.stop());

  const call = (path: string, body: unknown) => run.client.call('POST', path, body);
  const resolve = (body: unknown) => call('/v1/resolve', body);
  /** Once the graph knows what a resolve request read of the fixture sites: it may be written after the response. */
  const isKnown = () =>
    until(async () => (await run.service.database.query(READINGS)).length > 0, {
      what: 'the reading in the graph',
    });

  it('reads the site of a company that the graph does not know, and then knows it', async () => {
    await run.forgetCompany();
    const site = await run.open(SITE);
    const live = await resolve({ domain: site.url() });
    expect([live.status, live.body]).toEqual([
      200,
      {
        resolved: true,
        domain: '127.0.0.1',
        name: 'Acme Dental',
        description: null,
        logo: null,
        industry: { naics: '621210', title: 'Offices of Dentists' },
        socials: { linkedin: 'https://www.linkedin.com/company/acme-dental' },
        tech_stack: expect.arrayContaining(['Fixture CMS']),
        location: { city: 'Austin', state: 'TX', zip: '78701', country: 'US' },
        phone: '+15125430100',
        email: null,
        employee_band: '11-50',
        revenue_band: null,
        _resolved_by: 'live',
        _confidence: 0.76,
        _freshness: expect.stringMatching(/Z$/),
        _source_count: expect.any(Number),
      },
    ]);
    expect(live.headers.get('x-credits-consumed')).toBe('1');
    const requests = site.count('/');
    await isKnown();
    const hit = await resolve({ domain: site.url() });
    expect(hit.body).toEqual({
      ...(live.body as object),
      ...{ _resolved_by: 'domain', _confidence: 0.9 },
    });
    expect([site.count('/'), hit.headers.get('x-credits-consumed')]).toEqual([requests, '1']);
    expect(JSON.stringify(hit.body)).not.toContain('jane');
  });

  it('reads the site of a company of which the graph knows what a brand or an enrichment found', async () => {
    await run.forgetCompany();
    const site = await run.open(SITE);
    await call('/v1/enrich/website', { domain: site.url() });
    await call('/v1/brand', { domain: site.url() });
    const live = await resolve({ domain: site.url() });
    expect(live.body).toMatchObject({
      ...{ _resolved_by: 'live', phone: '+15125430100', location: { city: 'Austin', state: 'TX' } },
      tech_stack: expect.arrayContaining(['Fixture CMS']),
    });
    await isKnown();
    await call('/v1/brand', { domain: site.url() });
    const hit = await resolve({ domain: site.url() });
    const { _freshness } = live.body as { readonly _freshness: string };
    expect(hit.body).toMatchObject({ _resolved_by: 'domain', _freshness });
  });

  it('resolves no company without a name, and charges nothing', async () => {
    await run.forgetCompany();
    const [, body = ''] = acmePage('<p>Call (512) 543-0100</p>').split('</head>');
    const site = await run.open({ '/': `<!doctype html>${body.replaceAll(/<.?h1>/g, '')}` });
    for (let at = 0; at < 2; at++) {
      const answer = await resolve({ domain: site.url() });
      expect([answer.status, answer.headers.get('x-credits-consumed')]).toEqual([200, '0']);
      expect(answer.body).toEqual({ resolved: false, error: expect.stringContaining('name') });
    }
  });

  it.each<[object, string, number]>([
    [{ domain: 'https://www.bee-plumbing.com/contact' }, 'domain', 0.9],
    [{ email: 'someone@bee-plumbing.com' }, 'domain', 0.9],
    [{ name: 'x', uei: 'abc123def456' }, 'uei', 0.9],
    [{ name: 'x', license: 'm-77', state: 'tx' }, 'license', 0.9],
    [{ name: 'x', phone: '(214) 543-0199' }, 'phone', 0.85],
    [{ name: 'bee plumbing', zip: '75201' }, 'name+zip', 0.7],
    [{ name: 'Bee Plumbing', state: 'TX' }, 'name+state', 0.7],
    [{ name: 'Bee Plumbing', email: 'bee@gmail.com' }, 'name', 0.7],
  ])('finds %j in the graph by %s', async (body, by, confidence) => {
    const { status, body: record } = await resolve(body);
    expect([status, record]).toMatchObject([
      200,
      { resolved: true, domain: KNOWN.domain, _resolved_by: by, _confidence: confidence },
    ]);
  });

  it.each<[object, number, object]>([
    [{}, 400, { error: 'At least one of `domain`, `email` and `name` is required' }],
    [
      { domain: ' ', name: null },
      400,
      { error: 'At least one of `domain`, `email` and `name` is required' },
    ],
    [
      { uei: 'ABC123DEF456' },
      400,
      { error: 'At least one of `domain`, `email` and `name` is required' },
    ],
    [{ email: 'nobody' }, 400, { error: '`email` must be an e-mail address' }],
    [{ domain: 'http://169.254.169.254/' }, 400, { error: 'Blocked URL: http://169.254.169.254/' }],
    [{ name: 'Nobody Knows Them' }, 404, { error: 'No company matches' }],
    [
      { email: 'joe@gmail.com' },
      200,
      { resolved: false, error: expect.stringContaining('mailbox provider') },
    ],
  ])('answers %j with %i', async (body, status, expected) => {
    const answer = await resolve(body);
    expect([answer.status, answer.body]).toMatchObject([status, expected]);
    expect(answer.headers.get('x-credits-consumed') ?? '0').toBe('0');
  });

  it('answers 200 without a company when the site cannot be read, and charges nothing', async () => {
    const site = await run.open({ '/': NOT_FOUND });
    await run.forgetCompany();
    const answer = await resolve({ domain: site.url() });
    expect([answer.status, answer.headers.get('x-credits-consumed')]).toEqual([200, '0']);
    expect(answer.body).toEqual({ resolved: false, error: expect.any(String) });
  });

  it('queries the graph by technology, industry and place, without contact data', async () => {
    const { status, body } = await call('/v1/graph/query', {
      ...{ tech: 'wordpress', industry: 'plumbing', state: 'tx', city: 'DALLAS', hasDomain: true },
      notTech: ['Shopify'],
    });
    expect([status, body]).toEqual([
      200,
      {
        count: 1,
        results: [
          {
            id: expect.any(String),
            domain: KNOWN.domain,
            name: KNOWN.name,
            industry: KNOWN.industry.title,
            naics: '238220',
            tech_stack: ['WordPress'],
            city: 'Dallas',
            state: 'TX',
            employee_band: '11-50',
            _freshness: expect.stringMatching(/Z$/),
          },
        ],
        criteria: {
          ...{ tech: ['wordpress'], notTech: ['Shopify'], industry: 'plumbing' },
          ...{ state: 'TX', city: 'DALLAS', hasDomain: true, limit: 50 },
        },
      },
    ]);
  });

  it.each([
    [
      { hasDomain: true, notTech: ['PHP'] },
      'At least one of `tech`, `techAny`, `industry`, `state` and `city` is required',
    ],
    [{ tech: [] }, 'At least one of `tech`, `techAny`, `industry`, `state` and `city` is required'],
    [
      { tech: Array.from({ length: 26 }, (_, at) => `t${at}`) },
      '`tech` has 26 names: at most 25 are allowed',
    ],
    [{ techAny: 'PHP' }, '`techAny` must be a list of names'],
    [{ tech: [''] }, '`tech`: a name must have 1 to 200 characters'],
    [{ state: 'Texas' }, '`state` must be two letters, such as TX'],
    [{ state: 'TX', hasDomain: 'yes' }, '`hasDomain` must be true or false'],
    [{ state: 'TX', cursor: 'x' }, '`cursor` must be that of the page before'],
  ])('refuses the query %j', async (body, error) => {
    const answer = await call('/v1/graph/query', body);
    expect([answer.status, answer.body]).toMatchObject([400, { error }]);
  });

  it('pages through a query without repeating or skipping a company', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `Firm ${'abcdefg'.charAt(at)}`);
    const firms = names.map((name, at) =>
      observation({
        name,
        tech: 'Paging CMS',
        location: { city: 'Reno', state: 'NV', zip: `8950${at}` },
      }),
    );
    await writeObservations(run.service.database, firms, { tenantId: null });
    const found: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { body } = await call('/v1/graph/query', { tech: ['Paging CMS'], limit: 3, cursor });
      const page = body as { count: number; cursor?: string; results: readonly { name: string }[] };
      expect(page.count).toBe(7);
      found.push(...page.results.map(({ name }) => name));
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    expect(found.toSorted()).toEqual(names);
  });

  it('shows one business by id and by domain, without contact data', async () => {
    const get = (path: string) => run.service.client.call('GET', `/v1/graph/business/${path}`);
    const { status, body } = await get('www.bee-plumbing.com');
    const { id } = body as { id: string };
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        domain: KNOWN.domain,
        marketing_summary: 'Call or write to for plumbing in Dallas',
        signal_count: 10,
      }),
    ]);
    // An id and a time have digits of their own.
    expect(JSON.stringify({ ...(body as object), id: '', _freshness: '' })).not.toMatch(
      /543|info@/,
    );
    expect((await get(id)).body).toEqual(body);
    for (const unknown of ['unknown.com', '00000000-0000-4000-8000-00000000dead'])
      expect((await get(unknown)).status).toBe(404);
  });
});
