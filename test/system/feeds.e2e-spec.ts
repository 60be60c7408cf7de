import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import {
  startFixtureSite,
  startWebhookReceiver,
  until,
  type FixtureSite,
  type TrawlClient,
  type WebhookReceiver,
} from '@app/testing';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { isFullRun } from '../setup/full-run.js';

/** No spec is still there when a feed is due. */
const YEARLY = '0 0 1 1 *';

interface FeedBody {
  readonly feedId: string;
  readonly status: string;
  readonly running: boolean;
  readonly pausedReason: string | null;
  readonly nextRunAt: string | null;
  readonly total: number;
  readonly addresses: Readonly<Record<'rss' | 'atom' | 'json', string>>;
}

interface RunBody {
  readonly status: string;
  readonly newRows: number;
  readonly changedRows: number;
  readonly knownRows: number;
  readonly creditsUsed: number;
  readonly error: string | null;
}

describe.each(MODES)('feeds, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;
  let receiver: WebhookReceiver;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    [site, receiver] = await Promise.all([startFixtureSite(), startWebhookReceiver()]);
    folder = await mkdtemp(path.join(tmpdir(), 'trawl-feeds-'));
    file = path.join(folder, 'rows.json');
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([receiver?.close(), site?.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  const write = (rows: readonly object[]) => writeFile(file, JSON.stringify(rows));
  const create = async (client: TrawlClient, over: object = {}): Promise<FeedBody> => {
    const body = {
      connectorId: 'rows_of_a_file',
      params: { file },
      schedule: YEARLY,
      ...over,
    };
    const answer = await client.call('POST', '/v1/feeds', body);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([201, expect.anything()]);
    return answer.body as FeedBody;
  };
  const runsOf = async (client: TrawlClient, id: string): Promise<readonly RunBody[]> =>
    ((await client.call('GET', `/v1/feeds/${id}/runs`)).body as { runs: RunBody[] }).runs;
  /** Runs a feed, and waits for its end. */
  const runNow = async (client: TrawlClient, id: string): Promise<RunBody> => {
    const before = (await runsOf(client, id)).length;
    expect((await client.call('POST', `/v1/feeds/${id}/run`)).status).toBe(202);
    const ended = async () => {
      const [run, ...others] = await runsOf(client, id);
      return others.length === before && run?.status !== 'running' ? run : undefined;
    };
    await until(async () => (await ended()) !== undefined, { what: 'a run', timeoutMs: 60_000 });
    const run = await ended();
    if (run === undefined) throw new Error('the run went away');
    return run;
  };
  const eventsOf = (feedId: string) =>
    receiver.received
      .map(({ headers, body }) => ({ id: headers['webhook-id'], body: JSON.parse(body) as Event }))
      .filter(({ body }) => body.feedId === feedId);
  interface Event {
    readonly id: string;
    readonly type: string;
    readonly feedId: string;
    readonly reason?: string;
    readonly rows?: readonly { readonly id: string; readonly kind: string; readonly row: object }[];
  }

  it('deliver new and changed rows once, signed, and charge them once', async () => {
    const { id: tenantId, client } = await service.tenant('pro');
    await write([
      { name: 'a', price: 1 },
      { name: 'b', price: 2 },
    ]);
    const { feedId } = await create(client, {
      webhookUrl: receiver.url,
      firstRun: 'full',
      changed: true,
    });
    expect(await runNow(client, feedId)).toMatchObject({
      newRows: 2,
      creditsUsed: 2,
      status: 'completed',
    });
    await until(() => eventsOf(feedId).length > 0, { what: 'the first delivery' });
    await write([
      { name: 'a', price: 3 },
      { name: 'b', price: 2 },
      { name: 'c', price: 4 },
    ]);
    expect(await runNow(client, feedId)).toMatchObject({
      newRows: 1,
      changedRows: 1,
      knownRows: 1,
      creditsUsed: 3,
    });
    expect(await runNow(client, feedId)).toMatchObject({
      newRows: 0,
      knownRows: 3,
      creditsUsed: 1,
    });
    await until(() => eventsOf(feedId).length >= 2, { what: 'two deliveries' });
    const events = eventsOf(feedId);
    expect(events).toHaveLength(2);
    expect(events.every(({ id, body }) => id === body.id && body.type === 'feed.rows')).toBe(true);
    expect(events.at(-1)?.body.rows?.map(({ kind, row }) => [kind, row])).toEqual([
      ['changed', { name: 'a', price: 3 }],
      ['new', { name: 'c', price: 4 }],
    ]);
    expect(events.at(-1)?.body.rows?.[0]).toMatchObject({
      changes: { price: { before: 1, after: 3 } },
    });
    const text = 'SELECT sum(credits)::int AS n FROM credit_ledger WHERE tenant_id = $1';
    const [sum] = await service.database.query<{ n: number }>({ name: 'sum', text }, [tenantId]);
    expect(sum?.n).toBe(6);
    const newest = async () => {
      const { body } = await client.call('GET', '/v1/webhooks/deliveries');
      return (body as { deliveries: readonly { readonly state: string }[] }).deliveries[0];
    };
    await until(async () => (await newest())?.state === 'delivered', { what: 'the last delivery' });
    expect(await newest()).toMatchObject({
      feedId,
      jobId: null,
      event: 'feed.rows',
      state: 'delivered',
    });
  });

  it('note the first rows when they are silent, and are files that other parsers read', async () => {
    const { client } = await service.tenant('pro');
    await write([{ name: 'old' }]);
    const { feedId, addresses } = await create(client);
    expect(await runNow(client, feedId)).toMatchObject({ newRows: 0, knownRows: 1 });
    await write([{ name: 'old' }, { name: 'new <&> \u0001' }]);
    expect(await runNow(client, feedId)).toMatchObject({ newRows: 1, knownRows: 1 });
    const read = async (format: 'rss' | 'atom' | 'json') => {
      const response = await fetch(new URL(new URL(addresses[format]).pathname, service.url));
      const { headers } = response;
      expect([response.status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        expect.stringContaining(format === 'json' ? 'json' : format),
        'private, max-age=60',
      ]);
      return response.text();
    };
    expect(parseRssFeed(await read('rss')).items?.map(({ title }) => title)).toEqual(['new <&>']);
    expect(parseAtomFeed(await read('atom')).entries).toHaveLength(1);
    expect(parseJsonFeed(await read('json')).items).toHaveLength(1);
    const forged = new URL(addresses.rss).pathname.replace(/\.[\w-]{43}\./, `.${'A'.repeat(43)}.`);
    expect((await fetch(new URL(forged, service.url))).status).toBe(404);
    const renewed = (await client.call('POST', `/v1/feeds/${feedId}/addresses`)).body as FeedBody;
    const statusOf = async (address: string) =>
      (await fetch(new URL(new URL(address).pathname, service.url))).status;
    expect([await statusOf(addresses.rss), await statusOf(renewed.addresses.rss)]).toEqual([
      404, 200,
    ]);
    expect((await client.call('DELETE', `/v1/feeds/${feedId}`)).body).toEqual({
      feedId,
      deleted: true,
    });
    expect(await statusOf(renewed.addresses.rss)).toBe(404);
    expect((await client.call('GET', `/v1/feeds/${feedId}`)).status).toBe(404);
  });

  it.each([
    'bad-row.json',
    // Its three attempts wait for seconds.
    ...(isFullRun ? ['missing.json'] : []),
  ])('pause themselves after failed runs in a row (%s), say why, and resume', async (name) => {
    const { client } = await service.tenant('pro');
    await writeFile(path.join(folder, 'bad-row.json'), '[{ "price": 1 }]');
    const params = { file: path.join(folder, name) };
    const { feedId } = await create(client, { params, webhookUrl: receiver.url });
    const text = `UPDATE feeds SET failures = 4 WHERE id = $1`;
    await service.database.query({ name: 'failures', text }, [feedId]);
    await client.call('POST', `/v1/feeds/${feedId}/run`);
    const view = async () => (await client.call('GET', `/v1/feeds/${feedId}`)).body as FeedBody;
    await until(async () => (await view()).status === 'paused', {
      what: 'a paused feed',
      timeoutMs: 90_000,
    });
    expect(await view()).toMatchObject({
      nextRunAt: null,
      pausedReason: expect.stringMatching(/failed 5 times/),
    });
    await until(() => eventsOf(feedId).length > 0, { what: 'its event' });
    expect(eventsOf(feedId)[0]?.body).toMatchObject({
      type: 'feed.paused',
      reason: expect.stringMatching(/failed/),
    });
    const resumed = await client.call('POST', `/v1/feeds/${feedId}/resume`);
    expect(resumed.body).toMatchObject({
      status: 'active',
      pausedReason: null,
      nextRunAt: expect.any(String),
    });
    const paused = await client.call('POST', `/v1/feeds/${feedId}/pause`);
    expect(paused.body).toMatchObject({ status: 'paused', nextRunAt: null });
  });

  it('watch pages: only a change of the text is delivered', async () => {
    const { client } = await service.tenant('pro');
    const order = { connectorId: 'page_changes', params: { urls: [site.url('/')] }, changed: true };
    const { feedId } = await create(client, order);
    expect(await runNow(client, feedId)).toMatchObject({ status: 'completed', knownRows: 1 });
    expect(await runNow(client, feedId)).toMatchObject({ knownRows: 1, changedRows: 0 });
  });

  it('watch JSON: its values are delivered, not the order of its members', async () => {
    const { client } = await service.tenant('pro');
    const [first, ...later] = [
      '{"item":"pen","tags":["a"],"price":10}',
      '{ "price": 10.0, "tags": ["a"], "item": "pen" }',
      '{"item":"pen","tags":["a"],"price":12}',
    ];
    let body = first;
    site.serve({
      '/stock': ({ response }) =>
        void response.setHeader('content-type', 'application/json').end(body),
    });
    const params = { urls: [site.url('/stock')] };
    const { feedId } = await create(client, { connectorId: 'page_changes', params, changed: true });
    await runNow(client, feedId);
    const changed: unknown[] = [];
    for (body of later) changed.push((await runNow(client, feedId)).changedRows);
    expect(changed).toEqual([0, 1]);
  });

  it('are gated by the plan, and refused with a reason', async () => {
    const { client } = await service.tenant('free');
    const order = { connectorId: 'sitemap_urls', params: { url: site.url('/') } };
    const send = async (over: object) => {
      const answer = await client.call('POST', '/v1/feeds', {
        ...order,
        schedule: YEARLY,
        ...over,
      });
      return [answer.status, (answer.body as { error?: { code: string } }).error?.code];
    };
    expect(await send({ schedule: '0 * * * *' })).toEqual([403, 'feed_too_often']);
    expect(await send({ schedule: '0 0 30 2 *' })).toEqual([400, 'invalid_request']);
    expect(await send({ timeZone: 'Mars/Base' })).toEqual([400, 'invalid_request']);
    expect(await send({ connectorId: 'none' })).toEqual([404, 'connector_not_found']);
    expect(await send({ params: { x: 1 } })).toEqual([400, 'invalid_request']);
    expect(await send({ webhookUrl: 'http://169.254.169.254/' })).toEqual([400, 'blocked_url']);
    expect(await send({ timeZone: 'Europe/Berlin' })).toEqual([201, undefined]);
    expect(await send({})).toEqual([403, 'too_many_feeds']);
  });

  it('are closed to other tenants', async () => {
    const [owner, other] = [await service.tenant('pro'), await service.tenant('pro')];
    const { feedId } = await create(owner.client);
    for (const [method, at] of [
      ['GET', ''],
      ['GET', '/runs'],
      ['POST', '/run'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/addresses'],
      ['DELETE', ''],
    ] as const)
      expect([at, (await other.client.call(method, `/v1/feeds/${feedId}${at}`)).status]).toEqual([
        at,
        404,
      ]);
    const { body } = await other.client.call('GET', '/v1/feeds');
    expect(body).toEqual({ feeds: [] });
    expect((await owner.client.call('GET', `/v1/feeds/${feedId}`)).body).toMatchObject({
      status: 'active',
    });
  });
});
