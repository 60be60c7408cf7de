import { spawnApp, startFixtureSite, until, type FixtureSite } from '@app/testing';
import { deploy, MODES, type Deployment, type Mode } from './deployment.js';
import { startCollector, type OtlpCollector, type SeenSpan } from './otlp-collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

describe.each(MODES)('traces (%s)', (mode) => {
  let collector: OtlpCollector;
  let service: Deployment;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    collector = await startCollector();
    service = await tracedDeployment(mode, collector.url);
    if (mode === 'cluster')
      service.apps.push(await spawnApp({ app: 'tech-scan', env: service.env }));
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([collector.close(), site.close()]);
  });

  it('show a scrape from the request to the rung and the storage, across processes', async () => {
    const [request, published, processed, page, fetched, extracted] = await traceOf(
      ['POST /v1/scrape', 'publish scrape', 'process scrape', 'page', 'fetch plain', 'extract'],
      async () => {
        const url = site.url('/tree/1?token=secret-query');
        const headers = { cookie: 'session=secret-cookie' };
        expect((await post('/v1/scrape', { url, headers })).status).toBe(200);
      },
    );
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      attributes: { 'http.route': '/v1/scrape', 'http.response.status_code': 200 },
    });
    expect(published?.parentSpanId).toBe(request?.spanId);
    expect(processed?.parentSpanId).toBe(published?.spanId);
    expect(page).toMatchObject({
      parentSpanId: processed?.spanId,
      attributes: { 'server.address': '127.0.0.1' },
    });
    expect([fetched?.parentSpanId, extracted?.parentSpanId]).toEqual([page?.spanId, page?.spanId]);
    const apps = mode === 'cluster' ? ['trawl-api', 'trawl-fetcher'] : ['trawl', 'trawl'];
    expect([request?.service, processed?.service]).toEqual(apps);
  });

  it('show the scan of an enrichment and what it keeps in the storage', async () => {
    const [, scanned, stored] = await traceOf(
      ['process enrich', 'process tech-scan', 'storage put'],
      async () => {
        expect((await post('/v1/enrich', { url: site.url('/') })).status).toBe(200);
      },
    );
    expect(scanned?.service).toBe(mode === 'cluster' ? 'trawl-tech-scan' : 'trawl');
    expect(stored?.attributes).toMatchObject({ 'trawl.storage.outcome': 'ok' });
  });

  it('begin anew with each page of a crawl', async () => {
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 3 });
    await service.client.waitForEnd(jobId);
    const pages = await until(
      () => {
        const found = collector.spans.filter(({ name }) => name === 'process crawl');
        return found.length >= 3 && found;
      },
      { what: 'the spans of three pages', timeoutMs: 20_000 },
    );
    expect(new Set(pages.map(({ traceId }) => traceId)).size).toBe(pages.length);
    for (const { parentSpanId, attributes } of pages) {
      expect(parentSpanId).toBe('');
      expect(attributes['trawl.job.id']).toBe(jobId);
    }
  });

  it('hold nothing that a tenant may keep secret', () => {
    expect(collector.texts.join('')).toContain('/v1/scrape');
    for (const text of collector.texts) {
      expect(text).not.toMatch(/secret-|session=|trawl_live_/);
      expect(text).not.toContain(service.key);
    }
  });

  it('go to the path of the collector, with the headers that were set', () => {
    expect(collector.headers.length).toBeGreaterThan(0);
    for (const seen of collector.headers)
      expect(seen).toMatchObject({ path: '/v1/traces', authorization: 'Bearer a,b' });
  });

  function post(path: string, body: object): Promise<Response> {
    return fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${service.key}`,
        traceparent: `00-${TRACE}-${CALLER}-01`,
      },
      body: JSON.stringify(body),
    });
  }

  /** The first span of each name in the caller's trace that the work brings. */
  async function traceOf(
    names: readonly string[],
    work: () => Promise<void>,
  ): Promise<readonly (SeenSpan | undefined)[]> {
    const before = collector.spans.length;
    await work();
    const found = () => {
      const own = collector.spans.slice(before).filter(({ traceId }) => traceId === TRACE);
      return names.map((name) => own.find((span) => span.name === name));
    };
    await until(() => found().every(Boolean), { what: names.join(', '), timeoutMs: 20_000 });
    return found();
  }
});

describe('a service whose collector never answers', () => {
  it('serves, and stops in time', async () => {
    const [collector, site] = [await startCollector({ hangs: true }), await startFixtureSite()];
    const service = await tracedDeployment('embedded', collector.url);
    const { status } = await service.client.scrape({ url: site.url('/') });
    expect(status).toBe(200);
    await until(() => collector.texts.length > 0, { what: 'spans', timeoutMs: 20_000 });
    // Its limit for stopping: the service is killed, and this rejects, if it takes longer.
    await service.stop();
    await Promise.all([collector.close(), site.close()]);
  });
});

describe('the setting of a collector', () => {
  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an address that begins with http'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', 'must be a list of key=value'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
  ])('%s is refused when it is wrong', async (name, value, rule) => {
    const started = spawnApp({ app: 'standalone', env: { [name]: value, PORT: '0' } });
    await expect(started).rejects.toThrow(`${name}`);
    await expect(started).rejects.toThrow(rule);
  });
});

function tracedDeployment(mode: Mode, url: string): Promise<Deployment> {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb',
    LOG_LEVEL: 'debug',
  };
  return deploy(mode, { env });
}
