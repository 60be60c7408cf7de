import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { BlobNotFoundError } from '@app/blobs';
import { ApiError } from '@app/contracts';
import { API_KEY_PREFIX } from '@app/accounts';
import { until } from '@app/testing';
import { OwnCalls } from '../../accounts/auth/own-calls.js';
import { requireKey } from '../../accounts/auth/require-key.js';
import { LongAnswers, MAX_LONG_ANSWERS_PER_TENANT } from '../long-answers.js';
import { keepPostsIdempotent } from './idempotent-posts.js';

const KEY = `${API_KEY_PREFIX}${'a'.repeat(12)}_secret`;
const CHUNK = Buffer.alloc(64 * 1024, 'a');
/** Far more than sockets buffer. */
const CHUNKS = 1_000;
/** Used by the test that waits for it; in the others no slow reader is cut off. */
const STALLED_MS = 200;
const NEVER_MS = 600_000;

describe('the replay of a stored body', () => {
  let server: FastifyInstance;
  let open: Set<Readable>;
  let isGone: boolean;
  let runs: number;

  async function start(stalledMs: number): Promise<void> {
    [open, isGone, runs] = [new Set(), false, 0];
    server = fastify({ forceCloseConnections: true });
    server.decorateRequest('isMultipart', () => false);
    server.setErrorHandler(async (error, _, reply) => {
      const apiError = error instanceof ApiError ? error : new ApiError('internal');
      await reply.status(apiError.row.status).send({ code: apiError.code });
    });
    const runtime = { database: { query, asTenant: () => ({ query }) }, blobs: { get } };
    requireKey(server, { database: runtime.database as never, own: new OwnCalls(server) });
    keepPostsIdempotent(server, runtime as never, { answers: new LongAnswers(), stalledMs });
    server.post('/v1/scrape', async () => ({ runs: ++runs }));
    await server.listen({ port: 0, host: '127.0.0.1' });
  }
  afterEach(() => server.close());

  async function query({ name }: { readonly name: string }): Promise<object[]> {
    if (name === 'admit_requests') {
      const secretHash = createHash('sha256').update(KEY).digest();
      return [
        {
          question: 1,
          tenantId: 't',
          plan: 'pro',
          secretHash,
          limit: 200,
          admitted: 200,
          remaining: 0,
        },
      ];
    }
    if (name !== 'read_idempotency_key') return [];
    const headers = { 'content-type': 'application/json' };
    return [{ fingerprint: null, status: 200, headers, body: null, blobKey: 'b', isRunning: null }];
  }

  async function get(): Promise<Readable> {
    if (isGone) throw new BlobNotFoundError('b');
    const body = Readable.from(Array<Buffer>(CHUNKS).fill(CHUNK), { objectMode: false });
    open.add(body);
    return body.once('close', () => open.delete(body));
  }

  async function post(): Promise<IncomingMessage> {
    const { port } = server.server.address() as AddressInfo;
    const headers = { 'x-api-key': KEY, 'idempotency-key': 'k' };
    const to = { host: '127.0.0.1', port, path: '/v1/scrape', method: 'POST', agent: false };
    const sent = request({ ...to, headers });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // Cut off by either end: the point of these tests.
    return response.once('error', () => undefined);
  }
  const bodyOf = async (response: IncomingMessage): Promise<Buffer> =>
    Buffer.concat((await response.toArray()) as Buffer[]);

  it('is complete', async () => {
    await start(NEVER_MS);
    const response = await post();
    expect([response.statusCode, response.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect((await bodyOf(response)).length).toBe(CHUNKS * CHUNK.length);
    expect([open.size, runs]).toEqual([0, 0]);
  });

  it.each([
    ['takes nothing', STALLED_MS, () => undefined],
    ['leaves', NEVER_MS, (response: IncomingMessage) => void response.destroy()],
  ])('ends when its reader %s, and nothing runs again', async (_, stalledMs, read) => {
    await start(stalledMs);
    read(await post());
    await until(() => open.size === 0, { what: 'the stored body to be closed' });
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(runs).toBe(0);
  });

  it('counts as a long response of its tenant', async () => {
    await start(NEVER_MS);
    const held = await Promise.all(Array.from({ length: MAX_LONG_ANSWERS_PER_TENANT }, post));
    const refused = await post();
    expect([refused.statusCode, JSON.parse(String(await bodyOf(refused)))]).toEqual([
      429,
      { code: 'too_many_answers' },
    ]);
    expect(open.size).toBe(MAX_LONG_ANSWERS_PER_TENANT);
    held[0]?.destroy();
    await until(async () => (await post()).statusCode === 200, { what: 'a free place' });
  });

  it('that storage has lost fails permanently, and nothing runs again', async () => {
    await start(NEVER_MS);
    isGone = true;
    for (let tries = 0; tries < 2; tries++) {
      const response = await post();
      expect([response.statusCode, JSON.parse(String(await bodyOf(response)))]).toEqual([
        410,
        { code: 'idempotency_answer_gone' },
      ]);
    }
    expect(runs).toBe(0);
  });
});
