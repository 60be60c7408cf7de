import { newId } from '@app/contracts';
import {
  startFixtureSite,
  startWebhookReceiver,
  until,
  type FakeLlmServer,
  type FixtureSite,
} from '@app/testing';
import { MODES } from './deployment.js';
import { PRICE_COLOUR_SCHEMA, serveShop, SHOP_PATHS, Shopper, timeless } from './reextract-run.js';
import { share, type SharedService } from './shared-cluster.js';

describe.each(MODES)('POST /v1/crawl/:id/extract, %s', (mode) => {
  let service: SharedService;
  let site: FixtureSite;
  let llm: FakeLlmServer;
  let shopper: Shopper;
  /** Crawls of the shop: one kept the source of its pages, the other their Markdown alone. */
  let withSource: string;
  let withText: string;

  beforeAll(async () => {
    site = await startFixtureSite();
    serveShop(site);
    service = await share(mode);
    ({ llm } = service.providers);
    shopper = await Shopper.on(service);
    withSource = (await shopper.crawl(site.url('/shop'), { formats: ['rawHtml'] })).id;
    withText = (await shopper.crawl(site.url('/shop'), { onlyMainContent: true })).id;
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => {
    site.reset();
    llm.reset();
  });

  describe('without a model', () => {
    it('produces from stored sources the results of a new crawl, without requests and without charge', async () => {
      const wanted = {
        formats: ['markdown', 'links', 'branding'],
        extractListing: true,
        onlyMainContent: true,
      };
      const job = await shopper.extract(withSource, wanted);
      expect(site.totalRequests).toBe(0);
      expect(job).toMatchObject({
        type: 'extract',
        status: 'completed',
        url: site.url('/shop'),
        source_job_id: withSource,
        pages_scraped: SHOP_PATHS.length,
        pages: { discovered: SHOP_PATHS.length, scraped: SHOP_PATHS.length, failed: 0, skipped: 0 },
      });
      const made = await shopper.made(job.id);
      expect(Object.keys(made).toSorted()).toEqual(SHOP_PATHS);
      expect(made['/shop/kettle']).toMatchObject({
        markdown: expect.stringMatching(/^# Kettle – café\n/),
        metadata: { title: 'Kettle – café', fetchMethod: 'plain', language: 'en' },
      });
      expect(made['/shop/bakery']?.listing).toMatchObject({ name: 'Corner Bakery', zip: '78701' });
      expect(await shopper.charges(job.id)).toEqual([]);

      // Only a crawl lists without provenance by default.
      const crawled = await shopper.crawl(site.url('/shop'), {
        ...wanted,
        listingProvenance: true,
      });
      const again = await shopper.made(crawled.id);
      for (const one of SHOP_PATHS)
        expect(timeless(made[one] ?? ({} as never))).toEqual(timeless(again[one] ?? ({} as never)));
    });

    it('is read, streamed, listed and reported like any other job', async () => {
      const { client } = shopper;
      const hook = await startWebhookReceiver();
      const job = await shopper.extract(withSource, { formats: ['links'], webhook: hook.url });
      const { jobs } = (await client.jobs()) as { jobs: readonly object[] };
      expect(jobs[0]).toMatchObject({ id: job.id, type: 'extract', status: 'completed' });
      const lines: unknown[] = [];
      for await (const line of client.ndjson(job.id)) lines.push(line);
      expect(lines).toEqual(await client.results(job.id));
      expect(await (await fetch(job.result_url ?? '')).json()).toEqual(lines);
      const urls = await client.call('GET', `/v1/crawl/${job.id}/urls`);
      expect(urls.body).toMatchObject({
        counts: { scraped: SHOP_PATHS.length },
        urls: SHOP_PATHS.map(() => ({ state: 'scraped', rung: null, attempts: 1, depth: 0 })),
      });
      const events = await client.call('GET', `/v1/crawl/${job.id}/events`);
      expect(events.text.match(/^event: document$/gm)).toHaveLength(SHOP_PATHS.length);
      expect(events.text).toMatch(/event: end\nid: end\ndata: \{"status":"completed"\}\n\n$/);
      await until(() => hook.received.length > 0, { what: 'the webhook' });
      expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
        jobId: job.id,
        status: 'completed',
        pages_scraped: SHOP_PATHS.length,
      });
      await hook.close();
      const warc = await client.call('GET', `/v1/crawl/${job.id}/results?format=warc`);
      expect([warc.status, warc.text]).toEqual([400, expect.stringContaining(withSource)]);
    });

    it('finds listings in Markdown, where a job stored only that; this is the default', async () => {
      const job = await shopper.extract(withText, {});
      const made = await shopper.made(job.id);
      expect(made['/shop/bakery']?.listing).toMatchObject({ zip: '78701' });
      expect(made['/shop/notes']).toMatchObject({ listing: null });
      expect(made['/shop/notes']).not.toHaveProperty('markdown');
      expect(site.totalRequests).toBe(0);
    });

    it('reads an async batch, with the places of its addresses', async () => {
      const urls = ['/shop/notes', '/shop/kettle'].map((one) => site.url(one));
      const batch = await shopper.client.call('POST', '/v1/batch', { urls, async: true });
      const { jobId } = batch.body as { jobId: string };
      await shopper.client.waitForEnd(jobId);
      site.reset();
      const made = await shopper.made((await shopper.extract(jobId, { formats: ['markdown'] })).id);
      expect([made['/shop/notes']?.index, made['/shop/kettle']?.index]).toEqual([0, 1]);
      expect(site.totalRequests).toBe(0);
    });
  });

  describe('with a model', () => {
    it.each([
      ['the source', () => withSource],
      ['Markdown', () => withText],
    ])('reads data by a schema from %s; a page that has it costs a credit', async (_, source) => {
      const job = await shopper.extract(source(), { schema: PRICE_COLOUR_SCHEMA });
      expect(site.totalRequests).toBe(0);
      expect(job).toMatchObject({ status: 'completed', pages_scraped: SHOP_PATHS.length });
      const made = await shopper.made(job.id);
      expect(made['/shop/kettle']).toMatchObject({
        json: { price: 34.5, colour: 'blue' },
        _provenance: { '/colour': { quote: expect.stringContaining('blue') } },
        metadata: { llm: { model: 'low-model', costUsd: expect.any(Number) } },
      });
      expect(made['/shop/paper']).toMatchObject({ isPdf: true, json: { price: 12 } });
      expect(made['/shop/notes']).toMatchObject({ json: { price: null, colour: null } });
      const booked = await shopper.charges(job.id);
      expect(booked.map(({ operation, credits }) => [operation, credits])).toEqual([
        ...[0, 0, 0].map((credits) => ['extract', credits]),
        ...[1, 1].map((credits) => ['extract', credits]),
      ]);
      const told = Object.values(made).map(({ metadata }) => {
        const { costUsd } = metadata['llm'] as { costUsd: number };
        return Math.round(costUsd * 1e6);
      });
      expect(booked.map(({ cost }) => cost).toSorted()).toEqual(told.toSorted());
    });

    it('tries a schema on a few pages first, with the stronger model on request', async () => {
      const { jobId, pages } = await shopper.begin(withText, {
        ...{ schema: PRICE_COLOUR_SCHEMA, formats: ['summary'], complexity: 'high', limit: 2 },
      });
      expect(pages).toBe(2);
      await shopper.client.waitForEnd(jobId);
      const made = Object.values(await shopper.made(jobId));
      expect(made).toHaveLength(2);
      for (const one of made)
        expect(one).toMatchObject({
          summary: expect.any(String),
          json: expect.any(Object),
          metadata: { llm: { model: 'high-model' } },
        });
    });

    it('fails pages without a model result, and records the cost', async () => {
      llm.mode = 'not_json';
      const job = await shopper.extract(withText, { schema: PRICE_COLOUR_SCHEMA, limit: 2 });
      expect(job).toMatchObject({
        status: 'failed',
        pages_scraped: 0,
        failed: { llm_invalid: 2 },
        error: 'No page could be scraped: the first stored page was failed (llm_invalid).',
      });
      const booked = await shopper.charges(job.id);
      expect(booked.map(({ credits }) => credits)).toEqual([0, 0]);
      expect(booked.every(({ cost }) => cost > 0)).toBe(true);
    });

    it('tries again where the model did not answer', async () => {
      llm.nextModes.push('quota');
      const job = await shopper.extract(withText, { schema: PRICE_COLOUR_SCHEMA, limit: 1 });
      expect(job).toMatchObject({ status: 'completed', pages_scraped: 1 });
      const urls = await shopper.client.call('GET', `/v1/crawl/${job.id}/urls`);
      expect(urls.body).toMatchObject({ urls: [{ state: 'scraped', attempts: 2 }] });
    });
  });

  describe('refuses', () => {
    const CURE = expect.stringMatching(/crawl again with `rawHtml` in `scrapeOptions\.formats`$/);

    it.each([
      [{ formats: ['links', 'branding'] }, /^`links`, `branding` not available/],
      [{ formats: ['markdown'], onlyMainContent: true }, /^`onlyMainContent` not available/],
    ])('of a job without sources %j', async (body, said) => {
      const answer = await shopper.asked(withText, body);
      expect([answer.status, answer.body]).toEqual([400, { error: CURE }]);
      expect((answer.body as { error: string }).error).toMatch(said);
    });

    it('a job that stored neither source nor Markdown', async () => {
      const { id } = await shopper.crawl(site.url('/shop/notes'), { formats: ['links'] });
      expect(await shopper.asked(id, {})).toMatchObject({ status: 400, body: { error: CURE } });
    });

    it.each([
      [{ formats: ['screenshot'] }, /unsupported value; supported values are markdown/],
      [{ extractListing: false }, /^Nothing is requested/],
      [{ schema: { $ref: 'http://example.com/s' } }, /^`schema` /],
      [{ url: 'http://a.example/' }, /^Unknown field `url`/],
      [{ limit: 0 }, /^`limit` must be at least 1/],
    ])('%j', async (body, said) => {
      const answer = await shopper.asked(withText, body);
      expect([answer.status, answer.body]).toEqual([400, { error: expect.stringMatching(said) }]);
    });

    it('jobs that are unknown, run, stored nothing, were made of stored pages, or have expired', async () => {
      const { client } = shopper;
      const unknown = { status: 404, body: { error: 'Job not found', hint: expect.any(String) } };
      expect(await shopper.asked(newId(), {})).toMatchObject(unknown);
      expect(await (await Shopper.on(service)).asked(withText, {})).toMatchObject(unknown);
      const { jobId } = await client.crawl({ url: site.url('/hang'), limit: 2 });
      expect(await shopper.asked(jobId, {})).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(/^This job is (queued|running): /) },
      });
      await client.cancel(jobId);
      expect(await shopper.asked(jobId, {})).toMatchObject({
        status: 409,
        body: { error: 'This job stored no page: there is nothing to extract from.' },
      });
      const made = await shopper.extract(withText, {});
      expect(await shopper.asked(made.id, {})).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(withText) },
      });
      const old = await shopper.crawl(site.url('/shop/notes'));
      await service.database.query(
        { name: 'expire_one', text: 'UPDATE jobs SET expired_at = now() WHERE id = $1' },
        [old.id],
      );
      expect(await shopper.asked(old.id, {})).toMatchObject({ status: 410 });
    });
  });

  it('runs once under one Idempotency-Key', async () => {
    const own = await service.client.crawl({ url: site.url('/shop/notes'), limit: 1 });
    await service.client.waitForEnd(own.jobId);
    const ask = async (): Promise<unknown> => {
      const answer = await fetch(`${service.url}/v1/crawl/${own.jobId}/extract`, {
        method: 'POST',
        headers: {
          'x-api-key': service.key,
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body: JSON.stringify({ limit: 1 }),
      });
      return [answer.status, await answer.json()];
    };
    const first = await ask();
    expect(first).toMatchObject([202, { sourceJobId: own.jobId, pages: 1 }]);
    expect(await ask()).toEqual(first);
  });
});
