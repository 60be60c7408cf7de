import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { ApiError, type Plan } from '@app/contracts';
import { changeAgreement, createApiKey, createTenant } from '@app/accounts';
import { NOTHING_AGREED } from '../../../../../libs/accounts/src/tenants/tenants.js';
import { Database } from '@app/database';
import { createLogger } from '@app/telemetry';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../../test/setup/open-fresh-database.js';
import { OwnCalls, type OwnAnswer } from '../auth/own-calls.js';
import { requireKey } from '../auth/require-key.js';
import { CallLimits, limitCalls } from './limit-calls.js';
import { SLOT_LEASE_MS } from '../../../../../libs/accounts/src/limits/call-slots.js';

/** A server with the hooks alone: the test ends its calls. */
interface Replica {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly own: OwnCalls;
  /** Functions that end the running calls, in order of arrival. */
  readonly ends: (() => void)[];
}

describe('concurrent calls to two replicas', () => {
  let fresh: FreshDatabase;
  let replicas: readonly Replica[];
  beforeAll(async () => {
    fresh = await openFreshDatabase();
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    replicas = [await startReplica(fresh.database.url), await startReplica(fresh.database.url)];
  });
  afterEach(() => Promise.all(replicas.map(stopReplica)));

  const keyOf = async (plan: Plan, concurrentRequests: number | null = null): Promise<string> => {
    const { id } = await createTenant(fresh.database, 'spec', plan);
    const agreed = { ...NOTHING_AGREED, requestsPerMinute: 100_000, concurrentRequests };
    await fresh.database.transaction((tx) => changeAgreement(tx, id, agreed));
    return createApiKey(fresh.database, id, 'spec');
  };
  const send = async (
    key: string,
    replica: number,
    { path = '/v1/scrape', signal }: { path?: string; signal?: AbortSignal } = {},
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const { port } = replicas[replica % 2]?.server.server.address() as AddressInfo;
    const init = { method: 'POST', headers: { 'x-api-key': key }, signal: signal ?? null };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
  const open = (): number => replicas.reduce((sum, { ends }) => sum + ends.length, 0);
  const endOne = (): void => replicas.find(({ ends }) => ends.length > 0)?.ends.shift()?.();
  const heldSlots = async (): Promise<number> => {
    const text = 'SELECT 1 FROM call_slots WHERE until > clock_timestamp()';
    return (await fresh.database.query({ name: 'spec_held', text })).length;
  };
  /** Leaves no slot taken for the next test. */
  const endAll = async (calls: readonly Promise<unknown>[]): Promise<void> => {
    while (open() > 0) endOne();
    await Promise.all(calls);
    expect(await heldSlots()).toBe(0);
  };

  it.each([
    ['free', null, 2],
    ['hobby', null, 5],
    ['free', 3, 3],
  ] as const)(
    'are limited exactly by the plan %s or the agreement %j, even if many arrive at once',
    async (plan, agreed, limit) => {
      const key = await keyOf(plan, agreed);
      const calls = Array.from({ length: 24 }, (_, n) => send(key, n));
      const refused: string[] = [];
      for (const call of calls)
        void call.then(({ status, text }) => status === 429 && refused.push(text));
      await until(() => refused.length === 24 - limit, { what: 'the others to be refused' });
      await until(() => open() === limit, { what: 'the admitted ones' });
      expect([open(), await heldSlots()]).toEqual([limit, limit]);
      expect(new Set(refused)).toEqual(new Set([JSON.stringify({ limit, tier: plan })]));
      await endAll(calls);
    },
  );

  it('make room for the next as soon as one was answered', async () => {
    const key = await keyOf('free', 1);
    for (let n = 0; n < 20; n++) {
      const call = send(key, n);
      await until(() => open() === 1, { what: 'the call' });
      endOne();
      expect((await call).status).toBe(200);
    }
  });

  it('are limited per tenant', async () => {
    const [one, other] = [await keyOf('free', 1), await keyOf('free', 1)];
    const calls = [send(one, 0), send(other, 0)];
    await until(() => open() === 2, { what: 'both' });
    expect([(await send(one, 1)).status, (await send(other, 1)).status]).toEqual([429, 429]);
    await endAll(calls);
  });

  it('release their slot when the client disconnects', async () => {
    const key = await keyOf('free', 1);
    const hangUp = new AbortController();
    const gone = send(key, 0, { signal: hangUp.signal }).catch(() => 'gone');
    await until(() => open() === 1, { what: 'the call' });
    expect((await send(key, 1)).status).toBe(429);
    hangUp.abort();
    expect(await gone).toBe('gone');
    await until(async () => (await heldSlots()) === 0, { what: 'a free slot' });
    await endAll([]);
  });

  it('keep their slot until a stream was read to its end', async () => {
    const key = await keyOf('free', 1);
    const stream = send(key, 0, { path: '/v1/batch' });
    await until(() => open() === 1, { what: 'the stream' });
    expect((await send(key, 1)).status).toBe(429);
    endOne();
    expect(await stream).toEqual({ status: 200, text: 'first last' });
    const next = send(key, 1, { path: '/v1/batch' });
    await until(() => open() === 1, { what: 'the next' });
    await endAll([next]);
  });

  it('release their slot when the reader of a stream disconnects', async () => {
    const key = await keyOf('free', 1);
    const { port } = replicas[0]?.server.server.address() as AddressInfo;
    const to = { host: '127.0.0.1', port, path: '/v1/batch', method: 'POST', agent: false };
    const sent = request({ ...to, headers: { 'x-api-key': key } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [Readable];
    await once(response, 'readable');
    expect(await heldSlots()).toBe(1);
    response.once('error', () => undefined);
    sent.destroy();
    await until(async () => (await heldSlots()) === 0, { what: 'a free slot' });
    await endAll([]);
  });

  it('share window and slots with those of our own pages', async () => {
    const { id } = await createTenant(fresh.database, 'spec', 'free');
    const key = await createApiKey(fresh.database, id, 'spec');
    const tenant = { id, plan: 'free', keyId: null, agreed: NOTHING_AGREED } as const;
    const sendOwn = async (): Promise<OwnAnswer | undefined> =>
      replicas[0]?.own.send(tenant, { path: '/v1/scrape' });
    const calls = [sendOwn(), sendOwn()];
    await until(() => open() === 2, { what: 'the calls' });
    expect(await sendOwn()).toMatchObject({ status: 429, json: '{"limit":2,"tier":"free"}' });
    expect((await send(key, 0)).status).toBe(429);
    await endAll(calls);
    // The two that were refused are not counted.
    for (let n = 2; n < 10; n++) {
      const call = sendOwn();
      await until(() => open() === 1, { what: 'the call' });
      await endAll([call]);
    }
    expect(await sendOwn()).toMatchObject({ status: 429, json: '{"limit":10,"tier":"free"}' });
  });

  it('lose their slot when their replica died, and not before', async () => {
    const key = await keyOf('free', 1);
    const call = send(key, 0);
    await until(() => open() === 1, { what: 'the call' });
    const age = (ms: number) =>
      fresh.database.query(
        {
          name: 'spec_age',
          text: `UPDATE call_slots SET until = until - $1::int * interval '1 millisecond'`,
        },
        [ms],
      );
    await age(SLOT_LEASE_MS / 2);
    expect((await send(key, 1)).status).toBe(429);
    await age(SLOT_LEASE_MS);
    const next = send(key, 1);
    await until(() => open() === 2, { what: 'the next' });
    await endAll([call, next]);
  });
});

async function startReplica(url: string): Promise<Replica> {
  const database = new Database({
    url,
    poolSize: 4,
    applicationName: 'replica',
    connectTimeoutMs: 60_000,
  });
  await database.connect();
  const server = fastify({ forceCloseConnections: true });
  const ends: (() => void)[] = [];
  const ended = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  server.decorateRequest('isMultipart', () => false);
  server.setErrorHandler(async (error, _, reply) => {
    const { row, details } = error instanceof ApiError ? error : new ApiError('internal');
    await reply.status(row.status).send({ limit: details['limit'], tier: details['tier'] });
  });
  const own = new OwnCalls(server);
  requireKey(server, { database, own });
  const log = createLogger({ level: 'fatal', component: 'spec' });
  limitCalls(server, new CallLimits({ database, log }));
  const config = { facts: { kind: 'waits' } };
  server.post('/v1/scrape', { config }, async () => {
    await ended();
    return 'done';
  });
  server.post('/v1/batch', { config }, async (_, reply) =>
    reply.send(Readable.from(twoParts(ended))),
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  return { server, database, own, ends };
}

async function* twoParts(ended: () => Promise<void>): AsyncGenerator<string> {
  yield 'first ';
  await ended();
  yield 'last';
}

async function stopReplica({ server, database, ends }: Replica): Promise<void> {
  for (const end of ends.splice(0)) end();
  await server.close();
  await database.close();
}
