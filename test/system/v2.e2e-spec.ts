import { docxOf, pdfOf, SMALL_SITE_PATHS, until, readSignedWebhook } from '@app/testing';
import { changeAgreement } from '@app/accounts';
import { createCaller, MODES } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';
import { V2Run } from './v2-run.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.each(MODES)('the compatibility set, %s', (mode) => {
  let run: V2Run;

  beforeAll(async () => {
    run = await V2Run.start(mode);
  });
  afterAll(() => run?.stop());

  const crawl = (body: object = {}) =>
    run.post('/v2/crawl', { url: run.site.url('/'), limit: 50, ...body });

  it('scrapes a page', async () => {
    const url = run.site.url('/');
    const formats = ['markdown', 'html', 'rawHtml', { type: 'links' }];
    const { status, headers, body } = await run.post('/v2/scrape', {
      ...{ url, formats, onlyMainContent: false },
    });
    expect([status, headers.get('x-credits-consumed')]).toEqual([200, '1']);
    expect(body).toMatchObject({
      success: true,
      data: {
        markdown: expect.stringContaining('Small site') as unknown,
        rawHtml: expect.stringContaining('<html') as unknown,
        links: expect.arrayContaining([run.site.url('/about')]) as unknown,
        metadata: {
          ...{ title: 'Small site /', sourceURL: url, url, statusCode: 200, creditsUsed: 1 },
          ...{ proxyUsed: 'basic', cacheState: 'miss' },
          scrapeId: expect.stringMatching(UUID) as unknown,
        },
      },
    });
  });

  it('maps a site to objects', async () => {
    const { status, body } = await run.post('/v2/map', { url: run.site.url('/'), sitemap: 'only' });
    expect([status, body.success, UUID.test(body.id)]).toEqual([200, true, true]);
    expect(body.links).toHaveLength(SMALL_SITE_PATHS.length);
    expect(body.links[0]).toEqual({ url: expect.stringContaining('http') as unknown });
    expect(body.warning).toContain('sitemap');
    // Nothing listens there: no server of another test is given such a port.
    expect(await run.post('/v2/map', { url: 'http://127.0.0.1:1026/' })).toMatchObject({
      status: 502,
      body: { success: false, code: 'map_fetch_failed' },
    });
  });

  it('crawls, and returns every page in one response', async () => {
    const { status, body } = await crawl({ delay: 1 });
    expect([status, body.success, UUID.test(body.id)]).toEqual([200, true, true]);
    expect(body.url).toBe(`${run.service.url}/v2/crawl/${body.id}`);
    expect(body.warning).toBe('Options that were ignored: delay.');
    const ended = await run.ended(`/v2/crawl/${body.id}`);
    const { length } = SMALL_SITE_PATHS;
    expect(ended).toMatchObject({
      ...{ status: 'completed', total: length, completed: length, creditsUsed: length, next: null },
      warning: body.warning,
    });
    expect(Date.parse(ended.expiresAt)).toBeGreaterThan(Date.now());
    expect(ended.data).toHaveLength(length);
    for (const document of ended.data) {
      expect(Object.keys(document)).toEqual(['markdown', 'metadata']);
      expect(document.metadata).toMatchObject({ statusCode: 200, creditsUsed: 1 });
    }
    const titles = ended.data.map(({ metadata }) => metadata['title']);
    expect(titles).toContain('Small site /');
    expect(await run.send('DELETE', `/v2/crawl/${body.id}`)).toMatchObject({
      status: 200,
      body: { success: true, status: 'completed' },
    });
  });

  it('follows paths by regular expression, by glob and by prefix alike', async () => {
    for (const pattern of ['^/about$', '/abou*', '/about']) {
      const { body } = await crawl({ includePaths: [pattern] });
      const { data } = await run.ended(`/v2/crawl/${body.id}`);
      const paths = data.map(({ metadata }) => new URL(String(metadata['url'])).pathname).sort();
      expect([pattern, paths]).toEqual([pattern, ['/', '/about']]);
    }
    const { body } = await crawl({ excludePaths: ['.*', '^/$'] });
    expect((await run.ended(`/v2/crawl/${body.id}`)).data).toHaveLength(1);
  });

  it('reports a failed job as a success of the request, and a cancelled one', async () => {
    const failed = await run.post('/v2/crawl', { url: run.site.url('/status/404') });
    const path = `/v2/crawl/${failed.body.id}`;
    expect(await run.ended(path)).toMatchObject({
      ...{
        success: true,
        status: 'failed',
        data: [],
        error: expect.stringMatching(/./) as unknown,
      },
    });
    const held = new HeldPages(run.site, 1);
    const running = await run.post('/v2/crawl', { url: held.url });
    const target = `/v2/crawl/${running.body.id}`;
    expect((await run.send('GET', target)).body).toMatchObject({ status: 'scraping', data: [] });
    for (let times = 0; times < 2; times++)
      expect(await run.send('DELETE', target)).toMatchObject({
        status: 200,
        body: { success: true, status: 'cancelled' },
      });
    held.release();
    expect((await run.send('GET', target)).body).toMatchObject({ status: 'cancelled' });
  });

  it('scrapes a batch, with the URLs as sent and without the invalid ones', async () => {
    const bare = run.site.url('/about').slice('http://'.length);
    const urls = [run.site.url('/'), bare, 'ftp://x.example/', 'http://10.0.0.1/'];
    const strict = await run.post('/v2/batch/scrape', { urls });
    expect([strict.status, strict.body.code]).toEqual([400, 'invalid_url']);
    const { status, body } = await run.post('/v2/batch/scrape', {
      ...{ urls, ignoreInvalidURLs: true, maxConcurrency: 1 },
    });
    expect([status, body.invalidURLs]).toEqual([200, urls.slice(2)]);
    const ended = await run.ended(`/v2/batch/scrape/${body.id}`);
    expect(ended).toMatchObject({ status: 'completed', total: 2, completed: 2, creditsUsed: 2 });
    const sources = ended.data.map(({ metadata }) => metadata['sourceURL']).sort();
    expect(sources).toEqual([bare, run.site.url('/')].sort());
  });

  it('shows each job on the route of its type only, and no unknown one', async () => {
    const batch = await run.post('/v2/batch/scrape', { urls: [run.site.url('/')] });
    await run.ended(`/v2/batch/scrape/${batch.body.id}`);
    const crawled = await crawl({ limit: 1 });
    await run.ended(`/v2/crawl/${crawled.body.id}`);
    for (const [method, path] of [
      ['GET', `/v2/crawl/${batch.body.id}`],
      ['DELETE', `/v2/crawl/${batch.body.id}`],
      ['GET', `/v2/batch/scrape/${crawled.body.id}`],
      ['GET', '/v2/crawl/018f0000-0000-7000-8000-000000000000'],
      ['GET', '/v2/crawl/no-id'],
    ] as const) {
      const { status, body } = await run.send(method, path);
      expect([path, status, body]).toEqual([
        ...[path, 404],
        { success: false, error: 'Job not found', code: 'job_not_found', details: null },
      ]);
    }
  });

  it('answers 502 for a completed job whose pages cannot be read, and stays a success before', async () => {
    const { body } = await crawl();
    const path = `/v2/crawl/${body.id}`;
    await run.ended(path);
    const blobs = storageOf(run.service);
    for (const key of await blobKeysWith(blobs, body.id)) await blobs.delete(key);
    await blobs.close();
    expect(await run.send('GET', path)).toMatchObject({
      status: 502,
      body: { success: false, code: 'results_unavailable', details: null },
    });
  });

  it('notifies of completed jobs only, with the fields of both interfaces', async () => {
    const secret = (await run.service.client.call('POST', '/v1/webhooks/secret')).body;
    const webhook = { url: run.receiver.url, headers: { a: 'b' }, events: ['page'] };
    const failing = await run.post('/v2/crawl', { url: run.site.url('/status/404'), webhook });
    expect(failing.body.warning).toContain('webhook.headers');
    expect(failing.body.warning).toContain('webhook.events');
    await run.ended(`/v2/crawl/${failing.body.id}`);
    const urls = [run.site.url('/')];
    const { body } = await run.post('/v2/batch/scrape', { urls, webhook: run.receiver.url });
    await run.ended(`/v2/batch/scrape/${body.id}`);
    const received = await until(() => run.receiver.received[0], { what: 'the webhook' });
    expect(readSignedWebhook(received, (secret as { secret: string }).secret)).toMatchObject({
      ...{ jobId: body.id, id: body.id, status: 'completed', type: 'batch_scrape.completed' },
      ...{ success: true, data: [], metadata: {}, pages_scraped: 1, url: urls[0] },
    });
    const { body: log } = await run.service.client.call(
      'GET',
      `/v1/webhooks/deliveries?jobId=${failing.body.id}`,
    );
    expect(log).toMatchObject({ deliveries: [] });
  });

  it('parses an upload, whichever part is sent first', async () => {
    const options = JSON.stringify({ formats: ['markdown'], parsers: ['image'], origin: 'x' });
    const pdf = new File([new Uint8Array(pdfOf(['Annual report']))], 'r.pdf');
    for (const isFirst of [true, false]) {
      const form = new FormData();
      if (isFirst) form.set('options', options);
      form.set('file', pdf);
      if (!isFirst) form.set('options', options);
      const { status, body } = await run.send('POST', '/v2/parse', { body: form });
      expect([status, body]).toMatchObject([
        200,
        {
          success: true,
          data: {
            markdown: expect.stringContaining('Annual report') as unknown,
            metadata: { sourceURL: 'r.pdf', numPages: 1, creditsUsed: 1, statusCode: 200 },
          },
          warning: 'Options that were ignored: parsers.',
        },
      ]);
    }
  });

  it.each<[string, Record<string, string | File>, number, string]>([
    ['no file', { options: '{}' }, 400, 'invalid_request'],
    ['options that are no JSON', { options: '{', file: textFile('a.pdf') }, 400, 'invalid_request'],
    ['options that are a list', { options: '[]', file: textFile('a.pdf') }, 400, 'invalid_request'],
    [
      'another format',
      { options: '{"formats":["html"]}', file: pdfFile() },
      400,
      'unsupported_format',
    ],
    ['redaction', { options: '{"redactPII":true}', file: pdfFile() }, 400, 'unsupported_option'],
    ['another type', { file: new File(['<!doctype html><p>a'], 'a.pdf') }, 415, 'unsupported_file'],
    ['a broken PDF', { file: new File(['%PDF-1.7\n1 0 obj'], 'a.pdf') }, 422, 'parse_failed'],
  ])('refuses an upload with %s', async (_, parts, status, code) => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) form.set(name, part);
    const answer = await run.send('POST', '/v2/parse', { body: form });
    expect([answer.status, answer.body.success, answer.body.code]).toEqual([status, false, code]);
  });

  it('parses DOCX, or says that it cannot', async () => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(docxOf(['Minutes']))], 'm.docx'));
    const { status, body } = await run.send('POST', '/v2/parse', { body: form });
    expect(status).toBe(200);
    expect(body.data.markdown).toContain('Minutes');
  });

  it('charges 200 concurrent scrapes on ten credits exactly ten times', async () => {
    const { database } = run.service;
    const { id, key } = await createCaller(database, 'few credits', 'free');
    const agreed = { monthlyCredits: 10, requestsPerMinute: 100_000, concurrentRequests: 1_000 };
    await database.transaction((tx) => changeAgreement(tx, id, agreed));
    const headers = { authorization: `Bearer ${key}` };
    const url = run.site.url('/about');
    const scrape = async (): ReturnType<typeof run.post> => {
      const answer = await run.post('/v2/scrape', { url }, headers);
      // A busy machine: the wait for a connection to the database was too long, and the response says to retry.
      return answer.status === 503 ? scrape() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 200 }, scrape));
    const paid = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 402);
    expect([paid.length, refused.length]).toEqual([10, 190]);
    expect(refused.at(-1)?.body).toMatchObject({
      ...{ success: false, code: 'payment_required', details: { balance: 0, required: 1 } },
    });
  });

  it('answers under its alias as under its own name', async () => {
    const url = run.site.url('/');
    const { status, body } = await run.post('/firecrawl/v2/scrape', { url });
    expect([status, body.success]).toEqual([200, true]);
    expect(await run.send('GET', '/firecrawl/v2/team/credit-usage')).toMatchObject({
      status: 404,
      body: { success: false, code: 'operation_deferred' },
    });
    const bare = await fetch(`${run.service.url}/firecrawl/v2/scrape`, { method: 'POST' });
    expect([bare.status, await bare.json()]).toMatchObject([401, { code: 'unauthorized' }]);
  });
});

function textFile(name: string): File {
  return new File(['plain text'], name);
}

function pdfFile(): File {
  return new File([new Uint8Array(pdfOf(['A']))], 'a.pdf');
}
