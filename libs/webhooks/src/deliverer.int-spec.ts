import { newId } from '@app/contracts';
import { EgressGuard, HttpClient, parseAllowPrivate } from '@app/egress';
import { listDeliveries, redeliver } from './delivery-log.js';
import { showNewSecret } from './signing-secrets.js';
import { createTenant } from '@app/accounts';
import { type Database } from '@app/database';
import { createLogger, Metrics } from '@app/telemetry';
import {
  startWebhookReceiver,
  until,
  readSignedWebhook,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { endJob } from '../../../test/setup/webhook-jobs.js';
import { countOf, settle } from '../test/deliverer-rounds.js';
import { Deliverer, type DelivererOptions } from './deliverer.js';
import { RETRY_WAITS_MS } from './send-webhook.js';
import { secretText } from './sign-webhook.js';

const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 30_000;

describe('the deliverer', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let receiver: WebhookReceiver;
  let http: HttpClient;
  let metrics: Metrics;
  const deliverers: Deliverer[] = [];
  const receivers: WebhookReceiver[] = [];

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    const allowPrivate = parseAllowPrivate('127.0.0.1/32:1024-65535');
    const guard = new EgressGuard({ allowPrivate });
    http = new HttpClient({ guard, userAgent: 'spec', connectTimeoutMs: 60_000 });
  });
  afterAll(async () => {
    await http.close();
    await fresh.drop();
  });
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants CASCADE' });
    tenantId = (await createTenant(database, 'spec', 'custom')).id;
    receiver = await another({ slowMs: 10_000 });
    metrics = new Metrics();
  });
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((one) => one.close()));
    await Promise.all(deliverers.splice(0).map((one) => one.stop()));
  });

  async function another(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
    const started = await startWebhookReceiver(options);
    receivers.push(started);
    return started;
  }

  function open(over: Partial<DelivererOptions> = {}): Deliverer {
    const deliverer = new Deliverer({
      database,
      http,
      metrics,
      log: createLogger({ level: 'silent', component: 'spec' }),
      resultUrl: ({ resultKey }) => (resultKey === null ? null : `http://files/${resultKey}`),
      present: ({ id, status }, result) => ({ id, status, result }),
      userAgent: 'Trawl-Webhooks/spec',
      timeoutMs: TIMEOUT_MS,
      concurrency: 8,
      onRoom: () => undefined,
      random: () => 0.5,
      ...over,
    });
    deliverers.push(deliverer);
    return deliverer;
  }

  const log = async () =>
    listDeliveries(database, tenantId, { jobId: null, state: null, before: null, most: 100 });
  const counted = (outcome: string) => countOf(metrics, outcome);

  it('sends the body as it is presented, signed', async () => {
    const jobId = await endJob(database, tenantId, `${receiver.url}?token=1`, 'k');
    await settle(open());
    const [delivery] = await log();
    const [webhook] = receiver.received;
    if (!webhook || !delivery) throw new Error('nothing was sent');
    const body = { id: jobId, status: 'completed', result: 'http://files/k' };
    const [secret] = await showNewSecret(database, tenantId);
    expect(readSignedWebhook(webhook, secretText(secret?.secret ?? Buffer.of()))).toEqual(body);
    expect(webhook).toMatchObject({
      method: 'POST',
      path: '/hook?token=1',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Trawl-Webhooks/spec',
        'webhook-id': delivery.id,
      },
    });
    expect(delivery).toMatchObject({
      state: 'delivered',
      lastStatus: 200,
      attempts: [{ no: 1, status: 200, error: null, answer: 'thank you' }],
    });
    expect(await counted('delivered')).toBe(1);
  });

  it('signs by both secrets in the 24 h after a rotation, and by the new one alone after', async () => {
    const start = new Date();
    const [first] = await showNewSecret(database, tenantId, start);
    const [second] = await showNewSecret(database, tenantId, start);
    let nowMs = start.getTime() + 60_000;
    const deliverer = open({ now: () => new Date(nowMs) });
    await endJob(database, tenantId, receiver.url);
    await settle(deliverer);
    nowMs += 24 * HOUR_MS;
    await endJob(database, tenantId, receiver.url);
    await settle(deliverer);
    const signatures = receiver.received.map(
      ({ headers }) => headers['webhook-signature']?.split(' ').length,
    );
    expect(signatures).toEqual([2, 1]);
    const [during] = receiver.received;
    for (const secret of [first, second])
      if (during && secret) readSignedWebhook(during, secretText(secret.secret));
  });

  it('retries through an outage of three days, by the schedule, under one id', async () => {
    await endJob(database, tenantId, receiver.url);
    const startMs = Date.now();
    let nowMs = startMs + 1_000;
    const deliverer = open({ now: () => new Date(nowMs) });
    receiver.mode = '500';
    const dueAtMs: number[] = [];
    const isPending = async () => (await log())[0]?.state === 'pending';
    while ((await isPending()) && dueAtMs.length < 20) {
      dueAtMs.push(nowMs);
      // The receiver comes back for the last attempt.
      if (dueAtMs.length === 10) receiver.mode = 'ok';
      await settle(deliverer);
      const [delivery] = await log();
      const nextAtMs = delivery?.nextAt?.getTime();
      if (nextAtMs === undefined) break;
      nowMs = nextAtMs - 1;
      await settle(deliverer);
      expect(receiver.received).toHaveLength(dueAtMs.length);
      nowMs = nextAtMs;
    }
    const waits = dueAtMs.slice(1).map((at, n) => at - (dueAtMs[n] ?? 0));
    expect(waits).toEqual(RETRY_WAITS_MS);
    expect((nowMs - startMs) / HOUR_MS).toBeGreaterThan(75);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times).toEqual(dueAtMs.map((at) => Math.floor(at / 1_000)));
    expect(await log()).toMatchObject([{ state: 'delivered', attemptCount: 10 }]);
    expect([await counted('retried'), await counted('delivered')]).toEqual([9, 1]);
  });

  it('gives up after the tenth attempt, and starts again on request', async () => {
    await endJob(database, tenantId, receiver.url);
    let nowMs = Date.now() + 1_000;
    const deliverer = open({ now: () => new Date(nowMs) });
    receiver.mode = 'reset';
    for (let n = 0; n < 12; n++) {
      await settle(deliverer);
      nowMs += 30 * HOUR_MS;
    }
    const [delivery] = await log();
    expect(receiver.received).toHaveLength(10);
    expect(delivery).toMatchObject({ state: 'failed', attemptCount: 10, lastError: 'network' });
    expect(await counted('exhausted')).toBe(1);
    receiver.mode = 'ok';
    await redeliver(database, tenantId, delivery?.id ?? '', new Date(nowMs));
    await settle(deliverer);
    expect(await log()).toMatchObject([{ state: 'delivered', attemptCount: 11 }]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set([delivery?.id]));
  });

  it('retries no sooner than a 429 requests', async () => {
    await endJob(database, tenantId, receiver.url);
    let nowMs = Date.now() + 1_000;
    const answer = { status: 429, headers: { 'retry-after': '7200' }, body: new Uint8Array() };
    const fake = { fetch: async () => answer } as unknown as HttpClient;
    const deliverer = open({ now: () => new Date(nowMs), http: fake });
    const startMs = nowMs;
    await settle(deliverer);
    expect((await log())[0]?.nextAt?.getTime()).toBe(startMs + 2 * HOUR_MS);
    nowMs += 2 * HOUR_MS;
    await settle(deliverer);
    expect((await log())[0]?.attemptCount).toBe(2);
  });

  it('stops at a 410', async () => {
    await endJob(database, tenantId, receiver.url);
    let nowMs = Date.now() + 1_000;
    const deliverer = open({ now: () => new Date(nowMs) });
    receiver.mode = '410';
    await settle(deliverer);
    nowMs += 80 * HOUR_MS;
    await endJob(database, tenantId, receiver.url);
    await settle(deliverer);
    expect(receiver.received).toHaveLength(1);
    expect(await log()).toMatchObject([
      { state: 'disabled', attemptCount: 0 },
      { state: 'disabled', attemptCount: 1, lastStatus: 410, lastError: 'gone' },
    ]);
    expect(await counted('disabled')).toBe(2);
  });

  it('sends to one receiver one after another, and is not held up by a slow one', async () => {
    const slow = await another({ slowMs: 300 });
    slow.mode = 'slow';
    for (let n = 0; n < 4; n++) await endJob(database, tenantId, `${slow.url}/${n}`);
    for (let n = 0; n < 4; n++) await endJob(database, tenantId, `${receiver.url}/${n}`);
    const mayEnd = Promise.withResolvers<void>();
    // Until the fast one has all, an attempt at the slow one does not end.
    const held = {
      fetch: async (request: Parameters<HttpClient['fetch']>[0]) => {
        const response = await http.fetch(request);
        if (String(request.url).startsWith(slow.url)) await mayEnd.promise;
        return response;
      },
    };
    const [a, b] = [open({ http: held }), open({ http: held })];
    try {
      await until(
        async () => {
          await Promise.all([a.round(), b.round()]);
          return receiver.received.length === 4;
        },
        { what: 'the fast receiver to have all' },
      );
      expect(slow.received.length).toBeLessThan(4);
    } finally {
      mayEnd.resolve();
    }
    await until(
      async () => {
        await Promise.all([a.round(), b.round()]);
        return (await log()).every(({ state }) => state === 'delivered');
      },
      { what: 'the slow receiver to have all' },
    );
    expect([slow.mostAtOnce, receiver.mostAtOnce]).toEqual([1, 1]);
    expect([slow.received.length, receiver.received.length]).toEqual([4, 4]);
  });

  it('never exceeds its limit of attempts', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, () => another({ slowMs: 10_000 })));
    for (const one of slow) {
      one.mode = 'hang';
      await endJob(database, tenantId, one.url);
      await endJob(database, (await createTenant(database, 'b', 'free')).id, one.url);
    }
    const connected = () => slow.reduce((sum, one) => sum + one.received.length, 0);
    const deliverer = open({ concurrency: 4, timeoutMs: 60_000 });
    while ((await deliverer.round()) === 0);
    await until(() => connected() === 4, { what: 'four attempts' });
    expect(await deliverer.round()).toBeNull();
    expect(connected()).toBe(4);
    await Promise.all(slow.map((one) => one.close()));
    await deliverer.idle();
  });

  it('ends attempts in flight when it stops, or releases them', async () => {
    const quick = await another({ slowMs: 200 });
    [quick.mode, receiver.mode] = ['slow', 'hang'];
    await endJob(database, tenantId, quick.url);
    await endJob(database, tenantId, receiver.url);
    const deliverer = open({ timeoutMs: 60_000 });
    await deliverer.round();
    await until(() => receiver.received.length + quick.received.length === 2, { what: 'both' });
    let [giveUp, patienceMs] = [(): void => undefined, NaN];
    const timers = jest.spyOn(globalThis, 'setTimeout');
    // Its patience ends when the quick one is answered, however long that takes.
    timers.mockImplementationOnce(((callback: () => void, ms: number) => {
      [giveUp, patienceMs] = [callback, ms];
    }) as never);
    const stopped = deliverer.stop();
    timers.mockRestore();
    const isAnswered = async () => (await log()).some(({ state }) => state === 'delivered');
    await until(isAnswered, { what: 'the end of the quick one' });
    giveUp();
    await stopped;
    expect(patienceMs).toBeLessThan(30_000);
    const byUrl = new Map((await log()).map((delivery) => [delivery.url, delivery]));
    expect(byUrl.get(quick.url)).toMatchObject({ state: 'delivered' });
    expect(byUrl.get(receiver.url)).toMatchObject({ state: 'pending', lastError: 'interrupted' });
    receiver.mode = 'ok';
    await settle(open());
    expect((await log()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('resends a delivery that another process sent and never recorded, under the same id', async () => {
    await endJob(database, tenantId, receiver.url);
    let nowMs = Date.now() + 1_000;
    // The fetch of a process that is killed between sending and recording never returns to it.
    const dying = {
      fetch: async (request: Parameters<HttpClient['fetch']>[0]) => {
        await http.fetch(request);
        return new Promise<never>(() => undefined);
      },
    };
    const dead = open({ http: dying, now: () => new Date(nowMs) });
    deliverers.pop();
    await dead.round();
    await until(() => receiver.received.length === 1, { what: 'the first attempt' });
    const heir = open({ now: () => new Date(nowMs) });
    await settle(heir);
    expect(receiver.received).toHaveLength(1);
    nowMs += TIMEOUT_MS + 15_000 + 1;
    await settle(heir);
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
    expect(await log()).toMatchObject([
      { state: 'delivered', attempts: [{ ms: null }, { status: 200 }] },
    ]);
  });

  it('counts attempts that the guard refuses, and retries in case the name moves', async () => {
    await endJob(database, tenantId, 'http://127.0.0.2:9999/');
    await settle(open());
    expect(await log()).toMatchObject([{ state: 'pending', lastError: 'blocked_address' }]);
    expect(await counted('ssrf_denied')).toBe(1);
  });

  it('counts an internal fault as an attempt, with its own outcome', async () => {
    await endJob(database, tenantId, receiver.url);
    const broken = open({
      resultUrl: () => {
        throw new Error('no storage');
      },
    });
    await settle(broken);
    expect(await log()).toMatchObject([{ state: 'pending', lastError: 'internal' }]);
    expect(receiver.received).toEqual([]);
  });

  it('logs neither path nor query of an address', async () => {
    const lines: unknown[] = [];
    const note = (...words: unknown[]) => void lines.push(words);
    const spy = { info: note, error: note, warn: note } as unknown as DelivererOptions['log'];
    const secret = `secret-${newId()}`;
    await endJob(database, tenantId, `${receiver.url}/${secret}?token=${secret}`);
    receiver.nextModes.push('500');
    await settle(open({ log: spy }));
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain(new URL(receiver.url).origin);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});
