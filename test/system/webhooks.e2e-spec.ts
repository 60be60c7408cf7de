import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  until,
  readSignedWebhook,
  type Answer,
  type ReceiverMode,
  type TrawlClient,
} from '@app/testing';
import { MODES } from './deployment.js';
import { HeldPages } from './held-pages.js';
import { share, UNKNOWN_ID } from './shared-cluster.js';
import { idsOf, WebhookRun, type WebhookDelivery } from './webhook-run.js';
import { isFullRun } from '../setup/full-run.js';

const PAGES = isFullRun ? 500 : 150;

describe.each(MODES)('webhooks, %s', (mode) => {
  let run: WebhookRun;

  beforeAll(async () => {
    run = await WebhookRun.start(() => share(mode));
  });
  afterAll(() => run?.stop());
  beforeEach(() => run.renewReceiver());
  afterEach(() => run.closeReceivers());

  const newSecret = async (client: TrawlClient = run.service.client): Promise<string> => {
    const { status, body, headers } = await client.call('POST', '/v1/webhooks/secret');
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('private, no-store');
    return (body as { secret: string }).secret;
  };
  const statusOf = async (answer: Promise<Answer>) => (await answer).status;

  it('a tenant has no secret before its first webhook, whose own can then be shown', async () => {
    const client = await run.service.otherTenant();
    expect(await client.call('GET', '/v1/webhooks/secret')).toMatchObject({
      status: 404,
      body: { error: 'No webhook secret yet. POST /v1/webhooks/secret makes one.' },
    });
    const jobId = await run.crawl(run.receiver.url, 2, client);
    await until(async () => (await run.deliveriesOf(jobId, client))[0]?.state === 'delivered', {
      what: 'the first webhook',
    });
    const secret = await newSecret(client);
    const [webhook] = run.sentFor(jobId);
    if (!webhook) throw new Error('nothing came');
    const job = await client.job(jobId);
    const body = readSignedWebhook(webhook, secret) as { result_url: string };
    expect(body).toEqual({
      jobId,
      status: 'completed',
      url: run.site.url('/tree/0'),
      pages_scraped: 2,
      result_url: expect.any(String),
      completed_at: job.completed_at,
    });
    const results = await fetch(body.result_url);
    expect(await results.json()).toHaveLength(2);
    expect(webhook.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Trawl-Webhooks\/\d/),
    });
  });

  it('shows a secret once, and signs by both after a rotation', async () => {
    const first = await newSecret();
    const second = await newSecret();
    expect(second).not.toBe(first);
    const shown = await run.service.client.call('GET', '/v1/webhooks/secret');
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain(second.slice(0, 20));
    expect(shown.body).toMatchObject({ prefix: second.slice(0, 12) });
    const { previous } = shown.body as { previous: { prefix: string; expires_at: string }[] };
    expect(previous[0]?.prefix).toBe(first.slice(0, 12));
    const leftMs = Date.parse(previous[0]?.expires_at ?? '') - Date.now();
    expect(leftMs / 3_600_000).toBeCloseTo(24, 1);
    const jobId = await run.crawl();
    await run.inState(jobId, 'delivered');
    const [webhook] = run.sentFor(jobId);
    if (!webhook) throw new Error('nothing came');
    expect(readSignedWebhook(webhook, first)).toMatchObject({ jobId });
    expect(readSignedWebhook(webhook, second)).toMatchObject({ jobId });
  });

  it('is retried after a receiver was down, broken or moved, under the same id', async () => {
    const faults: readonly (readonly [ReceiverMode | 'down', string])[] = [
      ['500', 'http_status'],
      ['429', 'http_status'],
      ['302', 'redirect'],
      ['reset', 'network'],
      ['not_http', 'invalid_answer'],
      ['down', 'network'],
    ];
    const secret = await newSecret();
    await Promise.all(
      faults.map(async ([fault, error]) => {
        const own = await run.another();
        if (fault === 'down') await own.down();
        else own.nextModes.push(fault);
        const jobId = await run.crawl(own.url);
        if (fault === 'down') {
          await until(async () => (await run.deliveriesOf(jobId))[0]?.last_error === error, {
            what: `the failure for ${fault}`,
          });
          await own.up();
        }
        const delivery = await run.deliveredNow(jobId);
        const failures = fault === 'down' ? delivery.attempt_count - 1 : 1;
        expect(failures).toBeGreaterThan(0);
        expect(delivery).toMatchObject({
          last_error: null,
          attempt_count: failures + 1,
          attempts: [
            ...Array.from({ length: failures }, () => ({ error })),
            { no: failures + 1, status: 200, error: null },
          ],
        });
        expect(idsOf(own.received)).toEqual(new Set([delivery.id]));
        expect(own.received.map(({ path }) => path)).not.toContain('/elsewhere');
        for (const webhook of own.received)
          expect(readSignedWebhook(webhook, secret)).toMatchObject({ jobId });
      }),
    );
  });

  it('stops at a 410, and continues on request', async () => {
    run.receiver.mode = '410';
    const first = await run.crawl();
    const { id } = await run.inState(first, 'disabled');
    const second = await run.crawl();
    await run.inState(second, 'disabled');
    expect(run.receiver.received).toHaveLength(1);
    run.receiver.mode = 'ok';
    const asked = await run.service.client.call('POST', `/v1/webhooks/deliveries/${id}/redeliver`);
    expect(asked).toMatchObject({ status: 202, body: { id, state: 'pending' } });
    const delivery = await run.inState(first, 'delivered');
    expect(delivery.attempts).toMatchObject([{ status: 410, error: 'gone' }, { status: 200 }]);
    expect(idsOf(run.sentFor(first))).toEqual(new Set([id]));
    await run.inState(await run.crawl(), 'delivered');
    expect(run.sentFor(second)).toEqual([]);
  });

  it(`a crawl cancelled at half of ${PAGES} pages sends one event`, async () => {
    const held = new HeldPages(run.site, PAGES, PAGES / 2 + 10);
    const jobId = await run.crawlHeld(held, PAGES);
    await until(async () => (await run.service.client.job(jobId)).pages_scraped >= PAGES / 2, {
      what: 'half of the pages',
      timeoutMs: 90_000,
    });
    const answers = await Promise.all([1, 2, 3].map(() => run.service.client.cancel(jobId)));
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ jobId, status: 'cancelled', cancelled: true })),
    );
    held.release();
    const delivery = await run.inState(jobId, 'delivered');
    expect(delivery).toMatchObject({ event: 'crawl.cancelled', attempt_count: 1 });
    const job = await run.service.client.job(jobId);
    expect(job.pages_scraped).toBeLessThan(PAGES);
    const [webhook, ...more] = run.sentFor(jobId);
    expect(more).toEqual([]);
    expect(JSON.parse(webhook?.body ?? '')).toEqual({
      jobId,
      status: 'cancelled',
      url: held.url,
      pages_scraped: job.pages_scraped,
      result_url: null,
      completed_at: job.completed_at,
    });
  });

  it('a crawl without a page sends the event of its failure', async () => {
    const body = { url: run.site.url('/status/404'), limit: 1, webhook: run.receiver.url };
    const { jobId } = await run.service.client.crawl(body);
    const delivery = await run.inState(jobId, 'delivered', 60_000);
    expect(delivery.event).toBe('crawl.failed');
    expect(JSON.parse(run.sentFor(jobId)[0]?.body ?? '')).toMatchObject({
      status: 'failed',
      pages_scraped: 0,
      result_url: null,
    });
  });

  it('a webhook to a private address is refused at once', async () => {
    for (const webhook of [
      'http://10.0.0.1/',
      'http://127.0.0.2:8080/',
      'http://169.254.169.254/latest',
      'https://user:password@example.com/',
      'ftp://example.com/',
      'javascript:alert(1)',
      'http://localhost/',
    ]) {
      for (const field of ['webhook', 'webhookUrl']) {
        const body = { url: run.site.url('/tree/0'), [field]: webhook };
        expect(await run.service.client.call('POST', '/v1/crawl', body)).toMatchObject({
          status: 400,
          body: { ok: false, error: `Blocked URL: ${webhook}`, hint: expect.any(String) },
        });
      }
    }
  });

  it('a webhook whose name leads inside when it is sent reaches no server', async () => {
    const canary = await run.another('127.0.0.2');
    const held = new HeldPages(run.site, 2);
    const jobId = await run.crawlHeld(held, 2);
    const text = 'UPDATE jobs SET webhook_url = $2 WHERE id = $1';
    await run.service.database.query({ name: 'move_webhook', text }, [jobId, canary.url]);
    await run.service.client.cancel(jobId);
    held.release();
    await until(async () => (await run.deliveriesOf(jobId))[0]?.last_error === 'blocked_address', {
      what: 'the refusal',
    });
    expect(canary.connections).toBe(0);
  });

  it('is hidden from other tenants', async () => {
    const jobId = await run.crawl();
    const { id } = await run.inState(jobId, 'delivered');
    const other = await run.service.otherTenant();
    const path = `/v1/webhooks/deliveries/${id}`;
    expect(await statusOf(run.service.client.call('GET', path))).toBe(200);
    const unknown = {
      status: 404,
      body: { error: 'Webhook delivery not found', hint: expect.any(String) },
    };
    expect(await other.call('GET', path)).toMatchObject(unknown);
    expect(await other.call('POST', `${path}/redeliver`)).toMatchObject(unknown);
    expect(await other.call('GET', `/v1/webhooks/deliveries?jobId=${jobId}`)).toMatchObject({
      status: 200,
      body: { deliveries: [], next: null },
    });
    expect(await statusOf(other.call('GET', '/v1/webhooks/secret'))).toBe(404);
    for (const missing of [UNKNOWN_ID, 'x', '%00']) {
      const call = run.service.client.call('GET', `/v1/webhooks/deliveries/${missing}`);
      expect(await call).toMatchObject(unknown);
    }
    const bare = await fetch(`${run.service.url}${path}`);
    expect(bare.status).toBe(401);
    expect(run.sentFor(jobId)).toHaveLength(1);
  });

  it('returns, and sends, exactly the fields of /openapi.json', async () => {
    run.receiver.nextModes.push('500');
    const jobId = await run.crawl();
    const { id } = await run.deliveredNow(jobId);
    const document = (await (await fetch(`${run.service.url}/openapi.json`)).json()) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    const problemsOf = (schema: string, value: unknown): unknown => {
      const $ref = `openapi#/components/schemas/${schema}`;
      const validate = ajv.compile({ $ref, unevaluatedProperties: false });
      return validate(value) ? null : validate.errors;
    };
    const { client } = run.service;
    const bodyOf = async (path: string) => (await client.call('GET', `/v1/webhooks/${path}`)).body;
    expect(problemsOf('DeliveryList', await bodyOf('deliveries'))).toBeNull();
    expect(problemsOf('DeliveryView', await bodyOf(`deliveries/${id}`))).toBeNull();
    const { body: shown } = await client.call('POST', '/v1/webhooks/secret');
    expect(problemsOf('ShownSecret', shown)).toBeNull();
    expect(problemsOf('SecretView', await bodyOf('secret'))).toBeNull();
    expect(problemsOf('EventBody', JSON.parse(run.sentFor(jobId)[0]?.body ?? ''))).toBeNull();
    expect(problemsOf('EventBody', { jobId })).not.toBeNull();
    expect(document).toMatchObject({ webhooks: { jobEnded: { post: {} } } });
  });

  it('is listed newest first, in pages', async () => {
    const [one, two] = [await run.crawl(), await run.crawl()];
    await Promise.all([run.inState(one, 'delivered'), run.inState(two, 'delivered')]);
    const all: WebhookDelivery[] = [];
    let path = '/v1/webhooks/deliveries?limit=1&state=delivered';
    for (let cursor: string | null = ''; cursor !== null && all.length < 200;) {
      const answer = await run.service.client.call('GET', path);
      const page = answer.body as { deliveries: WebhookDelivery[]; next: string | null };
      all.push(...page.deliveries);
      cursor = page.next;
      path = `/v1/webhooks/deliveries?limit=1&state=delivered&cursor=${cursor}`;
    }
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(
      all
        .slice(0, 2)
        .map(({ jobId }) => jobId)
        .sort(),
    ).toEqual([one, two].sort());
    expect(
      await run.service.client.call('GET', '/v1/webhooks/deliveries?state=lost'),
    ).toMatchObject({
      status: 400,
      body: { error: '`state` must be one of pending, delivered, failed, disabled' },
    });
  });

  it('is counted', async () => {
    const metrics = async (): Promise<string> =>
      (await fetch(`${run.service.metricsUrl}/metrics`)).text();
    const counted = (text: string, name: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    const names = [
      'trawl_webhook_deliveries_total{event="crawl.completed",outcome="delivered"}',
      'trawl_webhook_delivery_duration_seconds_count{outcome="delivered"}',
    ];
    const before = await metrics();
    await run.inState(await run.crawl(), 'delivered');
    const after = await until(
      async () => {
        const text = await metrics();
        return names.every((name) => counted(text, name) > counted(before, name)) && text;
      },
      { what: 'the delivery to be counted' },
    );
    for (const name of names)
      expect([name, counted(after, name) - counted(before, name)]).toEqual([name, 1]);
    expect(after).toMatch(/^trawl_webhook_pending \d+$/m);
    expect(after).toMatch(/^trawl_webhook_oldest_pending_age_seconds \d/m);
  });
});
