import {
  pdfOf,
  SMALL_SITE_PATHS,
  startFixtureSite,
  startWebhookReceiver,
  until,
  readSignedWebhook,
  type FixtureSite,
  type WebhookReceiver,
} from '@app/testing';
import { deployEmbedded, PATIENT_ENV, type Deployment } from './deployment.js';

const USER_AGENT = 'PatientBot/3.1 (+https://patient.example/bot)';

/** Each flow once as `npm start` runs it: the other specs walk through them in a cluster, see `MODES`. */
describe('the embedded service', () => {
  let site: FixtureSite;
  let receiver: WebhookReceiver;
  let service: Deployment;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 0 });
    receiver = await startWebhookReceiver();
    service = await deployEmbedded({ env: { ...PATIENT_ENV, USER_AGENT } });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await site?.close();
  });

  async function answerOf(path: string, body: unknown): Promise<unknown> {
    const answer = await service.client.call('POST', path, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  }

  it('scrapes', async () => {
    expect(await answerOf('/v1/scrape', { url: site.url('/') })).toMatchObject({
      markdown: expect.stringContaining('Small site'),
      metadata: { fetchMethod: 'plain' },
    });
  });

  it('sends USER_AGENT, and obeys the rules for its name', async () => {
    const robots = 'User-agent: TrawlBot\nDisallow: /\nUser-agent: patientbot/1\nDisallow: /docs\n';
    const strict = await startFixtureSite({ robots });
    expect((await service.client.scrape({ url: strict.url('/about') })).status).toBe(200);
    expect((await service.client.scrape({ url: strict.url('/docs') })).body).toMatchObject({
      ok: false,
      error: 'Fetch failed: robots.txt forbids this page',
    });
    const agents = strict.requests().map(({ headers }) => headers['user-agent']);
    expect(new Set(agents)).toEqual(new Set([USER_AGENT]));
    await strict.close();
  });

  it('crawls, notifies of it, and stores the pages', async () => {
    const secret = await service.client.call('POST', '/v1/webhooks/secret');
    const { jobId } = await service.client.crawl({ url: site.url('/'), webhook: receiver.url });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      status: 'completed',
      pages_scraped: SMALL_SITE_PATHS.length,
    });
    expect(await service.client.results(jobId)).toHaveLength(SMALL_SITE_PATHS.length);
    const webhook = await until(() => receiver.received[0], { what: 'the webhook of the crawl' });
    const notified = readSignedWebhook(webhook, (secret.body as { secret: string }).secret);
    expect(notified).toMatchObject({ jobId, status: 'completed' });
    const file = await fetch((notified as { result_url: string }).result_url);
    expect(await file.json()).toHaveLength(SMALL_SITE_PATHS.length);
  });

  it('scrapes a batch, waited for and as a job', async () => {
    const urls = [site.url('/'), site.url('/about')];
    expect(await answerOf('/v1/batch', { urls })).toMatchObject({ summary: { total: 2, ok: 2 } });
    const job = await service.client.call('POST', '/v1/batch', { urls, async: true });
    const { jobId } = job.body as { jobId: string };
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      type: 'batch',
      status: 'completed',
    });
  });

  it('scrapes, crawls and batches by the compatibility set', async () => {
    const url = site.url('/');
    const formats = ['html', { type: 'screenshot', quality: 60 }];
    const actions = [{ type: 'screenshot', fullPage: true }];
    expect(await answerOf('/v2/scrape', { url, formats, actions })).toMatchObject({
      success: true,
      data: {
        html: expect.stringContaining('Small site'),
        screenshot: expect.stringMatching(/^data:image\/jpeg;base64,/),
        actions: { screenshots: [expect.stringMatching(/^data:image\/png;base64,/)] },
      },
    });
    for (const [path, body] of [
      ['/firecrawl/v2/crawl', { url }],
      ['/v2/batch/scrape', { urls: [url] }],
    ] as const) {
      const { id } = (await answerOf(path, body)) as { id: string };
      const ended = await until(
        async () => {
          const { body: state } = await service.client.call('GET', `${path}/${id}`);
          return (state as { status: string }).status === 'completed' ? state : undefined;
        },
        { what: `the end of ${path}`, timeoutMs: 60_000 },
      );
      expect(ended).toMatchObject({
        data: expect.arrayContaining([
          expect.objectContaining({ markdown: expect.stringContaining('Small site') }),
        ]),
      });
    }
  });

  it('maps', async () => {
    expect(await answerOf('/v1/map', { url: site.url('/') })).toMatchObject({
      total: SMALL_SITE_PATHS.length,
    });
  });

  it('takes a screenshot', async () => {
    expect(await answerOf('/v1/screenshot', { url: site.url('/'), waitFor: 0 })).toMatchObject({
      format: 'png',
      base64: expect.stringMatching(/^iVBOR/),
    });
  });

  it('parses a document', async () => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(pdfOf(['Annual report']))], 'report.pdf'));
    const response = await fetch(`${service.url}/v1/parse`, {
      method: 'POST',
      headers: { 'x-api-key': service.key },
      body: form,
    });
    expect(await response.json()).toMatchObject({
      format: 'pdf',
      markdown: expect.stringContaining('Annual report'),
    });
  });

  it('extracts', async () => {
    const html =
      '<div itemscope itemtype="https://schema.org/Bakery"><h1 itemprop="name">Corner Bakery</h1>' +
      '<a itemprop="telephone" href="tel:+15125550147">(512) 555-0147</a></div>';
    expect(await answerOf('/v1/extract', { html })).toMatchObject({
      data: { name: 'Corner Bakery' },
    });
  });

  it('enriches a company, and reads its brand', async () => {
    const domain = site.url('/');
    expect(await answerOf('/v1/enrich', { domain })).toMatchObject({
      homepage: { title: 'Small site /' },
      tech_stack: expect.any(Array),
    });
    expect(await answerOf('/v1/brand', { domain })).toMatchObject({ brand_meta: {} });
  });
});
